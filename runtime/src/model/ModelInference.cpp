//===- ModelInference.cpp - What a model answers over graphs --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/model/ModelInference.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/exec/StoredPlan.h"
#include "runtime/src/grow/GrownRows.h"
#include "runtime/src/grow/SnapshotRows.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/program/Obstacles.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace gnn::rt {

/// Hears of graphs that end as long as the inference is there.
class ModelInference::GraphEnds : public GraphLife::Listener {
public:
  explicit GraphEnds(ModelInference &of) : inference(&of) {}

  void graphEnded() noexcept override {
    const std::lock_guard<std::mutex> lock(mutex);
    if (inference)
      inference->forgetEnded();
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex);
    inference = nullptr;
  }

private:
  std::mutex mutex;
  ModelInference *inference;
};

ModelInference::ModelInference(Model &of) : model(of), pool(model.engine()), ends(std::make_shared<GraphEnds>(*this)) {}

ModelInference::~ModelInference() { ends->stop(); }

void ModelInference::forgetStored() {
  while (forgetting) // on the engine
    std::this_thread::yield();
  storedGraphs.clear();
}

const std::shared_ptr<const Library> &ModelInference::library() const { return model.library(); }

void ModelInference::forgetEnded() {
  ++forgetting;
  if (!model.isUsedAlone())
    pool.forgetEnded();
  --forgetting;
}

namespace {

/// Where vertices have another order than that of ids, it is made here.
Tensor outputThere(Engine &engine, const Inference &inference, const gnn_tensor_info_t &info, uint32_t i) {
  if (info.domain == GNN_DOMAIN_VERTEX && inference.binding->order(info.type))
    return engine.copied(inference.binding->inOriginalOrder(info, inference.whole->takeResult(i)));
  return inference.whole->takeResultThere(i);
}

} // namespace

const gnn_program_t &ModelInference::inferProgram() const {
  const gnn_program_t *program = library()->program(GNN_PROGRAM_INFER);
  require(program != nullptr, GNN_ERROR_MISMATCH, library()->path(), " has no program @infer");
  require(model.hasValues(), GNN_ERROR_ARGUMENT, library()->name(), " has no parameters yet: load or initialise them");
  return *program;
}

Inference &ModelInference::bind(const InferencePool::Lease &lease, const std::shared_ptr<const Graph> &graph,
                                const Features &inputs) {
  Inference &inference = lease.inference();
  lease.engine().settle();
  if (inference.isOf(graph) && inference.binding->rebind(inputs))
    return inference;
  auto bindTo = [&](const std::shared_ptr<const Library> &form) {
    return std::make_unique<Binding>(form, model.dims(), graph, inputs, /*withTargets=*/false, "the inputs");
  };
  const std::shared_ptr<const Library> &form = model.formFor(inputs);
  std::unique_ptr<Binding> binding = bindTo(form); // inputs that cannot be bound choose nothing
  if (!model.keep(form))
    binding = bindTo(library());
  graph->life().atEnd(ends);
  inference.dropExecutors(); // these read the old one
  inference.binding = std::move(binding);
  inference.graph = graph;
  return inference;
}

Executor &ModelInference::wholeOf(Engine &engine, Inference &inference) {
  if (!inference.whole)
    inference.whole =
        model.executor(engine, *inference.binding, programOver(*library(), *inference.binding, GNN_PROGRAM_INFER));
  return *inference.whole;
}

std::vector<std::pair<std::string, Tensor>> ModelInference::infer(const std::shared_ptr<const Graph> &graph,
                                                                  const Features &inputs, bool staysThere) {
  const gnn_program_t *program = &inferProgram();
  const InferencePool::Lease lease = pool.take(graph);
  Engine &engine = lease.engine();
  Inference &inference = bind(lease, graph, inputs);
  wholeOf(engine, inference).run(/*stepKey=*/0);
  std::vector<std::pair<std::string, Tensor>> outputs;
  for (uint32_t i = 0; i < program->num_results; ++i) {
    const gnn_tensor_info_t &info = library()->tensor(program->results[i]);
    outputs.emplace_back(info.name, staysThere
                                        ? outputThere(engine, inference, info, i)
                                        : inference.binding->inOriginalOrder(info, inference.whole->takeResult(i)));
  }
  return outputs;
}

void ModelInference::pullBack(const std::shared_ptr<const PullbackPlan> &plan, const Features &inputs,
                              const std::function<void(const Binding &, Pullback &)> &body) {
  model.keepDense();
  require(library()->program(plan->kind) != nullptr, GNN_ERROR_MISMATCH, library()->name(),
          " keeps an input sparse, which has no gradients: open it with `inputs` \"dense\"");
  const InferencePool::Lease lease = pool.take(plan->graph);
  Inference &inference = bind(lease, plan->graph, inputs);
  for (auto at = inference.pullbacks.begin(); at != inference.pullbacks.end();)
    at = at->first.expired() ? inference.pullbacks.erase(at) : std::next(at);
  std::unique_ptr<Pullback> &pullback = inference.pullbacks[plan];
  if (!pullback)
    pullback = std::make_unique<Pullback>(lease.engine(), *library(), *inference.binding,
                                          programOver(*library(), *inference.binding, plan->kind), plan->results);
  body(*inference.binding, *pullback);
}

namespace {

/// The vertex type of a library that has this name; empty: the only one that is no table.
uint32_t vertexTypeNamed(const Library &library, const std::string &name) {
  std::optional<uint32_t> found;
  std::string known;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type) {
    const gnn_vertex_type_t &info = library.table().vertex_types[type];
    if (info.is_table)
      continue;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
    require(!name.empty() || !found, GNN_ERROR_ARGUMENT, library.name(),
            " has vertices of several types: say which are asked for");
    if (name.empty() || name == info.name)
      found = type;
  }
  require(found.has_value(), GNN_ERROR_ARGUMENT, library.name(), " has no vertices of type '", name, "' but ", known);
  return *found;
}

void requireVertices(Span<const int64_t> vertices, int64_t count) {
  for (int64_t vertex : vertices)
    require(vertex >= 0 && vertex < count, GNN_ERROR_ARGUMENT, "vertex ", vertex, " is asked for, but the graph has ",
            count, " of that type");
}

/// Rows of whole tables.
std::vector<int64_t> rowsOf(const Binding &binding, uint32_t vertexType, Span<const int64_t> vertices) {
  requireVertices(vertices, binding.rows(vertexType));
  const VertexOrder *order = binding.order(vertexType);
  std::vector<int64_t> rows;
  for (int64_t vertex : vertices)
    rows.push_back(order ? int64_t(order->local[size_t(vertex)]) : vertex);
  return rows;
}

/// Rows `rows` of a result for all vertices; none of one for vertices of another type.
Tensor rowsOfResult(const gnn_tensor_info_t &info, const Tensor &result, uint32_t vertexType,
                    Span<const int64_t> rows) {
  if (info.domain == GNN_DOMAIN_PARAM)
    return result;
  const bool isAsked = info.domain == GNN_DOMAIN_VERTEX && info.type == vertexType;
  return result.rowsAt(isAsked ? rows : Span<const int64_t>());
}

/// Rows [begin, end) of a result for the vertices of several requests.
Tensor rowsOfRequest(const gnn_tensor_info_t &info, const Tensor &result, uint32_t vertexType, size_t begin,
                     size_t end) {
  if (info.domain != GNN_DOMAIN_VERTEX || info.type != vertexType)
    return result;
  std::vector<int64_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), int64_t(begin));
  return result.rowsAt(rows);
}

} // namespace

InferAt &ModelInference::atOf(Engine &engine, Inference &inference) {
  if (!inference.at) {
    inference.at = std::make_unique<InferAt>(engine, *library(), *inference.binding,
                                             programsForNeighbourhoods(*library(), GNN_PROGRAM_INFER));
    placeParameters(model, *inference.at);
  }
  return *inference.at;
}

std::vector<std::pair<std::string, Tensor>> ModelInference::inferAt(const std::shared_ptr<const Graph> &graph,
                                                                    const Features &inputs, const std::string &typeName,
                                                                    Span<const int64_t> vertices) {
  const gnn_program_t &program = inferProgram();
  const uint32_t type = vertexTypeNamed(*library(), typeName);
  const InferencePool::Lease lease = pool.take(graph);
  Inference &inference = bind(lease, graph, inputs);
  const std::vector<int64_t> rows = rowsOf(*inference.binding, type, vertices);
  const bool isLocal = !programsForNeighbourhoods(*library(), GNN_PROGRAM_INFER).empty();
  std::vector<Tensor> results;
  if (isLocal)
    results = atOf(lease.engine(), inference).run(type, rows);
  else
    wholeOf(lease.engine(), inference).run(/*stepKey=*/0);
  std::vector<std::pair<std::string, Tensor>> outputs;
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const gnn_tensor_info_t &info = library()->tensor(program.results[i]);
    outputs.emplace_back(info.name,
                         isLocal ? std::move(results[i]) : rowsOfResult(info, inference.whole->result(i), type, rows));
  }
  return outputs;
}

std::vector<std::vector<Tensor>> ModelInference::inferAt(const Snapshot &snapshot,
                                                         const std::vector<Request> &requests) {
  inferProgram();
  model.keepDense();
  requireSnapshots(*library(), *snapshot.epoch);
  const SnapshotRows changed(*library(), snapshot);
  std::vector<uint32_t> types;
  for (const Request &request : requests) {
    types.push_back(vertexTypeNamed(*library(), request.vertexType));
    requireVertices(request.vertices, changed.vertices(types.back()));
  }
  const InferencePool::Lease lease = pool.take(snapshot.epoch->graph);
  Inference &inference = bind(lease, snapshot.epoch->graph, snapshot.epoch->features);
  InferAt &at = atOf(lease.engine(), inference);
  const std::shared_ptr<GrownRows> stored = storedFor(snapshot, changed, *inference.binding, at);
  std::vector<std::vector<Tensor>> results(requests.size());
  for (uint32_t type = 0; type < library()->table().num_vertex_types; ++type) {
    std::vector<int64_t> asked; // together: each answer has the bits that it has alone
    std::vector<size_t> ends(1, 0);
    for (size_t i = 0; i < requests.size(); ++i) {
      if (types[i] == type)
        asked.insert(asked.end(), requests[i].vertices.begin(), requests[i].vertices.end());
      ends.push_back(asked.size());
    }
    if (std::find(types.begin(), types.end(), type) == types.end())
      continue;
    std::vector<Tensor> together = at.run(type, asked, &changed, stored ? &stored->rows() : nullptr, snapshot.number);
    if (requests.size() == 1)
      results[0] = std::move(together);
    for (size_t i = 0; requests.size() > 1 && i < requests.size(); ++i)
      for (uint32_t r = 0; types[i] == type && r < together.size(); ++r)
        results[i].push_back(
            rowsOfRequest(library()->tensor(inferProgram().results[r]), together[r], type, ends[i], ends[i + 1]));
  }
  return results;
}

/// Null where the graph has no memory for it, and for snapshots of an epoch before the last one that was asked about,
/// but of what is served still.
std::shared_ptr<GrownRows> ModelInference::storedFor(const Snapshot &snapshot, const SnapshotRows &changed,
                                                     const Binding &binding, InferAt &at) {
  const int64_t bytes = snapshot.epoch->options->storedBytes;
  if (bytes == 0)
    return nullptr;
  require(!model.engine().hasDeviceMemory(), GNN_ERROR_MISMATCH, library()->name(), " computes on ",
          model.engine().device(), ", where rows are not stored: those of a product depend on how many there are");
  StoredGraphs::OfEpoch found;
  auto find = [&] { // whether there is no need to make any
    found = storedGraphs.find(snapshot);
    return found.epoch && found.epoch->number >= snapshot.epoch->number;
  };
  if (!find()) {
    const std::lock_guard<std::mutex> alone(making); // answers over earlier epochs do not wait
    if (!find()) {
      const StoredLayout layout(model.engine(), *library(), binding.dimensions(), at.program());
      auto made =
          std::make_shared<GrownRows>(*library(), at.program(), layout,
                                      chooseStored(layout, *library(), binding, at.program(), size_t(bytes)), snapshot);
      if (found.rows && found.epoch->number + 1 == snapshot.epoch->number)
        made->inherit(*found.rows, found.epoch, binding, changed, snapshot);
      storedGraphs.put(snapshot, made);
      found = {snapshot.epoch, std::move(made)};
    }
  }
  if (found.epoch != snapshot.epoch)
    return nullptr;
  found.rows->follow(binding, changed, snapshot);
  return found.rows;
}

std::shared_ptr<const Snapshot> ModelInference::newestStored(const Snapshot &snapshot) {
  return storedGraphs.served(snapshot);
}

ModelInference::StoredState ModelInference::store(const Snapshot &snapshot, bool onlyCount) {
  require(snapshot.epoch->options->storedBytes > 0, GNN_ERROR_ARGUMENT, "the graph has no memory for stored rows");
  inferProgram();
  model.keepDense();
  requireSnapshots(*library(), *snapshot.epoch);
  const SnapshotRows changed(*library(), snapshot);
  const InferencePool::Lease lease = pool.take(snapshot.epoch->graph);
  Inference &inference = bind(lease, snapshot.epoch->graph, snapshot.epoch->features);
  InferAt &at = atOf(lease.engine(), inference);
  const std::shared_ptr<GrownRows> stored = storedFor(snapshot, changed, *inference.binding, at);
  StoredState state{0, 0, 0};
  if (!stored)
    return state;
  StoredRows &rows = stored->rows();
  if (!onlyCount) {
    at.fill(&changed, rows, snapshot.number);
    rows.serve(snapshot.number);
    storedGraphs.serve(snapshot);
  }
  for (uint32_t type = 0; type < rows.layout().numTypes(); ++type) {
    state.chosen += int64_t(rows.chosen(type).size());
    state.known += int64_t(rows.chosen(type).size() - rows.unknown(type, /*depth=*/1).size());
  }
  state.taken = int64_t(rows.numRead());
  return state;
}

} // namespace gnn::rt
