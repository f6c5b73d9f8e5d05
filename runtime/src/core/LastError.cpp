//===- LastError.cpp - The last error of a thread --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage of error messages and names of status codes.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include <cstring>

namespace {
/// A fixed array, so that reporting exhausted memory needs none.
thread_local char lastError[2048] = "";
} // namespace

gnn_status_t gnn::rt::setLastError(gnn_status_t status, const char *message) noexcept {
  std::strncpy(lastError, message, sizeof(lastError) - 1);
  return status;
}

const char *gnn_last_error(void) { return lastError; }

const char *gnn_status_name(gnn_status_t status) {
  switch (status) {
  case GNN_OK:
    return "success";
  case GNN_ERROR_ARGUMENT:
    return "argument error";
  case GNN_ERROR_DATA:
    return "data error";
  case GNN_ERROR_MISMATCH:
    return "mismatch";
  case GNN_ERROR_IO:
    return "I/O error";
  case GNN_ERROR_MEMORY:
    return "out of memory";
  case GNN_ERROR_VERSION:
    return "version error";
  case GNN_ERROR_NUMERIC:
    return "numeric error";
  case GNN_ERROR_INTERNAL:
    return "internal error";
  case GNN_ERROR_DEVICE:
    return "device error";
  }
  return "unknown status";
}
