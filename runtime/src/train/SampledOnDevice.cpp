//===- SampledOnDevice.cpp - Samples within the memory of GPUs ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/SampledOnDevice.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/links/Cliques.h"
#include "runtime/src/train/TrainingContext.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// What can be allocated of so many bytes.
size_t allocatable(const Engine &engine, size_t bytes) {
  size_t fits = 0, most = bytes;
  while (fits < most) {
    const size_t middle = most - (most - fits) / 2;
    if (engine.takenBytes(middle) <= bytes)
      fits = middle;
    else
      most = middle - 1;
  }
  return fits;
}

/// Each device samples its shares of a batch.
DeviceBatches batchesOfShares(const Shares &shares, size_t devices, int64_t steps,
                              const std::function<Seeds(int64_t step)> &seedsOf) {
  DeviceBatches all;
  all.steps.assign(devices, steps);
  all.seeds.assign(devices, 0);
  auto forShares = [=](size_t device, const Seeds &batch, const std::function<void(const Shares::Range &)> &body) {
    const Shares::Range own = shares.ours(device, devices);
    for (int64_t share = own.begin; share < std::min(own.end, batch.count()); ++share) // others have none
      body(shares.seedsOf(share, batch.count()));
  };
  for (int64_t step = 0; step < steps; ++step) {
    const Seeds batch = seedsOf(step);
    for (size_t device = 0; device < devices; ++device)
      forShares(device, batch, [&](const Shares::Range &range) { all.seeds[device] += range.size(); });
  }
  all.drawStep = [=](size_t device, int64_t step, const DeviceBatches::Draw &draw) {
    const Seeds batch = seedsOf(step);
    forShares(device, batch,
              [&](const Shares::Range &range) { draw(batch.slice(range).rows, stepKey(/*seed=*/0, uint64_t(step))); });
  };
  return all;
}

} // namespace

size_t DeviceSamplesPlan::mostBytes() const {
  size_t most = 0;
  for (const OfDevice &device : devices)
    most = std::max(most, device.bytes);
  return most;
}

UnifiedCache::Found DeviceSamplesPlan::found() const {
  UnifiedCache::Found all;
  for (const OfDevice &device : devices) {
    all.features.rows += device.found.features.rows;
    all.features.here += device.found.features.here;
    all.features.ofPeers += device.found.features.ofPeers;
    all.edges.rows += device.found.edges.rows;
    all.edges.here += device.found.edges.here;
    all.edges.ofPeers += device.found.edges.ofPeers;
    all.bytes += device.found.bytes;
  }
  return all;
}

size_t DeviceSamplesPlan::sumOf(size_t OfDevice::*bytes) const {
  size_t all = 0;
  for (const OfDevice &device : devices)
    all += device.*bytes;
  return all;
}

bool SampledOnDevice::canKeep(const Library &library, const Binding &binding, const gnn_program_t &program) {
  const bool readsSparse =
      library.steps(program).any([](const ProgramStep &step) { return step.isSweepOver(GNN_RELATION_SPARSE_INPUT); });
  return !readsSparse && !SentBatch::tablesOf(library, binding, program).empty();
}

SampledOnDevice::SampledOnDevice(Model &trained, const Binding &binding, Sampled &executor, const Sampler &sampler,
                                 const Shares &shares, const SampledWithin::Source &source, size_t otherBytes,
                                 int64_t steps, const std::function<Seeds(int64_t step)> &seedsOf)
    : model(trained), library(*model.library()), sampled(executor), evaluate(*library.program(GNN_PROGRAM_EVALUATE)),
      engines(enginesOf(model.engine())), found(engines.size()) {
  chosen.groups = cliques(source.limit.topology.get());
  makeRoom(source, otherBytes, steps, seedsOf);
  if (source.evaluates)
    evaluateWithin(source, binding.where());
  std::vector<size_t> inGroup(engines.size()); // how many
  for (const std::vector<size_t> &group : chosen.groups)
    for (size_t device : group)
      inGroup[device] = group.size();
  const size_t beside =
      HotRows::bytesBeside(engines.size(), SentBatch::tablesOf(library, binding, sampled.walked()).size());
  std::vector<size_t> left;
  for (size_t d = 0; d < engines.size(); ++d) {
    DeviceSamplesPlan::OfDevice &of = chosen.devices[d];
    of.bytes = of.others + of.samples + of.evaluation;
    const size_t most = allocatable(*engines[d], source.limit.bytes - std::min(of.bytes, source.limit.bytes));
    const size_t rounding = engines[d]->takenBytes(most + 1) - most; // of each table
    const size_t ofTable = DrawTables::bytesBeside(inGroup[d]) + rounding;
    const size_t ofTables = keepsEdges() ? sampled.drawnOf(d)->numTables() * ofTable : 0;
    left.push_back(most - std::min(most, beside + ofTables));
  }
  keepHottest(binding, sampler, batchesOfShares(shares, engines.size(), steps, seedsOf), left);
  for (size_t d = 0; d < engines.size(); ++d)
    if (const size_t bytes = found[d].in->bytes(found[d].number))
      chosen.devices[d].bytes += engines[d]->takenBytes(bytes);
}

bool SampledOnDevice::keepsEdges() const {
  bool all = true;
  for (size_t d = 0; d < engines.size(); ++d)
    all &= sampled.drawnOf(d) != nullptr;
  return all;
}

/// GPUs that have links to each other. What a file says of links is what the driver has to do.
std::vector<std::vector<size_t>> SampledOnDevice::cliques(const Topology *ofMachine) const {
  const std::vector<std::vector<size_t>> groups = cliquesOf(topologyOf(engines, ofMachine));
  for (const std::vector<size_t> &group : groups)
    for (size_t device : group)
      for (size_t other : group)
        require(device == other || engines[device]->peers()->reaches(*engines[other]), GNN_ERROR_MISMATCH,
                "cuda:", engines[device]->ordinal(), " does not reach the memory of cuda:", engines[other]->ordinal(),
                ", to which the topology says that it has a link");
  return groups;
}

/// For batches: those that say which rows are hot say how much that is.
void SampledOnDevice::makeRoom(const SampledWithin::Source &source, size_t otherBytes, int64_t steps,
                               const std::function<Seeds(int64_t step)> &seedsOf) {
  std::vector<size_t> before;
  for (const Engine *engine : engines)
    before.push_back(engine->usedBytes());
  std::vector<int64_t> drawn;
  for (int64_t step = 0; step < steps; step += 2)
    drawn.push_back(step);
  sampled.rehearse(drawn, seedsOf, [](int64_t, const Neighbourhood &) {});
  sampled.reserve();
  for (size_t d = 0; d < engines.size(); ++d) {
    DeviceSamplesPlan::OfDevice of;
    of.name = "cuda:" + std::to_string(engines[d]->ordinal());
    of.samples = engines[d]->usedBytes() - before[d];
    of.others = before[d] + (d == 0 ? otherBytes : 0) + of.samples / 8;
    require(of.others + of.samples <= source.limit.bytes, GNN_ERROR_MEMORY, library.name(), " does not fit in ",
            sizeText(source.limit.bytes), " of the memory of ", engines[d]->device(), ": samples take ",
            sizeText(of.others + of.samples));
    chosen.devices.push_back(std::move(of));
  }
}

/// By all GPUs.
void SampledOnDevice::evaluateWithin(const SampledWithin::Source &source, const std::string &where) {
  std::vector<size_t> before;
  size_t taken = 0;
  for (size_t d = 0; d < engines.size(); ++d) {
    before.push_back(engines[d]->usedBytes());
    taken = std::max(taken, chosen.devices[d].others + chosen.devices[d].samples);
  }
  evaluated = std::make_unique<Binding>(model.library(), model.dims(), source.graph, source.features,
                                        /*withTargets=*/true, where);
  streams = evaluationWithin(model, *evaluated, taken, taken - before[0], source.limit);
  evaluation = std::move(streams->takeExecutors()[0]);
  chosen.evaluatedIn = streams->plan().parts;
  for (size_t d = 0; d < engines.size(); ++d)
    chosen.devices[d].evaluation =
        std::max(engines[d]->usedBytes() - before[d], streams->plan().bytes - std::min(streams->plan().bytes, taken));
}

void SampledOnDevice::keepHottest(const Binding &binding, const Sampler &sampler, const DeviceBatches &batches,
                                  const std::vector<size_t> &bytes) {
  const gnn_program_t &program = sampled.walked();
  CachedRows rows(library, binding, program, sampler);
  const DeviceCaches planned =
      planDeviceCaches(rows, lossMask(library)->type, chosen.groups, batches, bytes,
                       keepsEdges() ? DeviceCaches::EdgesAndFeaturesAlike : DeviceCaches::Features);
  const std::vector<SentBatch::Table> tables = SentBatch::tablesOf(library, binding, program);
  const std::vector<size_t> first = rows.firstOfFeatures();
  for (const std::vector<size_t> &group : chosen.groups) {
    std::vector<Engine *> members;
    std::vector<std::vector<std::vector<int64_t>>> kept(group.size(), std::vector<std::vector<int64_t>>(tables.size()));
    for (size_t i = 0; i < group.size(); ++i) {
      members.push_back(engines[group[i]]);
      for (uint32_t row : planned.devices[group[i]].features) {
        const auto table = size_t(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
        kept[i][table].push_back(int64_t(row - first[table]));
      }
    }
    const auto hot = std::make_shared<HotRows>(members, binding, tables, kept);
    sampled.findIn(hot, group);
    for (size_t i = 0; i < group.size(); ++i)
      found[group[i]] = {hot, i};
    if (keepsEdges())
      keepEdges(group, rows.tablesOfEdges(), planned);
  }
  for (size_t d = 0; d < engines.size(); ++d) {
    chosen.devices[d].kept = planned.devices[d].featureBytes;
    chosen.devices[d].found = planned.devices[d].predicted;
    chosen.foundBy = planned.devices[d].predictedBatches;
  }
}

/// By their numbers among those of all tables.
void SampledOnDevice::keepEdges(const std::vector<size_t> &group, const std::vector<CachedRows::EdgeRows> &tables,
                                const DeviceCaches &planned) {
  std::vector<DrawTables *> members;
  for (size_t device : group)
    members.push_back(sampled.drawnOf(device));
  for (size_t t = 0; t < tables.size(); ++t) {
    std::vector<std::vector<uint32_t>> rows;
    for (size_t device : group) {
      const std::vector<uint32_t> &kept = planned.devices[device].edges;
      rows.emplace_back();
      auto next = std::lower_bound(kept.begin(), kept.end(), tables[t].first);
      for (; next != kept.end() && (t + 1 == tables.size() || *next < tables[t + 1].first); ++next)
        rows.back().push_back(uint32_t(*next - tables[t].first));
    }
    const std::vector<size_t> bytes = members[0]->keep(tables[t].relation, tables[t].direction, members, rows);
    for (size_t i = 0; i < group.size(); ++i) {
      chosen.devices[group[i]].keptEdges += bytes[i];
      chosen.devices[group[i]].bytes += bytes[i] > 0 ? engines[group[i]]->takenBytes(bytes[i]) : 0;
    }
  }
}

HotRows::Counts SampledOnDevice::counts() const {
  HotRows::Counts all;
  for (size_t d = 0; d < engines.size(); ++d)
    all += counts(d);
  return all;
}

} // namespace gnn::rt
