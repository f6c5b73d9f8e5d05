//===- CompiledRun.cpp - What compiled code computes ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a scenario into features and parameters of the runtime and results back into doubles.
//
//===----------------------------------------------------------------------===//

#include "test/Verify/CompiledRun.h"
#include "compiler/Interpreter/Context.h"
#include "gnn/error.hpp"
#include "runtime/src/core/Random.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/exec/InferAt.h"
#include "runtime/src/exec/Reached.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/model/OpenEngine.h"
#include "runtime/src/program/Obstacles.h"
#include "runtime/src/sample/HotRows.h"
#include "runtime/src/sample/Sampled.h"
#include "runtime/src/stream/StreamLayout.h"
#include "runtime/test/ChunkExecutor.h"
#include "test/Verify/DeviceLibrary.h"
#include "test/Verify/PullbackRun.h"
#include "test/Verify/StreamedRun.h"
#include "test/Verify/TensorNumbers.h"
#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

using namespace gnn::rt;

namespace gnnc::verify {

static uint32_t elementOf(ElementKind element, uint32_t real) {
  switch (element) {
  case ElementKind::Real:
    return real;
  case ElementKind::F32:
    return GNN_F32;
  case ElementKind::F64:
    return GNN_F64;
  case ElementKind::I32:
    return GNN_I32;
  case ElementKind::I64:
    return GNN_I64;
  default:
    return GNN_BOOL;
  }
}

/// The CSR of a sparse input, whose nonzeros a scenario lists vertex by vertex.
static SparseMatrix sparseFeature(const OracleGraph &incidence, const std::vector<double> &values, int64_t rows,
                                  int64_t columns, uint32_t real) {
  std::vector<int64_t> indptr(rows + 1, 0);
  for (int64_t vertex : incidence.dst)
    ++indptr[vertex + 1];
  for (int64_t vertex = 0; vertex < rows; ++vertex)
    indptr[vertex + 1] += indptr[vertex];
  return SparseMatrix(rows, columns, Tensor::of(indptr), Tensor::of(incidence.src),
                      tensorOf(values, real, {int64_t(values.size())}), "scenario");
}

/// The features of a scenario, as a data set would have them.
static Features featuresOf(const CheckedModel &model, const Scenario &scenario, uint32_t real) {
  const OracleBindings &bindings = scenario.bindings;
  const OracleContext context(model, bindings);
  Features features;
  for (const Value &value : model.values) {
    if (value.kind != ValueKind::Input && value.kind != ValueKind::Target)
      continue;
    const bool ofEdges = value.type.kind == GraphKind::E;
    if (ofEdges && value.kind == ValueKind::Target && model.relations[value.type.type].isPairs)
      continue; // comes with the pairs
    if (ofEdges && model.relations[value.type.type].isSparseInput) {
      const int64_t columns = context.numVertices(model.relations[value.type.type].sourceType);
      features[value.name].sparse =
          sparseFeature(context.relation(value.type.type), bindings.inputs.at(value.name),
                        context.numVertices(model.relations[value.type.type].destinationType), columns, real);
      continue;
    }
    const std::vector<double> &numbers =
        ofEdges ? scenario.givenEdgeInputs.at(value.name) : bindings.inputs.at(value.name);
    std::vector<int64_t> shape = context.zeros(value.type).shape;
    shape.insert(shape.begin(),
                 ofEdges ? int64_t(scenario.given[value.type.type].src.size()) : context.numVertices(value.type.type));
    features[value.name].dense = tensorOf(numbers, elementOf(value.type.element, real), shape);
  }
  return features;
}

static Dims bindAllDims(const std::shared_ptr<const Library> &library, const CheckedModel &model,
                        const Scenario &scenario) {
  Dims dims(library);
  for (const Dimension &dim : model.dims) {
    if (dim.vertexType >= 0 && dims.isOfGraph(uint32_t(library->table().vertex_types[dim.vertexType].rows)))
      continue;
    if (std::optional<int64_t> size = evaluateDim(model, scenario.bindings, DimExpr::name(dim.name)))
      dims.bind(dim.name, *size, "scenario");
  }
  dims.finish();
  return dims;
}

static Span<const int64_t> span(const std::vector<int64_t> &ids) { return {ids.data(), ids.size()}; }

static bool isOfGraph(const gnnc::Relation &relation) { return !relation.isSparseInput && !relation.isPairs; }

/// The graph of a schema, or a plain one, whose vertices can be reordered, if there is one type and one relation.
static std::shared_ptr<const Graph> prepareGraph(const CheckedModel &model, const Scenario &scenario, bool degreeOrder,
                                                 PagedData *paged = nullptr) {
  std::vector<VertexSet> vertices;
  for (size_t i = 0; i < model.vertexTypes.size(); ++i)
    if (!model.vertexTypes[i].isColumns)
      vertices.push_back({model.vertexTypes[i].name, scenario.bindings.numVertices[i]});
  std::vector<EdgeSpec> edges;
  for (size_t i = 0; i < model.relations.size(); ++i) {
    const gnnc::Relation &relation = model.relations[i];
    const OracleGraph &given = scenario.given[i];
    if (isOfGraph(relation))
      edges.push_back({relation.name, relation.sourceType, relation.destinationType, span(given.src), span(given.dst),
                       span(given.types), uint32_t(given.numTypes)});
  }
  const bool hasSchema = vertices.size() > 1 || edges.size() > 1;
  const uint32_t order = degreeOrder && !hasSchema ? GNN_ORDER_DEGREE : GNN_ORDER_GIVEN;
  for (EdgeSpec &spec : edges)
    if (paged)
      spec.prepared = paged->edges(spec, vertices, order);
  if (hasSchema)
    return Graph::fromSchema(std::move(vertices), edges);
  if (edges[0].prepared)
    return Graph::fromSet(edges[0].prepared);
  EdgeOptions options;
  options.order = order;
  options.edgeTypes = edges[0].types;
  options.numTypes = edges[0].numTypes;
  return Graph::fromEdges(edges[0].src, edges[0].dst, vertices[0].count, options);
}

/// Tells the binding which pairs are scored, if the model scores any.
static void bindPairs(Binding &binding, const CheckedModel &model, const Scenario &scenario) {
  for (size_t i = 0; i < model.relations.size(); ++i) {
    if (!model.relations[i].isPairs)
      continue;
    const OracleGraph &given = scenario.given[i];
    std::vector<double> targets;
    for (const Value &value : model.values)
      if (value.kind == ValueKind::Target && value.type.kind == GraphKind::E && value.type.type == i)
        targets = scenario.bindings.inputs.at(value.name);
    binding.setPairs({given.src, given.dst, given.types}, targets);
  }
}

/// Parameters and states by library index.
static std::map<uint32_t, Tensor> parametersOf(const Library &library, const Dims &dims, const Scenario &scenario) {
  std::map<uint32_t, Tensor> parameters;
  for (uint32_t i = 0; i < library.tensors().size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(i);
    if (info.role == GNN_ROLE_PARAM || info.role == GNN_ROLE_STATE)
      parameters[i] = tensorOf(scenario.bindings.params.at(info.name), info.element, dims.shapeOf(info));
  }
  return parameters;
}

static uint32_t kindOf(Program program) {
  return program == Program::Infer   ? GNN_PROGRAM_INFER
         : program == Program::Train ? GNN_PROGRAM_TRAIN
                                     : GNN_PROGRAM_EVALUATE;
}

static const gnn_program_t &programOf(const Library &library, Program kind, const RunOptions &options) {
  const std::vector<const gnn_program_t *> variants = library.programs(kindOf(kind));
  if (variants.empty())
    throw gnn::Error(GNN_ERROR_MISMATCH, library.path() + " has no such program");
  return *variants[std::min<size_t>(options.variant, variants.size() - 1)];
}

/// Results in the order that program.h states for each kind of program; `table(i)` is result `i` in local vertex order.
static CompiledResults collect(const Library &library, const CheckedModel &model, const Binding &binding,
                               const gnn_program_t &program, const std::function<Tensor(uint32_t)> &table) {
  CompiledResults results;
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    const std::vector<double> numbers = numbersOf(binding.inOriginalOrder(info, table(i)));
    if (info.role == GNN_ROLE_GRAD)
      results.gradients[library.tensor(info.source).name] = numbers;
    else if (info.role == GNN_ROLE_STATE_NEXT)
      results.states[library.tensor(info.source).name] = numbers;
    else if (program.kind == GNN_PROGRAM_TRAIN)
      results.loss = numbers.at(0);
    else if (i < model.outputs.size())
      results.outputs[model.outputs[i].name] = numbers;
    else if (i == model.outputs.size())
      results.losses = numbers;
  }
  return results;
}

/// Whether a model computes nothing of edges that a sample leaves out: it asks for no degrees, which are of the whole
/// graph, adds no edges, and has no results of edges.
static bool canBeSampled(const CheckedModel &model, const Library &library, const gnn_program_t &program) {
  std::vector<bool> isRead(model.values.size(), false);
  auto read = [&](unsigned value) { isRead[value] = true; };
  for (const Output &output : model.outputs)
    read(output.value);
  for (const StateUpdate &update : model.stateUpdates)
    read(update.value);
  if (model.loss >= 0)
    read(unsigned(model.loss));
  for (size_t i = model.values.size(); i-- > 0;) {
    const Value &value = model.values[i];
    const bool isCount = value.kind == ValueKind::Aggregate && value.reduction == Reduction::Count;
    if (isRead[i] && (value.kind == ValueKind::InDegree || value.kind == ValueKind::OutDegree))
      return false;
    for (size_t operand = isCount ? 1 : 0; isRead[i] && operand < value.operands.size(); ++operand)
      read(value.operands[operand]); // of what is counted only the edges matter
  }
  for (uint32_t i = 0; i < program.num_results; ++i)
    if (library.tensor(program.results[i]).domain == GNN_DOMAIN_EDGE)
      return false;
  return std::none_of(model.relations.begin(), model.relations.end(), [](const gnnc::Relation &relation) {
    const GraphTransforms &transforms = relation.transforms;
    return transforms.addsLoops() || transforms.loopKinds || transforms.symmetric || transforms.inverseRelations;
  });
}

/// The scenario over a graph with every third edge once more, after all others.
static Scenario withEdgesTwice(const CheckedModel &model, Scenario scenario) {
  auto repeat = [](auto &numbers, size_t edges) {
    const size_t width = edges ? numbers.size() / edges : 0;
    for (size_t edge = 0; edge < edges; edge += 3)
      for (size_t i = 0; i < width; ++i)
        numbers.push_back(+numbers[edge * width + i]); // a copy: the vector may move
  };
  for (size_t i = 0; i < model.relations.size(); ++i) {
    if (!isOfGraph(model.relations[i]))
      continue;
    OracleGraph &given = scenario.given[i];
    const size_t edges = given.src.size();
    for (const Value &value : model.values)
      if ((value.kind == ValueKind::Input || value.kind == ValueKind::Target) && value.type.kind == GraphKind::E &&
          value.type.type == i)
        repeat(scenario.givenEdgeInputs.at(value.name), edges);
    repeat(given.src, edges);
    repeat(given.dst, edges);
    repeat(given.types, edges);
  }
  return scenario;
}

using Parameters = std::map<uint32_t, Tensor>;

static CompiledResults runWhole(const std::shared_ptr<const Library> &library, const Dims &dims, const Binding &binding,
                                const CheckedModel &model, const gnn_program_t &program, Parameters parameters,
                                unsigned threads, uint64_t key) {
  CpuEngine engine(library, threads);
  Whole executor(engine, *library, dims, binding, program);
  for (auto &[index, tensor] : parameters)
    executor.place(index, tensor.mutableData());
  for (int run = 0; run < 2; ++run) // the second has what fixed steps gave the first
    executor.run(key);
  return collect(*library, model, binding, program, [&](uint32_t i) { return executor.result(i); });
}

static CompiledResults runOnGpu(const std::shared_ptr<const Library> &library, const Dims &dims, const Binding &binding,
                                const CheckedModel &model, const gnn_program_t &program, const Parameters &parameters,
                                uint64_t key) {
  const std::unique_ptr<Engine> engine = openEngine(library, "cuda", /*threads=*/1, /*deviceBytes=*/0);
  Parameters copies;
  const auto executor = std::make_unique<Whole>(*engine, *library, dims, binding, program);
  for (const auto &[index, tensor] : parameters) {
    Tensor &copy = copies[index] = engine->zeros(tensor.element(), tensor.shape());
    std::memcpy(copy.mutableData(), tensor.data(), tensor.bytes());
    executor->place(index, copy.mutableData());
  }
  executor->run(key);
  return collect(*library, model, binding, program, [&](uint32_t i) { return executor->result(i); });
}

static CompiledResults runChunks(const std::shared_ptr<const Library> &opened, const Dims &dims, const Binding &binding,
                                 const CheckedModel &model, const gnn_program_t &program, const Parameters &parameters,
                                 Executor kind, const Scenario &scenario, uint64_t key) {
  std::vector<int64_t> seen; // of a sample
  for (size_t i = 0; i < model.relations.size(); ++i)
    seen.push_back(isOfGraph(model.relations[i]) ? scenario.bindings.relations[i].numIds() : INT64_MAX);
  const ChunkPlan plan = kind == Executor::Grid      ? ChunkPlan{ChunkPlan::Grid, 3, 4}
                         : kind == Executor::Sampled ? ChunkPlan{ChunkPlan::Sampled, 5, 0, seen}
                         : kind == Executor::Seeds   ? ChunkPlan{ChunkPlan::Seeds, 1, 0}
                                                     : ChunkPlan{ChunkPlan::HubSegments, 2, 0};
  const Library &library = *opened;
  CpuEngine engine(opened, /*threads=*/1);
  ChunkExecutor executor(engine, library, dims, binding, program, plan, scenario.lossRows);
  for (const auto &[index, tensor] : parameters)
    executor.place(index, tensor);
  executor.run(key);
  return collect(library, model, binding, program, [&](uint32_t i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    std::vector<int64_t> shape = dims.shapeOf(info);
    if (info.domain != GNN_DOMAIN_PARAM)
      shape.insert(shape.begin(), binding.leadingExtent(info));
    Tensor copy = Tensor::empty(info.element, shape);
    std::copy_n(executor.table(program.results[i]).begin(), copy.bytes(), static_cast<char *>(copy.mutableData()));
    return copy;
  });
}

/// Rows of a table put back to where `rows` are of the whole one.
static void putRows(Tensor &whole, const std::vector<int64_t> &rows, const Tensor &some) {
  const size_t bytes = some.bytes() / rows.size();
  for (size_t i = 0; i < rows.size(); ++i)
    std::memcpy(static_cast<char *>(whole.mutableData()) + size_t(rows[i]) * bytes,
                static_cast<const char *>(some.data()) + i * bytes, bytes);
}

/// A few vertices of each type after the other, the last one of before again among them, and one twice.
static CompiledResults runAt(const std::shared_ptr<const Library> &library, const Dims &dims, const Binding &binding,
                             const CheckedModel &model, const gnn_program_t &program, Parameters parameters) {
  CpuEngine engine(library, /*threads=*/2);
  InferAt executor(engine, *library, binding, {&program});
  for (auto &[index, tensor] : parameters)
    executor.place(index, tensor.mutableData());
  std::vector<Tensor> wholes(program.num_results);
  for (uint32_t type = 0; type < library->table().num_vertex_types; ++type) {
    if (library->table().vertex_types[type].is_table)
      continue;
    // The second call has room for twice the first, which the third then fills.
    const int64_t all = binding.rows(type), first = all / 4, second = std::min(2 * first + 1, all);
    const int64_t ends[] = {first, second, std::clamp(4 * first - 1, second, all), all};
    int64_t begin = 0;
    for (int64_t end : ends) {
      std::vector<int64_t> seeds;
      for (int64_t row = end - 1; row >= std::max<int64_t>(begin - 1, 0); --row)
        seeds.push_back(row);
      if (!seeds.empty())
        seeds.push_back(seeds.front());
      begin = end;
      const std::vector<Tensor> results = executor.run(type, seeds);
      for (uint32_t i = 0; i < program.num_results; ++i) {
        const gnn_tensor_info_t &info = library->tensor(program.results[i]);
        if (info.domain == GNN_DOMAIN_PARAM) {
          wholes[i] = results[i];
          continue;
        }
        if (info.type != type)
          continue;
        if (!wholes[i]) {
          std::vector<int64_t> shape = dims.shapeOf(info);
          shape.insert(shape.begin(), binding.rows(type));
          wholes[i] = Tensor::empty(info.element, shape);
        }
        if (!seeds.empty())
          putRows(wholes[i], seeds, results[i]);
      }
    }
  }
  return collect(*library, model, binding, program, [&](uint32_t i) { return wholes[i]; });
}

/// Whether a batch of all that the loss is over has the numbers of the oracle: not where steps draw by edges and keep
/// tables of them, whose rows then are what they draw by, nor on several GPUs where totals are over the vertices of a
/// share. Nor is there a batch of pairs here.
static bool canBeBatched(const Library &library, const gnn_program_t &program, bool onGpu) {
  bool draws = false, keeps = false;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    if (program.steps[s].kind != GNN_STEP_SWEEP)
      continue;
    if (library.table().relations[program.steps[s].relation].kind == GNN_RELATION_PAIRS)
      return false;
    const gnn_kernel_t &kernel = library.kernel(program.steps[s].kernel);
    draws |= (kernel.needs & GNN_KERNEL_EDGE_ID) && (kernel.needs & GNN_KERNEL_RANDOM);
    keeps |= std::count(kernel.access, kernel.access + kernel.num_operands, uint32_t(GNN_ACCESS_EDGE)) > 0;
  }
  return (!onGpu || RowsByDepth::isLocal(library, program)) && !(draws && keeps) &&
         obstacleToSamples(library, program).empty();
}

/// The deepest rows that a sweep reads others for.
static int32_t deepestReaders(const gnn_program_t &program) {
  int32_t deepest = -1;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (program.steps[s].kind == GNN_STEP_SWEEP)
      deepest = std::max(deepest, std::min(program.steps[s].row_depth, program.steps[s].col_depth));
  return deepest;
}

std::optional<int> reachOfBatch(const std::string &path, const RunOptions &options) {
  const std::shared_ptr<const Library> library = Library::open(path, options.isa);
  const gnn_program_t &program = programOf(*library, Program::Train, options);
  return canBeBatched(*library, program, options.onGpu) ? std::optional<int>(deepestReaders(program) + 1)
                                                        : std::nullopt;
}

/// All edges, or two and one in turns, for each step away from the seeds.
static FanOuts fanOutsOf(const gnn_program_t &program, bool areAll) {
  const int32_t deepest = deepestReaders(program);
  std::string list = areAll ? "all" : "2";
  for (int32_t depth = 1; depth <= deepest; ++depth)
    list += areAll ? ",all" : depth % 2 ? ",1" : ",2";
  return FanOuts(list, "scenario");
}

/// Some rows of the inputs and of edges, for batches to find them there: of one GPU every other one, of two a third on
/// each.
static void keepSome(gnn::rt::Sampled &executor, Engine &engine, const Library &library, const Binding &binding,
                     const gnn_program_t &program, const FanOuts &fanOuts) {
  const auto tables = gnn::rt::SentBatch::tablesOf(library, binding, program);
  const std::vector<Engine *> engines = gnn::rt::enginesOf(engine);
  const auto of = int64_t(engines.size()) + 1;
  std::vector<std::vector<std::vector<int64_t>>> kept;
  std::vector<size_t> numbers;
  for (size_t e = 0; e < engines.size(); ++e) {
    numbers.push_back(e);
    kept.emplace_back(tables.size());
    for (size_t t = 0; t < tables.size(); ++t)
      for (int64_t row = int64_t(e) + 1; row < binding.leadingExtent(library.tensor(tables[t].tensor)); row += of)
        kept[e][t].push_back(row);
  }
  executor.findIn(std::make_shared<gnn::rt::HotRows>(engines, binding, tables, kept), numbers);
  std::vector<gnn::rt::DrawTables *> drawn;
  for (size_t e = 0; e < engines.size(); ++e)
    drawn.push_back(executor.drawnOf(e));
  for (const auto &[relation, direction] :
       gnn::rt::Sampler(library, binding, program, fanOuts).rowsForEngines(program)) {
    std::vector<std::vector<uint32_t>> rows(engines.size());
    const int64_t all = binding.relation(relation).csr(direction).numRows();
    for (size_t e = 0; e < engines.size(); ++e)
      for (int64_t row = int64_t(e) + 1; row < all; row += of)
        rows[e].push_back(uint32_t(row));
    if (drawn[0])
      drawn[0]->keep(relation, direction, drawn, rows);
  }
}

/// Two GPUs, if there are, where a batch may be cut: not where vertices are seen with few edges, which are others then.
static std::string deviceOfBatch(bool onGpu, bool isCut) {
  return !onGpu ? "cpu" : isCut && gnn::rt::Device::count() > 1 ? "cuda:0-1" : "cuda";
}

static CompiledResults runBatch(const std::shared_ptr<const Library> &library, const Binding &binding,
                                const CheckedModel &model, const gnn_program_t &program, Parameters parameters,
                                const std::vector<int64_t> &seeds, bool areAll, uint64_t key, bool onGpu) {
  const FanOuts fanOuts = fanOutsOf(program, areAll);
  const std::unique_ptr<Engine> engine =
      openEngine(library, deviceOfBatch(onGpu, areAll), /*threads=*/2, /*deviceBytes=*/0);
  const gnn::rt::Shares shares{int64_t(gnn::rt::enginesOf(*engine).size())};
  gnn::rt::Sampled executor(*engine, *library, binding, program, fanOuts, {}, /*ahead=*/0, shares);
  for (auto &[index, tensor] : parameters) {
    Tensor copy = engine->zeros(tensor.element(), tensor.shape());
    std::memcpy(copy.mutableData(), tensor.data(), tensor.bytes());
    executor.place(index, copy.mutableData());
    tensor = std::move(copy);
  }
  if (onGpu)
    keepSome(executor, *engine, *library, binding, program, fanOuts);
  const VertexOrder *order = binding.order(lossMask(*library)->type);
  std::set<int64_t> rows; // each once
  for (int64_t seed : seeds)
    rows.insert(order ? order->local[size_t(seed)] : seed);
  executor.expect(key, {{rows.rbegin(), rows.rend()}, {}, {}});
  executor.run(key);
  return collect(*library, model, binding, program, [&](uint32_t i) { return executor.result(i); });
}

/// The second run has what fixed steps gave the first.
static CompiledResults runReached(const std::shared_ptr<const Library> &library, const Binding &binding,
                                  const CheckedModel &model, const gnn_program_t &program, Parameters parameters,
                                  uint64_t key) {
  CpuEngine engine(library, /*threads=*/2);
  gnn::rt::Reached executor(engine, *library, binding, program);
  for (auto &[index, tensor] : parameters)
    executor.place(index, tensor.mutableData());
  for (int run = 0; run < 2; ++run)
    executor.run(key);
  return collect(*library, model, binding, program, [&](uint32_t i) { return executor.result(i); });
}

IsSeenByOracle fewEdges(const std::string &path, const CheckedModel &model, const Scenario &scenario,
                        const RunOptions &options) {
  const std::shared_ptr<const Library> library = Library::open(path, options.isa);
  const gnn_program_t &program = programOf(*library, Program::Train, options);
  if (!canBeBatched(*library, program, options.onGpu))
    return nullptr;
  Binding binding(library, bindAllDims(library, model, scenario), prepareGraph(model, scenario, /*degreeOrder=*/false),
                  featuresOf(model, scenario, library->table().real), /*withTargets=*/true, "scenario");
  gnn::rt::Sampler sampler(*library, binding, program, fanOutsOf(program, /*areAll=*/false));
  sampler.begin(stepKey(scenario.bindings.seed, scenario.bindings.step));
  auto seen = std::make_shared<SeenEdges>(*library, binding, program, &sampler, scenario.lossRows);
  return [seen, relations = scenario.bindings.relations](unsigned relation, End end, int64_t edge) {
    const uint32_t direction = end == End::Source ? GNN_TO_SOURCE : GNN_TO_DESTINATION;
    const int64_t row = (end == End::Source ? relations[relation].src : relations[relation].dst)[size_t(edge)];
    return !seen->isFollowed(relation, direction, row) ||
           seen->has(relation, direction, relations[relation].idOf(edge));
  };
}

bool canRun(const std::string &path, const std::string &isa) {
  try {
    Library::open(path, isa);
    return true;
  } catch (const gnn::Error &error) {
    if (error.code() == GNN_ERROR_MISMATCH)
      return false;
    throw;
  }
}

/// The same again for the same scenario.
static const StreamWay &wayFor(const Scenario &scenario) {
  uint64_t vertices = 0;
  for (int64_t count : scenario.bindings.numVertices)
    vertices += uint64_t(count);
  return streamWays[(scenario.bindings.seed + vertices) % std::size(streamWays)];
}

unsigned numVariants(const std::string &path) {
  const std::shared_ptr<const Library> library = Library::open(path);
  size_t most = 1;
  for (uint32_t kind : {GNN_PROGRAM_INFER, GNN_PROGRAM_TRAIN, GNN_PROGRAM_EVALUATE})
    most = std::max(most, library->programs(kind).size());
  return unsigned(most);
}

static CompiledResults runProgram(const std::string &path, const CheckedModel &model, const Scenario &scenario,
                                  Program kind, const RunOptions &options) {
  const std::shared_ptr<const Library> library =
      options.device ? options.device->library() : Library::open(path, options.isa);
  if (kind == Program::Pullback)
    return runPullback(library, bindAllDims(library, model, scenario), options.threads,
                       prepareGraph(model, scenario, options.degreeOrder),
                       featuresOf(model, scenario, library->table().real), model, scenario);
  const gnn_program_t *program = &programOf(*library, kind, options);
  const Dims dims = bindAllDims(library, model, scenario);
  const bool isSample = options.executor == Executor::Sampled && canBeSampled(model, *library, *program),
             isOnGpu = options.executor == Executor::Gpu;
  const StreamWay way = options.stream ? *options.stream : wayFor(scenario);
  const bool isStreamed = (options.executor == Executor::Streamed || (isOnGpu && options.stream)) &&
                          StreamLayout::obstacle(*library, *program, isOnGpu, way.ranks > 1).empty();
  const Scenario bound = isSample ? withEdgesTwice(model, scenario) : scenario;
  const bool degreeOrder = isStreamed ? way.degreeOrder : options.degreeOrder;
  PagedData paged(*library, isStreamed && way.isPaged);
  Features features = featuresOf(model, bound, library->table().real);
  paged.move(features);
  const std::shared_ptr<const Graph> graph = prepareGraph(model, bound, degreeOrder, &paged);
  auto bind = [&] {
    auto made =
        std::make_unique<Binding>(library, dims, graph, features, /*withTargets=*/kind != Program::Infer, "scenario");
    bindPairs(*made, model, scenario);
    if (kind == Program::Train)
      made->setLossRows(span(scenario.lossRows));
    return made;
  };
  const std::unique_ptr<Binding> owned = bind();
  Binding &binding = *owned;
  Parameters parameters = parametersOf(*library, dims, scenario);
  const uint64_t key = stepKey(scenario.bindings.seed, scenario.bindings.step);
  if (isOnGpu && !isStreamed)
    return runOnGpu(library, binding.dimensions(), binding, model, *program, parameters, key);
  if (options.executor == Executor::InferAt && obstacleToNeighbourhoods(*library, *program).empty())
    return runAt(library, binding.dimensions(), binding, model, *program, parameters);
  if (options.executor == Executor::Reached && kind == Program::Train && obstacleToReached(*library, *program).empty())
    return runReached(library, binding, model, *program, parameters, key);
  const bool isFew = options.executor == Executor::FewEdges;
  if ((options.executor == Executor::Batch || isFew) && kind == Program::Train &&
      canBeBatched(*library, *program, options.onGpu))
    return runBatch(library, binding, model, *program, parameters, scenario.lossRows, /*areAll=*/!isFew, key,
                    options.onGpu);
  if (isStreamed) {
    const std::vector<Tensor> results = isOnGpu ? runStreamedOnGpu(library, binding, *program, parameters, way, key)
                                        : way.ranks > 1 ? runByRanks(library, bind, *program, parameters, way, key)
                                                        : runStreamed(library, binding, *program, parameters, way, key);
    return collect(*library, model, binding, *program, [&](uint32_t i) { return results[i]; });
  }
  const bool isWhole = options.executor == Executor::WholeGraph || options.executor == Executor::InferAt ||
                       options.executor == Executor::Batch || isFew || options.executor == Executor::Reached ||
                       options.executor == Executor::Streamed;
  CompiledResults results =
      isWhole ? runWhole(library, binding.dimensions(), binding, model, *program, parameters, options.threads, key)
              : runChunks(library, binding.dimensions(), binding, model, *program, parameters, options.executor,
                          scenario, key);
  if (options.device)
    options.device->check();
  return results;
}

/// The rows of edges that `graph` has, of a table with all ids. Throws an internal error if one of the others is not 0.
static std::vector<double> rowsOfEdges(const std::vector<double> &byId, const OracleGraph &graph) {
  const size_t width = byId.size() / size_t(graph.numIds());
  std::vector<double> rows;
  int64_t next = 0;
  auto checkLeftOut = [&](int64_t end) {
    for (; next < end; ++next)
      if (std::any_of(&byId[size_t(next) * width], &byId[size_t(next) * width] + width,
                      [](double x) { return x != 0; }))
        throw gnn::Error(GNN_ERROR_INTERNAL,
                         "the row of edge " + std::to_string(next) + " is not 0, which is left out");
  };
  for (int64_t id : graph.ids) {
    checkLeftOut(id);
    rows.insert(rows.end(), &byId[size_t(id) * width], &byId[size_t(id) * width] + width);
    next = id + 1;
  }
  checkLeftOut(graph.numIds());
  return rows;
}

CompiledResults runCompiled(const std::string &path, const CheckedModel &model, const Scenario &scenario, Program kind,
                            const RunOptions &options) {
  CompiledResults results = runProgram(path, model, scenario, kind, options);
  for (const Output &output : model.outputs) {
    const ValueType &type = model.values[output.value].type;
    auto found = results.outputs.find(output.name);
    const bool isOfEdges = type.kind != GraphKind::V && type.kind != GraphKind::P;
    if (found != results.outputs.end() && isOfEdges && scenario.bindings.relations[type.type].leavesOutEdges())
      found->second = rowsOfEdges(found->second, scenario.bindings.relations[type.type]);
  }
  return results;
}

} // namespace gnnc::verify
