//===- Tune.h - gnnc tune ---------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a model with one schedule after the other, has a program of the runtime time them over a data set, and
// writes the best to a tuning file.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_TUNE_H
#define GNNC_DRIVER_TUNE_H

#include "compiler/Driver/Options.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gnnc {

/// `compile` makes one library and returns an exit code. Returns the exit code; what went wrong has been printed.
int tune(const Options &options, llvm::function_ref<int(const Options &)> compile);

/// The tuning file that a compilation reads: the one that was asked for, else the one beside the source if there is
/// one; empty: none.
std::string tuningPath(const Options &options);

/// Reads it into `options.tuning`, what is about code, and `options.tunedGraphs`.
llvm::Error readTuning(Options &options);

} // namespace gnnc

#endif // GNNC_DRIVER_TUNE_H
