//===- TrainerApi.cpp - Training in the C interface -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Options.h"
#include "runtime/src/model/ModelApi.h"
#include "runtime/src/train/Checkpoint.h"
#include "runtime/src/train/ModelData.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/Training.h"

#include <algorithm>
#include <cmath>

using namespace gnn::rt;

struct gnn_trainer_t {
  std::shared_ptr<Model> model;
  Training training;
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

TrainingConfig configFor(const gnn_trainer_options_t &given, Model &model) {
  TrainingOptions options = trainingOptionsOf(given);
  if (!options.fanOuts.empty())
    options.ahead = 0; // a trainer samples when it is asked for a step
  OptionSpelling spelling;
  spelling.asFields = true;
  return configOf(options, *model.library(), model.engine(), /*comm=*/nullptr, spelling);
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
    const gnn_trainer_options_t chosen = readOptions(options, "gnn_trainer_create", noTrainerOptions());
    const TrainingConfig config = configFor(chosen, trained);
    const uint64_t seed = chosen.seed;
    Model::Attempt attempt(trained);
    bindDims(trained.dims(), *trained.library(), *graph->value, features, dataName);
    bindClasses(trained.dims(), *trained.library(), features, dataName);
    trained.materialize();
    std::unique_ptr<gnn_trainer_t> trainer(new gnn_trainer_t{
        /*model=*/model->value,
        /*training=*/
        openTraining(trained, {graph->value, std::move(features), dataName}, split, "the training split", config),
        /*recipe=*/config.recipe,
        /*optimizer=*/makeOptimizer(trained, config.recipe),
        /*seed=*/seed,
        /*isRateSaid=*/options && options->learning_rate >= 0,
        /*isDecaySaid=*/options && options->weight_decay >= 0,
    });
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
    const int64_t epoch = trainer->training.steps->batches().epochOf(trainer->optimizer.steps());
    trainer->optimizer.setLearningRate(recipe.learningRate * recipe.schedule.factor(epoch, epoch + 1, /*cuts=*/0));
    double loss =
        trainer->training.steps->step(trainer->seed, uint64_t(trainer->optimizer.steps()), trainer->optimizer);
    if (out_loss)
      *out_loss = loss;
  });
}

gnn_status_t gnn_trainer_evaluate(gnn_trainer_t *trainer, const gnn_tensor_t *vertices, gnn_metrics_t *out) {
  return guard([&] {
    require(trainer && out, GNN_ERROR_ARGUMENT, "gnn_trainer_evaluate: NULL argument");
    Model::Use use(*trainer->model);
    const Tensor split = splitOf(vertices);
    trainer->training.evaluation->run();
    Metrics metrics = trainer->training.evaluation->metrics(split, "the split asked for");
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
    progress.epoch = trainer->training.steps->batches().epochOf(progress.step);
    saveCheckpoint(path, *trainer->model, trainer->optimizer, trainer->recipe, progress,
                   trainer->training.steps->plan());
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
