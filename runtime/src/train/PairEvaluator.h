//===- PairEvaluator.h - How well a model finds links -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of pairs, batch by batch, and what they say: the area under the ROC curve against sampled pairs, and the ranks
// of true pairs among all that differ in one end, without the other true ones ("filtered", Bordes et al. 2013).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_PAIREVALUATOR_H
#define GNN_TRAIN_PAIREVALUATOR_H

#include "runtime/src/model/Model.h"
#include "runtime/src/train/Pairs.h"

namespace gnn::rt {

/// Means over ranks from 1; `hits` by k.
struct RankMetrics {
  double meanReciprocalRank = 0;
  std::map<int, double> hits; // 1, 3, 10
};
RankMetrics rankMetrics(const std::vector<double> &ranks);

class PairEvaluator {
public:
  /// Over the program @evaluate. `model` must have its dimensions.
  PairEvaluator(Model &model, std::shared_ptr<const Graph> graph, const Features &features, const std::string &where);

  struct Scores {
    std::vector<double> scores, losses; // a number for each pair
  };
  /// With the parameters that the model has now.
  Scores evaluate(const Pairs &pairs, const std::vector<double> &targets);
  /// The filtered ranks of each pair among those with another source, then among those with another destination; ties
  /// count half.
  std::vector<double> ranks(const Pairs &pairs, const PairSet &known);

  PairEnds ends() const;

private:
  Model &model;
  Binding binding;
  std::unique_ptr<Executor> executor; // over batches of one size
  int64_t batch = 0;
  uint32_t scoreResult = 0, lossResult = 0;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_PAIREVALUATOR_H
