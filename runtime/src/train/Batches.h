//===- Batches.h - The steps of an epoch ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An epoch is a pass over the training split: in one step or, in batches, in many. Steps are counted over all epochs: a
// step's number, and not that of its epoch, is the key of its random draws and what the optimizer's rates depend on.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_BATCHES_H
#define GNN_TRAIN_BATCHES_H

#include "runtime/src/core/Span.h"

#include <cstdint>
#include <vector>

namespace gnn::rt {

class Batches {
public:
  /// One step over all.
  Batches() = default;
  /// Each batch has `size` rows, at least 1; the last batch of an epoch may have fewer. A row that `rows` lists twice
  /// occurs once in an epoch.
  Batches(std::vector<int64_t> rows, int64_t size);

  int64_t stepsOfEpoch() const;
  /// Steps done before epoch `epoch`, the first of which is 0.
  int64_t stepsBefore(int64_t epoch) const { return epoch * stepsOfEpoch(); }
  int64_t epochOf(int64_t step) const { return step / stepsOfEpoch(); }
  /// How many of an epoch's rows a step has, of 1.
  double shareOf(int64_t step) const;
  /// The rows of a step, of batches. Epochs have orders of their own, each decided by the seed and the rows' ids alone.
  /// Valid until the next call.
  Span<const int64_t> rowsOf(uint64_t seed, int64_t step);

private:
  struct Range {
    size_t begin, end;
  };
  Range rangeOf(int64_t step) const;

  std::vector<int64_t> rows; // ascending
  int64_t size = 0;          // of a batch; 0: one step over all
  std::vector<int64_t> shuffled;
  uint64_t shuffledFor = 0; // key of the epoch that `shuffled` is of, where it is not empty
};

} // namespace gnn::rt

#endif // GNN_TRAIN_BATCHES_H
