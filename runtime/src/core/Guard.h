//===- Guard.h - Where C++ exceptions stop ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of every C function that can fail runs inside `guard`, which turns an exception into a status and the
// thread's last error. `fail` and `require` are how the implementation throws.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_GUARD_H
#define GNN_CORE_GUARD_H

#include "gnn/error.hpp"
#include <new>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace gnn::rt {

/// Remembers `message` for gnn_last_error of this thread; returns `status`.
gnn_status_t setLastError(gnn_status_t status, const char *message) noexcept;

template <class Body> gnn_status_t guard(Body &&body) noexcept {
  try {
    std::forward<Body>(body)();
    return GNN_OK;
  } catch (const Error &error) {
    return setLastError(error.code(), error.what());
  } catch (const std::bad_alloc &) {
    return setLastError(GNN_ERROR_MEMORY, "out of memory");
  } catch (const std::runtime_error &error) { // threads that the system has not for oneTBB
    return setLastError(GNN_ERROR_MEMORY, error.what());
  } catch (const std::exception &error) {
    return setLastError(GNN_ERROR_INTERNAL, error.what());
  } catch (...) {
    return setLastError(GNN_ERROR_INTERNAL, "unknown exception");
  }
}

/// Throws Error(code) with the concatenation of `parts`.
template <class... Parts> [[noreturn]] void fail(gnn_status_t code, const Parts &...parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Error(code, text.str());
}

/// Throws unless `condition`; `parts` say what is wrong with which argument.
template <class... Parts> void require(bool condition, gnn_status_t code, const Parts &...parts) {
  if (!condition)
    fail(code, parts...);
}

} // namespace gnn::rt

#endif // GNN_CORE_GUARD_H
