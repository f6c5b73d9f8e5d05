//===- PairsWithin.h - Links within a limit of memory -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores, losses and ranks of pairs, where what vertices compute need not be in memory: an executor has made it, and
// some pairs at a time are scored on the rows that they end at.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_PAIRSWITHIN_H
#define GNN_TRAIN_PAIRSWITHIN_H

#include "runtime/src/exec/GatheredPairs.h"
#include "runtime/src/train/PairEvaluator.h"

namespace gnn::rt {

class PairsWithin : public PairEvaluator, private CandidateScores {
public:
  /// How much is done at a time within a limit of memory, and what it takes.
  struct Sizes {
    int64_t pairs;
    size_t scores; // of queries whose candidates are all scored before they are ranked; one query has more if it must
    size_t bytes;
  };
  static Sizes sizesFor(const Library &library, const Binding &binding, size_t limit);

  /// `fields` runs PartOfProgram::overVertices of @evaluate. Model and binding must outlive this.
  PairsWithin(Model &model, const Binding &binding, std::unique_ptr<Executor> fields, const Sizes &sizes);

  void prepare() override;
  Scores evaluate(const Pairs &pairs, const std::vector<double> &targets) override;
  std::optional<std::vector<double>> ranks(const Pairs &pairs, const PairSet &known,
                                           const RankingReport &report = {}) override;

private:
  size_t queriesAtOnce(int64_t candidates) const override;
  const Tensor &of(Span<const PairQuery> queries, bool ofSource, bool hasTypes) override;
  void scoreBlock(Span<const PairQuery> queries, bool ofSource, bool hasTypes, int64_t begin, int64_t end);

  Model &model;
  const Binding &binding;
  const ScoredResults results;
  const Sizes sizes;
  const std::unique_ptr<Executor> fields;
  GatheredPairs gathered;
  Tensor candidateScores; // [queries, candidates]
};

} // namespace gnn::rt

#endif // GNN_TRAIN_PAIRSWITHIN_H
