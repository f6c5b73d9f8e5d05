//===- Session.h - A model over a graph with targets ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The single steps that training consists of: one step of the optimizer on the whole graph, and what a split says of
// the model. A split is a set of rows of what the loss is over, vertices or edges, as ids [any]; for a model that
// scores pairs it is the pairs [any, 2] or typed pairs [any, 3] of docs/data-formats.md.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SESSION_H
#define GNN_TRAIN_SESSION_H

#include "runtime/src/exec/Plan.h"
#include "runtime/src/exec/Reach.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/stream/WithinMemory.h"
#include "runtime/src/train/Batches.h"
#include "runtime/src/train/Optimizer.h"
#include "runtime/src/train/PairEvaluator.h"
#include "runtime/src/train/PairSteps.h"
#include "runtime/src/train/PairsWithin.h"
#include "runtime/src/train/SampledWithin.h"
#include "runtime/src/train/Scores.h"
#include "runtime/src/train/TrainingConfig.h"

#include <optional>
#include <string>

namespace gnn::rt {

class SampledOnDevice;

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

/// Into what a limit of memory makes training over a graph: the plan that a session has where not all of it fits.
/// Arguments and errors are those of a session.
StreamPlan planOfTraining(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                          const std::string &where, const MemoryLimit &limit);

class Session {
public:
  /// `model` must have its dimensions and outlive the session. `features` hold inputs and targets. Throws
  /// GNN_ERROR_MISMATCH for what is missing and GNN_ERROR_DATA for class labels outside [-1, classes).
  /// Throws GNN_ERROR_MISMATCH too where the model cannot be trained by the config. Splits are evaluated over the whole
  /// graph in any case, if at all. Steps over the whole graph are held to the limit of memory by WithinMemory, those
  /// over samples by SampledWithin or, on a GPU, SampledOnDevice, when the training split is set. The session needs
  /// neither graph nor features then, where they are in files.
  Session(Model &model, std::shared_ptr<const Graph> graph, const Features &features, const std::string &where,
          const TrainingConfig &config = {});
  ~Session();

  /// The loss is the mean over this split, whose rows must all have labels. Pairs are followed by sampled ones
  /// (TrainingConfig::negatives), new ones every step; none of `known` is drawn.
  void setTrainSplit(const Tensor &split, const std::string &name);
  /// Pairs that are true besides those of the training split: no negatives, and not in the way of a rank.
  void addKnownPairs(const Tensor &split, const std::string &name);
  bool scoresPairs() const { return binding.pairsRelation().has_value(); }
  /// Makes the executor that evaluates pairs within a limit of memory if there is no training split. Otherwise does
  /// nothing.
  void openEvaluation();
  /// After `evaluate`: a score for each.
  std::vector<double> pairScores(const Pairs &pairs) const;

  /// After `setTrainSplit`, which is not called again: what is made of inputs alone is made, and inputs that nothing
  /// else reads are given up.
  void dropInputs();

  /// The steps of an epoch; after `setTrainSplit`.
  const Batches &batches() const { return scoresPairs() ? pairSteps.batches() : epoch; }
  /// How large batches are, by drawing those of an epoch; after `setTrainSplit`, of a session on samples.
  BatchSizes batchSizes();
  /// One step over all of the training split, or over the next batch. `step` numbers the random draws, and batches.
  /// Returns the loss before the update; throws GNN_ERROR_NUMERIC, and leaves model and optimizer as they were, if the
  /// loss, a gradient or the next value of a state is not finite.
  double trainStep(uint64_t seed, uint64_t step, Optimizer &optimizer);
  /// How much the loss of the last step weighs in that of its epoch, of 1: as its rows do.
  double shareOfStep() const {
    return sampled && !scoresPairs() ? sampled->weightOfSeeds() / splitWeight : shareOfPairs;
  }

  /// Whether rank 0 alone evaluates: where ranks train on samples.
  bool isEvaluatedByFirst() const { return isEvaluated() && sampling && sampling->shares.comm; }
  /// Whether any process does.
  bool isEvaluated() const { return !sampling || sampling->evaluates; }
  /// Whether this process does.
  bool evaluates() const { return isEvaluated() && (!isEvaluatedByFirst() || sampling->shares.comm->rank() == 0); }
  /// Runs @evaluate with the present parameters; `metrics` and `output` speak of its results. Nothing in a process that
  /// does not evaluate.
  void evaluate();
  /// Sums in double in the order of the split. Pairs are evaluated beside one negative each, the same at all times,
  /// which is neither a known pair nor one of the split; their ranks take a score for every vertex and pair. `inFull`:
  /// with these ranks, unless `report` ends the ranking, or all Scores.
  Metrics metrics(const Tensor &split, const std::string &name, bool inFull = false,
                  const RankingReport &report = {}) const;
  /// Memory for the metrics of a split of `rows` vertices or edges within a limit of memory: their places and classes,
  /// curves, and a piece of the tables.
  static uint64_t bytesOfMetrics(uint64_t rows);
  /// Vertices of a split with `least` to `most` edges that end at them.
  struct DegreeShare {
    int64_t least, most, vertices;
    double accuracy;
  };
  /// After `evaluate`, by powers of two. Empty where accuracy is not of single vertices, or the graph is not kept.
  std::vector<DegreeShare> accuracyByDegree(const Tensor &split) const;
  /// Output `i` of the model, in the order of original ids.
  Tensor output(uint32_t i) const;

  int64_t numVertices() const { return binding.rows(0); }
  int64_t numEdges() const { return binding.numEdges(); }
  /// Memory of the training program beside parameters and data: temporaries, results, partial sums. After
  /// `setTrainSplit`, as is the executor.
  size_t peakBytes() const { return train->peakBytes(); }
  /// Bytes of all fields that forward steps keep for backward steps.
  size_t keptBytes() const;
  Executor &trainExecutor() { return *train; }
  /// The same, of a session on samples; else null.
  const Sampled *samples() const { return sampled; }
  /// The memory plan of the training program.
  Plan plan() const;
  const Binding &data() const { return binding; }
  /// After `setTrainSplit`: whether steps are over the rows that the loss reaches alone.
  bool areRowsReached() const { return isReached; }
  /// The rows that the loss reaches; none if only steps over the whole graph were considered, or if `whyAllRows` gives
  /// a reason.
  const std::optional<Reach> &reach() const { return reached; }
  const std::string &whyAllRows() const { return why; }
  /// How the graph is trained within a limit of memory; null without a limit, and for samples.
  const WithinMemory *withinMemory() const { return within.get(); }
  /// The same of samples, after `setTrainSplit`.
  const SampledWithin *sampledWithin() const { return samplesWithin.get(); }
  /// The same of samples on a GPU, after `setTrainSplit`.
  const SampledOnDevice *sampledOnDevice() const { return samplesOnDevice.get(); }

private:
  void openSampled(const gnn_program_t &program);
  void chooseForSamples();
  void openOnDevice();
  void openSamplesWithin(const SampledWithin::Source &source, Span<const int64_t> rows,
                         const std::vector<double> &weights);
  void openWithin(const MemoryLimit &limit);
  void openPairsWithin(bool trains);
  std::vector<std::unique_ptr<Executor>> executorsWithin(const std::vector<const gnn_program_t *> &programs,
                                                         size_t otherBytes, const MemoryLimit &limit);
  size_t bytesOfPairs() const;
  void openSteps(Span<const int64_t> rows, const std::vector<double> &weights);
  void checkLabels() const;
  void requireLabels(Span<const int64_t> rows, const std::string &split) const;
  std::vector<double> weightsOfRows(Span<const int64_t> rows, const std::string &split) const;
  Scores scoresOf(Span<const int64_t> split) const;
  void drawPairs(uint64_t seed, int64_t step);
  void expectBatches(uint64_t seed, uint64_t step);
  Seeds seedsOf(uint64_t seed, int64_t step);
  /// Rows of tables by the ids of the vertices or edges that the loss is over.
  std::vector<int64_t> rowsOfTables(Span<const int64_t> ids) const;
  std::vector<StateUpdate> stateUpdates();
  [[noreturn]] void refuse(const StepOutcome &outcome, uint64_t step, int64_t stepsDone);
  std::string whyNotFinite(int64_t stepsDone);
  Metrics rowMetrics(Span<const int64_t> ids) const;
  Metrics pairMetrics(const Pairs &pairs, bool inFull, const RankingReport &report) const;

  Model &model;
  std::string where;
  const TrainingConfig config;
  Binding binding;
  const gnn_program_t &trainProgram, &evaluateProgram;   // which results there are; of several programs the first
  std::unique_ptr<WithinMemory> within;                  // the limit of memory; may be null
  std::unique_ptr<const PartOfProgram> fields;           // of vertices, that `evaluation` runs for pairs within a limit
  std::optional<std::vector<std::string>> strangeInputs; // notFiniteInputs, where inputs are not here any more
  FixedFields fixedFields;                               // of `train` and `evaluation`
  std::unique_ptr<Executor> train;
  Sampled *sampled = nullptr;                       // `train`, if it is that
  const std::optional<Sampling> &sampling;          // of `config`
  std::optional<SampledWithin::Source> limited;     // until the training split is there: samples within a limit
  std::unique_ptr<SampledWithin> samplesWithin;     // may be null
  std::unique_ptr<SampledOnDevice> samplesOnDevice; // the same
  std::unique_ptr<Executor> evaluation;             // none for pairs, nor where others evaluate; reads what those that
                                                    // limit memory keep
  std::optional<Reach> reached;
  bool isReached = false;
  std::string why; // steps are over all rows, where it is known before what the loss reaches
  std::pair<std::vector<int64_t>, std::vector<double>> openedFor; // the rows of a loss, and their weights
  Batches epoch;
  std::optional<MemoryLimit> pairLimit;         // until it is known how many pairs there are
  std::unique_ptr<PairEvaluator> pairEvaluator; // none without pairs, nor before they are known within a limit
  PairsWithin *pairsWithin = nullptr;           // `pairEvaluator`, if it is that
  double splitWeight = 0; // of all rows of the training split
  PairSteps pairSteps;
  PairSet knownPairs;
  int64_t numKnownPairs = 0; // with those that were added twice
  double shareOfPairs = 1; // of the last step, in its epoch
  uint32_t numOutputs, numGradients = 0;
};

/// The output that the loss is of, of vertices or edges, whose dimension is the number of classes; null if the target
/// is not a class.
const gnn_tensor_info_t *classLogits(const Library &library);

} // namespace gnn::rt

#endif // GNN_TRAIN_SESSION_H
