//===- Checksum.cpp - Whether large data are what was written -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Parallel.h"

#include <algorithm>
#include <vector>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t gnn::rt::checksum(Span<const char> bytes, uint64_t seed) {
  constexpr size_t pieceBytes = size_t(4) << 20;
  std::vector<uint64_t> pieces((bytes.size() + pieceBytes - 1) / pieceBytes);
  parallelFor(size_t(0), pieces.size(), [&](size_t i) {
    size_t begin = i * pieceBytes;
    pieces[i] = XXH3_64bits(bytes.data() + begin, std::min(pieceBytes, bytes.size() - begin));
  });
  return XXH3_64bits_withSeed(pieces.data(), pieces.size() * sizeof(uint64_t), seed);
}
