//===- Model.cpp - A compiled library with its parameters -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/model/Model.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/bind/InputChoice.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/exec/StoredPlan.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/grow/GrownRows.h"
#include "runtime/src/grow/SnapshotRows.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/src/model/Initialize.h"
#include "runtime/src/program/Obstacles.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>

namespace gnn::rt {

namespace {

/// What a checkpoint holds beside parameters begins with this (train/Checkpoint.h).
constexpr char optimizerPrefix[] = "optimizer.";

bool isKept(const gnn_tensor_info_t &info) { return info.role == GNN_ROLE_PARAM || info.role == GNN_ROLE_STATE; }

} // namespace

Model::Use::Use(Model &used, Kind wanted) : model(used), kind(wanted) {
  int users = model.users;
  do
    if (kind == Alone ? users != 0 : users < 0)
      fail(GNN_ERROR_ARGUMENT, "the model ", model.opened->name(),
           " is in use by another call: any number of threads may infer with it at once, but what changes it, or is "
           "about training, needs the model and its trainers alone");
  while (!model.users.compare_exchange_weak(users, kind == Alone ? -1 : users + 1));
  if (kind == Shared)
    return;
  ++model.timesAlone;
  while (model.forgetting) // on the engine
    std::this_thread::yield();
  model.storedGraphs.clear(); // it may change parameters
}

Model::Use::~Use() {
  model.users.fetch_add(kind == Alone ? 1 : -1);
  if (kind == Alone)
    model.forgetEnded(); // meanwhile nobody did
}

/// Hears of graphs that end as long as the model is there.
class Model::GraphEnds : public GraphLife::Listener {
public:
  explicit GraphEnds(Model &model) : model(&model) {}

  void graphEnded() noexcept override {
    const std::lock_guard<std::mutex> lock(mutex);
    if (model)
      model->forgetEnded();
  }
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex);
    model = nullptr;
  }

private:
  std::mutex mutex;
  Model *model;
};

/// Whoever has the model alone has its engine, too: then it is left to that one's end.
void Model::forgetEnded() {
  ++forgetting;
  if (users >= 0)
    inferences.forgetEnded();
  --forgetting;
}

Model::Attempt::Attempt(Model &tried) : model(tried), form(model.current) {
  if (!model.isMade)
    before = model.dimensions;
}

Model::Attempt::~Attempt() {
  if (isKept)
    return;
  model.current = form;
  if (!before)
    return;
  model.dimensions = std::move(*before);
  model.values.assign(model.values.size(), Tensor());
  model.isMade = model.areSet = false;
}

Model::Model(std::shared_ptr<const Library> library, unsigned threads)
    : Model(library, std::make_unique<CpuEngine>(library, threads)) {}

Model::Model(std::shared_ptr<const Library> library, std::unique_ptr<Engine> engine)
    : opened(std::move(library)), machine(std::move(engine)), dimensions(opened), values(opened->tensors().size()),
      inferences(*machine), ends(std::make_shared<GraphEnds>(*this)) {
  for (uint32_t i = 0; i < opened->tensors().size(); ++i)
    if (isKept(opened->tensor(i)))
      indices.push_back(i);
  if (formedInput(*opened))
    for (InputForm form : {InputForm::Dense, InputForm::Sparse})
      formed[size_t(form)] = inForm(opened, form);
}

Model::~Model() { ends->stop(); }

const std::shared_ptr<const Library> &Model::formFor(const Features &inputs) const {
  if (!formed[0] || &library() != &opened || !featureOf(*opened, opened->tensor(formedInput(*opened)->table), inputs))
    return library();
  return formed[size_t(chooseInputForm(*opened, inputs).form)];
}

void Model::keepDense() {
  if (formed[0])
    keep(formed[size_t(InputForm::Dense)]);
}

/// Of several threads the first has its way.
bool Model::keep(const std::shared_ptr<const Library> &form) {
  const std::shared_ptr<const Library> *none = &opened;
  current.compare_exchange_strong(none, &form, std::memory_order_acq_rel);
  return &library() == &form;
}

const std::shared_ptr<const Library> &Model::libraryFor(const Features &inputs) {
  keep(formFor(inputs));
  return library();
}

void Model::setInputForm(InputForm form) {
  if (formed[0]) {
    current = &formed[size_t(form)];
    return;
  }
  auto reads = [&](uint32_t role) {
    return std::any_of(opened->tensors().begin(), opened->tensors().end(),
                       [&](const gnn_tensor_info_t &info) { return info.role == role; });
  };
  if (form == InputForm::Sparse)
    require(
        reads(GNN_ROLE_WEIGHTS), GNN_ERROR_MISMATCH, opened->name(),
        " has no sparse form: something reads its inputs elementwise, or they have fewer than 64 columns, or it was "
        "compiled with --inputs=declared");
  else
    require(!reads(GNN_ROLE_WEIGHTS), GNN_ERROR_MISMATCH, opened->name(),
            " has no dense form: its inputs have fewer than 64 columns, or it was compiled with --inputs=declared");
}

void Model::materialize() {
  machine->settle();
  if (!isMade)
    make(dimensions);
}

void Model::make(Dims bound) {
  bound.finish();
  std::vector<Tensor> made(values.size());
  for (uint32_t index : indices)
    made[index] = machine->zeros(opened->tensor(index).element, bound.shapeOf(opened->tensor(index)));
  dimensions = std::move(bound);
  values = std::move(made);
  isMade = true;
}

void Model::initialize(uint64_t seed) {
  materialize();
  for (uint32_t index : indices) {
    const gnn_tensor_info_t &info = opened->tensor(index);
    gnn::rt::initialize(
        values[index],
        {info.init, info.init_arg, dimensions.extents()[info.fan_in], dimensions.extents()[info.fan_out]}, seed, index);
  }
  areSet = true;
}

void Model::load(const std::string &path) { setParameters(readSafetensors(path).tensors, path); }

void Model::setParameters(const std::map<std::string, Tensor> &tensors, const std::string &origin) {
  Dims bound = dimensions;
  for (uint32_t index : indices) {
    const gnn_tensor_info_t &info = opened->tensor(index);
    auto found = tensors.find(info.name);
    require(found != tensors.end(), GNN_ERROR_MISMATCH, origin, " has no parameter ", info.name, " of ",
            opened->name());
    require(found->second.rank() == info.rank, GNN_ERROR_MISMATCH, info.name, " in ", origin, " has shape ",
            shapeText(found->second.shape()), ", but ", opened->name(), " needs ", info.rank, " dimensions");
    for (uint32_t d = 0; d < info.rank; ++d)
      bound.bindExtent(info.shape[d], found->second.dim(d),
                       "dimension " + std::to_string(d) + " of " + info.name + " in " + origin);
  }
  for (const auto &[name, tensor] : tensors) {
    auto known = opened->findTensor(name);
    require((known && isKept(opened->tensor(*known))) || name.rfind(optimizerPrefix, 0) == 0, GNN_ERROR_MISMATCH,
            origin, " has a tensor ", name, ", which ", opened->name(), " has not");
  }
  std::vector<Tensor> converted;
  for (uint32_t index : indices) {
    const gnn_tensor_info_t &info = opened->tensor(index);
    converted.push_back(tensors.at(info.name).converted(info.element, std::string(info.name) + " in " + origin));
  }
  machine->settle();
  if (!isMade) // executors know the addresses of extents and values
    make(std::move(bound));
  for (size_t i = 0; i < indices.size(); ++i) // in place: executors and optimizers know the addresses
    std::memcpy(values[indices[i]].mutableData(), converted[i].data(), converted[i].bytes());
  areSet = true;
}

std::map<std::string, Tensor> Model::parameterTensors() const {
  std::map<std::string, Tensor> result;
  require(areSet, GNN_ERROR_ARGUMENT, opened->name(), " has no parameters yet: load or initialise them");
  machine->settle();
  for (uint32_t index : indices)
    result[opened->tensor(index).name] = values[index];
  return result;
}

void Model::save(const std::string &path) const {
  writeSafetensors(path, {parameterTensors(), {{"model", opened->name()}}});
}

size_t Model::parameterBytes() const {
  size_t bytes = 0;
  for (uint32_t index : indices)
    bytes += values[index] ? values[index].bytes() : 0;
  return bytes;
}

std::unique_ptr<Executor> Model::executor(const Binding &binding, const gnn_program_t &program, bool parametersStay,
                                          FixedFields *shared) {
  materialize();
  return executor(*machine, binding, program, parametersStay, shared);
}

std::unique_ptr<Executor> Model::executor(Engine &engine, const Binding &binding, const gnn_program_t &program,
                                          bool parametersStay, FixedFields *shared) {
  std::unique_ptr<Executor> result =
      std::make_unique<Whole>(engine, *library(), binding.dimensions(), binding, program, parametersStay, shared);
  placeParameters(*this, *result);
  return result;
}

namespace {

/// Where vertices have another order than that of ids, it is made here.
Tensor outputThere(Engine &engine, const Inference &inference, const gnn_tensor_info_t &info, uint32_t i) {
  if (info.domain == GNN_DOMAIN_VERTEX && inference.binding->order(info.type))
    return engine.copied(inference.binding->inOriginalOrder(info, inference.whole->takeResult(i)));
  return inference.whole->takeResultThere(i);
}

} // namespace

const gnn_program_t &Model::inferProgram() const {
  const gnn_program_t *program = library()->program(GNN_PROGRAM_INFER);
  require(program != nullptr, GNN_ERROR_MISMATCH, opened->path(), " has no program @infer");
  require(areSet, GNN_ERROR_ARGUMENT, opened->name(), " has no parameters yet: load or initialise them");
  return *program;
}

Inference &Model::bind(const InferencePool::Lease &lease, const std::shared_ptr<const Graph> &graph,
                       const Features &inputs) {
  Inference &inference = lease.inference();
  lease.engine().settle();
  if (inference.isOf(graph) && inference.binding->rebind(inputs))
    return inference;
  auto bindTo = [&](const std::shared_ptr<const Library> &form) {
    return std::make_unique<Binding>(form, dimensions, graph, inputs, /*withTargets=*/false, "the inputs");
  };
  const std::shared_ptr<const Library> &form = formFor(inputs);
  std::unique_ptr<Binding> binding = bindTo(form); // inputs that cannot be bound choose nothing
  if (!keep(form))
    binding = bindTo(library());
  graph->life().atEnd(ends);
  inference.dropExecutors(); // these read the old one
  inference.binding = std::move(binding);
  inference.graph = graph;
  return inference;
}

Executor &Model::wholeOf(Engine &engine, Inference &inference) {
  if (!inference.whole)
    inference.whole =
        executor(engine, *inference.binding, programOver(*library(), *inference.binding, GNN_PROGRAM_INFER));
  return *inference.whole;
}

std::vector<std::pair<std::string, Tensor>> Model::infer(const std::shared_ptr<const Graph> &graph,
                                                         const Features &inputs, bool stayThere) {
  const gnn_program_t *program = &inferProgram();
  const InferencePool::Lease lease = inferences.take(graph);
  Engine &engine = lease.engine();
  Inference &inference = bind(lease, graph, inputs);
  wholeOf(engine, inference).run(/*stepKey=*/0);
  std::vector<std::pair<std::string, Tensor>> outputs;
  for (uint32_t i = 0; i < program->num_results; ++i) {
    const gnn_tensor_info_t &info = opened->tensor(program->results[i]);
    outputs.emplace_back(info.name, stayThere
                                        ? outputThere(engine, inference, info, i)
                                        : inference.binding->inOriginalOrder(info, inference.whole->takeResult(i)));
  }
  return outputs;
}

void Model::pullBack(const std::shared_ptr<const PullbackPlan> &plan, const Features &inputs,
                     const std::function<void(const Binding &, Pullback &)> &body) {
  keepDense();
  require(library()->program(plan->kind) != nullptr, GNN_ERROR_MISMATCH, opened->name(),
          " keeps an input sparse, which has no gradients: open it with `inputs` \"dense\"");
  const InferencePool::Lease lease = inferences.take(plan->graph);
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

InferAt &Model::atOf(Engine &engine, Inference &inference) {
  if (!inference.at) {
    inference.at = std::make_unique<InferAt>(engine, *library(), *inference.binding,
                                             programsForNeighbourhoods(*library(), GNN_PROGRAM_INFER));
    placeParameters(*this, *inference.at);
  }
  return *inference.at;
}

std::vector<std::pair<std::string, Tensor>> Model::inferAt(const std::shared_ptr<const Graph> &graph,
                                                           const Features &inputs, const std::string &typeName,
                                                           Span<const int64_t> vertices) {
  const gnn_program_t &program = inferProgram();
  const uint32_t type = vertexTypeNamed(*opened, typeName);
  const InferencePool::Lease lease = inferences.take(graph);
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
    const gnn_tensor_info_t &info = opened->tensor(program.results[i]);
    outputs.emplace_back(info.name,
                         isLocal ? std::move(results[i]) : rowsOfResult(info, inference.whole->result(i), type, rows));
  }
  return outputs;
}

std::vector<std::vector<Tensor>> Model::inferAt(const Snapshot &snapshot, const std::vector<Request> &requests) {
  inferProgram();
  keepDense();
  requireSnapshots(*library(), *snapshot.epoch);
  const SnapshotRows changed(*library(), snapshot);
  std::vector<uint32_t> types;
  for (const Request &request : requests) {
    types.push_back(vertexTypeNamed(*opened, request.vertexType));
    requireVertices(request.vertices, changed.vertices(types.back()));
  }
  const InferencePool::Lease lease = inferences.take(snapshot.epoch->graph);
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
            rowsOfRequest(opened->tensor(inferProgram().results[r]), together[r], type, ends[i], ends[i + 1]));
  }
  return results;
}

/// Null where the graph has no memory for it, and for snapshots of an epoch before the last one that was asked about,
/// but of what is served still.
std::shared_ptr<GrownRows> Model::storedFor(const Snapshot &snapshot, const SnapshotRows &changed,
                                            const Binding &binding, InferAt &at) {
  const int64_t bytes = snapshot.epoch->options->storedBytes;
  if (bytes == 0)
    return nullptr;
  require(!machine->hasDeviceMemory(), GNN_ERROR_MISMATCH, opened->name(), " computes on ", machine->device(),
          ", where rows are not stored: those of a product depend on how many there are");
  StoredGraphs::OfEpoch found;
  auto find = [&] { // whether there is no need to make any
    found = storedGraphs.find(snapshot);
    return found.epoch && found.epoch->number >= snapshot.epoch->number;
  };
  if (!find()) {
    const std::lock_guard<std::mutex> alone(making); // answers over earlier epochs do not wait
    if (!find()) {
      const StoredLayout layout(*machine, *library(), binding.dimensions(), at.program());
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

std::shared_ptr<const Snapshot> Model::newestStored(const Snapshot &snapshot) { return storedGraphs.served(snapshot); }

Model::StoredState Model::store(const Snapshot &snapshot, bool onlyCount) {
  require(snapshot.epoch->options->storedBytes > 0, GNN_ERROR_ARGUMENT, "the graph has no memory for stored rows");
  inferProgram();
  keepDense();
  requireSnapshots(*library(), *snapshot.epoch);
  const SnapshotRows changed(*library(), snapshot);
  const InferencePool::Lease lease = inferences.take(snapshot.epoch->graph);
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
