//===- PairSteps.h - The pairs of each step ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of links learns in each step from true pairs, all of the training split or a batch of them, and from
// negatives for each. In an epoch a pair has the same negatives whatever the size of batches is.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_PAIRSTEPS_H
#define GNN_TRAIN_PAIRSTEPS_H

#include "runtime/src/train/Batches.h"
#include "runtime/src/train/Pairs.h"

namespace gnn::rt {

class PairSteps {
public:
  /// No pairs.
  PairSteps() = default;
  /// `batch`: true pairs of a step; 0: all of them, in their order.
  PairSteps(Pairs truePairs, int64_t batch, int64_t negatives);

  struct Step {
    Pairs pairs;
    std::vector<double> targets;
    int64_t counted; // the first so many; those after them fill up the last batch and are in no loss
  };
  Step drawn(uint64_t seed, int64_t step, PairEnds ends, const PairSet &known);
  /// The same, filled up: all steps have as many pairs.
  Step at(uint64_t seed, int64_t step, PairEnds ends, const PairSet &known);

  const Batches &batches() const { return epoch; }
  size_t truePairs() const { return allPairs.src.size(); }
  /// The number of pairs in a step, negatives included, which is the same for all steps.
  int64_t pairsOfStep() const { return truePairsOfStep * (1 + negatives); }

private:
  Pairs allPairs; // true ones
  Batches epoch;
  int64_t batch = 0, negatives = 1, truePairsOfStep = 0;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_PAIRSTEPS_H
