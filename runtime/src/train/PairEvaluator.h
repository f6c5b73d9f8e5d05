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

#include "runtime/src/model/Model.h"
#include "runtime/src/train/PairRanking.h"

namespace gnn::rt {

class PairEvaluator {
public:
  virtual ~PairEvaluator() = default;

  /// Takes the parameters that the model has now, before scores and ranks by them.
  virtual void prepare() {}

  struct Scores {
    std::vector<double> scores, losses; // a number for each pair
  };
  virtual Scores evaluate(const Pairs &pairs, const std::vector<double> &targets) = 0;
  /// As PairRanking.
  virtual std::optional<std::vector<double>> ranks(const Pairs &pairs, const PairSet &known,
                                                   const RankingReport &report = {}) = 0;
};

/// Which results of @evaluate have one number for each pair.
struct ScoredResults {
  uint32_t score, loss;
};
/// Throws GNN_ERROR_MISMATCH if the library has none.
ScoredResults scoredResults(const Library &library, const Binding &binding);

/// Over the programs @evaluate and @infer, with all of the graph in memory.
class PairsInMemory : public PairEvaluator {
public:
  /// `model` must have its dimensions.
  PairsInMemory(Model &model, std::shared_ptr<const Graph> graph, const Features &features, const std::string &where);

  Scores evaluate(const Pairs &pairs, const std::vector<double> &targets) override;
  std::optional<std::vector<double>> ranks(const Pairs &pairs, const PairSet &known,
                                           const RankingReport &report = {}) override;

private:
  Model &model;
  Binding binding;
  const ScoredResults results;
  std::unique_ptr<Executor> executor; // over batches of one size
  int64_t batch = 0;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_PAIREVALUATOR_H
