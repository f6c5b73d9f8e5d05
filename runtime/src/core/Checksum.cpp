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

using namespace gnn::rt;

static constexpr size_t pieceBytes = size_t(4) << 20;

uint64_t gnn::rt::checksum(Span<const char> bytes, uint64_t seed) {
  std::vector<uint64_t> pieces((bytes.size() + pieceBytes - 1) / pieceBytes);
  parallelFor(size_t(0), pieces.size(), [&](size_t i) {
    size_t begin = i * pieceBytes;
    pieces[i] = XXH3_64bits(bytes.data() + begin, std::min(pieceBytes, bytes.size() - begin));
  });
  return XXH3_64bits_withSeed(pieces.data(), pieces.size() * sizeof(uint64_t), seed);
}

uint64_t gnn::rt::checksumOfBlock(Span<const char> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

struct RunningChecksum::State {
  XXH3_state_t hash;
  size_t bytes = 0;
};

RunningChecksum::RunningChecksum() : state(std::make_unique<State>()) { XXH3_64bits_reset(&state->hash); }
RunningChecksum::~RunningChecksum() = default;

void RunningChecksum::add(Span<const char> bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const size_t count = std::min(pieceBytes - state->bytes, bytes.size() - done);
    XXH3_64bits_update(&state->hash, bytes.data() + done, count);
    done += count;
    state->bytes += count;
    if (state->bytes < pieceBytes)
      continue;
    pieces.push_back(XXH3_64bits_digest(&state->hash));
    XXH3_64bits_reset(&state->hash);
    state->bytes = 0;
  }
}

uint64_t RunningChecksum::finish(uint64_t seed) {
  if (state->bytes > 0)
    pieces.push_back(XXH3_64bits_digest(&state->hash));
  return XXH3_64bits_withSeed(pieces.data(), pieces.size() * sizeof(uint64_t), seed);
}
