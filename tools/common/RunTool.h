//===- RunTool.h - Errors of the runtime as exit codes ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_COMMON_RUNTOOL_H
#define GNN_TOOLS_COMMON_RUNTOOL_H

#include "gnn/error.hpp"
#include <iostream>
#include <new>

namespace gnn::tools {

/// 1: what was read is wrong. 2: so are the arguments. 3: a file, memory or a device could not be had.
inline int exitCodeOf(gnn_status_t status) {
  switch (status) {
  case GNN_ERROR_ARGUMENT:
    return 2;
  case GNN_ERROR_IO:
  case GNN_ERROR_MEMORY:
  case GNN_ERROR_DEVICE:
    return 3;
  default:
    return 1;
  }
}

/// The exit code that `action` returns, or that of the error that it throws, which is printed.
template <typename Action> int runTool(const char *program, Action action) {
  try {
    return action();
  } catch (const Error &error) {
    std::cerr << program << ": error: " << error.what() << "\n";
    return exitCodeOf(error.code());
  } catch (const std::bad_alloc &) {
    std::cerr << program << ": error: out of memory\n";
    return exitCodeOf(GNN_ERROR_MEMORY);
  }
}

} // namespace gnn::tools

#endif // GNN_TOOLS_COMMON_RUNTOOL_H
