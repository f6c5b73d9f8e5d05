//===- Session.cpp - A model over a graph with targets --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Session.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/Recipe.h"

#include <cmath>

namespace gnn::rt {

namespace {

double elementAt(const Tensor &tensor, int64_t i) {
  switch (tensor.element()) {
  case GNN_F32:
    return double(tensor.data<float>()[i]);
  case GNN_F64:
    return tensor.data<double>()[i];
  case GNN_I32:
    return double(tensor.data<int32_t>()[i]);
  case GNN_I64:
    return double(tensor.data<int64_t>()[i]);
  default:
    return double(static_cast<const uint8_t *>(tensor.data())[i]);
  }
}

const gnn_program_t &programOf(const Library &library, uint32_t kind, const char *name) {
  const gnn_program_t *program = library.program(kind);
  require(program != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program ", name,
          ": its model states no loss");
  return *program;
}

bool isClassTarget(const gnn_tensor_info_t &info) {
  return info.role == GNN_ROLE_TARGET && info.rank == 0 && (info.element == GNN_I32 || info.element == GNN_I64);
}

} // namespace

std::optional<uint32_t> classesExtent(const Library &library) {
  bool isClassification = false;
  for (const gnn_tensor_info_t &info : library.tensors())
    isClassification |= isClassTarget(info);
  const gnn_program_t *program = library.program(GNN_PROGRAM_INFER);
  if (!isClassification || !program)
    return std::nullopt;
  std::string judged = recipeOf(library).lossOutput;
  for (uint32_t i = 0; i < program->num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program->results[i]);
    if (info.domain == GNN_DOMAIN_VERTEX && info.rank == 1 && (judged.empty() || judged == info.name))
      return info.shape[0];
  }
  return std::nullopt;
}

Session::Session(Model &trained, std::shared_ptr<const Graph> graph, const Features &features,
                 const std::string &origin)
    : model(trained), where(origin),
      binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, origin),
      train(*model.library(), model.dims(), binding, programOf(*model.library(), GNN_PROGRAM_TRAIN, "@train"),
            model.team()),
      judge(*model.library(), model.dims(), binding, programOf(*model.library(), GNN_PROGRAM_EVALUATE, "@evaluate"),
            model.team()),
      trainProgram(*model.library()->program(GNN_PROGRAM_TRAIN)),
      judgeProgram(*model.library()->program(GNN_PROGRAM_EVALUATE)),
      numOutputs(programOf(*model.library(), GNN_PROGRAM_INFER, "@infer").num_results),
      gradients(trainProgram.num_results - 1) {
  require(judgeProgram.num_results > numOutputs, GNN_ERROR_DATA, model.library()->path(), ": @evaluate has no loss");
  model.placeParameters(train);
  model.placeParameters(judge);
  checkLabels();
}

void Session::checkLabels() const {
  auto extent = classesExtent(*model.library());
  if (!extent)
    return;
  int64_t classes = model.dims().extents()[*extent];
  for (uint32_t t = 0; t < model.library()->tensors().size(); ++t) {
    const gnn_tensor_info_t &info = model.library()->tensor(t);
    if (!isClassTarget(info))
      continue;
    Tensor labels = binding.inOriginalOrder(info, binding.data(t));
    for (int64_t v = 0; v < labels.count(); ++v) {
      double label = elementAt(labels, v);
      require(label >= -1 && label < double(classes), GNN_ERROR_DATA, "label ", int64_t(label), " of vertex ", v,
              " in ", where, " is outside 0..", classes - 1, " (-1: none): ", model.library()->name(), " has ", classes,
              " classes");
    }
  }
}

void Session::requireLabels(Span<const int64_t> vertices, const std::string &split) const {
  for (int64_t vertex : vertices)
    require(vertex >= 0 && vertex < binding.rows(0), GNN_ERROR_DATA, "vertex ", vertex, " of ", split, " in ", where,
            " is outside 0..", binding.rows(0) - 1);
  for (uint32_t t = 0; t < model.library()->tensors().size(); ++t) {
    const gnn_tensor_info_t &info = model.library()->tensor(t);
    if (!isClassTarget(info))
      continue;
    const VertexOrder *order = binding.order(info.type);
    for (int64_t vertex : vertices)
      require(elementAt(binding.data(t), order ? order->local[size_t(vertex)] : vertex) >= 0, GNN_ERROR_DATA, "vertex ",
              vertex, " of ", split, " in ", where, " has no label");
  }
}

void Session::setTrainVertices(Span<const int64_t> vertices, const std::string &split) {
  requireLabels(vertices, split);
  binding.setLossVertices(vertices);
}

double Session::trainStep(uint64_t seed, uint64_t step, Optimizer &optimizer) {
  train.run(stepKey(seed, step));
  double loss = elementAt(train.result(0), 0);
  require(std::isfinite(loss), GNN_ERROR_NUMERIC, "the loss is ", loss, " at step ", step,
          ": a smaller learning rate may help");
  for (uint32_t i = 1; i < trainProgram.num_results; ++i)
    gradients[i - 1] = train.result(i).data();
  optimizer.step(model.team(), gradients);
  return loss;
}

void Session::evaluate() { judge.run(/*stepKey=*/0); }

Metrics Session::metrics(Span<const int64_t> vertices, const std::string &split) const {
  requireLabels(vertices, split);
  const Tensor &losses = judge.result(numOutputs);
  bool hasAccuracy = judgeProgram.num_results > numOutputs + 1;
  const VertexOrder *order = binding.order(0);
  double loss = 0, correct = 0;
  for (int64_t vertex : vertices) {
    int64_t row = order ? order->local[size_t(vertex)] : vertex;
    loss += elementAt(losses, row);
    if (hasAccuracy)
      correct += elementAt(judge.result(numOutputs + 1), row);
  }
  double count = vertices.size() ? double(vertices.size()) : 1;
  Metrics result;
  result.loss = loss / count;
  if (hasAccuracy)
    result.accuracy = correct / count;
  return result;
}

Tensor Session::output(uint32_t i) const {
  return binding.inOriginalOrder(model.library()->tensor(judgeProgram.results[i]), judge.result(i));
}

} // namespace gnn::rt
