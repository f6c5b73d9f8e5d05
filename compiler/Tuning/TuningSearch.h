//===- TuningSearch.h - The search for schedules ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One knob after the other, all kernels at once: as each kernel is timed by itself, a library with one number for all
// of them tells what that number is worth to each. Asks for batches of libraries and is told what they took, so that
// the same measurements give the same schedules. A knob is set only where it gains more than measuring is worth.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TUNING_TUNINGSEARCH_H
#define GNNC_TUNING_TUNINGSEARCH_H

#include "compiler/Tuning/TuningFile.h"
#include <map>

namespace gnnc {

/// Milliseconds of a library by kernel; none of a library that the machine cannot run.
using KernelTimes = std::map<std::string, double>;

/// The output of `gnn-train time --json`.
struct Measurements {
  std::string model, program;
  TuningSection section; // no requests yet
  std::vector<KernelTimes> libraries;

  static llvm::Expected<Measurements> parse(llvm::StringRef json);
};

class TuningSearch {
public:
  /// A number is taken if it needs at most this share of the time.
  static constexpr double worthwhile = 0.97;

  using Batch = std::vector<std::vector<ScheduleRequest>>;

  /// A search for the knobs of `machine`, on which is measured.
  explicit TuningSearch(Knob::Machine machine);

  /// The requests of each library to measure next, in turns with the others; none: the search is over.
  Batch next() const;
  /// How many batches there are at most.
  unsigned numBatches() const;
  /// The measurements of `next()`, library by library.
  void add(const std::vector<KernelTimes> &libraries);

  /// The requests that the search found.
  const std::vector<ScheduleRequest> &requests() const { return found; }
  /// Before and after, of each of these.
  const std::vector<std::string> &comments() const { return gains; }

private:
  std::vector<ScheduleRequest> chosen() const;
  void chooseValues(const Knob &knob, const std::vector<KernelTimes> &libraries);
  void confirm(const KernelTimes &before, const KernelTimes &after);

  std::vector<const Knob *> searched;
  unsigned batch = 0; // of `searched`, then the confirmation
  std::map<std::string, std::map<const Knob *, int64_t>> values;
  std::vector<ScheduleRequest> found;
  std::vector<std::string> gains;
};

} // namespace gnnc

#endif // GNNC_TUNING_TUNINGSEARCH_H
