//===- WithinMemory.cpp - Executors within a budget -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/WithinMemory.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/exec/Whole.h"

#include <fstream>
#include <limits>
#include <sstream>

namespace gnn::rt {

namespace {

/// The number in a file; none: there is no limit.
uint64_t limitIn(const std::string &path) {
  uint64_t limit = 0;
  std::ifstream file(path);
  return file >> limit ? limit : std::numeric_limits<uint64_t>::max();
}

/// The memory limit of this process's control groups (version 1 or 2), in bytes; the largest number without one.
uint64_t limitOfGroup() {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t names = line.find(':') + 1, path = line.find(':', names) + 1;
    const std::string group = line.substr(path);
    if (line.compare(0, 3, "0::") == 0)
      least = std::min(least, limitIn("/sys/fs/cgroup" + group + "/memory.max"));
    else if (line.substr(names, path - names - 1) == "memory")
      least = std::min(least, limitIn("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes"));
  }
  return least;
}

/// Devices that compute together, or with those of other ranks, have the limit of their memory where there is none: the
/// whole graph is not tried.
MemoryLimit limitFor(Engine &engine, MemoryLimit limit) {
  Peers *peers = engine.peers();
  if (peers && limit.bytes == SIZE_MAX && (peers->all().size() > 1 || limit.comm))
    limit.bytes = peers->mostBytes();
  return limit;
}

} // namespace

uint64_t availableMemory() {
  uint64_t available = limitOfGroup();
  std::ifstream system("/proc/meminfo");
  for (std::string line; std::getline(system, line);) {
    std::istringstream words(line);
    std::string name;
    uint64_t kilobytes = 0;
    if (words >> name >> kilobytes && name == "MemAvailable:")
      available = std::min(available, kilobytes << 10);
  }
  return available;
}

void requireStreamable(const Engine &engine, const Library &library, const gnn_program_t &program,
                       const MemoryLimit &limit) {
  const std::string obstacle =
      StreamLayout::obstacle(library, program, engine.hasDeviceMemory(), limit.comm != nullptr);
  require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(),
          limit.comm                ? " can't be computed by several ranks: "
          : limit.bytes == SIZE_MAX ? " can't be computed in intervals of vertices: "
                                    : " can't be held to a limit of memory: ",
          obstacle);
}

WithinMemory::WithinMemory(Engine &machine, const Library &opened, Binding &bound,
                           std::vector<const gnn_program_t *> compiled, size_t others, const MemoryLimit &most,
                           const Place &placeIn)
    : engine(machine), engines(enginesOf(machine)), topology(topologyOf(engines, most.topology.get())), library(opened),
      binding(bound), programs(std::move(compiled)),
      otherBytes(
          others +
          (most.comm ? engine.chargedBytes(exchangeBytes(library, programs, most.comm->size(), edgesOf(binding))) : 0)),
      limit(limitFor(machine, most)), place(placeIn) {
  for (const gnn_program_t *program : programs)
    requireStreamable(engine, library, *program, limit);
  require(!(limit.comm && engines.size() > 1), GNN_ERROR_ARGUMENT, "each of several processes has one GPU, not ",
          engine.device());
  require(limit.intervals == 0 || limit.intervals >= int64_t(engines.size()), GNN_ERROR_ARGUMENT, limit.intervals,
          limit.intervals == 1 ? " interval" : " intervals", " of vertices for ", engines.size(), " devices, ",
          engine.device(), ": there has to be one for each");
  const bool readsAll = isOfDevice() && limit.hostBytes == SIZE_MAX && !limit.comm;
  for (uint32_t t = 0; t < library.tensors().size() && readsAll; ++t)
    if (binding.paged().file(t)) // what a GPU reads is in memory here; ranks read their parts
      loadPaged(t, /*partOf=*/nullptr);
  if (limit.intervals > 0 || limit.comm || engines.size() > 1 || !takeWhole())
    stream();
}

/// Executors of the whole graph, if they fit with all of its data. What is sure not to fit is not even made.
bool WithinMemory::takeWhole() {
  size_t bytes = otherBytes + engine.usedBytes() + engine.chargedBytes(limit.held);
  for (uint32_t t = 0; t < library.tensors().size(); ++t) {
    if (binding.paged().file(t)) // there was no room to read it
      return false;
    bytes += binding.data(t) ? binding.data(t).bytes() : 0;
  }
  for (uint32_t r = 0; r < library.table().num_relations; ++r) {
    if (binding.relation(r).isPaged())
      return false;
    bytes += engine.chargedBytes(binding.relation(r).bytes()); // a device has what steps read
  }
  for (const gnn_program_t *program : programs) {
    const MemoryPlan temporaries = planMemory(library, *program, [&](uint32_t tensor) {
      return size_t(binding.leadingExtent(library.tensor(tensor))) * binding.rowBytes(tensor);
    });
    if (bytes + temporaries.arenaBytes / 2 > limit.bytes) // some may not be stored
      return false;
  }
  if (isOfDevice())
    return tryWhole();
  for (const gnn_program_t *program : programs) {
    executors.push_back(std::make_unique<Whole>(engine, library, binding.dimensions(), binding, *program));
    bytes += executors.back()->peakBytes();
    place(*executors.back());
    perFolds.emplace_back();
  }
  chosen = {/*parts=*/0, bytes};
  if (bytes > limit.bytes) {
    executors.clear();
    perFolds.clear();
  }
  return !executors.empty();
}

/// What a GPU takes for edges and steps is there after a first run.
bool WithinMemory::tryWhole() {
  try {
    for (const gnn_program_t *program : programs) {
      executors.push_back(std::make_unique<Whole>(engine, library, binding.dimensions(), binding, *program));
      place(*executors.back());
      executors.back()->run(/*stepKey=*/0);
    }
    chosen = {/*parts=*/0, engine.usedBytes() + otherBytes};
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_MEMORY)
      throw;
    executors.clear();
  }
  if (chosen.bytes > limit.bytes)
    executors.clear();
  perFolds.resize(executors.size());
  return !executors.empty();
}

/// Edges with types lie by these first, so those of a row come in another order where cols are in intervals.
std::map<std::string, int64_t> WithinMemory::foldsOf(const gnn_program_t &program, const StreamLayout &layout) const {
  std::map<std::string, int64_t> folds{{"intervals", chosen.parts}};
  if (chosen.by == CutBy::Work)
    folds["intervals by work"] = 1;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (const ProgramStep step = library.step(program.steps[s]);
        step.isSweep() && !layout.isOfPairs(s) && binding.relation(step->relation).hasTypes())
      folds["chunks of step " + std::to_string(s)] = data->intervals().count(step.colType());
  return folds;
}

/// As a whole, or the rows of this rank's intervals.
void WithinMemory::loadPaged(uint32_t tensor, const Intervals *partOf) {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  if (info.domain != GNN_DOMAIN_VERTEX)
    return binding.loadPaged(tensor);
  const Intervals::Range rows = partOf ? partOf->ourRows(info.type) : Intervals::Range{0, binding.leadingExtent(info)};
  bytesOfData += bytesOfFile(library, binding, tensor, rows.end - rows.begin);
  binding.loadPaged(tensor, rows.begin, rows.end);
}

/// What is to be in memory as a whole; of several ranks, what its own rows read.
void WithinMemory::loadPaged(const StreamPlanner &planner, const Residents &residents) {
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (binding.paged().file(t) && !planner.isReleased(t, residents))
      loadPaged(t, data && isReadByOwnRows(library, t) ? &data->intervals() : nullptr);
}

/// What is read once in a run would find nothing of itself there. Transfers wait for the disk then.
void WithinMemory::leaveCache() {
  if (TransferThreads *threads = engine.transferThreads())
    threads->start();
  data->leaveCache();
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (const NpyFile *file = binding.paged().file(t))
      file->leaveCache();
}

/// Of each engine, as much as the program takes that takes most.
void WithinMemory::shareMemory() {
  size_t most = 0;
  for (const Streamed *streamed : streams)
    most = std::max(most, streamed->places().memory().bytes);
  std::vector<std::shared_ptr<Memory>> memory;
  for (Engine *each : engines)
    memory.push_back(each->allocateTransient(most));
  for (Streamed *streamed : streams)
    streamed->runIn(memory);
}

void WithinMemory::stream() {
  const StreamPlanner planner(engine, library, binding, programs, otherBytes, limit);
  loadPaged(planner, /*residents=*/{}); // inputs that can't be streamed; the others stay in files for now
  chosen = planner.choose();
  data = std::make_shared<SpilledData>(engine, library, binding, Cuts(chosen.parts, limit.comm, chosen.by),
                                       limit.spillFolder, chosen.residents, FileSystem::real(), planner.counted());
  data->passOver(limit.passOver);
  data->lookAhead(chosen.ahead);
  data->keepHere(chosen.here);
  chosen.isCached =
      chosen.isFileInMemory ||
      (data->below() ? chosen.hostBytes + chosen.belowBytes : chosen.bytes + chosen.fileBytes) + chosen.dataBytes <=
          availableMemory();
  if (!chosen.isCached)
    leaveCache();
  for (const gnn_program_t *program : programs) {
    auto streamed =
        std::make_unique<Streamed>(engine, library, binding, *program, data, limit.comm, limit.route, topology);
    perFolds.push_back(foldsOf(*program, streamed->places()));
    streams.push_back(streamed.get());
    executors.push_back(std::move(streamed));
    place(*executors.back());
  }
  planner.counted()->forget();
  shareMemory();
  loadPaged(planner, data->residents());
  data->update(/*room=*/(data->below() ? limit.hostBytes : limit.bytes) / 8); // what runs will take is not used yet
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (binding.data(t) && planner.isReleased(t, data->residents()))
      binding.releaseTable(t);
  binding.releaseEdges();
  for (Streamed *streamed : streams)
    streamed->choose();
}

} // namespace gnn::rt
