//===- StepSource.h - Where training steps come from ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source makes the steps of an epoch, one after the other: over the whole graph in memory, over a graph within a
// limit of memory, or over samples.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_STEPSOURCE_H
#define GNN_TRAIN_STEPSOURCE_H

#include "runtime/src/exec/Plan.h"
#include "runtime/src/exec/Reach.h"
#include "runtime/src/train/Optimizer.h"
#include "runtime/src/train/SampledOnDevice.h"
#include "runtime/src/train/TrainingSplit.h"

namespace gnn::rt {

class WholeGraphSteps;
class StreamedSteps;
class SampledSteps;

/// Tells sources apart, for a caller that describes them.
struct StepSourceVisitor {
  virtual ~StepSourceVisitor() = default;
  virtual void visit(const WholeGraphSteps &) = 0;
  virtual void visit(const StreamedSteps &) = 0;
  virtual void visit(const SampledSteps &) = 0;
};

class StepSource {
public:
  virtual ~StepSource() = default;

  /// The steps of an epoch.
  const Batches &batches() const { return split->batches(); }
  /// One step of the optimizer. `step` numbers the random draws, and batches. Returns the loss before the update;
  /// throws GNN_ERROR_NUMERIC, and leaves model and optimizer as they were, if the loss, a gradient or the next value
  /// of a state is not finite.
  double step(uint64_t seed, uint64_t step, Optimizer &optimizer);
  /// How much the loss of the last step weighs in that of its epoch, of 1: as its rows do.
  double shareOfStep() const { return share; }

  /// Runs the training program. Its peak bytes are beside parameters and data.
  Executor &executor() const { return *train; }
  /// Bytes of all fields that forward steps keep for backward steps.
  size_t keptBytes() const;
  /// The decisions that determine the bits of steps.
  virtual Plan plan() const;
  virtual void accept(StepSourceVisitor &visitor) const = 0;
  /// Makes what is made of inputs alone, and gives inputs up that nothing else reads, where steps are over the whole
  /// graph in memory.
  virtual void dropInputs() {}

  TrainingContext &context;

protected:
  StepSource(TrainingContext &context, std::unique_ptr<TrainingSplit> split)
      : context(context), split(std::move(split)) {}

  /// Makes the executor ready for a step.
  virtual void prepare(uint64_t seed, int64_t step) { split->bindStep(seed, step); }
  /// The weight of the rows of the last step, if it was on samples.
  virtual std::optional<double> weightOfSeeds() const { return std::nullopt; }

  const std::unique_ptr<TrainingSplit> split;
  std::unique_ptr<Executor> train;

private:
  [[noreturn]] void refuse(const StepOutcome &outcome, uint64_t step, int64_t stepsDone) const;

  double share = 1;
};

/// Steps over the whole graph in memory: over all rows, or over those that the loss reaches.
class WholeGraphSteps : public StepSource {
public:
  /// `evaluation` is the executor of @evaluate over the same binding; null for pairs. Throws GNN_ERROR_MISMATCH if
  /// steps are to be over the rows alone that the loss reaches and cannot be.
  WholeGraphSteps(TrainingContext &context, std::unique_ptr<TrainingSplit> split, const Executor *evaluation);

  void accept(StepSourceVisitor &visitor) const override { visitor.visit(*this); }
  void dropInputs() override;
  bool areRowsReached() const { return isReached; }
  /// The rows that the loss reaches; none if only steps over all rows were considered, or if `whyAllRows` gives a
  /// reason.
  const std::optional<Reach> &reach() const { return reached; }
  const std::string &whyAllRows() const { return why; }

private:
  const Executor *const evaluation;
  std::optional<Reach> reached;
  bool isReached = false;
  std::string why; // steps are over all rows, where it is known before what the loss reaches
};

/// Steps over a graph within a limit of memory, streamed where the graph does not fit: TrainingContext::within.
class StreamedSteps : public StepSource {
public:
  StreamedSteps(TrainingContext &context, std::unique_ptr<TrainingSplit> split, std::unique_ptr<Executor> executor);

  Plan plan() const override;
  void accept(StepSourceVisitor &visitor) const override { visitor.visit(*this); }
};

/// Steps on samples around batches of the training split.
class SampledSteps : public StepSource {
public:
  SampledSteps(TrainingContext &context, std::unique_ptr<TrainingSplit> split);

  /// Keeps the steps within a limit of memory, or a GPU's, and makes the executor that evaluates beside them; null if
  /// this process does not evaluate. Throws GNN_ERROR_MEMORY for a limit that is too low.
  std::unique_ptr<Executor> keepWithin(const SampledWithin::Source &source);

  Plan plan() const override;
  void accept(StepSourceVisitor &visitor) const override { visitor.visit(*this); }
  const Sampled &samples() const { return *sampled; }
  /// How large batches are, by drawing those of an epoch.
  BatchSizes batchSizes() const;
  /// How samples keep to a limit of memory; null without one.
  const SampledWithin *within() const { return samplesWithin.get(); }
  /// The same for that of a GPU.
  const SampledOnDevice *onDevice() const { return samplesOnDevice.get(); }

private:
  void prepare(uint64_t seed, int64_t step) override;
  std::optional<double> weightOfSeeds() const override { return sampled->weightOfSeeds(); }
  void open(const gnn_program_t &program);
  void keepInFiles(const SampledWithin::Source &source);

  const Sampling &sampling;
  const std::function<Seeds(int64_t step)> seedsOfRehearsal;
  Sampled *sampled = nullptr;                       // the executor
  std::unique_ptr<SampledWithin> samplesWithin;     // may be null
  std::unique_ptr<SampledOnDevice> samplesOnDevice; // the same
};

} // namespace gnn::rt

#endif // GNN_TRAIN_STEPSOURCE_H
