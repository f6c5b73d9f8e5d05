//===- SampledOnDevice.cpp - Samples within the memory of a GPU -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/SampledOnDevice.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/Batches.h"
#include "runtime/src/train/DeviceCaches.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// What can be allocated of so many bytes.
size_t allocatable(const Engine &engine, size_t bytes) {
  size_t most = bytes;
  while (most > 0 && engine.takenBytes(most) > bytes)
    most -= std::min(most, engine.takenBytes(most) - bytes);
  return most;
}

} // namespace

bool SampledOnDevice::canKeep(const Library &library, const Binding &binding, const gnn_program_t &program) {
  const bool readsSparse = std::any_of(program.steps, program.steps + program.num_steps, [&](const gnn_step_t &step) {
    return step.kind == GNN_STEP_SWEEP && library.table().relations[step.relation].kind == GNN_RELATION_SPARSE_INPUT;
  });
  return !readsSparse && !SentBatch::tablesOf(library, binding, program).empty();
}

SampledOnDevice::SampledOnDevice(Model &trained, const Binding &binding, Sampled &executor, const Sampler &sampler,
                                 const SampledWithin::Source &source, size_t otherBytes,
                                 const std::vector<int64_t> &rows, int64_t batch)
    : model(trained), library(*model.library()), sampled(executor), evaluate(*library.program(GNN_PROGRAM_EVALUATE)) {
  Engine &engine = model.engine();
  Batches batches(rows, batch);
  std::vector<int64_t> drawn;
  for (int64_t step = 0; step < batches.stepsOfEpoch(); step += 2) // those that say which rows are hot
    drawn.push_back(step);
  const size_t before = engine.usedBytes();
  sampled.rehearse(
      drawn,
      [&](int64_t step) {
        const Span<const int64_t> seeds = batches.rowsOf(/*seed=*/0, step);
        return Seeds{{seeds.begin(), seeds.end()}, {}, {}};
      },
      [](int64_t, const Neighbourhood &) {});
  sampled.reserve();
  chosen.samples = engine.usedBytes() - before;
  otherBytes += chosen.samples / 8;
  chosen.others = before + otherBytes;
  require(engine.usedBytes() + otherBytes <= source.limit.bytes, GNN_ERROR_MEMORY, library.name(), " does not fit in ",
          source.limit.bytes, " bytes of memory of ", engine.device(), ": samples take ",
          engine.usedBytes() + otherBytes);
  if (source.evaluates)
    evaluateWithin(source, binding.where(), otherBytes);
  const size_t taken = chosen.others + chosen.samples + chosen.evaluation;
  keepHottest(binding, sampler, rows, batch,
              allocatable(engine, source.limit.bytes - std::min(taken, source.limit.bytes)));
  chosen.bytes = taken + (hot->bytes() ? engine.takenBytes(hot->bytes()) : 0);
}

/// In half of what training leaves; if that is too little, in all of it.
void SampledOnDevice::evaluateWithin(const SampledWithin::Source &source, const std::string &where, size_t otherBytes) {
  Engine &engine = model.engine();
  const size_t before = engine.usedBytes();
  evaluated = std::make_unique<Binding>(model.library(), model.dims(), source.graph, source.features,
                                        /*withTargets=*/true, where);
  auto within = [&](size_t bytes) {
    MemoryLimit limit = source.limit;
    limit.bytes = bytes;
    return std::make_unique<WithinMemory>(engine, library, *evaluated, std::vector<const gnn_program_t *>{&evaluate},
                                          otherBytes, limit, [this](Executor &executor) {
                                            for (uint32_t index : model.parameters())
                                              executor.place(index, model.parameter(index).mutableData());
                                          });
  };
  const size_t taken = before + otherBytes;
  try {
    streams = within(taken + (source.limit.bytes - taken) / 2);
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_MEMORY)
      throw;
    streams = within(source.limit.bytes);
  }
  evaluation = std::move(streams->takeExecutors()[0]);
  chosen.evaluatedIn = streams->plan().parts;
  chosen.evaluation =
      std::max(engine.usedBytes() - before, streams->plan().bytes - std::min(streams->plan().bytes, taken));
}

void SampledOnDevice::keepHottest(const Binding &binding, const Sampler &sampler, const std::vector<int64_t> &seeds,
                                  int64_t batch, size_t bytes) {
  const gnn_program_t &program = sampled.walked();
  CachedRows rows(library, binding, program, sampler);
  const DeviceCaches planned =
      planDeviceCaches(rows, binding.lossMask()->type, {{0}}, {seeds}, batch, bytes, DeviceCaches::Features);
  const DeviceCaches::OfDevice &of = planned.devices[0];
  const std::vector<SentBatch::Table> tables = SentBatch::tablesOf(library, binding, program);
  const std::vector<size_t> first = rows.firstOfFeatures();
  std::vector<std::vector<int64_t>> kept(tables.size());
  for (uint32_t row : of.features) {
    const auto table = size_t(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
    kept[table].push_back(int64_t(row - first[table]));
  }
  hot = std::make_shared<HotRows>(model.engine(), binding, tables, kept);
  sampled.findIn(hot);
  chosen.kept = of.featureBytes;
  chosen.found = of.predicted;
  chosen.foundBy = of.predictedBatches;
}

} // namespace gnn::rt
