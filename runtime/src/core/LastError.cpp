//===- LastError.cpp - The last error of a thread --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage of error messages, names of status codes, and the version of the C interface.
//
//===----------------------------------------------------------------------===//

#include "gnn/version.h"
#include "runtime/src/core/Guard.h"
#include <cstring>
#include <iterator>

namespace {
/// A fixed array, so that reporting exhausted memory needs none.
thread_local char lastError[2048] = "";
} // namespace

gnn_status_t gnn::rt::setLastError(gnn_status_t status, const char *message) noexcept {
  std::strncpy(lastError, message, sizeof(lastError) - 1);
  return status;
}

uint32_t gnn_interface_version(void) { return GNN_INTERFACE_VERSION; }

const char *gnn_last_error(void) { return lastError; }

const char *gnn_status_name(gnn_status_t status) {
  static const char *const names[] = {"success",        "argument error", "data error",    "mismatch",
                                      "I/O error",      "out of memory",  "version error", "numeric error",
                                      "internal error", "device error"};
  static_assert(std::size(names) == GNN_ERROR_DEVICE + 1, "one name for each status");
  return unsigned(status) < std::size(names) ? names[status] : "unknown status";
}
