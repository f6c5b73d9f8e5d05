//===- UniqueNumber.h - Numbers that nothing else has had ---- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_UNIQUENUMBER_H
#define GNN_CORE_UNIQUENUMBER_H

#include <atomic>
#include <cstdint>

namespace gnn::rt {

/// A number that this process has not given before, never 0: it names what may be freed while copies are kept.
inline uint64_t uniqueNumber() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace gnn::rt

#endif // GNN_CORE_UNIQUENUMBER_H
