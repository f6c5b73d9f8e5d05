//===- PairEvaluator.h - How well a model finds links -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores and losses of pairs, batch by batch, and the ranks of true pairs.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_PAIREVALUATOR_H
#define GNN_TRAIN_PAIREVALUATOR_H

#include "runtime/src/train/PairRanking.h"

namespace gnn::rt {

class PairEvaluator {
public:
  /// Over the program @evaluate. `model` must have its dimensions.
  PairEvaluator(Model &model, std::shared_ptr<const Graph> graph, const Features &features, const std::string &where);

  struct Scores {
    std::vector<double> scores, losses; // a number for each pair
  };
  /// With the parameters that the model has now.
  Scores evaluate(const Pairs &pairs, const std::vector<double> &targets);
  /// As PairRanking.
  std::optional<std::vector<double>> ranks(const Pairs &pairs, const PairSet &known, const RankingReport &report = {});

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
