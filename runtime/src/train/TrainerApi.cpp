//===- TrainerApi.cpp - Training in the C interface -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Options.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/model/ModelApi.h"
#include "runtime/src/train/Checkpoint.h"
#include "runtime/src/train/DataFeatures.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/Session.h"

#include <algorithm>
#include <cmath>

using namespace gnn::rt;

struct gnn_trainer_t {
  std::shared_ptr<Model> model;
  Session session;
  Recipe recipe;
  Optimizer optimizer;
  uint64_t seed;
  bool isRateSaid, isDecaySaid; // by the options: what they do not say is as a resumed checkpoint says
};

namespace {

constexpr char dataName[] = "the trainer's data";

Tensor splitOf(const gnn_tensor_t *split) {
  require(split && split->value.element() == GNN_I64 && (split->value.rank() == 1 || split->value.rank() == 2),
          GNN_ERROR_ARGUMENT, "a split must be a tensor of i64 ids [any], or pairs [any, 2] or [any, 3]");
  return split->value.onHost();
}

constexpr gnn_trainer_options_t defaults{sizeof(gnn_trainer_options_t),
                                         nullptr,
                                         -1,
                                         -1,
                                         0,
                                         nullptr,
                                         0,
                                         nullptr,
                                         0,
                                         nullptr,
                                         0,
                                         nullptr,
                                         0,
                                         0,
                                         nullptr,
                                         0,
                                         0,
                                         nullptr,
                                         0,
                                         nullptr};

std::optional<MemoryLimit> limitFor(const gnn_trainer_options_t &options, Engine &engine) {
  const bool isOnDevice = engine.hasDeviceMemory();
  require(isOnDevice || options.device_memory_bytes == 0, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: device_memory_bytes only apply to GPUs, but the model is on ", engine.device());
  require(!isOnDevice || options.memory_bytes == 0 || options.device_memory_bytes > 0, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: memory_bytes only apply to processors, but the model is on ", engine.device(),
          ": beside it there have to be device_memory_bytes");
  const uint64_t bytes = isOnDevice ? options.device_memory_bytes : options.memory_bytes;
  require(options.intervals >= 0 && options.intervals <= mostIntervals, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: ", options.intervals, " intervals, expected 1 to ", mostIntervals,
          " (0: any number)");
  const char *name = isOnDevice ? "device_memory_bytes" : "memory_bytes";
  const bool isStreamed = bytes > 0 || (enginesOf(engine).size() > 1 && !options.fan_outs);
  require(isStreamed || (options.intervals == 0 && !options.spill_folder), GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: intervals and spill_folder require a limit of memory, but there are no ", name);
  require(bytes == 0 || !options.fan_outs, GNN_ERROR_ARGUMENT, "gnn_trainer_options_t: ", name,
          " limit steps over the whole graph, but there are fan_outs");
  require(options.look_ahead_bytes == 0 || (bytes > 0 && !isOnDevice), GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: look_ahead_bytes require memory_bytes on a processor, but ",
          isOnDevice ? "the model is on " + engine.device() : "there are none");
  if (!isStreamed)
    return std::nullopt;
  MemoryLimit limit{bytes > 0 ? bytes : SIZE_MAX, options.spill_folder ? options.spill_folder : defaultSpillFolder(),
                    options.intervals};
  limit.by = std::nullopt;
  if (options.look_ahead_bytes > 0)
    limit.ahead = options.look_ahead_bytes;
  if (isOnDevice && options.memory_bytes > 0)
    limit.hostBytes = options.memory_bytes;
  return limit;
}

std::optional<Sampling> samplingFor(const gnn_trainer_options_t &options, Engine &engine) {
  require(options.batch >= 0, GNN_ERROR_ARGUMENT, "gnn_trainer_options_t: a batch of ", options.batch);
  require(options.fan_outs || !options.sampler, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: a sampler, but there are no fan_outs");
  require(options.shares >= 0, GNN_ERROR_ARGUMENT, "gnn_trainer_options_t: ", options.shares, " shares of a batch");
  require(options.fan_outs || options.shares == 0, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: shares of batches, but there are no fan_outs");
  require(options.fan_outs || !options.draws, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: who draws, but there are no fan_outs");
  require(engine.sampler() || !options.draws, GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: draws only apply to GPUs, but the model is on ", engine.device());
  if (!options.fan_outs)
    return std::nullopt;
  Sampling sampling{FanOuts(options.fan_outs, "fan_outs")};
  if (options.batch > 0)
    sampling.batch = options.batch;
  sampling.shares.count = options.shares > 0 ? options.shares : int64_t(enginesOf(engine).size());
  if (options.sampler)
    sampling.drawing = Drawing::parse(options.sampler, "sampler");
  if (options.draws)
    sampling.drawnBy = parseDrawnBy(options.draws, "draws");
  return sampling;
}

Recipe recipeFor(const Library &library, const gnn_trainer_options_t &options) {
  Recipe recipe = recipeOf(library);
  if (options.optimizer)
    recipe.optimizer = parseOptimizer(options.optimizer);
  if (!(options.learning_rate < 0))
    recipe.learningRate = options.learning_rate;
  if (!(options.weight_decay < 0))
    recipe.weightDecay = options.weight_decay;
  recipe.schedule = Schedule::parse(options.schedule ? options.schedule : "constant", options.warm_up);
  require(recipe.schedule.plateauEpochs() == 0 && !recipe.schedule.needsEpochs(), GNN_ERROR_ARGUMENT,
          "gnn_trainer_options_t: the schedule '", options.schedule, "' ",
          recipe.schedule.needsEpochs() ? "needs a number of epochs, as cosine=200"
                                        : "waits for validation results, which a trainer has none of");
  recipe.mostNorm = options.most_norm;
  recipe.classWeights = ClassWeights::parse(options.class_weights ? options.class_weights : "");
  return recipe;
}

} // namespace

extern "C" {

gnn_status_t gnn_trainer_create(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                uint32_t num_inputs, const gnn_tensor_t *vertices, const gnn_trainer_options_t *options,
                                gnn_trainer_t **out) {
  return guard([&] {
    require(model && graph && out, GNN_ERROR_ARGUMENT, "gnn_trainer_create: NULL argument");
    Model &trained = *model->value;
    Model::Use use(trained);
    Features features = featuresOf(inputs, num_inputs, trained.engine());
    const Tensor split = splitOf(vertices);
    const gnn_trainer_options_t chosen = readOptions(options, "gnn_trainer_create", defaults);
    Recipe recipe = recipeFor(*trained.library(), chosen);
    const uint64_t seed = chosen.seed;
    const std::optional<Sampling> sampling = samplingFor(chosen, trained.engine());
    const std::optional<MemoryLimit> limit = limitFor(chosen, trained.engine());
    Model::Attempt attempt(trained);
    bindDims(trained.dims(), *trained.library(), *graph->value, features, dataName);
    bindClasses(trained.dims(), *trained.library(), features, dataName);
    trained.materialize();
    std::unique_ptr<gnn_trainer_t> trainer(new gnn_trainer_t{
        model->value,
        Session(trained, graph->value, features, dataName, sampling ? &*sampling : nullptr, limit ? &*limit : nullptr),
        recipe, makeOptimizer(trained, recipe), seed, options && options->learning_rate >= 0,
        options && options->weight_decay >= 0});
    trainer->session.setClassWeights(trainer->recipe.classWeights);
    if (!sampling)
      trainer->session.setPairsOfStep(chosen.batch);
    trainer->session.setStepRows(parseStepRows(chosen.rows ? chosen.rows : "auto", "gnn_trainer_options_t: rows"));
    trainer->session.setTrainSplit(split, "the training split");
    if (!trained.hasValues())
      trained.initialize(seed);
    attempt.keep();
    *out = trainer.release();
  });
}

void gnn_trainer_destroy(gnn_trainer_t *trainer) { delete trainer; }

gnn_status_t gnn_trainer_step(gnn_trainer_t *trainer, double *out_loss) {
  return guard([&] {
    require(trainer, GNN_ERROR_ARGUMENT, "gnn_trainer_step: NULL argument");
    Model::Use use(*trainer->model);
    const Recipe &recipe = trainer->recipe;
    const int64_t epoch = trainer->session.batches().epochOf(trainer->optimizer.steps());
    trainer->optimizer.setLearningRate(recipe.learningRate * recipe.schedule.factor(epoch, epoch + 1, /*cuts=*/0));
    double loss = trainer->session.trainStep(trainer->seed, uint64_t(trainer->optimizer.steps()), trainer->optimizer);
    if (out_loss)
      *out_loss = loss;
  });
}

gnn_status_t gnn_trainer_evaluate(gnn_trainer_t *trainer, const gnn_tensor_t *vertices, gnn_metrics_t *out) {
  return guard([&] {
    require(trainer && out, GNN_ERROR_ARGUMENT, "gnn_trainer_evaluate: NULL argument");
    Model::Use use(*trainer->model);
    const Tensor split = splitOf(vertices);
    trainer->session.evaluate();
    Metrics metrics = trainer->session.metrics(split, "the split asked for");
    const auto numberOf = [&](const char *name) {
      auto found = metrics.others.find(name);
      return found == metrics.others.end() ? NAN : found->second.value_or(NAN);
    };
    *out = {metrics.loss.value_or(NAN), numberOf("accuracy"), numberOf("auc")};
  });
}

gnn_status_t gnn_trainer_save(const gnn_trainer_t *trainer, const char *path) {
  return guard([&] {
    require(trainer && path, GNN_ERROR_ARGUMENT, "gnn_trainer_save: NULL argument");
    Model::Use use(*trainer->model);
    Progress progress;
    progress.seed = trainer->seed;
    progress.step = trainer->optimizer.steps();
    progress.epoch = trainer->session.batches().epochOf(progress.step);
    saveCheckpoint(path, *trainer->model, trainer->optimizer, trainer->recipe, progress, trainer->session.plan());
  });
}

gnn_status_t gnn_trainer_resume(gnn_trainer_t *trainer, const char *path) {
  return guard([&] {
    require(trainer && path, GNN_ERROR_ARGUMENT, "gnn_trainer_resume: NULL argument");
    Model::Use use(*trainer->model);
    const CheckpointNotes notes = CheckpointNotes::read(path);
    Recipe recipe = trainer->recipe;
    if (!trainer->isRateSaid)
      recipe.learningRate = notes.number<double>("learning_rate");
    if (!trainer->isDecaySaid)
      recipe.weightDecay = notes.number<double>("weight_decay");
    Optimizer optimizer = makeOptimizer(*trainer->model, recipe);
    trainer->seed = loadCheckpoint(path, *trainer->model, optimizer, /*plan=*/nullptr).seed; // data may be others
    trainer->optimizer = std::move(optimizer);
    trainer->recipe = std::move(recipe);
  });
}

} // extern "C"
