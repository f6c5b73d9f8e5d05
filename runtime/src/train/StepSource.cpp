//===- StepSource.cpp - Where training steps come from --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/StepSource.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/exec/Reached.h"
#include "runtime/src/program/Obstacles.h"

#include <cmath>
#include <numeric>

namespace gnn::rt {

/// Results are the loss, gradients, and next values of states, of the same size as these (LibraryCheck).
static std::vector<StateUpdate> stateUpdates(const TrainingContext &context) {
  std::vector<StateUpdate> updates;
  for (uint32_t i = 1; i < context.train.num_results; ++i)
    if (const gnn_tensor_info_t &info = context.library.tensor(context.train.results[i]);
        info.role == GNN_ROLE_STATE_NEXT) {
      Tensor &state = context.model.parameter(uint32_t(info.source));
      updates.push_back({const_cast<void *>(state.lentData()), i, state.element(), state.bytes()});
    }
  return updates;
}

double StepSource::step(uint64_t seed, uint64_t step, Optimizer &optimizer) {
  prepare(seed, int64_t(step));
  const std::vector<StateUpdate> states = stateUpdates(context);
  const StepOutcome outcome =
      train->train({stepKey(seed, step), optimizer.nextRule(), optimizer.updates(), states, optimizer.mostNorm()});
  if (outcome.refusedBy)
    refuse(outcome, step, optimizer.steps());
  optimizer.noteStep();
  share = split->shareOf(int64_t(step), weightOfSeeds());
  return outcome.loss;
}

void StepSource::refuse(const StepOutcome &outcome, uint64_t step, int64_t stepsDone) const {
  const double loss = std::isnan(outcome.loss) ? NAN : outcome.loss; // whose sign says nothing
  const std::string why = context.whyNotFinite(stepsDone);
  require(*outcome.refusedBy > 0, GNN_ERROR_NUMERIC, "the loss is ", loss, " at step ", step, ": ", why);
  const gnn_tensor_info_t &info = context.library.tensor(context.train.results[*outcome.refusedBy]);
  fail(GNN_ERROR_NUMERIC, info.role == GNN_ROLE_GRAD ? "the gradient of " : "the next value of ",
       context.library.tensor(uint32_t(info.source)).name, " is not finite at step ", step, ", where the loss is ",
       loss, ": ", why);
}

size_t StepSource::keptBytes() const {
  size_t bytes = 0;
  for (const PlannedTensor &planned : train->plan().tensors)
    for (const gnn_use_t &use : usesIn(train->walked()))
      if (use.tensor == planned.tensor && use.is_kept)
        bytes += planned.bytes;
  return bytes;
}

Plan StepSource::plan() const {
  Plan plan = Plan::of(context.library, context.binding, *train);
  if (context.config.pairBatch > 0)
    plan.samples = {{"batch", std::to_string(context.config.pairBatch)}};
  return plan;
}

WholeGraphSteps::WholeGraphSteps(TrainingContext &shared, std::unique_ptr<TrainingSplit> rows,
                                 const Executor *evaluated)
    : StepSource(shared, std::move(rows)), evaluation(evaluated) {
  Model &model = context.model;
  const StepRows asked = context.config.rows;
  const gnn_program_t &program = programOver(context.library, context.binding, GNN_PROGRAM_TRAIN);
  if (!context.scoresPairs()) {
    why = asked == StepRows::All          ? "asked for"
          : model.engine().ordinal() >= 0 ? "it computes on a GPU"
                                          : obstacleToReached(context.library, program);
    if (why.empty()) {
      reached.emplace(context.library, context.binding, program);
      isReached = asked == StepRows::Reached || reached->pays(evaluation->plan().arenaBytes);
    }
    require(isReached || asked != StepRows::Reached, GNN_ERROR_MISMATCH, context.library.name(),
            " can't be trained over the rows alone that its loss reaches: ", why);
  }
  if (!isReached) {
    train = model.executor(context.binding, program, /*parametersStay=*/false, &context.fixedFields);
    return;
  }
  train = std::make_unique<Reached>(model.engine(), context.library, context.binding, program);
  placeParameters(model, *train);
}

void WholeGraphSteps::dropInputs() {
  if (context.scoresPairs() || context.model.engine().hasDeviceMemory())
    return;
  train->makeFixed();
  for (uint32_t t = 0; t < context.library.tensors().size(); ++t) {
    const bool isBound = context.library.tensor(t).role == GNN_ROLE_INPUT && context.binding.data(t);
    if (!isBound || train->readsAgain(t) || evaluation->readsAgain(t))
      continue;
    context.inspectInputs();
    context.binding.releaseTable(t);
  }
}

StreamedSteps::StreamedSteps(TrainingContext &shared, std::unique_ptr<TrainingSplit> rows,
                             std::unique_ptr<Executor> executor)
    : StepSource(shared, std::move(rows)) {
  train = std::move(executor);
}

Plan StreamedSteps::plan() const {
  Plan plan = StepSource::plan();
  plan.folds.insert(context.within->folds(0).begin(), context.within->folds(0).end());
  return plan;
}

SampledSteps::SampledSteps(TrainingContext &shared, std::unique_ptr<TrainingSplit> rows)
    : StepSource(shared, std::move(rows)), sampling(*context.config.samples),
      seedsOfRehearsal([this](int64_t step) { return split->seedsOf(/*seed=*/0, step); }) {
  // Batches are about as large as each other: the first one of any seed stands for all, so that a run that goes on has
  // the same program.
  const std::vector<const gnn_program_t *> programs = programsForSamples(context.library, GNN_PROGRAM_TRAIN);
  open(programs.empty()       ? context.train
       : programs.size() == 1 ? *programs[0]
                              : Sampled::cheapestOf(programs, context.library, context.binding, sampling.fanOuts,
                                                    sampling.drawing, seedsOfRehearsal(0)));
}

void SampledSteps::open(const gnn_program_t &program) {
  auto executor =
      std::make_unique<Sampled>(context.model.engine(), context.library, context.binding, program, sampling.fanOuts,
                                sampling.drawing, sampling.ahead, sampling.shares, sampling.drawnBy);
  placeParameters(context.model, *executor);
  sampled = executor.get();
  train = std::move(executor);
}

std::unique_ptr<Executor> SampledSteps::keepWithin(const SampledWithin::Source &source) {
  if (!context.model.engine().rowGather()) {
    keepInFiles(source);
    return samplesWithin->takeEvaluation();
  }
  const Sampler sampler(context.library, context.binding, sampled->walked(), sampling.fanOuts, sampling.drawing);
  samplesOnDevice =
      std::make_unique<SampledOnDevice>(context.model, context.binding, *sampled, sampler, sampling.shares, source,
                                        bytesOfTraining(context.model), batches().stepsOfEpoch(), seedsOfRehearsal);
  return samplesOnDevice->takeEvaluation();
}

/// With edges in memory, or where that is too much of them in their file.
void SampledSteps::keepInFiles(const SampledWithin::Source &source) {
  auto keep = [&] {
    samplesWithin = std::make_unique<SampledWithin>(context.model, context.binding, *sampled, source,
                                                    batches().stepsOfEpoch(), seedsOfRehearsal);
  };
  const bool areLoaded = hasEdgesInFile(*source.graph) && sampled->filedEdges().tables().empty();
  if (!areLoaded)
    return keep();
  try {
    keep();
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_MEMORY)
      throw;
    require(Sampler::canDrawOfFiles(sampling.drawing), GNN_ERROR_MEMORY, error.what(),
            ". All edges are in memory, since the sampler ", sampling.drawing.text(),
            " looks at all of a vertex: uniform and replace draw of a file");
    const gnn_program_t &program = sampled->walked();
    context.binding = Binding(context.model.libraryFor(source.features), context.model.dims(), source.graph,
                              source.features, /*withTargets=*/true, context.where);
    split->bind();
    open(program);
    keep();
  }
}

void SampledSteps::prepare(uint64_t seed, int64_t step) {
  for (int64_t next = step; next <= step + sampling.ahead; ++next)
    if (const uint64_t key = stepKey(seed, uint64_t(next)); !sampled->isExpected(key))
      sampled->expect(key, split->seedsOf(seed, next));
}

BatchSizes SampledSteps::batchSizes() const {
  if (samplesWithin)
    return samplesWithin->sizes();
  BatchSizes sizes(context.library);
  std::vector<int64_t> steps(size_t(batches().stepsOfEpoch()));
  std::iota(steps.begin(), steps.end(), 0);
  sampled->rehearse(steps, seedsOfRehearsal, [&](int64_t, const Neighbourhood &batch) { sizes.add(batch); });
  return sizes;
}

Plan SampledSteps::plan() const {
  Plan plan = StepSource::plan();
  plan.samples = {{"fan-outs", sampling.fanOuts.text()}, {"batch", std::to_string(sampling.batch)}};
  if (sampling.drawing.text() != Drawing().text())
    plan.samples["sampler"] = sampling.drawing.text();
  if (sampling.shares.count > 1)
    plan.samples["shares"] = std::to_string(sampling.shares.count);
  return plan;
}

} // namespace gnn::rt
