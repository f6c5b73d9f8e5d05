//===- RunTool.h - Errors of the runtime as exit codes ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_RUNTOOL_H
#define GNN_SUPPORT_RUNTOOL_H

#include "gnn/error.hpp"
#include "support/LastResort.h"
#include "support/Process.h"

namespace gnn::tools {

inline int exitCodeOf(gnn_status_t status) {
  switch (status) {
  case GNN_ERROR_ARGUMENT:
    return exitUsage;
  case GNN_ERROR_IO:
  case GNN_ERROR_MEMORY:
  case GNN_ERROR_DEVICE:
    return exitSystem;
  case GNN_ERROR_INTERNAL:
    return exitInternal;
  default:
    return exitContent;
  }
}

/// All of a program: the exit code that `action` returns, or that of what it throws, which is printed. `tidyUp` is that
/// of installLastResort.
template <typename Action> int runTool(const char *program, Action action, void (*tidyUp)() = nullptr) noexcept {
  openStandardStreams();
  reportFileSizeLimit();
  installLastResort(program, tidyUp);
  try {
    return finishOutput(program, action());
  } catch (const Error &error) {
    return reportError(program, error.what(), exitCodeOf(error.code()));
  } catch (...) {
    return reportException(program);
  }
}

} // namespace gnn::tools

#endif // GNN_SUPPORT_RUNTOOL_H
