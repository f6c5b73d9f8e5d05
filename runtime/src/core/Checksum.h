//===- Checksum.h - Whether large data are what was written -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_CHECKSUM_H
#define GNN_CORE_CHECKSUM_H

#include "runtime/src/core/Span.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace gnn::rt {

/// XXH3 of the XXH3 of each 4 MiB, by all threads; `seed` chains those of several arrays. Against damage, not against
/// forgery.
uint64_t checksum(Span<const char> bytes, uint64_t seed = 0);

/// XXH3 of what is small, by this thread.
uint64_t checksumOfBlock(Span<const char> bytes);

/// `checksum` of an array that comes in pieces.
class RunningChecksum {
public:
  RunningChecksum();
  ~RunningChecksum();
  void add(Span<const char> bytes);
  uint64_t finish(uint64_t seed = 0);

private:
  struct State;
  std::unique_ptr<State> state; // of the bytes that are no whole piece yet
  std::vector<uint64_t> pieces;
};

} // namespace gnn::rt

#endif // GNN_CORE_CHECKSUM_H
