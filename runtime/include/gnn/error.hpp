//===- error.hpp - Errors of the C++ interface -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception type of the runtime: what a failing C call reports, thrown. The C++ face throws it in the
// application; inside the library it is thrown by the implementation and stops at the C boundary
// (runtime/src/core/Guard.h).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ERROR_HPP
#define GNN_ERROR_HPP

#include "gnn/status.h"
#include <stdexcept>
#include <string>

namespace gnn {

class Error : public std::runtime_error {
public:
  Error(gnn_status_t code, const std::string &message) : std::runtime_error(message), status(code) {}
  gnn_status_t code() const noexcept { return status; }

private:
  gnn_status_t status;
};

/// Throws the last error of this thread unless `status` is success.
inline void check(gnn_status_t status) {
  if (status != GNN_OK)
    throw Error(status, gnn_last_error());
}

} // namespace gnn

#endif // GNN_ERROR_HPP
