//===- TrainingContext.cpp - What steps and evaluation share --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/TrainingContext.h"

#include "runtime/src/bind/NotFiniteInputs.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/train/SampledWithin.h"

#include <algorithm>

namespace gnn::rt {

namespace {

const gnn_program_t &programOf(const Library &library, uint32_t kind, const char *name) {
  const gnn_program_t *program = library.program(kind);
  require(program != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program ", name,
          ": its model states no loss");
  return *program;
}

/// The graph that a model is bound to. An engine that has memory of its own is sent batches of edges in memory.
std::shared_ptr<const Graph> boundGraph(Model &model, const std::shared_ptr<const Graph> &graph,
                                        const TrainingConfig &config) {
  if (!config.samples || !config.memory)
    return graph;
  const MemoryLimit &limit = *config.memory;
  const uint64_t bytes = model.engine().rowGather() ? UINT64_MAX : limit.bytes - std::min(limit.held, limit.bytes);
  return graphOfSamples(*model.library(), programOf(*model.library(), GNN_PROGRAM_TRAIN, "@train"), graph,
                        config.samples->drawing, bytes);
}

} // namespace

TrainingContext::TrainingContext(Model &trained, const TrainingData &data, const TrainingConfig &asked)
    : model(trained), where(data.where), config(asked),
      binding(model.libraryFor(data.features), model.dims(), boundGraph(model, data.graph, config), data.features,
              /*withTargets=*/true, where),
      library(*model.library()), train(programOf(library, GNN_PROGRAM_TRAIN, "@train")),
      evaluate(programOf(library, GNN_PROGRAM_EVALUATE, "@evaluate")),
      numOutputs(programOf(library, GNN_PROGRAM_INFER, "@infer").num_results) {
  require(evaluate.num_results > numOutputs, GNN_ERROR_DATA, library.path(), ": @evaluate has no loss");
  for (const auto &[name, pairs] : data.knownPairs) {
    knownPairs.add(pairsOf(pairs, name + " in " + where));
    numKnownPairs += pairs.dim(0);
  }
}

std::vector<std::unique_ptr<Executor>> TrainingContext::executorsWithin(std::vector<const gnn_program_t *> programs,
                                                                        size_t otherBytes, const MemoryLimit &limit) {
  inspectInputs();
  within = openWithin(model, binding, std::move(programs), otherBytes, limit);
  return within->takeExecutors();
}

std::vector<int64_t> TrainingContext::rowsOfTables(Span<const int64_t> ids) const {
  const gnn_tensor_info_t &losses = library.tensor(evaluate.results[numOutputs]);
  const VertexOrder *order = losses.domain == GNN_DOMAIN_VERTEX ? binding.order(losses.type) : nullptr;
  std::vector<int64_t> rows;
  rows.reserve(ids.size());
  for (int64_t id : ids)
    rows.push_back(order ? order->local[size_t(id)] : id);
  return rows;
}

void TrainingContext::inspectInputs() {
  if (!strangeInputs)
    strangeInputs = notFiniteInputs(library, binding);
}

std::string TrainingContext::whyNotFinite(int64_t stepsDone) const {
  for (const std::string &line : strangeInputs ? *strangeInputs : notFiniteInputs(library, binding))
    return line + " of " + where;
  for (const auto &[name, tensor] : model.parameterTensors())
    if (const std::string line = notFiniteText(name, tensor); !line.empty())
      return line;
  return stepsDone > 0 ? "a smaller learning rate may help"
                       : "inputs and weights are finite, but not what the model makes of them";
}

std::unique_ptr<WithinMemory> openWithin(Model &model, Binding &binding, std::vector<const gnn_program_t *> programs,
                                         size_t otherBytes, const MemoryLimit &limit) {
  return std::make_unique<WithinMemory>(model.engine(), *model.library(), binding, std::move(programs), otherBytes,
                                        limit, [&model](Executor &executor) { placeParameters(model, executor); });
}

std::unique_ptr<WithinMemory> evaluationWithin(Model &model, Binding &binding, size_t taken, size_t otherBytes,
                                               const MemoryLimit &limit) {
  auto within = [&](size_t bytes) {
    MemoryLimit ofEvaluation = limit;
    ofEvaluation.bytes = bytes;
    return openWithin(model, binding, {model.library()->program(GNN_PROGRAM_EVALUATE)}, otherBytes, ofEvaluation);
  };
  try {
    return within(taken + (limit.bytes - std::min(taken, limit.bytes)) / 2);
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_MEMORY)
      throw;
    return within(limit.bytes);
  }
}

size_t bytesOfTraining(Model &model) {
  constexpr size_t ofUpdates = 64 << 10;
  Engine &engine = model.engine();
  if (!engine.hasDeviceMemory())
    return 4 * model.parameterBytes();
  size_t bytes = ofUpdates;
  for (uint32_t index : model.parameters())
    bytes += 2 * engine.takenBytes(model.parameter(index).bytes());
  return bytes;
}

} // namespace gnn::rt
