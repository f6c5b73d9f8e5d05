//===- Session.cpp - A model over a graph with targets --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Session.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/bind/NotFiniteInputs.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/exec/Reached.h"
#include "runtime/src/program/Obstacles.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/SampledOnDevice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gnn::rt {

namespace {

/// Key of the draws of pairs that splits are evaluated with: the same in every run.
constexpr uint64_t pairsOfEvaluation = 0x6a756467;

const gnn_program_t &programOf(const Library &library, uint32_t kind, const char *name) {
  const gnn_program_t *program = library.program(kind);
  require(program != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program ", name,
          ": its model states no loss");
  return *program;
}

bool hasLearnedRows(const Library &library, const gnn_program_t &program) {
  return std::any_of(program.uses, program.uses + program.num_uses, [&](const gnn_use_t &use) {
    return library.tensor(use.tensor).role == GNN_ROLE_PARAM && use.depth >= 0;
  });
}

/// An engine that has memory of its own is sent batches of edges in memory.
std::shared_ptr<const Graph> forSamples(Model &model, const std::shared_ptr<const Graph> &graph,
                                        const Sampling &sampling, const MemoryLimit &limit) {
  const uint64_t bytes = model.engine().rowGather() ? UINT64_MAX : limit.bytes - std::min(limit.held, limit.bytes);
  return graphOfSamples(*model.library(), programOf(*model.library(), GNN_PROGRAM_TRAIN, "@train"), graph,
                        sampling.drawing, bytes);
}

} // namespace

const gnn_tensor_info_t *classLogits(const Library &library) {
  const gnn_program_t *program = library.program(GNN_PROGRAM_INFER);
  if (!program)
    return nullptr;
  auto hasClasses = [&](uint32_t domain) {
    return std::any_of(library.tensors().begin(), library.tensors().end(),
                       [&](const gnn_tensor_info_t &info) { return isClassTarget(info) && info.domain == domain; });
  };
  std::string lossOutput = recipeOf(library).lossOutput;
  for (uint32_t i = 0; i < program->num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program->results[i]);
    if (hasClasses(info.domain) && info.rank == 1 && (lossOutput.empty() || lossOutput == info.name))
      return &info;
  }
  return nullptr;
}

bool Metrics::has(const std::string &monitor) const {
  return monitor.empty() || monitor == "loss" || others.count(monitor);
}

double Metrics::score(const std::string &monitor) const {
  const std::string name = monitor.empty() ? (areOfPairs ? "auc" : "loss") : monitor;
  std::string known = "loss";
  for (const auto &[other, value] : others)
    known += ", " + other;
  auto found = others.find(name);
  require(name == "loss" || found != others.end(), GNN_ERROR_ARGUMENT, "validation has no metric '", name, "'; it has ",
          known);
  const double value = (name == "loss" ? loss : found->second).value_or(NAN);
  return name == "loss" || name == "mae" || name == "rmse" ? -value : value;
}

Session::Session(Model &trained, std::shared_ptr<const Graph> graph, const Features &features,
                 const std::string &origin, const TrainingConfig &asked)
    : model(trained), where(origin), config(asked),
      binding(model.libraryFor(features), model.dims(),
              config.samples && config.memory ? forSamples(model, graph, *config.samples, *config.memory) : graph,
              features, /*withTargets=*/true, origin),
      trainProgram(programOf(*model.library(), GNN_PROGRAM_TRAIN, "@train")),
      evaluateProgram(programOf(*model.library(), GNN_PROGRAM_EVALUATE, "@evaluate")), sampling(config.samples),
      numOutputs(programOf(*model.library(), GNN_PROGRAM_INFER, "@infer").num_results) {
  const MemoryLimit *limit = config.memory ? &*config.memory : nullptr;
  if (sampling && limit && model.engine().rowGather() &&
      (hasLearnedRows(*model.library(), trainProgram) ||
       !SampledOnDevice::canKeep(*model.library(), binding, trainProgram)))
    limit = nullptr; // the engine keeps to it, and there is nothing that could fill what is left
  require(evaluateProgram.num_results > numOutputs, GNN_ERROR_DATA, model.library()->path(), ": @evaluate has no loss");
  while (numGradients + 1 < trainProgram.num_results &&
         model.library()->tensor(trainProgram.results[numGradients + 1]).role == GNN_ROLE_GRAD)
    ++numGradients;
  if (sampling) {
    require(!limit || !binding.pairsRelation(), GNN_ERROR_MISMATCH, model.library()->name(),
            " can't be trained on samples in a limited memory: it scores pairs of vertices");
    require(!limit || !hasLearnedRows(*model.library(), trainProgram), GNN_ERROR_MISMATCH, model.library()->name(),
            " can't be trained on samples in a limited memory: it has parameters for each vertex");
    const std::vector<const gnn_program_t *> programs = programsForSamples(*model.library(), GNN_PROGRAM_TRAIN);
    openSampled(programs.empty() ? trainProgram : *programs[0]);
  }
  if (sampling && limit) {
    limited = {std::move(graph), features, *limit, evaluates()};
    checkLabels();
    return;
  }
  if (limit && scoresPairs()) {
    pairLimit = *limit;
    return;
  }
  if (limit) {
    openWithin(*limit);
    checkLabels();
    return;
  }
  if (scoresPairs()) {
    pairEvaluator = std::make_unique<PairsInMemory>(model, std::move(graph), features, origin);
    return; // the training pairs, which come later, decide on the memory
  }
  if (evaluates())
    evaluation = model.executor(binding, programOver(*model.library(), binding, GNN_PROGRAM_EVALUATE),
                                /*parametersStay=*/false, &fixedFields);
  checkLabels();
}

Session::~Session() = default;

/// Steps over the whole graph: of all rows, or of those that the loss reaches.
void Session::openSteps(Span<const int64_t> rows, const std::vector<double> &weights) {
  const gnn_program_t &program = programOver(*model.library(), binding, GNN_PROGRAM_TRAIN);
  std::pair key(std::vector<int64_t>(rows.begin(), rows.end()), weights);
  if (train && key == openedFor)
    return;
  openedFor = std::move(key);
  train = nullptr;
  reached = std::nullopt;
  isReached = false;
  why = config.rows == StepRows::All    ? "asked for"
        : model.engine().ordinal() >= 0 ? "it computes on a GPU"
                                        : obstacleToReached(*model.library(), program);
  if (why.empty()) {
    reached.emplace(*model.library(), binding, program);
    isReached = config.rows == StepRows::Reached || reached->pays(evaluation->plan().arenaBytes);
  }
  require(isReached || config.rows != StepRows::Reached, GNN_ERROR_MISMATCH, model.library()->name(),
          " can't be trained over the rows alone that its loss reaches: ", why);
  if (!isReached) {
    train = model.executor(binding, program, /*parametersStay=*/false, &fixedFields);
    return;
  }
  train = std::make_unique<Reached>(model.engine(), *model.library(), binding, program);
  for (uint32_t index : model.parameters())
    train->place(index, model.parameter(index).mutableData());
}

void Session::openSampled(const gnn_program_t &program) {
  auto ofBatches = std::make_unique<Sampled>(model.engine(), *model.library(), binding, program, sampling->fanOuts,
                                             sampling->drawing, sampling->ahead, sampling->shares, sampling->drawnBy);
  for (uint32_t index : model.parameters())
    ofBatches->place(index, model.parameter(index).mutableData());
  sampled = ofBatches.get();
  train = std::move(ofBatches);
}

/// Batches are about as large as each other: the first one of any seed stands for all, so that a run that goes on has
/// the same program.
void Session::chooseForSamples() {
  const std::vector<const gnn_program_t *> programs = programsForSamples(*model.library(), GNN_PROGRAM_TRAIN);
  if (programs.size() < 2)
    return;
  const gnn_program_t &chosen = Sampled::cheapestOf(programs, *model.library(), binding, sampling->fanOuts,
                                                    sampling->drawing, seedsOf(/*seed=*/0, /*step=*/0));
  if (&chosen != &sampled->walked())
    openSampled(chosen);
}

/// Parameters have gradients, moments and perhaps a copy of the best; on a GPU there are moments beside what is there
/// and results, and a little of what ends a step.
static size_t bytesOfTraining(Model &model) {
  constexpr size_t ofUpdates = 64 << 10;
  Engine &engine = model.engine();
  if (!engine.hasDeviceMemory())
    return 4 * model.parameterBytes();
  size_t bytes = ofUpdates;
  for (uint32_t index : model.parameters())
    bytes += 2 * engine.takenBytes(model.parameter(index).bytes());
  return bytes;
}

StreamPlan planOfTraining(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                          const std::string &where, const MemoryLimit &limit) {
  const Binding binding(model.libraryFor(features), model.dims(), std::move(graph), features, /*withTargets=*/true,
                        where);
  const Library &library = *model.library();
  const std::vector<const gnn_program_t *> programs{&programOf(library, GNN_PROGRAM_TRAIN, "@train"),
                                                    &programOf(library, GNN_PROGRAM_EVALUATE, "@evaluate")};
  return StreamPlanner(model.engine(), library, binding, programs, bytesOfTraining(model), limit).choose();
}

std::vector<std::unique_ptr<Executor>> Session::executorsWithin(const std::vector<const gnn_program_t *> &programs,
                                                                size_t otherBytes, const MemoryLimit &limit) {
  strangeInputs = notFiniteInputs(*model.library(), binding);
  within = std::make_unique<WithinMemory>(model.engine(), *model.library(), binding, programs, otherBytes, limit,
                                          [this](Executor &executor) {
                                            for (uint32_t index : model.parameters())
                                              executor.place(index, model.parameter(index).mutableData());
                                          });
  return within->takeExecutors();
}

void Session::openWithin(const MemoryLimit &limit) {
  std::vector<std::unique_ptr<Executor>> executors =
      executorsWithin({&trainProgram, &evaluateProgram}, bytesOfTraining(model), limit);
  train = std::move(executors[0]);
  evaluation = std::move(executors[1]);
}

/// All that is known of pairs, of which those of a step are drawn. The metrics of a split, which may have nearly all of
/// them, take each again with one that is random: a target, a loss and a score, which is copied and sorted.
size_t Session::bytesOfPairs() const {
  constexpr size_t ofEnds = 3 * sizeof(int64_t), ofNumber = sizeof(double);
  constexpr size_t ofKnown = 2 * ofEnds + 2 * (ofEnds + 5 * ofNumber);
  return PairSet::bytes(numKnownPairs) + size_t(numKnownPairs) * ofKnown + pairSteps.truePairs() * ofEnds +
         size_t(pairSteps.pairsOfStep()) * (ofEnds + ofNumber) + binding.relation(*binding.pairsRelation()).bytes();
}

void Session::openPairsWithin(bool trains) {
  const MemoryLimit limit = *std::exchange(pairLimit, std::nullopt);
  const Library &library = *model.library();
  requireStreamable(model.engine(), library, evaluateProgram, limit);
  fields = PartOfProgram::overVertices(library, evaluateProgram);
  std::vector<const gnn_program_t *> programs{&fields->program()};
  if (trains)
    programs.insert(programs.begin(), &trainProgram);
  PairsWithin::Sizes sizes = PairsWithin::sizesFor(library, binding, limit.bytes);
  std::vector<std::unique_ptr<Executor>> executors;
  auto open = [&] {
    executors = executorsWithin(programs, bytesOfTraining(model) + bytesOfPairs() + sizes.bytes, limit);
  };
  try {
    open();
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_MEMORY)
      throw;
    sizes = PairsWithin::sizesFor(library, binding, /*limit=*/0); // as little as there may be
    open();
  }
  if (trains)
    train = std::move(executors[0]);
  evaluation = std::move(executors.back());
  auto evaluator = std::make_unique<PairsWithin>(model, binding, *evaluation, sizes);
  pairsWithin = evaluator.get();
  pairEvaluator = std::move(evaluator);
}

void Session::openEvaluation() {
  if (pairLimit)
    openPairsWithin(/*trains=*/false);
}

void Session::openOnDevice() {
  const Sampler sampler(*model.library(), binding, sampled->walked(), sampling->fanOuts, sampling->drawing);
  samplesOnDevice = std::make_unique<SampledOnDevice>(
      model, binding, *sampled, sampler, sampling->shares, *std::exchange(limited, std::nullopt),
      bytesOfTraining(model), epoch.stepsOfEpoch(), [this](int64_t step) { return seedsOf(/*seed=*/0, step); });
  evaluation = samplesOnDevice->takeEvaluation();
}

void Session::checkLabels() const {
  const gnn_tensor_info_t *logits = classLogits(*model.library());
  if (!logits)
    return;
  int64_t classes = model.dims().extents()[logits->shape[0]];
  for (uint32_t t = 0; t < model.library()->tensors().size(); ++t) {
    const gnn_tensor_info_t &info = model.library()->tensor(t);
    if (!isClassTarget(info))
      continue;
    Tensor labels = binding.inOriginalOrder(info, binding.data(t));
    for (int64_t v = 0; v < labels.count(); ++v) {
      double label = numberAt(labels, v);
      require(label >= -1 && label < double(classes), GNN_ERROR_DATA, "label ", int64_t(label),
              info.domain == GNN_DOMAIN_EDGE ? " of edge " : " of vertex ", v, " in ", where, " is outside 0..",
              classes - 1, " (-1: none): ", model.library()->name(), " has ", classes, " classes");
    }
  }
}

void Session::requireLabels(Span<const int64_t> rows, const std::string &split) const {
  const gnn_tensor_info_t *mask = binding.lossMask();
  if (!mask)
    return;
  int64_t count = binding.leadingExtent(*mask);
  bool isOfEdges = mask->domain == GNN_DOMAIN_EDGE;
  for (int64_t row : rows)
    require(row >= 0 && row < count, GNN_ERROR_DATA, isOfEdges ? "edge " : "vertex ", row, " of ", split, " in ", where,
            " is outside 0..", count - 1);
  for (uint32_t t = 0; t < model.library()->tensors().size(); ++t) {
    const gnn_tensor_info_t &info = model.library()->tensor(t);
    if (!isClassTarget(info) || info.domain != mask->domain || info.type != mask->type)
      continue;
    const VertexOrder *order = isOfEdges ? nullptr : binding.order(info.type);
    for (int64_t row : rows)
      require(numberAt(binding.data(t), order ? order->local[size_t(row)] : row) >= 0, GNN_ERROR_DATA,
              isOfEdges ? "edge " : "vertex ", row, " of ", split, " in ", where, " has no label");
  }
}

Plan Session::plan() const {
  Plan plan = Plan::of(*model.library(), binding, *train);
  if (within)
    plan.folds.insert(within->folds(0).begin(), within->folds(0).end());
  if (sampling)
    plan.samples = {{"fan-outs", sampling->fanOuts.text()}, {"batch", std::to_string(sampling->batch)}};
  if (sampling && sampling->drawing.text() != Drawing().text())
    plan.samples["sampler"] = sampling->drawing.text();
  if (sampling && sampling->shares.count > 1)
    plan.samples["shares"] = std::to_string(sampling->shares.count);
  if (config.pairBatch > 0)
    plan.samples = {{"batch", std::to_string(config.pairBatch)}};
  return plan;
}

/// By their classes; empty: all weigh the same.
std::vector<double> Session::weightsOfRows(Span<const int64_t> rows, const std::string &split) const {
  if (config.recipe.classWeights.areEqual())
    return {};
  const gnn_tensor_info_t *mask = binding.lossMask();
  const gnn_tensor_info_t *target = nullptr;
  for (const gnn_tensor_info_t &info : model.library()->tensors())
    if (mask && info.role == GNN_ROLE_TARGET && info.domain == mask->domain && info.type == mask->type) {
      require(!target && info.rank == 0, GNN_ERROR_MISMATCH, "class weights are for one class for each row, but ",
              model.library()->name(), target ? " has several targets" : " has a target of several numbers");
      target = &info;
    }
  require(target != nullptr, GNN_ERROR_MISMATCH, "class weights only apply to classes, but ", model.library()->name(),
          " has no target that is one");
  const Tensor &labels = binding.data(uint32_t(target - &model.library()->tensor(0)));
  const VertexOrder *order = mask->domain == GNN_DOMAIN_VERTEX ? binding.order(target->type) : nullptr;
  std::vector<double> classes;
  for (int64_t row : rows)
    classes.push_back(numberAt(labels, order ? order->local[size_t(row)] : row));
  return config.recipe.classWeights.of(classes, split + " in " + where);
}

/// With edges in memory, or where that is too much of them in their file.
void Session::openSamplesWithin(const SampledWithin::Source &source, Span<const int64_t> rows,
                                const std::vector<double> &weights) {
  auto open = [&] {
    samplesWithin = std::make_unique<SampledWithin>(model, binding, *sampled, source, epoch.stepsOfEpoch(),
                                                    [&](int64_t step) { return seedsOf(/*seed=*/0, step); });
  };
  const bool areLoaded = hasEdgesInFile(*source.graph) && sampled->filedEdges().tables().empty();
  if (!areLoaded)
    return open();
  try {
    open();
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_MEMORY)
      throw;
    require(Sampler::canDrawOfFiles(sampling->drawing), GNN_ERROR_MEMORY, error.what(),
            ". All edges are in memory, since the sampler ", sampling->drawing.text(),
            " looks at all of a vertex: uniform and replace draw of a file");
    const gnn_program_t &program = sampled->walked();
    binding = Binding(model.libraryFor(source.features), model.dims(), source.graph, source.features,
                      /*withTargets=*/true, where);
    binding.setLossRows(rows, {weights.data(), weights.size()});
    openSampled(program);
    open();
  }
}

void Session::addKnownPairs(const Tensor &split, const std::string &name) {
  knownPairs.add(pairsOf(split, name + " in " + where));
  numKnownPairs += split.dim(0);
}

void Session::setTrainSplit(const Tensor &split, const std::string &name) {
  if (!scoresPairs()) {
    require(split.rank() == 1, GNN_ERROR_DATA, name, " in ", where, ": expected ids, got ", shapeText(split.shape()));
    const Span<const int64_t> rows = split.values<int64_t>();
    requireLabels(rows, name);
    require(!sampled || !rows.empty(), GNN_ERROR_DATA, name, " in ", where,
            " is empty, so there are no vertices to make batches of");
    epoch = sampled ? Batches({rows.begin(), rows.end()}, sampling->batch) : Batches();
    const std::vector<double> weights = weightsOfRows(rows, name);
    splitWeight = weights.empty() ? double(rows.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
    binding.setLossRows(rows, {weights.data(), weights.size()});
    if (sampled)
      chooseForSamples();
    if (!sampled && !within)
      openSteps(rows, weights);
    if (limited && model.engine().rowGather())
      openOnDevice();
    else if (const std::optional<SampledWithin::Source> source = std::exchange(limited, std::nullopt))
      openSamplesWithin(*source, rows, weights);
    if (samplesWithin && !evaluation)
      evaluation = samplesWithin->takeEvaluation();
    return;
  }
  require(config.recipe.classWeights.areEqual(), GNN_ERROR_MISMATCH, "class weights only apply to classes, but ",
          model.library()->name(), " scores pairs; set their ratio with --negatives");
  const int64_t before = pairSteps.pairsOfStep();
  Pairs pairs = pairsOf(split, name + " in " + where);
  require(!sampled || pairs.count() > 0, GNN_ERROR_DATA, name, " in ", where,
          " is empty, so there are no pairs to make batches of");
  knownPairs.add(pairs);
  if (sampled)
    binding.rowsOfPairs(pairs); // throws before the first step what a later one would
  pairSteps = PairSteps(std::move(pairs), sampled ? sampling->batch : config.pairBatch, config.negatives);
  drawPairs(/*seed=*/0, /*step=*/0);
  if (sampled)
    return chooseForSamples();
  if (pairLimit)
    return openPairsWithin(/*trains=*/true);
  require(!within || before == pairSteps.pairsOfStep(), GNN_ERROR_ARGUMENT, name, " in ", where, " has other than ",
          before, " pairs a step, for which memory was planned");
  if (within)
    return;
  if (!train || before != pairSteps.pairsOfStep())
    train = model.executor(binding, programOver(*model.library(), binding, GNN_PROGRAM_TRAIN));
}

void Session::dropInputs() {
  const bool isOverWholeGraph = !sampled && !within && !scoresPairs() && !model.engine().hasDeviceMemory();
  if (!isOverWholeGraph)
    return;
  train->makeFixed();
  for (uint32_t t = 0; t < model.library()->tensors().size(); ++t) {
    const bool isBound = model.library()->tensor(t).role == GNN_ROLE_INPUT && binding.data(t);
    if (!isBound || train->readsAgain(t) || (evaluation && evaluation->readsAgain(t)))
      continue;
    if (!strangeInputs)
      strangeInputs = notFiniteInputs(*model.library(), binding);
    binding.releaseTable(t);
  }
}

void Session::drawPairs(uint64_t seed, int64_t step) {
  const PairSteps::Step drawn = pairSteps.at(seed, step, pairEnds(*model.library(), binding), knownPairs);
  binding.setPairs(drawn.pairs, drawn.targets);
  if (drawn.counted == drawn.pairs.count())
    return;
  std::vector<int64_t> counted(static_cast<size_t>(drawn.counted));
  std::iota(counted.begin(), counted.end(), int64_t(0));
  binding.setLossRows({counted.data(), counted.size()});
}

std::vector<int64_t> Session::rowsOfTables(Span<const int64_t> ids) const {
  const gnn_tensor_info_t &losses = model.library()->tensor(evaluateProgram.results[numOutputs]);
  const VertexOrder *order = losses.domain == GNN_DOMAIN_VERTEX ? binding.order(losses.type) : nullptr;
  std::vector<int64_t> rows;
  rows.reserve(ids.size());
  for (int64_t id : ids)
    rows.push_back(order ? order->local[size_t(id)] : id);
  return rows;
}

BatchSizes Session::batchSizes() {
  if (samplesWithin)
    return samplesWithin->sizes();
  BatchSizes sizes(*model.library());
  std::vector<int64_t> steps(size_t(batches().stepsOfEpoch()));
  std::iota(steps.begin(), steps.end(), 0);
  sampled->rehearse(
      steps, [&](int64_t step) { return seedsOf(/*seed=*/0, step); },
      [&](int64_t, const Neighbourhood &batch) { sizes.add(batch); });
  return sizes;
}

Seeds Session::seedsOf(uint64_t seed, int64_t step) {
  if (!scoresPairs())
    return {rowsOfTables(epoch.rowsOf(seed, step)), {}, {}};
  PairSteps::Step drawn = pairSteps.drawn(seed, step, pairEnds(*model.library(), binding), knownPairs);
  return {{}, std::move(drawn.pairs), std::move(drawn.targets)};
}

/// The batch of a step, and those to be sampled ahead.
void Session::expectBatches(uint64_t seed, uint64_t step) {
  for (uint64_t next = step; next <= step + uint64_t(sampling->ahead); ++next)
    if (const uint64_t key = stepKey(seed, next); !sampled->isExpected(key))
      sampled->expect(key, seedsOf(seed, int64_t(next)));
}

double Session::trainStep(uint64_t seed, uint64_t step, Optimizer &optimizer) {
  if (sampled)
    expectBatches(seed, step);
  else if (scoresPairs())
    drawPairs(seed, int64_t(step));
  shareOfPairs = pairSteps.batches().shareOf(int64_t(step));
  const std::vector<StateUpdate> states = stateUpdates();
  const StepOutcome outcome =
      train->train({stepKey(seed, step), optimizer.nextRule(), optimizer.updates(), states, optimizer.mostNorm()});
  if (outcome.refusedBy)
    refuse(outcome, step, optimizer.steps());
  optimizer.noteStep();
  return outcome.loss;
}

void Session::refuse(const StepOutcome &outcome, uint64_t step, int64_t stepsDone) {
  const uint32_t result = *outcome.refusedBy;
  const double loss = std::isnan(outcome.loss) ? NAN : outcome.loss; // whose sign says nothing
  const std::string why = whyNotFinite(stepsDone);
  require(result > 0, GNN_ERROR_NUMERIC, "the loss is ", loss, " at step ", step, ": ", why);
  const gnn_tensor_info_t &info = model.library()->tensor(trainProgram.results[result]);
  fail(GNN_ERROR_NUMERIC, result <= numGradients ? "the gradient of " : "the next value of ",
       model.library()->tensor(uint32_t(info.source)).name, " is not finite at step ", step, ", where the loss is ",
       loss, ": ", why);
}

/// The likeliest cause: what is not finite itself, else the size of the steps.
std::string Session::whyNotFinite(int64_t stepsDone) {
  for (const std::string &line : strangeInputs ? *strangeInputs : notFiniteInputs(*model.library(), binding))
    return line + " of " + where;
  for (const auto &[name, tensor] : model.parameterTensors())
    if (const std::string line = notFiniteText(name, tensor); !line.empty())
      return line;
  return stepsDone > 0 ? "a smaller learning rate may help"
                       : "inputs and weights are finite, but not what the model makes of them";
}

/// A state and its next value are of one size: LibraryCheck.
std::vector<StateUpdate> Session::stateUpdates() {
  std::vector<StateUpdate> updates;
  for (uint32_t i = numGradients + 1; i < trainProgram.num_results; ++i) {
    Tensor &state = model.parameter(uint32_t(model.library()->tensor(trainProgram.results[i]).source));
    updates.push_back({state.mutableData(), i, state.element(), state.bytes()});
  }
  return updates;
}

void Session::evaluate() {
  if (evaluation) // pairs are evaluated split by split, within a limit on what vertices have computed
    evaluation->run(/*stepKey=*/0);
  if (pairsWithin)
    pairsWithin->forget();
}

std::vector<double> Session::pairScores(const Pairs &pairs) const {
  return pairEvaluator->evaluate(pairs, std::vector<double>(pairs.src.size(), 0.0)).scores;
}

Metrics Session::pairMetrics(const Pairs &pairs, bool inFull, const RankingReport &report) const {
  PairSet withSplit; // a copy only where the split is not known, which takes memory
  const bool isKnown = knownPairs.containsAll(pairs);
  if (!isKnown) {
    withSplit = knownPairs;
    withSplit.add(pairs);
  }
  const PairSet &known = isKnown ? knownPairs : withSplit;
  const PairsWithNegatives all = withNegatives(pairs, 1, pairEnds(*model.library(), binding), known, pairsOfEvaluation);
  const PairEvaluator::Scores evaluated =
      pairEvaluator->evaluate(all.pairs, pairTargets(pairs.count(), all.pairs.count()));
  Metrics result;
  result.numMissingNegatives = all.numLeftOut;
  double loss = 0;
  for (double lossOfPair : evaluated.losses)
    loss += lossOfPair / double(evaluated.losses.size());
  if (!evaluated.losses.empty())
    result.loss = loss;
  auto middle = evaluated.scores.begin() + pairs.count();
  const std::vector<double> positives(evaluated.scores.begin(), middle), others(middle, evaluated.scores.end());
  result.areOfPairs = true;
  result.others["auc"] = areaUnderCurve(positives, others);
  result.others["ap"] = averagePrecision(positives, others);
  if (!inFull)
    return result;
  const std::optional<std::vector<double>> ranks = pairEvaluator->ranks(pairs, known, report);
  if (!ranks)
    return result;
  const RankMetrics ranked = rankMetrics(*ranks);
  result.others["mrr"] = ranked.meanReciprocalRank;
  for (auto [k, share] : ranked.hits)
    result.others["hits@" + std::to_string(k)] = share;
  return result;
}

Tensor Session::output(uint32_t i) const {
  return binding.inOriginalOrder(model.library()->tensor(evaluateProgram.results[i]), evaluation->result(i));
}

size_t Session::keptBytes() const {
  size_t bytes = 0;
  for (const PlannedTensor &planned : train->plan().tensors)
    for (const gnn_use_t &use : usesIn(train->walked()))
      if (use.tensor == planned.tensor && use.is_kept)
        bytes += planned.bytes;
  return bytes;
}

} // namespace gnn::rt
