//===- InterfaceModelCalls.cpp - Random calls on models and trainers ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterfaceWorld.h"

#include <cmath>

// ---- Models ---------------------------------------------------------------------------------------------------------

void World::openModel() {
  gnn_model_options_t options{sizeof options, uint32_t(1 + random.below(3)), nullptr, "cpu", 0, 0, nullptr, nullptr};
  auto facts = std::make_shared<ModelFacts>();
  facts->isSparse = random.oneIn(2);
  gnn_model_t *model = nullptr;
  accept(gnn_model_from_table(facts->isSparse ? &sparse.library : &dense.library, random.oneIn(4) ? nullptr : &options,
                              &model),
         "gnn_model_from_table");
  expect(gnn_model_name(model) == std::string("Fake") && gnn_model_num_parameters(model) == 2 &&
             gnn_model_num_outputs(model) == 1,
         "a model is the one of the table");
  place(models, 3, gnn_model_destroy) = {model, facts};
}

void World::openModelWrongly() {
  gnn_model_options_t options{sizeof options, 1, nullptr, nullptr, 0, 0, nullptr, nullptr};
  gnn_library_t other = dense.library;
  auto open = [&](gnn_status_t expected, const char *what) {
    refuseHandle<gnn_model_t>(expected, what,
                              [&](gnn_model_t **out) { return gnn_model_from_table(&other, &options, out); });
  };
  switch (random.below(6)) {
  case 0:
    options.size = 4;
    return open(GNN_ERROR_ARGUMENT, "options of no known size");
  case 1:
    options.isa = "mips";
    return open(GNN_ERROR_MISMATCH, "an instruction set that is not there");
  case 2:
    options.device = "abacus";
    return open(GNN_ERROR_ARGUMENT, "an unknown device");
  case 3:
    other.abi_version += 1;
    return open(GNN_ERROR_VERSION, "a library of another version");
  case 4:
    other.num_tensors = 3;
    return open(GNN_ERROR_DATA, "a library with a wrong index");
  default:
    return refuseHandle<gnn_model_t>(GNN_ERROR_IO, "a library that is not there",
                                     [](gnn_model_t **out) { return gnn_model_open("/no/such.so", nullptr, out); });
  }
}

void World::bindDim() {
  if (models.empty())
    return openModel();
  ModelHandle &model = any(models);
  const bool isIn = random.oneIn(2);
  const char *name = isIn ? "in" : "classes";
  int64_t &known = isIn ? model.facts->in : model.facts->classes;
  const int64_t value = 1 + random.below(4);
  auto bind = [&](const char *dim, int64_t to) { return gnn_model_bind_dim(model.handle, dim, to); };
  if (random.oneIn(5))
    return refuse(GNN_ERROR_ARGUMENT, "an unknown dimension", [&] { return bind("depth", value); });
  if (random.oneIn(5))
    return refuse(GNN_ERROR_ARGUMENT, "a negative dimension", [&] { return bind(name, -value); });
  if (known >= 0 && known != value)
    return refuse(GNN_ERROR_MISMATCH, "another value of a dimension", [&] { return bind(name, value); });
  accept(bind(name, value), "gnn_model_bind_dim");
  known = value;
}

void World::askModel() {
  if (models.empty())
    return;
  gnn_model_t *model = any(models).handle;
  expect(gnn_model_device(model) == std::string("cpu") && gnn_model_isa(model)[0] && gnn_model_manifest(model)[0] &&
             gnn_model_output_name(model, 0) == std::string("logits") &&
             gnn_model_parameter_name(model, 1) == std::string("b"),
         "a model says what it is");
  double seconds = 0;
  refuse(GNN_ERROR_ARGUMENT, "the time of no GPU", [&] { return gnn_model_device_seconds(model, &seconds); });
  int64_t value = 0;
  refuse(GNN_ERROR_ARGUMENT, "the value of no dimension", [&] { return gnn_model_dim(model, "depth", &value); });
  refuse(GNN_ERROR_ARGUMENT, "no name of a dimension", [&] { return gnn_model_dim(model, nullptr, &value); });
}

void World::initializeModel() {
  if (models.empty())
    return openModel();
  ModelHandle &model = any(models);
  ModelFacts &facts = *model.facts;
  auto initialize = [&] { return gnn_model_initialize(model.handle, uint64_t(random.below(5))); };
  if (facts.in < 0)
    return refuse(GNN_ERROR_MISMATCH, "parameters of an open dimension", initialize);
  accept(initialize(), "gnn_model_initialize");
  facts.isMade = facts.hasValues = true;
  facts.classes = facts.classes < 0 ? 3 : facts.classes;
}

void World::useParameter() {
  if (models.empty())
    return openModel();
  ModelHandle &model = any(models);
  ModelFacts &facts = *model.facts;
  auto parameter = [&](const char *name) {
    return [&model, name](gnn_tensor_t **out) { return gnn_model_parameter(model.handle, name, out); };
  };
  if (random.oneIn(4))
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_ARGUMENT, "no such parameter", parameter("logits"));
  if (facts.in < 0)
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_MISMATCH, "a parameter of an open dimension", parameter("b"));
  gnn_tensor_t *tensor = nullptr;
  void *numbers = nullptr;
  accept(parameter("W")(&tensor), "gnn_model_parameter");
  facts.isMade = true;
  facts.classes = facts.classes < 0 ? 3 : facts.classes;
  expectTensor(tensor, GNN_F32, {facts.in, facts.classes});
  accept(gnn_tensor_mutable_data(tensor, &numbers), "gnn_tensor_mutable_data");
  static_cast<float *>(numbers)[0] = float(random.below(9)) / 4; // of the model itself
  if (random.oneIn(2))
    return gnn_tensor_destroy(tensor);
  addTensor(tensor, GNN_F32, {facts.in, facts.classes}); // may outlive it
}

void World::saveModel() {
  if (models.empty())
    return openModel();
  ModelHandle &model = any(models);
  const std::string path = newPath();
  auto save = [&](const std::string &to) { return gnn_model_save(model.handle, to.c_str()); };
  if (!model.facts->hasValues)
    return refuse(GNN_ERROR_ARGUMENT, "saving no parameters", [&] { return save(path); });
  if (random.oneIn(4))
    return refuse(GNN_ERROR_IO, "saving to no folder", [&] { return save(folder.path("no/such/file")); });
  accept(save(path), "gnn_model_save");
  files.push_back({path, model.facts->in, model.facts->classes, ""});
}

void World::loadModel() {
  if (models.empty())
    return openModel();
  ModelHandle &model = any(models);
  ModelFacts &facts = *model.facts;
  auto load = [&](const std::string &from) { return gnn_model_load(model.handle, from.c_str()); };
  if (files.empty() || random.oneIn(5))
    return refuse(GNN_ERROR_IO, "weights that are not there", [&] { return load("/no/such/file"); });
  const WeightsFile file = any(files);
  if (random.oneIn(4)) {
    const std::string bytes = TemporaryFolder::readBytes(file.path);
    folder.write("damaged", bytes.substr(0, size_t(random.below(int64_t(bytes.size())))));
    return refuse(GNN_ERROR_DATA, "half of the weights", [&] { return load(folder.path("damaged")); });
  }
  if ((facts.in >= 0 && facts.in != file.in) || (facts.classes >= 0 && facts.classes != file.classes))
    return refuse(GNN_ERROR_MISMATCH, "weights of another shape", [&] { return load(file.path); });
  accept(load(file.path), "gnn_model_load");
  facts.in = file.in;
  facts.classes = file.classes;
  facts.isMade = facts.hasValues = true;
}

void World::destroyModel() {
  gnn_model_destroy(nullptr);
  if (models.empty())
    return;
  std::swap(any(models), models.back());
  gnn_model_destroy(models.back().handle);
  models.pop_back();
}

// ---- Inference ------------------------------------------------------------------------------------------------------

void World::infer() {
  if (models.empty() || graphs.empty())
    return models.empty() ? openModel() : createGraph();
  ModelHandle &model = any(models);
  const GraphHandle graph = any(graphs);
  ModelFacts &facts = *model.facts;
  const gnn_input_t x = features(graph.vertices, std::max<int64_t>(facts.in, 1), random.oneIn(2));
  auto call = [&](gnn_tensor_t **out) { return gnn_model_infer(model.handle, graph.handle, &x, 1, out); };
  if (!facts.hasValues)
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_ARGUMENT, "inference without parameters", call);
  if (graph.isSchema)
    return refuseHandle<gnn_tensor_t>(GNN_ERROR_MISMATCH, "inference over other relations", call);
  gnn_tensor_t *logits = nullptr, *again = nullptr;
  accept(call(&logits), "gnn_model_infer");
  checkLogits(model, graph, x, logits);
  void *numbers = nullptr; // other ones, in the same memory
  accept(gnn_tensor_mutable_data(const_cast<gnn_tensor_t *>(x.dense ? x.dense : x.values), &numbers),
         "changing inputs");
  for (int64_t i = 0, count = gnn_tensor_count(x.dense ? x.dense : x.values); i < count; ++i)
    static_cast<float *>(numbers)[i] = float(random.below(9)) / 4 - 1;
  for (int64_t i = 0, count = x.indices ? gnn_tensor_count(x.indices) : 0; i < count && random.oneIn(2); ++i)
    static_cast<int32_t *>(const_cast<void *>(gnn_tensor_data(x.indices)))[i] = int32_t(random.below(facts.in));
  accept(call(&again), "gnn_model_infer");
  checkLogits(model, graph, x, again);
  gnn_tensor_destroy(again);
  addTensor(logits, GNN_F32, {graph.vertices, facts.classes});
}

void World::inferWrongly() {
  if (models.empty() || graphs.empty())
    return models.empty() ? openModel() : createGraph();
  const ModelHandle model = any(models);
  const GraphHandle graph = any(graphs);
  if (!model.facts->hasValues || graph.isSchema)
    return;
  const int64_t n = graph.vertices, in = model.facts->in;
  gnn_input_t x[] = {features(n, in, false), features(n, in, true)};
  const gnn_input_t *given = x;
  uint32_t count = 1;
  auto isRefused = [&](gnn_status_t expected, const char *what) {
    refuseHandle<gnn_tensor_t>(expected, what, [&](gnn_tensor_t **out) {
      return gnn_model_infer(model.handle, graph.handle, given, count, out);
    });
  };
  switch (random.below(9)) {
  case 0:
    x[0] = features(n + 1, in, random.oneIn(2));
    return isRefused(GNN_ERROR_MISMATCH, "features of more vertices");
  case 1:
    x[0] = features(n, in + 1, random.oneIn(2));
    return isRefused(GNN_ERROR_MISMATCH, "features of another width");
  case 2:
    x[0].name = "z";
    return isRefused(GNN_ERROR_MISMATCH, "an input of another name");
  case 3:
    x[0].name = nullptr;
    return isRefused(GNN_ERROR_ARGUMENT, "an input without a name");
  case 4:
    count = 2;
    return isRefused(GNN_ERROR_ARGUMENT, "an input that is given twice");
  case 5:
    given = nullptr;
    return isRefused(GNN_ERROR_ARGUMENT, "no inputs");
  case 6:
    x[1].values = nullptr;
    given = x + 1;
    return isRefused(GNN_ERROR_ARGUMENT, "a sparse input without values");
  case 7:
    x[1].columns = in - 1; // some index may fit still
    x[1].indices = tensorOf<int32_t>(GNN_I32, {int32_t(in)}, {1});
    x[1].values = tensorOf<float>(GNN_F32, {1}, {1});
    given = x + 1;
    return isRefused(GNN_ERROR_DATA, "a sparse input with other entries than it says");
  default:
    x[1].indptr = tensorOf<int64_t>(GNN_I64, {1, 0}, {2});
    given = x + 1;
    return isRefused(GNN_ERROR_DATA, "a sparse input whose rows do not begin at 0");
  }
}

// ---- Training -------------------------------------------------------------------------------------------------------

void World::createTrainer() {
  if (models.empty() || graphs.empty())
    return models.empty() ? openModel() : createGraph();
  ModelHandle &model = any(models);
  const GraphHandle graph = any(graphs);
  ModelFacts &facts = *model.facts;
  if (graph.vertices == 0 || graph.isSchema)
    return;
  const int64_t in = facts.in < 0 ? 1 + random.below(3) : facts.in, classes = facts.classes < 0 ? 3 : facts.classes;
  const gnn_input_t inputs[] = {features(graph.vertices, in, random.oneIn(2)), labels(graph.vertices, classes)};
  const char *optimizers[] = {"sgd", "adam", "adamw"};
  const char *optimizer = optimizers[random.below(3)];
  gnn_trainer_options_t options{};
  options.size = sizeof options;
  options.optimizer = optimizer;
  options.learning_rate = 0.01;
  options.weight_decay = -1;
  options.seed = uint64_t(random.below(100));
  if (random.oneIn(3)) {
    options.memory_bytes = 1 << 30;
    options.intervals = 1 + random.below(4);
  }
  gnn_trainer_t *trainer = nullptr;
  accept(gnn_trainer_create(model.handle, graph.handle, inputs, 2, allVertices(graph.vertices), &options, &trainer),
         "gnn_trainer_create");
  facts.in = in;
  facts.classes = classes;
  facts.isMade = facts.hasValues = true;
  place(trainers, 2, gnn_trainer_destroy) = {trainer, model.facts, graph.vertices, optimizer};
}

void World::createTrainerWrongly() {
  if (models.empty() || graphs.empty())
    return models.empty() ? openModel() : createGraph();
  const ModelHandle model = any(models);
  const GraphHandle graph = any(graphs);
  const ModelFacts &facts = *model.facts;
  if (graph.isSchema || graph.vertices == 0)
    return;
  const int64_t n = graph.vertices, in = facts.in < 0 ? 2 : facts.in, classes = facts.classes < 0 ? 3 : facts.classes;
  gnn_input_t inputs[] = {features(n, in, false), labels(n, classes)};
  const gnn_tensor_t *split = allVertices(n);
  gnn_trainer_options_t options{};
  options.size = sizeof options;
  options.optimizer = "adam";
  options.learning_rate = options.weight_decay = 0.1;
  options.seed = 3;
  auto isRefused = [&](gnn_status_t expected, const char *what, uint32_t count = 2) {
    refuseHandle<gnn_trainer_t>(expected, what, [&](gnn_trainer_t **out) {
      return gnn_trainer_create(model.handle, graph.handle, inputs, count, split, &options, out);
    });
  };
  switch (random.below(10)) {
  case 0:
    return isRefused(GNN_ERROR_MISMATCH, "training without labels", 1);
  case 1:
    if (facts.classes < 0) // the largest label says how many there are
      return;
    inputs[1].dense = tensorOf<int64_t>(GNN_I64, std::vector<int64_t>(size_t(n), classes), {n});
    return isRefused(GNN_ERROR_DATA, "labels beyond the classes");
  case 2:
    inputs[1].dense = tensorOf<int64_t>(GNN_I64, std::vector<int64_t>(size_t(n), -1), {n});
    return isRefused(GNN_ERROR_DATA, "training on vertices without labels");
  case 3:
    split = tensorOf<int64_t>(GNN_I64, {n}, {1});
    return isRefused(GNN_ERROR_DATA, "a split with a vertex that is not there");
  case 4:
    split = tensorOf<float>(GNN_F32, {0}, {1});
    return isRefused(GNN_ERROR_ARGUMENT, "a split that is no ids");
  case 5:
    split = nullptr;
    return isRefused(GNN_ERROR_ARGUMENT, "no split");
  case 6:
    options.optimizer = "adagrad";
    return isRefused(GNN_ERROR_ARGUMENT, "an unknown optimizer");
  case 7:
    options.size = 4;
    return isRefused(GNN_ERROR_ARGUMENT, "options of no known size");
  case 8:
    inputs[0] = features(n + 2, in, random.oneIn(2));
    return isRefused(GNN_ERROR_MISMATCH, "features of more vertices");
  default:
    inputs[1].dense = tensorOf<float>(GNN_F32, std::vector<float>(size_t(n), 0.5f), {n});
    return isRefused(GNN_ERROR_DATA, "labels that are no integers");
  }
}

void World::step() {
  if (trainers.empty())
    return createTrainer();
  double loss = -1;
  gnn_trainer_t *trainer = any(trainers).handle;
  accept(gnn_trainer_step(trainer, random.oneIn(4) ? nullptr : &loss), "gnn_trainer_step");
  expect(std::isfinite(loss), "a loss is finite");
}

void World::evaluate() {
  if (trainers.empty())
    return createTrainer();
  const TrainerHandle &trainer = any(trainers);
  gnn_metrics_t metrics{}, again{};
  const gnn_tensor_t *split = allVertices(trainer.vertices);
  accept(gnn_trainer_evaluate(trainer.handle, split, &metrics), "gnn_trainer_evaluate");
  accept(gnn_trainer_evaluate(trainer.handle, split, &again), "gnn_trainer_evaluate");
  expect(metrics.loss == again.loss && metrics.accuracy == again.accuracy && metrics.accuracy >= 0 &&
             metrics.accuracy <= 1 && std::isnan(metrics.auc),
         "an evaluation gives what it gave before");
  const gnn_tensor_t *wrong = tensorOf<int64_t>(GNN_I64, {0, trainer.vertices}, {2});
  refuse(GNN_ERROR_DATA, "evaluation of a vertex that is not there",
         [&] { return gnn_trainer_evaluate(trainer.handle, wrong, &again); });
  refuse(GNN_ERROR_ARGUMENT, "evaluation of nothing",
         [&] { return gnn_trainer_evaluate(trainer.handle, nullptr, &again); });
}

void World::saveTrainer() {
  if (trainers.empty())
    return createTrainer();
  const TrainerHandle &trainer = any(trainers);
  if (random.oneIn(4))
    return refuse(GNN_ERROR_IO, "a checkpoint in no folder",
                  [&] { return gnn_trainer_save(trainer.handle, folder.path("no/such/file").c_str()); });
  const std::string path = newPath();
  accept(gnn_trainer_save(trainer.handle, path.c_str()), "gnn_trainer_save");
  files.push_back({path, trainer.model->in, trainer.model->classes, trainer.optimizer});
}

/// Of a checkpoint; a trainer of another form of inputs may go on from it, and notes its own.
static std::string planOf(const std::string &checkpoint) {
  const size_t begin = checkpoint.find("\"plan\":");
  return checkpoint.substr(begin, checkpoint.find("}\"", begin) - begin);
}

void World::resumeTrainer() {
  if (trainers.empty() || files.empty())
    return saveTrainer();
  const TrainerHandle &trainer = any(trainers);
  const WeightsFile file = any(files);
  auto resume = [&](const std::string &path) { return gnn_trainer_resume(trainer.handle, path.c_str()); };
  if (file.optimizer != trainer.optimizer || file.in != trainer.model->in || file.classes != trainer.model->classes)
    return refuse(GNN_ERROR_MISMATCH, "a checkpoint of another training", [&] { return resume(file.path); });
  const std::string content = TemporaryFolder::readBytes(file.path);
  if (random.oneIn(2)) {
    std::string changed = content;
    const size_t step = changed.find("\"step\":\"") + 8;
    const bool isCut = random.oneIn(2);
    if (isCut)
      changed.resize(size_t(random.below(int64_t(changed.size()))));
    else
      changed.replace(step, 1, "x");
    folder.write("damaged", changed);
    return refuse(GNN_ERROR_DATA, "a damaged checkpoint", [&] { return resume(folder.path("damaged")); });
  }
  accept(resume(file.path), "gnn_trainer_resume");
  const std::string resumed = contentOf(trainer.handle);
  expect(planOf(resumed) != planOf(content) || resumed == content,
         "a trainer that was resumed is the one that was saved");
}

void World::destroyTrainer() {
  gnn_trainer_destroy(nullptr);
  if (trainers.empty())
    return;
  std::swap(any(trainers), trainers.back());
  gnn_trainer_destroy(trainers.back().handle);
  trainers.pop_back();
}
