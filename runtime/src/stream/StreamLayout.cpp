//===- StreamLayout.cpp - What a program has in memory at a time ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamLayout.h"

#include "runtime/src/bind/StepOperands.h"

#include <algorithm>

namespace gnn::rt {

namespace {

bool isSweep(const gnn_step_t &step) { return step.kind == GNN_STEP_SWEEP; }
bool isKernel(const gnn_step_t &step) { return isSweep(step) || step.kind == GNN_STEP_MAP; }

/// The most rows and edges of a call. Where parameters have a row for each vertex products are checked against all.
Capacity capacityFor(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const Intervals &intervals, const std::map<uint32_t, ChunkCounts> &counts) {
  Capacity most;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    most.rows.push_back(intervals.most(type));
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    most.edges.push_back(counts.count(r) ? counts.at(r).most() : 0);
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step)
    for (uint32_t i = 0; i < step->num_tensors; ++i)
      if (!isSweep(*step) && library.tensor(step->tensors[i]).domain == GNN_DOMAIN_PARAM &&
          accessOf(library.table(), *step, i) == GNN_ACCESS_ROW)
        most.rows[step->vertex_type] = binding.rows(step->vertex_type);
  return most;
}

} // namespace

std::string StreamLayout::obstacle(const Library &library, const gnn_program_t &program) {
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step)
    if (isSweep(*step) && library.table().relations[step->relation].kind == GNN_RELATION_PAIRS)
      return "it scores pairs of vertices";
  return "";
}

StreamLayout::StreamLayout(Engine &engine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                           SpilledData &spilledData)
    : library(opened), binding(bound), program(compiled), data(spilledData), intervals(data.intervals()),
      spilled(spilledTensors(library, program)), ofProgram(stagesOf(library, program, spilled)),
      made(engine.prepare(binding.dimensions(), program,
                          capacityFor(library, binding, program, intervals, data.counts()),
                          /*only=*/nullptr)),
      colPlaces(program.num_steps), totalsOf(ofProgram.size()) {
  for (const gnn_tensor_info_t &info : library.tensors())
    rowSizes.push_back(engine.rowBytes(binding.dimensions(), info));
  placeTables();
  placeAreas();
  placeTotals();
  addTraffic();
}

void StreamLayout::placeTables() {
  places.resize(spilled.size());
  for (const gnn_use_t *use = program.uses; use != program.uses + program.num_uses; ++use)
    if (spilled[use->tensor])
      places[use->tensor] = use->first < 0 ? data.table(use->tensor) : data.file().add(tableBytes(use->tensor));
    else if (use->first >= 0)
      wholeBytes += wholeLines(tableBytes(use->tensor));
}

/// Of the stage that takes the most; the others lie there too.
size_t StreamLayout::placeRows() {
  size_t most = 0;
  for (const Stage &stage : ofProgram) {
    size_t end = 0;
    rowPlaces.emplace_back();
    for (const Stage::Table &table : stage.tables) {
      rowPlaces.back().push_back(end);
      if (!table.isTemporary())
        end += wholeLines(size_t(intervals.most(stage.type)) * rowSizes[table.tensor]);
    }
    most = std::max(most, end);
  }
  return most;
}

size_t StreamLayout::stateBytes(uint32_t s) const {
  const gnn_step_t &step = program.steps[s];
  return isSweep(step)
             ? wholeLines(size_t(intervals.most(endType(library, step, /*ofRows=*/true))) * made->stateBytes(s))
             : 0;
}

/// By the steps that they live for, as those of a whole graph: intervals come one after the other.
void StreamLayout::placeTemporaries() {
  std::vector<size_t> bytes(spilled.size(), 0), ofSteps;
  for (const Stage &stage : ofProgram)
    for (const Stage::Table &table : stage.tables)
      if (table.isTemporary())
        bytes[table.tensor] = wholeLines(size_t(intervals.most(stage.type)) * rowSizes[table.tensor]);
  for (uint32_t s = 0; s < program.num_steps; ++s)
    ofSteps.push_back(stateBytes(s) + made->roomBytes(s));
  temporaries = planMemory(
      library, program, [&](uint32_t tensor) { return bytes[tensor]; }, {}, {}, ofSteps);
  temporaryArea = arenaBytes;
  arenaBytes += wholeLines(temporaries.arenaBytes);
  std::vector<size_t> offsets(spilled.size(), 0);
  for (const PlannedTensor &planned : temporaries.tensors)
    offsets[planned.tensor] = temporaryArea + planned.offset;
  for (size_t k = 0; k < ofProgram.size(); ++k)
    for (size_t i = 0; i < ofProgram[k].tables.size(); ++i)
      if (ofProgram[k].tables[i].isTemporary())
        rowPlaces[k][i] = offsets[ofProgram[k].tables[i].tensor];
}

void StreamLayout::placeAreas() {
  size_t cols = 0, edges = 0;
  uint32_t needs = 0;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    needs |= isKernel(step) ? library.kernel(step.kernel).needs : 0;
    if (!isSweep(step))
      continue;
    const int64_t rows = intervals.most(endType(library, step, /*ofRows=*/true)),
                  most = intervals.most(endType(library, step, /*ofRows=*/false));
    edges = std::max(edges, Chunks::slotBytes(binding.relation(step.relation).csr(step.direction),
                                              edgeNeeds(library, binding, step.relation, step.direction), rows,
                                              data.counts().at(step.relation).most()));
    size_t end = 0;
    for (uint32_t i = 0; i < step.num_tensors; ++i) {
      colPlaces[s].push_back(end);
      if (spilled[step.tensors[i]] && accessOf(library.table(), step, i) == GNN_ACCESS_COL)
        end += wholeLines(size_t(most) * rowSizes[step.tensors[i]]);
    }
    cols = std::max(cols, end);
  }
  int64_t mostRows = 0;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    mostRows = std::max(mostRows, intervals.most(type));
  const size_t ids = wholeLines(size_t(mostRows) * sizeof(int64_t));
  auto add = [&](size_t bytes) {
    const Area area{arenaBytes, wholeLines(bytes)};
    arenaBytes += halves() * area.bytes;
    return area;
  };
  rowArea = add(placeRows());
  colArea = add(cols);
  edgeArea = add(edges);
  rowIdArea = add(needs & GNN_KERNEL_ROW_ID ? ids : 0);
  colIdArea = add(needs & GNN_KERNEL_COL_ID ? ids : 0);
  placeTemporaries();
}

/// Where there is one interval, its total is that of all.
void StreamLayout::placeTotals() {
  const size_t begin = arenaBytes;
  for (size_t k = 0; k < ofProgram.size(); ++k) {
    const int64_t parts = intervals.count(ofProgram[k].type);
    size_t end = begin;
    for (uint32_t s = ofProgram[k].first; s < ofProgram[k].end && parts > 1; ++s) {
      const gnn_step_t &step = program.steps[s];
      auto add = [&](uint32_t operand, uint32_t fold) {
        const size_t bytes = wholeLines(tableBytes(step.tensors[operand]));
        totalsOf[k].push_back({s, operand, fold, end, bytes});
        end += size_t(parts) * bytes;
      };
      if (step.kind == GNN_STEP_MATMUL_TN)
        add(/*operand=*/2, GNN_FOLD_SUM);
      if (step.kind != GNN_STEP_MAP)
        continue;
      const gnn_kernel_t &kernel = library.kernel(step.kernel);
      for (uint32_t i = 0; i < kernel.num_totals; ++i)
        add(kernel.num_operands - kernel.num_totals + i, kernel.total_folds[i]);
    }
    arenaBytes = std::max(arenaBytes, end);
  }
}

void StreamLayout::addTraffic() {
  for (const Stage &stage : ofProgram) {
    for (const Stage::Table &table : stage.tables) {
      perRun.read[SpillFile::Tables] += table.isLoaded ? tableBytes(table.tensor) : 0;
      perRun.written[SpillFile::Tables] += table.isStored ? tableBytes(table.tensor) : 0;
    }
    for (uint32_t s = stage.first; s < stage.end; ++s) {
      const gnn_step_t &step = program.steps[s];
      if (!isSweep(step))
        continue;
      for (uint32_t i = 0; i < step.num_tensors; ++i)
        if (spilled[step.tensors[i]] && accessOf(library.table(), step, i) == GNN_ACCESS_COL)
          perRun.read[SpillFile::Tables] += uint64_t(intervals.count(stage.type)) * tableBytes(step.tensors[i]);
      perRun.read[SpillFile::Edges] += data.chunks(step.relation, step.direction).bytes();
    }
  }
}

} // namespace gnn::rt
