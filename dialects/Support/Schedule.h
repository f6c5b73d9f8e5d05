//===- Schedule.h - Schedules as they are written ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The knobs that say how kernels run and never what they compute, and what a source, a tuning file or a command line
// asks for. Front end and dialects share it; `#star.schedule` is what becomes of it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_SUPPORT_SCHEDULE_H
#define GNNC_DIALECTS_SUPPORT_SCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace gnnc {

struct Knob {
  enum Machine { Processors, Devices, Any };
  enum Reader { Compiler, Runtime };
  enum Steps { Sweeps, EdgeSweeps /* those that give edges values and fold none */, SweepsAndMaps };

  llvm::StringLiteral name;
  int64_t lowest, highest; // powers of two
  Machine machine;         // that it is about
  Reader reader;           // who acts on it for processors
  Steps steps;             // that have it
  llvm::StringLiteral summary;

  bool allows(int64_t value) const;
  /// The values that `allows` accepts, as the end of a sentence: "a power of two from 4 to 512".
  std::string range() const;
};

/// All of them, in the order of Schedule.def.
llvm::ArrayRef<Knob> knobs();
/// Null if there is none of the name.
const Knob *findKnob(llvm::StringRef name);

/// `tile 64 on conv1`. The subject is a kernel or a *place*: a layer of the model (`conv1`), a layer in it
/// (`conv1.inner`) or a field (`conv1.z`); empty: all kernels.
struct ScheduleRequest {
  std::string subject;
  const Knob *knob = nullptr;
  int64_t value = 0;
  bool mayMiss = false; // applies to nothing where the compiler left nothing of its subject
};

/// Reads `SUBJECT.KNOB=VALUE` or `KNOB=VALUE`; an error is a sentence without a file.
llvm::Expected<ScheduleRequest> parseScheduleRequest(llvm::StringRef text);

/// Whether what `place` computes belongs to `subject`.
bool isPlaceWithin(llvm::StringRef place, llvm::StringRef subject);

} // namespace gnnc

#endif // GNNC_DIALECTS_SUPPORT_SCHEDULE_H
