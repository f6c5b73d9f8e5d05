//===- Training.cpp - Steps and evaluation of a model ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Training.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/train/PairsWithin.h"

#include <algorithm>

namespace gnn::rt {

namespace {

bool hasLearnedRows(const Library &library, const gnn_program_t &program) {
  return std::any_of(program.uses, program.uses + program.num_uses, [&](const gnn_use_t &use) {
    return library.tensor(use.tensor).role == GNN_ROLE_PARAM && use.depth >= 0;
  });
}

/// All that is known of pairs, of which those of a step are drawn. The metrics of a split, which may have nearly all of
/// them, take each again with one that is random: a target, a loss and a score, which is copied and sorted.
size_t bytesOfPairs(const TrainingContext &context) {
  constexpr size_t ofEnds = 3 * sizeof(int64_t), ofNumber = sizeof(double);
  constexpr size_t ofKnown = 2 * ofEnds + 2 * (ofEnds + 5 * ofNumber);
  const Binding &binding = context.binding;
  return PairSet::bytes(context.numKnownPairs) + size_t(context.numKnownPairs) * ofKnown +
         binding.relation(*pairsRelation(binding.library())).bytes();
}

/// Opens a training part by part. The order decides on peaks of memory: data are bound, then what evaluates them, then
/// the training split, then what steps.
class Opening {
public:
  Opening(Model &model, TrainingData given, const TrainingConfig &config) : data(std::move(given)) {
    training.context = std::make_unique<TrainingContext>(model, data, config);
    limit = config.memory;
    const TrainingContext &context = *training.context;
    if (!config.samples || !limit)
      return;
    const bool hasRows = hasLearnedRows(context.library, context.train);
    if (model.engine().rowGather() &&
        (hasRows || !SampledOnDevice::canKeep(context.library, context.binding, context.train)))
      limit.reset(); // the engine keeps to it, and there is nothing that could fill what is left
    require(!limit || !context.scoresPairs(), GNN_ERROR_MISMATCH, context.library.name(),
            " can't be trained on samples in a limited memory: it scores pairs of vertices");
    require(!limit || !hasRows, GNN_ERROR_MISMATCH, context.library.name(),
            " can't be trained on samples in a limited memory: it has parameters for each vertex");
  }

  Training open(const Tensor *trainSplit, const std::string &name) {
    TrainingContext &context = *training.context;
    const bool isSampled = context.config.samples.has_value();
    openEvaluator(); // as far as it does not wait for steps
    if (!context.scoresPairs())
      checkLabels(context);
    std::unique_ptr<TrainingSplit> split = trainSplit ? TrainingSplit::open(context, *trainSplit, name) : nullptr;
    if (context.scoresPairs() && limit && !isSampled)
      openPairsWithin(split.get());
    if (!split)
      return std::move(training);
    if (isSampled)
      openSamples(std::move(split));
    else if (limit)
      training.steps = std::make_unique<StreamedSteps>(context, std::move(split), std::move(streamed));
    else
      training.steps = std::make_unique<WholeGraphSteps>(context, std::move(split), whole);
    return std::move(training);
  }

private:
  void openEvaluator() {
    TrainingContext &context = *training.context;
    const bool isSampled = context.config.samples.has_value();
    if (!context.config.evaluatesHere())
      return;
    if (context.scoresPairs() && !limit) {
      evaluatePairs(std::make_unique<PairsInMemory>(context.model, data.graph, data.features, context.where));
    } else if (!context.scoresPairs() && limit && !isSampled) {
      auto executors =
          context.executorsWithin({&context.train, &context.evaluate}, bytesOfTraining(context.model), *limit);
      streamed = std::move(executors[0]);
      evaluateRows(std::move(executors[1]), /*keepsGraph=*/false);
    } else if (!context.scoresPairs() && !limit) {
      auto executor =
          context.model.executor(context.binding, programOver(context.library, context.binding, GNN_PROGRAM_EVALUATE),
                                 /*parametersStay=*/false, &context.fixedFields);
      whole = executor.get();
      evaluateRows(std::move(executor), /*keepsGraph=*/true);
    }
  }

  void evaluateRows(std::unique_ptr<Executor> executor, bool keepsGraph) {
    if (executor)
      training.evaluation = std::make_unique<RowEvaluator>(*training.context, std::move(executor), keepsGraph);
  }
  void evaluatePairs(std::unique_ptr<PairEvaluator> evaluator) {
    training.pairs = std::move(evaluator);
    training.evaluation = std::make_unique<LinkEvaluator>(*training.context, *training.pairs);
  }

  /// Within the limit, which waits for the number of pairs.
  void openPairsWithin(const TrainingSplit *split) {
    TrainingContext &context = *training.context;
    const Library &library = context.library;
    requireStreamable(context.model.engine(), library, context.evaluate, *limit);
    context.vertexFields = PartOfProgram::overVertices(library, context.evaluate);
    std::vector<const gnn_program_t *> programs{&context.vertexFields->program()};
    if (split)
      programs.insert(programs.begin(), &context.train);
    PairsWithin::Sizes sizes = PairsWithin::sizesFor(library, context.binding, limit->bytes);
    std::vector<std::unique_ptr<Executor>> executors;
    auto open = [&] {
      const size_t ofPairs = bytesOfPairs(context) + (split ? split->bytes() : 0);
      executors = context.executorsWithin(programs, bytesOfTraining(context.model) + ofPairs + sizes.bytes, *limit);
    };
    try {
      open();
    } catch (const Error &error) {
      if (error.code() != GNN_ERROR_MEMORY)
        throw;
      sizes = PairsWithin::sizesFor(library, context.binding, /*limit=*/0); // as little as there may be
      open();
    }
    if (split)
      streamed = std::move(executors[0]);
    evaluatePairs(std::make_unique<PairsWithin>(context.model, context.binding, std::move(executors.back()), sizes));
  }

  void openSamples(std::unique_ptr<TrainingSplit> split) {
    TrainingContext &context = *training.context;
    auto steps = std::make_unique<SampledSteps>(context, std::move(split));
    if (limit)
      evaluateRows(
          steps->keepWithin({std::move(data.graph), std::move(data.features), *limit, context.config.evaluatesHere()}),
          /*keepsGraph=*/false);
    training.steps = std::move(steps);
  }

  TrainingData data;
  std::optional<MemoryLimit> limit; // none: as far as the engine's memory goes
  Training training;
  std::unique_ptr<Executor> streamed; // of steps
  const Executor *whole = nullptr;    // evaluates rows
};

} // namespace

Training openTraining(Model &model, TrainingData data, const Tensor &trainSplit, const std::string &name,
                      const TrainingConfig &config) {
  return Opening(model, std::move(data), config).open(&trainSplit, name);
}

Training openEvaluation(Model &model, TrainingData data, const TrainingConfig &config) {
  return Opening(model, std::move(data), config).open(nullptr, "");
}

StreamPlan planOfTraining(Model &model, const TrainingData &data, const MemoryLimit &limit) {
  const TrainingContext context(model, data, {});
  return StreamPlanner(model.engine(), context.library, context.binding, {&context.train, &context.evaluate},
                       bytesOfTraining(model), limit)
      .choose();
}

size_t leastLimitOfTraining(Model &model, const TrainingData &data, const MemoryLimit &limit) {
  const TrainingContext context(model, data, {});
  return StreamPlanner::leastLimit(model.engine(), context.library, context.binding,
                                   {&context.train, &context.evaluate}, bytesOfTraining(model), limit);
}

} // namespace gnn::rt
