//===- Random.h - Random numbers -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mixer that all randomness of the runtime is made of (docs/dev/abi.md, "Random numbers"), and a plain
// sequence of numbers on top of it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_RANDOM_H
#define GNN_CORE_RANDOM_H

#include <cstdint>

namespace gnn::rt {

constexpr uint64_t goldenGamma = 0x9e3779b97f4a7c15u;

constexpr uint64_t mix64(uint64_t z) {
  z ^= z >> 30;
  z *= 0xbf58476d1ce4e5b9u;
  z ^= z >> 27;
  z *= 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Key of one step's random numbers; the formula is in docs/dev/abi.md ("Random numbers").
constexpr uint64_t stepKey(uint64_t seed, uint64_t step) { return mix64(seed + mix64(step + goldenGamma)); }

/// The same numbers for the same seed on every machine (SplitMix64; Steele, Lea, Flood 2014).
class RandomSequence {
public:
  explicit RandomSequence(uint64_t seed) : state(mix64(seed)) {}

  uint64_t next() { return mix64(state += goldenGamma); }
  /// Uniform in [0, 1).
  double uniform() { return double(next() >> 11) * 0x1p-53; }
  /// Uniform in [0, bound), up to a bias below bound / 2^64.
  uint64_t below(uint64_t bound) { return uint64_t((unsigned __int128)next() * bound >> 64); }

private:
  uint64_t state;
};

} // namespace gnn::rt

#endif // GNN_CORE_RANDOM_H
