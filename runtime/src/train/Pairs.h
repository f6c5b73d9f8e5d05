//===- Pairs.h - Positive and sampled pairs ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs that a model of links learns from: pairs of the data (target 1) and, for each of them, negative pairs (target
// 0) with one end replaced by a random vertex (Bordes et al. 2013). Draws are counter-based: they depend only on the
// key and the number of the pair.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_PAIRS_H
#define GNN_TRAIN_PAIRS_H

#include "runtime/src/bind/Binding.h"

#include <unordered_set>

namespace gnn::rt {

/// From integers [n, 2] (source, destination) or [n, 3] (source, type, destination). Throws GNN_ERROR_DATA, naming
/// `what`, for another shape.
Pairs pairsOf(const Tensor &table, const std::string &what);

/// Those at `rows`, in that order.
Pairs pairsAt(const Pairs &pairs, Span<const int64_t> rows);

/// A set of pairs to ask whether one is known.
class PairSet {
public:
  PairSet();
  /// Memory that so many take.
  static size_t bytes(int64_t pairs);
  void add(const Pairs &pairs);
  bool containsAll(const Pairs &pairs) const;
  bool contains(int64_t src, int64_t type, int64_t dst) const { return known.count({src, type, dst}) != 0; }
  /// Calls `body(src, type, dst)` for each, in no certain order.
  template <class Body> void forAll(Body body) const {
    for (const Key &key : known)
      body(key.src, key.type, key.dst);
  }

private:
  struct Key {
    int64_t src, type, dst;
    bool operator==(const Key &other) const { return src == other.src && type == other.type && dst == other.dst; }
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  std::unordered_set<Key, Hash> known;
};

/// The vertices that a pair's ends are replaced with.
struct PairEnds {
  int64_t numSources = 0, numDestinations = 0;
};
/// The ends of the pairs that the library scores; the library must score pairs.
PairEnds pairEnds(const Library &library, const Binding &binding);

struct PairsWithNegatives {
  Pairs pairs;            // the true ones, then their negatives in order
  int64_t numLeftOut = 0; // negatives that do not exist: all pairs with either end of the true one are known
};
/// Samples `perPair` negatives for each of `positives`: pairs with one of its ends and its type that are not in
/// `known`. Which end is replaced is drawn, too; it is the other one where all vertices make a known pair. Each vertex
/// that makes none is as likely as the others. `numbers`: what the draws of each depend on beside the key; empty: its
/// place.
PairsWithNegatives withNegatives(const Pairs &positives, int64_t perPair, PairEnds ends, const PairSet &known,
                                 uint64_t key, Span<const int64_t> numbers = {});
/// The `key` of epoch `epoch` of a training with `seed`.
uint64_t trainingPairsKey(uint64_t seed, uint64_t epoch);
/// 1 for each of the first `positives` of `all` pairs, 0 for the others.
std::vector<double> pairTargets(int64_t positives, int64_t all);

} // namespace gnn::rt

#endif // GNN_TRAIN_PAIRS_H
