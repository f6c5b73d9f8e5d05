//===- DescribeTunings.h - Tables of tuned graphs -------------*- C++ -* -===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The alternatives among which the runtime chooses when it binds a graph.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_DESCRIBETUNINGS_H
#define GNNC_TARGET_LIBRARY_DESCRIBETUNINGS_H

#include "compiler/Target/Library/LibraryImage.h"
#include "compiler/Tuning/TuningFile.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc {

/// The knobs of a schedule that the runtime reads on processors; null for none.
gnn_knobs_t knobsOf(star::ScheduleAttr schedule);

/// One for each section, with its knobs that are the runtime's (Knob::Runtime). `image` has the kernels of `module`.
std::vector<TuningImage> describeTunings(mlir::ModuleOp module, const LibraryImage &image,
                                         llvm::ArrayRef<TuningSection> sections);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_DESCRIBETUNINGS_H
