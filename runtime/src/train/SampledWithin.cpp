//===- SampledWithin.cpp - Samples within a limit of memory ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/SampledWithin.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/program/Steps.h"
#include "runtime/src/train/TrainingContext.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

LoadedFields edgesOfSamples(const Library &library, const gnn_program_t &program) {
  LoadedFields fields{edgeNeeds(library).ids, false, false};
  for (const ProgramStep step : library.steps(program))
    if (step.isSweep())
      (directionOf(step) == GNN_TO_SOURCE ? fields.toSource : fields.toDestination) = true;
  return fields;
}

std::shared_ptr<const Graph> graphOfSamples(const Library &library, const gnn_program_t &program,
                                            std::shared_ptr<const Graph> graph, const Drawing &drawing,
                                            uint64_t limitBytes) {
  const LoadedFields fields = edgesOfSamples(library, program);
  const uint64_t most = limitBytes / 4 * 3;
  return Sampler::canDrawOfFiles(drawing) && bytesInMemory(*graph, fields) > most
             ? graph
             : withEdgesInMemory(std::move(graph), fields);
}

SampledWithin::SampledWithin(Model &trained, Binding &bound, Sampled &executor, const Source &source, int64_t steps,
                             const std::function<Seeds(int64_t step)> &seedsOf)
    : model(trained), library(*model.library()), binding(bound), sampled(executor),
      evaluate(*library.program(GNN_PROGRAM_EVALUATE)), batchSizes(library) {
  const gnn_program_t &train = sampled.walked();
  for (const gnn_use_t &use : usesIn(train))
    if (binding.paged().file(use.tensor) && use.accesses & 1u << GNN_ACCESS_WHOLE)
      binding.loadPaged(use.tensor);
  rows = std::make_shared<PagedRows>(library, binding, train, source.limit.spillFolder);
  Hotness hotness = rehearse(steps, seedsOf);
  countMemory(source.limit);
  if (takeWhole(source))
    return;
  rows->open();
  stream(source);
  keepHottest(hotness, source.limit);
  predictReads(steps, seedsOf);
  sampled.readFrom(rows);
}

Hotness SampledWithin::rehearse(int64_t steps, const std::function<Seeds(int64_t step)> &seedsOf) {
  std::vector<Hotness::Table> counted;
  for (const PagedRows::Table &table : rows->tables()) {
    counted.push_back({table.rows, table.rowBytes});
    tableBytes += size_t(table.rows) * table.rowBytes;
  }
  FiledEdges &filed = sampled.filedEdges();
  for (const FiledEdges::Table &table : filed.tables())
    counted.push_back({int64_t(table.offsets.size()) - 1, FiledEdges::rowBytes, table.edgeBytes, table.offsets.data()});
  chosen.hasEdgesInFile = !filed.tables().empty();
  Hotness hotness(counted);
  std::vector<int64_t> most(rows->tables().size(), 0); // rows of a batch
  int64_t mostEdges = 0;                               // that are read at a time
  std::vector<int64_t> epoch(static_cast<size_t>(steps));
  std::iota(epoch.begin(), epoch.end(), int64_t(0));
  sampled.rehearse(epoch, seedsOf, [&](int64_t, const Neighbourhood &around) {
    std::vector<Span<const int64_t>> read;
    for (size_t t = 0; t < most.size(); ++t) {
      read.push_back(rows->rowsOf(rows->tables()[t], around));
      most[t] = std::max(most[t], int64_t(read[t].size()));
    }
    for (const FiledEdges::Table &table : filed.tables()) {
      read.push_back(filed.rowsOf(table, around));
      mostEdges = std::max(mostEdges, around.edges(table.relation));
    }
    batchSizes.add(around);
    hotness.add(read);
  });
  for (size_t t = 0; t < most.size(); ++t)
    batchBytes +=
        PagedRows::batchBytes(rows->tables()[t], most[t]) + PagedRows::bytesOfReading(rows->tables()[t], most[t]);
  if (chosen.hasEdgesInFile)
    batchBytes += FiledEdges::bytesOfReading(mostEdges);
  chosen.rowsOfBatch = hotness.rowsOfBatch();
  chosen.bytesOfBatch = hotness.bytesOfBatch();
  return hotness;
}

void SampledWithin::countMemory(const MemoryLimit &limit) {
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    chosen.edges += binding.relation(r).bytes();
  chosen.tables = limit.held + 4 * model.parameterBytes();
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    chosen.tables += binding.data(t) ? binding.data(t).bytes() : 0;
  chosen.samples = sampled.bytes();
}

/// Everything at once, if it fits and nobody asks for intervals.
bool SampledWithin::takeWhole(const Source &source) {
  const size_t bytes = chosen.edges + chosen.tables + chosen.samples + batchBytes + tableBytes;
  bool fits = source.limit.intervals == 0 && bytes < source.limit.bytes && !chosen.hasEdgesInFile;
  if (source.evaluates)
    for (const Graph::Edges &edges : source.graph->relations())
      fits &= !edges.set->relation().isPaged();
  if (!fits)
    return false;
  if (source.evaluates) {
    evaluation = model.executor(binding, programOver(library, binding, GNN_PROGRAM_EVALUATE));
    chosen.evaluation = evaluation->peakBytes();
  }
  if (bytes + chosen.evaluation > source.limit.bytes) {
    evaluation = nullptr;
    return false;
  }
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (binding.paged().file(t))
      binding.loadPaged(t);
  sampled.releaseMemory(); // it has another form where tables are in memory
  rows = nullptr;
  chosen.isWhole = true;
  chosen.tables += tableBytes;
  chosen.samples += batchBytes;
  chosen.bytes = bytes + chosen.evaluation;
  return true;
}

void SampledWithin::stream(const Source &source) {
  chosen.samples += size_t(sampled.numSamples()) * batchBytes + rows->bytes();
  size_t others = chosen.edges + chosen.tables + chosen.samples;
  chosen.fileBytes = rows->fileBytes();
  if (isInMemory(source.limit.spillFolder))
    others += chosen.fileBytes;
  if (!source.evaluates) {
    require(others <= source.limit.bytes, GNN_ERROR_MEMORY, library.name(), " does not fit in ",
            sizeText(source.limit.bytes), " of memory: samples take ", sizeText(others));
    chosen.bytes = others;
    return;
  }
  evaluated = std::make_unique<Binding>(model.library(), model.dims(), source.graph, source.features,
                                        /*withTargets=*/true, binding.where());
  MemoryLimit limit = source.limit;
  limit.held = 0; // which is among the others
  streams = evaluationWithin(model, *evaluated, others, others, limit);
  evaluation = std::move(streams->takeExecutors()[0]);
  chosen.bytes = streams->plan().bytes;
  chosen.evaluation = chosen.bytes - others;
  chosen.evaluatedIn = streams->plan().parts;
  chosen.fileBytes += streams->plan().fileBytes;
}

void SampledWithin::keepHottest(Hotness &hotness, const MemoryLimit &limit) {
  const size_t taken = chosen.bytes + hotness.bytes();
  hotness.choose(limit.bytes - std::min(taken, limit.bytes));
  for (size_t t = 0; t < rows->tables().size(); ++t) {
    chosen.kept += hotness.keptBytes(t);
    rows->keep(t, hotness.numKept(t), [&](int64_t row) { return hotness.isKept(t, row); });
  }
  FiledEdges &filed = sampled.filedEdges();
  for (size_t t = 0; t < filed.tables().size(); ++t)
    filed.keep(t, [&, of = rows->tables().size() + t](int64_t row) { return hotness.isKept(of, row); });
  chosen.keptEdges = filed.keptBytes();
  chosen.bytes += chosen.kept + chosen.keptEdges;
}

/// Draws batches of the epochs after the one that says which rows to keep: a choice that is judged by what it was made
/// of flatters itself. As many as it takes to know the mean, since batches differ in what they read. The first ones
/// find no others in memory and are not counted.
void SampledWithin::predictReads(int64_t steps, const std::function<Seeds(int64_t step)> &seedsOf) {
  constexpr int64_t atOnce = 8;
  constexpr double most = 512, wantedError = 0.0075; // of the mean of bytes, one standard deviation
  const auto others = size_t(sampled.numSamples() - 1);
  RecentBatches recent;
  PagedRows::Counts found;
  double samples = 0, squares = 0, drawn = 0; // drawn: batches, some of which others need before they count
  edgesBefore = sampled.filedEdges().counts();
  auto isKnown = [&] {
    const double mean = double(found.bytes) / samples;
    return squares / samples - mean * mean <= wantedError * mean * wantedError * mean * samples;
  };
  for (int64_t first = 0; samples < most && (samples == 0 || !isKnown()); first += atOnce) {
    std::vector<int64_t> some(atOnce);
    std::iota(some.begin(), some.end(), steps + first);
    sampled.rehearse(some, seedsOf, [&](int64_t, const Neighbourhood &around) {
      const bool isFirst = recent.size() < others;
      ++drawn;
      recent.push_back(std::make_shared<BatchRows>());
      const PagedRows::Counts batch = rows->countsOf(around, {recent.begin(), recent.end() - 1}, *recent.back());
      if (isFirst)
        return;
      recent.pop_front();
      found.rows += batch.rows;
      found.hits += batch.hits;
      found.bytes += batch.bytes;
      squares += double(batch.bytes) * double(batch.bytes);
      ++samples;
    });
  }
  chosen.hitRate = found.hitRate();
  chosen.readOfBatch = double(found.bytes) / samples;
  const FiledEdges::Counts edges = edgeCounts();
  chosen.edgeRowsOfBatch = double(edges.rows) / drawn;
  chosen.edgeHitRate = edges.hitRate();
  chosen.edgesReadOfBatch = double(edges.bytes) / drawn;
  edgesBefore = sampled.filedEdges().counts();
}

} // namespace gnn::rt
