//===- StreamedRun.cpp - A program of a scenario, streamed ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/StreamedRun.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/exec/GatheredPairs.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/graph/PagedEdges.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/io/Npy.h"
#include "runtime/src/model/OpenEngine.h"
#include "runtime/src/stream/Streamed.h"
#include "runtime/test/AsRanks.h"
#include "runtime/test/PacedEngine.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

using namespace gnn::rt;

namespace gnnc::verify {

/// The settings of each kind; -1: no more.
using Settings = int64_t[6][4];
constexpr Settings ofStreams = {{1, 2, 3, 7},   {0, 1, 2, -1},  {0, 1, 2, -1},
                                {0, 1, -1, -1}, {0, 1, -1, -1}, {1, -1, -1, -1}},
                   ofRanks = {{4, 7, -1, -1}, {0, 1, 2, -1},  {0, 1, 2, -1},
                              {0, 1, -1, -1}, {0, 1, -1, -1}, {2, 3, 4, -1}};

/// Whether two settings of any two kinds come together.
template <size_t count> static constexpr bool coversAllPairs(const StreamWay (&ways)[count], const Settings &settings) {
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < a; ++b)
      for (int64_t ofA : settings[a])
        for (int64_t ofB : settings[b]) {
          bool isThere = ofA < 0 || ofB < 0;
          for (const StreamWay &way : ways) {
            const int64_t all[] = {way.intervals,   int64_t(way.kept), int64_t(way.pace),
                                   way.degreeOrder, way.isPaged,       way.ranks};
            isThere = isThere || (all[a] == ofA && all[b] == ofB);
          }
          if (!isThere)
            return false;
        }
  return true;
}
static_assert(coversAllPairs(streamWays, ofStreams) && coversAllPairs(rankWays, ofRanks));

std::string StreamWay::describe() const {
  static const char *const keeps[] = {"", ", some in memory", ", all in memory"}, *const paces[] = {"", ", loads late",
                                                                                                    ", loads early"};
  return std::to_string(intervals) + keeps[int(kept)] + paces[int(pace)] + (degreeOrder ? ", by degree" : "") +
         (isPaged ? ", from files" : "") +
         (below == Below::All      ? ", all by way of memory"
          : below == Below::Tables ? ", tables by way of memory"
          : below == Below::Some   ? ", some by way of memory"
                                   : "") +
         (ranks > 1 ? ", by " + std::to_string(ranks) + " ranks" : "");
}

std::shared_ptr<const NpyFile> PagedData::file(const Tensor &tensor) {
  const std::string name = std::to_string(files++) + ".npy", path = folder.file(name);
  std::ofstream file(path, std::ios::binary); // writeNpy would wait for the disk
  file << npyHeader(tensor);
  file.write(static_cast<const char *>(tensor.data()), std::streamsize(tensor.bytes()));
  file.close();
  return std::make_shared<const NpyFile>(path, name);
}

std::shared_ptr<const gnn::rt::EdgeSet> PagedData::edges(const EdgeSpec &spec, const std::vector<VertexSet> &vertices,
                                                         uint32_t order) {
  const gnn_library_t &table = library.table();
  uint32_t transforms = 0;
  for (uint32_t r = 0; r < table.num_relations; ++r)
    transforms |= table.relations[r].transforms;
  bool hasTables = false; // whose rows are in the order of ids
  for (uint32_t type = 0; type < table.num_vertex_types; ++type)
    hasTables |= table.vertex_types[type].rows >= 0;
  if (!isPaged || !canPage(transforms, order) || (transforms && table.num_relations > 1) ||
      (hasTables && order != GNN_ORDER_GIVEN))
    return nullptr;
  std::vector<int64_t> ends(spec.src.begin(), spec.src.end());
  ends.insert(ends.end(), spec.dst.begin(), spec.dst.end());
  EdgeTables tables{file(Tensor::of(ends, {2, int64_t(spec.src.size())})), nullptr, "edges", "types",
                    spec.numTypes ? int64_t(spec.numTypes) : -1};
  if (spec.types.data() || spec.numTypes > 0)
    tables.types = file(Tensor::of(std::vector<int64_t>(spec.types.begin(), spec.types.end())));
  PagingOptions options;
  options.folder = folder.file("");
  options.workBytes = 1 << 12;
  options.transforms = transforms;
  options.order = order;
  return pagedEdges(tables, vertices[spec.source].count, vertices[spec.destination].count,
                    spec.source != spec.destination, options);
}

void PagedData::move(Features &features) {
  for (auto &[name, feature] : features)
    if (isPaged && feature.dense && !feature.dense.shape().empty()) {
      feature.file = file(feature.dense);
      feature.dense = Tensor();
    }
}

static Residents residentsOf(const Library &library, Kept kept) {
  Residents residents;
  if (kept == Kept::Nothing)
    return residents;
  const gnn_library_t &table = library.table();
  for (const gnn_program_t *program = table.programs; program != table.programs + table.num_programs; ++program) {
    const std::vector<bool> isSpilled = spilledTensors(library, *program);
    for (uint32_t t = 0; t < isSpilled.size(); ++t)
      if (isSpilled[t] && (kept == Kept::All || t % 2))
        residents.tables.insert(t);
  }
  for (uint32_t r = 0; r < table.num_relations; ++r)
    residents.edges.insert({{r, GNN_TO_DESTINATION}, {r, GNN_TO_SOURCE}});
  return residents;
}

/// Of what is in files, what is to be in memory.
static void loadResidents(const Library &library, Binding &binding, const gnn_program_t &program,
                          const Residents &residents) {
  const std::vector<bool> isSpilled = spilledTensors(library, program);
  for (uint32_t t = 0; t < isSpilled.size(); ++t)
    if (binding.paged().file(t) && (!isSpilled[t] || residents.tables.count(t)))
      binding.loadPaged(t);
}

static std::optional<Residents> tablesHere(const Library &library, Below below) {
  if (below == Below::Nothing)
    return std::nullopt;
  Residents here;
  for (uint32_t t = 0; t < library.tensors().size() && below == Below::Some; t += 2)
    here.tables.insert(t);
  for (uint32_t r = 0; r < library.table().num_relations && below != Below::All; ++r) {
    here.edges.insert({r, GNN_TO_SOURCE});
    if (below == Below::Tables)
      here.edges.insert({r, GNN_TO_DESTINATION});
  }
  return here;
}

static std::unique_ptr<CpuEngine> engineOf(const std::shared_ptr<const Library> &library, const StreamWay &way) {
  if (way.pace == Pace::Threads)
    return std::make_unique<CpuEngine>(library, /*threads=*/2);
  return std::make_unique<PacedEngine>(library, /*threads=*/1, way.pace == Pace::EarlyLoads);
}

/// Graphs are small: rows between others are read only where there are many intervals.
static uint64_t passedOver(const StreamWay &way) { return way.intervals < 7 ? 1 : 100; }

/// In 1 and 2 intervals the next chunk alone, in 3 whatever there is, in 7 some of it.
static size_t aheadOf(const StreamWay &way) { return way.intervals < 3 ? 0 : way.intervals < 7 ? 1 << 20 : 8 << 10; }

static EdgeList listOf(const gnn::rt::Relation &relation) {
  const Csr &csr = relation.csr(GNN_TO_DESTINATION);
  const auto count = size_t(relation.numEdges());
  EdgeList list;
  list.src = Buffer<uint32_t>(count);
  list.dst = Buffer<uint32_t>(count);
  list.type = Buffer<int32_t>(csr.types.size());
  for (int64_t row = 0; row < csr.numRows(); ++row)
    for (auto e = size_t(csr.offsets[size_t(row)]); e < size_t(csr.offsets[size_t(row) + 1]); ++e) {
      const auto id = size_t(csr.edgeIds[e]);
      list.src[id] = csr.cols[e];
      list.dst[id] = uint32_t(row);
      if (!csr.types.empty())
        list.type[id] = csr.types[e];
    }
  return list;
}

/// Over as many pairs with other sources, as steps of training are over pairs that are drawn anew.
static void runOverOthers(Streamed &executor, Binding &binding, uint64_t key) {
  const gnn::rt::Relation &pairs = binding.relation(*pairsRelation(binding.library()));
  const int64_t sources = pairs.numSources(), destinations = pairs.numDestinations();
  const EdgeList given = listOf(pairs);
  EdgeList others = listOf(pairs);
  for (uint32_t &source : others.src)
    source = (source + 1) % uint32_t(sources);
  binding.setPairs(sortEdges(others, sources, destinations));
  executor.run(key);
  binding.setPairs(sortEdges(given, sources, destinations));
}

/// The results of a second run, which finds what the first has left.
static std::vector<Tensor> runTwice(Engine &engine, const Library &library, Binding &binding,
                                    const gnn_program_t &program, std::map<uint32_t, Tensor> &parameters,
                                    const StreamWay &way, uint64_t key, std::vector<Tensor> *first) {
  auto data = std::make_shared<SpilledData>(engine, library, binding, way.intervals, defaultSpillFolder(),
                                            residentsOf(library, way.kept));
  data->passOver(passedOver(way));
  data->lookAhead(aheadOf(way));
  data->keepHere(tablesHere(library, way.below));
  loadResidents(library, binding, program, data->residents());
  Streamed executor(engine, library, binding, program, data);
  for (auto &[index, tensor] : parameters)
    executor.place(index, tensor.mutableData());
  std::vector<Tensor> results;
  if (pairsRelation(library))
    runOverOthers(executor, binding, key + 1);
  for (int run = 0; run < 2; ++run) {
    const Spill *below = data->below();
    const Spill::Traffic before = data->file().traffic(), beforeBelow = below ? below->traffic() : Spill::Traffic();
    executor.run(key);
    const bool isAsPlanned = data->file().traffic() - before == executor.traffic().host &&
                             (!below || below->traffic() - beforeBelow == executor.traffic().below);
    require(run == 0 || isAsPlanned, GNN_ERROR_INTERNAL, "it did not read and write what was planned");
    results.clear();
    for (uint32_t i = 0; i < program.num_results; ++i)
      results.push_back(executor.takeResult(i));
    if (run == 0 && first)
      *first = results;
  }
  return results;
}

static void requireSame(const Library &library, const gnn_program_t &program, const std::vector<Tensor> &results,
                        const std::vector<Tensor> &others, const char *which) {
  for (uint32_t i = 0; i < program.num_results; ++i)
    require(std::memcmp(results[i].data(), others[i].data(), results[i].bytes()) == 0, GNN_ERROR_INTERNAL,
            library.tensor(program.results[i]).name, " has other bits than ", which);
}

/// Whether every number of the program is made of one row and its edges, in their order. Products are not: oneDNN may
/// round those of other numbers of rows otherwise.
static bool hasFixedOrder(const Library &library, const Binding &binding, const gnn_program_t &program) {
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (binding.relation(r).hasTypes())
      return false;
  return std::none_of(program.steps, program.steps + program.num_steps, [&](const gnn_step_t &step) {
    return step.kind == GNN_STEP_MATMUL || step.kind == GNN_STEP_MATMUL_TN ||
           (step.kind == GNN_STEP_MAP && library.kernel(step.kernel).num_totals > 0);
  });
}

static std::vector<Tensor> runWhole(Engine &engine, const Library &library, const Binding &binding,
                                    const gnn_program_t &program, std::map<uint32_t, Tensor> &parameters,
                                    uint64_t key) {
  Whole executor(engine, library, binding.dimensions(), binding, program);
  for (auto &[index, tensor] : parameters)
    executor.place(index, tensor.mutableData());
  executor.run(key);
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < program.num_results; ++i)
    results.push_back(executor.takeResult(i));
  return results;
}

/// Scores and losses of pairs as they are evaluated: what vertices compute is streamed, and some rows of it gathered.
static void requireSameGathered(Engine &engine, const Library &library, Binding &binding, const gnn_program_t &program,
                                std::map<uint32_t, Tensor> &parameters, const StreamWay &way,
                                const std::vector<Tensor> &results) {
  const std::optional<uint32_t> of = pairsRelation(library);
  if (!of || program.kind == GNN_PROGRAM_TRAIN || binding.relation(*of).numEdges() == 0)
    return;
  const auto vertices = PartOfProgram::overVertices(library, program);
  auto data = std::make_shared<SpilledData>(engine, library, binding, way.intervals, defaultSpillFolder(),
                                            residentsOf(library, way.kept));
  loadResidents(library, binding, program, data->residents());
  Streamed fields(engine, library, binding, vertices->program(), data);
  GatheredPairs gathered(engine, library, binding, program, fields, binding.relation(*of).numEdges());
  for (auto &[index, tensor] : parameters) {
    fields.place(index, tensor.mutableData());
    gathered.place(index, static_cast<char *>(tensor.mutableData()));
  }
  std::vector<double> targets;
  for (uint32_t t = 0; t < library.tensors().size() && targets.empty(); ++t)
    if (const gnn_tensor_info_t &info = library.tensor(t);
        info.role == GNN_ROLE_TARGET && info.domain == GNN_DOMAIN_EDGE && info.type == *of && binding.data(t))
      for (int64_t i = 0; i < binding.data(t).count(); ++i)
        targets.push_back(numberAt(binding.data(t), i));
  fields.run(/*stepKey=*/0);
  gathered.run(listOf(binding.relation(*of)), targets);
  for (uint32_t i = 0; i < program.num_results; ++i)
    if (const gnn_tensor_info_t &info = library.tensor(program.results[i]);
        info.domain == GNN_DOMAIN_EDGE && info.type == *of)
      require(std::memcmp(gathered.made(program.results[i]).data(), results[i].data(), results[i].bytes()) == 0,
              GNN_ERROR_INTERNAL, info.name, " has other bits on rows that are gathered");
}

std::vector<Tensor> runStreamed(const std::shared_ptr<const Library> &library, Binding &binding,
                                const gnn_program_t &program, std::map<uint32_t, Tensor> &parameters,
                                const StreamWay &way, uint64_t key) {
  CpuEngine alone(library, /*threads=*/1);
  const std::unique_ptr<CpuEngine> engine = engineOf(library, way);
  std::vector<Tensor> first;
  std::vector<Tensor> results = runTwice(*engine, *library, binding, program, parameters, way, key, &first);
  requireSame(*library, program, results, first, "a first run");
  StreamWay otherwise = way;
  otherwise.kept = way.kept == Kept::Nothing ? Kept::All : Kept::Nothing;
  requireSame(*library, program, results,
              runTwice(alone, *library, binding, program, parameters, otherwise, key, nullptr),
              "a run of one thread with other tables in memory");
  if (!way.isPaged && hasFixedOrder(*library, binding, program)) // else there is no whole graph
    requireSame(*library, program, results, runWhole(alone, *library, binding, program, parameters, key),
                "the whole graph");
  requireSameGathered(*engine, *library, binding, program, parameters, way, results);
  return results;
}

static std::map<uint32_t, Tensor> copiesOn(Engine &engine, const std::map<uint32_t, Tensor> &parameters) {
  std::map<uint32_t, Tensor> copies;
  for (const auto &[index, tensor] : parameters) {
    Tensor &copy = copies[index] = engine.zeros(tensor.element(), tensor.shape());
    std::memcpy(copy.mutableData(), tensor.data(), tensor.bytes());
  }
  return copies;
}

/// With links of no latency: then devices give rows on in pieces, however few there are.
static Topology withoutLatency(const Topology &found) {
  Topology topology;
  topology.kind = found.kind;
  for (size_t d = 0; d < found.numDevices(); ++d) {
    topology.addDevice(/*below=*/0, /*rate=*/1e9, /*latency=*/0);
    for (size_t e = 0; e < d; ++e)
      topology.setReach(d, e, found.reaches(d, e));
  }
  return topology;
}

/// Several GPUs, where there are four, in one way after the other. The first run has other parameters and random
/// numbers, so that nothing it leaves is of use.
static void requireSameOnDevices(const std::shared_ptr<const Library> &library, Binding &binding,
                                 const gnn_program_t &program, const std::map<uint32_t, Tensor> &parameters,
                                 const StreamWay &way, uint64_t key, const std::vector<Tensor> &expected) {
  static const std::pair<const char *, ColRoute> ways[] = {{"cuda:0-1", ColRoute::Ring},
                                                           {"cuda:0,2,3", ColRoute::Chain},
                                                           {"cuda:0-3", ColRoute::Ring},
                                                           {"cuda:3,1", ColRoute::Replicated},
                                                           {"cuda:1-3", ColRoute::Ring}};
  static size_t next = 0;
  if (Device::count() < 4)
    return;
  const auto [devices, route] = ways[next++ % std::size(ways)];
  const std::unique_ptr<Engine> engine = openEngine(library, devices, /*threads=*/1, /*deviceBytes=*/0);
  std::map<uint32_t, Tensor> copies = copiesOn(*engine, parameters);
  auto data = std::make_shared<SpilledData>(*engine, *library, binding, way.intervals, defaultSpillFolder(),
                                            residentsOf(*library, way.kept));
  data->passOver(passedOver(way));
  data->keepHere(tablesHere(*library, way.below));
  loadResidents(*library, binding, program, data->residents());
  const Topology topology = withoutLatency(engine->peers()->topology());
  Streamed executor(*engine, *library, binding, program, data, /*comm=*/nullptr, route, topology);
  for (auto &[index, tensor] : copies) {
    std::memset(tensor.mutableData(), 0, tensor.bytes());
    executor.place(index, tensor.mutableData());
  }
  executor.choose();
  for (uint64_t run = 0; run < 2; ++run) {
    const Spill::Traffic before = data->file().traffic(), beforeBelow = data->below()->traffic();
    executor.run(run == 0 ? key + 1 : key);
    const bool isAsPlanned = data->file().traffic() - before == executor.traffic().host &&
                             data->below()->traffic() - beforeBelow == executor.traffic().below &&
                             executor.movedBetween() == (run + 1) * executor.traffic().betweenDevices;
    require(run == 0 || isAsPlanned, GNN_ERROR_INTERNAL, devices, " by a ", nameOf(route),
            " did not move what was planned");
    engine->settle();
    for (auto &[index, tensor] : copies)
      std::memcpy(tensor.mutableData(), parameters.at(index).data(), tensor.bytes());
  }
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < program.num_results; ++i)
    results.push_back(executor.takeResult(i));
  requireSame(*library, program, results, expected, "one GPU, on several");
}

/// Of parameters in each run.
using Places = std::map<uint32_t, std::array<void *, 2>>;

/// What two runs give: the first with other parameters and random numbers, so that nothing it leaves is of use.
static std::vector<Tensor> runAnew(Engine &engine, const Library &library, Binding &binding,
                                   const gnn_program_t &program, const Places &places, const StreamWay &way,
                                   uint64_t key, Comm *comm) {
  auto data = std::make_shared<SpilledData>(engine, library, binding, Cuts(way.intervals, comm), defaultSpillFolder(),
                                            residentsOf(library, way.kept));
  data->passOver(passedOver(way));
  data->lookAhead(aheadOf(way));
  data->keepHere(tablesHere(library, way.below));
  loadResidents(library, binding, program, data->residents());
  Streamed executor(engine, library, binding, program, data, comm);
  std::vector<Tensor> results;
  for (int run = 0; run < 2; ++run) {
    for (auto [index, ofRuns] : places)
      executor.place(index, ofRuns[size_t(run)]);
    executor.run(run == 0 ? key + 1 : key);
    for (uint32_t i = 0; i < program.num_results; ++i)
      results.push_back(executor.takeResult(i));
  }
  return results;
}

/// Several ranks, each with a GPU, where there are as many as intervals or four; of some a device is another than the
/// rank's number.
static void requireSameByRanksOnGpus(const std::shared_ptr<const Library> &library, Binding &binding,
                                     const gnn_program_t &program, const std::map<uint32_t, Tensor> &parameters,
                                     const StreamWay &way, uint64_t key, const std::vector<Tensor> &expected) {
  const int ranks = int(std::min<int64_t>(way.intervals, 4));
  if (Device::count() < ranks || ranks == 1)
    return;
  const Residents residents = residentsOf(*library, way.kept);
  loadResidents(*library, binding, program, residents); // so that ranks read the binding alone
  const std::vector<std::string> failures = asRanks(ranks, std::chrono::seconds(60), [&](Comm &comm) {
    const std::string device = "cuda:" + std::to_string(ranks - 1 - comm.rank());
    const std::unique_ptr<Engine> engine = openEngine(library, device, /*threads=*/1, /*deviceBytes=*/0);
    std::map<uint32_t, Tensor> others, own = copiesOn(*engine, parameters);
    Places places;
    for (auto &[index, tensor] : own) {
      others[index] = engine->zeros(tensor.element(), tensor.shape());
      places[index] = {others[index].mutableData(), tensor.mutableData()};
    }
    const std::vector<Tensor> together = runAnew(*engine, *library, binding, program, places, way, key, &comm);
    requireSame(*library, program, {together.begin() + program.num_results, together.end()}, expected,
                "one GPU, by several ranks");
  });
  for (size_t rank = 0; rank < failures.size(); ++rank)
    require(failures[rank].empty(), GNN_ERROR_INTERNAL, "rank ", rank, ": ", failures[rank]);
}

std::vector<Tensor> runStreamedOnGpu(const std::shared_ptr<const Library> &library, Binding &binding,
                                     const gnn_program_t &program, const std::map<uint32_t, Tensor> &parameters,
                                     const StreamWay &way, uint64_t key) {
  const std::unique_ptr<Engine> engine = openEngine(library, "cuda", /*threads=*/1, /*deviceBytes=*/0);
  std::map<uint32_t, Tensor> copies = copiesOn(*engine, parameters);
  std::vector<Tensor> first;
  std::vector<Tensor> results = runTwice(*engine, *library, binding, program, copies, way, key, &first);
  requireSame(*library, program, results, first, "a first run");
  requireSameOnDevices(library, binding, program, parameters, way, key, results);
  requireSameByRanksOnGpus(library, binding, program, parameters, way, key, results);
  if (way.below != Below::Nothing) {
    StreamWay here = way;
    here.below = Below::Nothing;
    for (uint32_t t = 0; t < library->tensors().size(); ++t)
      if (binding.paged().file(t))
        binding.loadPaged(t);
    requireSame(*library, program, results, runTwice(*engine, *library, binding, program, copies, here, key, nullptr),
                "a run out of memory");
    return results;
  }
  if (hasFixedOrder(*library, binding, program))
    requireSame(*library, program, results, runWhole(*engine, *library, binding, program, copies, key),
                "the whole graph");
  return results;
}

/// The same numbers, the last first.
static Tensor reversed(const Tensor &tensor) {
  Tensor result = Tensor::empty(tensor.element(), tensor.shape());
  const size_t bytes = elementBytes(tensor.element()), count = tensor.bytes() / bytes;
  for (size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char *>(result.mutableData()) + i * bytes,
                static_cast<const char *>(tensor.data()) + (count - 1 - i) * bytes, bytes);
  return result;
}

std::vector<Tensor> runByRanks(const std::shared_ptr<const Library> &library,
                               const std::function<std::unique_ptr<Binding>()> &bind, const gnn_program_t &program,
                               std::map<uint32_t, Tensor> &parameters, const StreamWay &way, uint64_t key) {
  std::map<uint32_t, Tensor> others;
  Places places;
  for (auto &[index, tensor] : parameters) {
    others[index] = reversed(tensor);
    places[index] = {others[index].mutableData(), tensor.mutableData()};
  }
  auto run = [&](Kept kept, Comm *comm) {
    StreamWay of = way;
    of.kept = kept;
    const std::unique_ptr<Binding> binding = bind();
    const std::unique_ptr<CpuEngine> engine = engineOf(library, way);
    return runAnew(*engine, *library, *binding, program, places, of, key, comm);
  };
  const std::vector<Tensor> alone = run(Kept::Nothing, nullptr);
  const std::vector<std::string> failures = asRanks(way.ranks, std::chrono::seconds(60), [&](Comm &comm) {
    const std::vector<Tensor> together = run(way.kept, &comm);
    for (size_t i = 0; i < alone.size(); ++i)
      require(std::memcmp(together[i].data(), alone[i].data(), alone[i].bytes()) == 0, GNN_ERROR_INTERNAL,
              library->tensor(program.results[i % program.num_results]).name,
              " has other bits than by one process with nothing in memory",
              i < program.num_results ? " in a first run" : "");
  });
  for (size_t rank = 0; rank < failures.size(); ++rank)
    require(failures[rank].empty(), GNN_ERROR_INTERNAL, "rank ", rank, ": ", failures[rank]);
  return {alone.begin() + program.num_results, alone.end()};
}

} // namespace gnnc::verify
