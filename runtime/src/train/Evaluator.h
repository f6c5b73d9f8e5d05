//===- Evaluator.h - What a split says of a model ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation runs @evaluate with the present parameters; metrics are means over the rows or pairs of a split.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_EVALUATOR_H
#define GNN_TRAIN_EVALUATOR_H

#include "runtime/src/train/PairEvaluator.h"
#include "runtime/src/train/Scores.h"
#include "runtime/src/train/TrainingContext.h"

namespace gnn::rt {

/// Means over a split, but for rows whose labels are missing (NaN).
struct Metrics {
  MetricValue loss;
  /// Classes: accuracy, in [0, 1]. Pairs: auc, ap; in full mrr, hits@1, hits@3, hits@10. Else in full: Scores.
  std::map<std::string, MetricValue> others;
  bool areOfPairs = false;
  std::vector<std::vector<int64_t>> confusion; // in full, of classes: Scores
  int64_t numMissingLabels = 0;                // numbers, of which a row may have several
  int64_t numMissingNegatives = 0;             // pairs: true ones beside which no negative exists

  /// The number that decides which epoch is the best, higher being better; NaN if there is nothing to measure.
  /// `monitor` is the name of a metric. If it is empty, the score is the auc of pairs, or else the loss, which is less
  /// coarse than accuracy on a small split. Throws GNN_ERROR_ARGUMENT, listing the metrics, for an unknown name.
  double score(const std::string &monitor = "") const;
  /// Whether there is what `monitor` names.
  bool has(const std::string &monitor) const;
};

class Evaluator {
public:
  virtual ~Evaluator() = default;

  /// Computes what metrics are of with the present parameters.
  virtual void run() = 0;
  /// After `run`. Sums in double in the order of the split. `inFull`: with all Scores, or ranks of pairs, which take a
  /// score for every vertex and pair, unless `report` ends the ranking. Throws GNN_ERROR_DATA for what is no split of
  /// this model.
  virtual Metrics metrics(const Tensor &split, const std::string &name, bool inFull = false,
                          const RankingReport &report = {}) const = 0;

  /// Vertices of a split with `least` to `most` edges that end at them.
  struct DegreeShare {
    int64_t least, most, vertices;
    double accuracy;
  };
  /// After `run`, by powers of two. Empty where accuracy is not of single vertices, or the graph is not kept.
  virtual std::vector<DegreeShare> accuracyByDegree(const Tensor &) const { return {}; }
};

/// Evaluates vertices or edges.
class RowEvaluator : public Evaluator {
public:
  /// `executor` runs @evaluate. `keepsGraph`: over the whole graph in memory, without a limit.
  RowEvaluator(const TrainingContext &context, std::unique_ptr<Executor> executor, bool keepsGraph);

  void run() override { executor->run(/*stepKey=*/0); }
  Metrics metrics(const Tensor &split, const std::string &name, bool inFull,
                  const RankingReport &report) const override;
  std::vector<DegreeShare> accuracyByDegree(const Tensor &split) const override;
  /// Memory for the metrics of a split of `rows` vertices or edges within a limit of memory: their places and classes,
  /// curves, and a piece of the tables.
  static uint64_t bytesOfMetrics(uint64_t rows);

private:
  Metrics rowMetrics(Span<const int64_t> ids) const;
  Scores scoresOf(Span<const int64_t> split) const;

  const TrainingContext &context;
  const std::unique_ptr<Executor> executor;
  const bool keepsGraph, hasAccuracy;
};

/// Evaluates pairs, beside one negative each, the same at all times, which is neither a known pair nor one of the
/// split.
class LinkEvaluator : public Evaluator {
public:
  LinkEvaluator(const TrainingContext &context, PairEvaluator &pairs) : context(context), pairs(pairs) {}

  void run() override { pairs.prepare(); }
  Metrics metrics(const Tensor &split, const std::string &name, bool inFull,
                  const RankingReport &report) const override;

private:
  const TrainingContext &context;
  PairEvaluator &pairs;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_EVALUATOR_H
