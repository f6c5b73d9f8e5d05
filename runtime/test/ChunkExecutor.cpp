//===- ChunkExecutor.cpp - Programs over pieces of a graph ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkExecutor.h"

#include "runtime/src/exec/StepOperands.h"
#include "runtime/src/exec/Whole.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace gnn::rt;

ChunkExecutor::ChunkExecutor(Engine &machine, const Library &opened, const Dims &dims, const Binding &bound,
                             const gnn_program_t &compiled, const ChunkPlan &cut, const Ids &seeds)
    : engine(machine), library(opened), binding(bound), program(compiled), plan(cut),
      prepared(engine.prepare(dims, program, capacityOf(library, WholeView(library, binding)), /*only=*/nullptr)),
      tables(library.tensors().size()), rowsByDepth(library, binding, program, seeds) {
  for (uint32_t t = 0; t < tables.size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    tables[t].resize(size_t(binding.leadingExtent(info)) * engine.rowBytes(dims, info));
    if (binding.data(t))
      place(t, binding.data(t));
  }
}

void ChunkExecutor::run(uint64_t stepKey) {
  prepared->begin({stepKey, {}});
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    if (step.kind == GNN_STEP_SWEEP)
      runSweep(s);
    else
      call(s, ChunkBlock(order(step.vertex_type, step.row_depth), {}), GNN_SWEEP_FIRST | GNN_SWEEP_LAST, nullptr);
    if (plan.kind == ChunkPlan::Seeds)
      clearBeyond(step);
  }
}

/// Nothing is known of rows deeper than those that the step went over, but that gradients are 0 there.
void ChunkExecutor::clearBeyond(const gnn_step_t &step) {
  for (uint32_t i = firstOutput(library.table(), step); i < step.num_tensors && step.row_depth >= 0; ++i) {
    if (accessOf(library, step, i) != GNN_ACCESS_ROW)
      continue;
    std::vector<char> &table = tables[step.tensors[i]], cleared(table.size(), 0);
    const uint32_t type = endType(library, step, /*ofRows=*/true);
    const int64_t bytes = int64_t(table.size()) / std::max<int64_t>(binding.rows(type), 1);
    for (int64_t row : rowsByDepth.at(step.row_depth, type))
      std::copy_n(table.begin() + row * bytes, bytes, cleared.begin() + row * bytes);
    table = std::move(cleared);
  }
}

ChunkExecutor::Ids ChunkExecutor::order(uint32_t vertexType, int32_t depth) const {
  if (plan.kind == ChunkPlan::Seeds && depth >= 0)
    return rowsByDepth.at(depth, vertexType);
  Ids ids(size_t(binding.rows(vertexType)));
  std::iota(ids.begin(), ids.end(), 0);
  if (plan.permutationSeed)
    std::shuffle(ids.begin(), ids.end(), std::mt19937_64(plan.permutationSeed + vertexType));
  return ids;
}

/// Copies the operands to the engine, of rows and cols those of the view, runs the step, and copies back what it made.
void ChunkExecutor::call(uint32_t s, const ChunkBlock &view, uint32_t flags, void *states) {
  const gnn_step_t &step = program.steps[s];
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<void *> operands;
  auto forRows = [&](uint32_t i, std::vector<char> &own, auto copy) {
    const bool isRow = accessOf(library, step, i) == GNN_ACCESS_ROW;
    const Ids &ids = isRow ? view.rowIds : view.colIds;
    std::vector<char> &table = tables[step.tensors[i]]; // perhaps a parameter with a row for each vertex
    const size_t bytes = table.size() / std::max<size_t>(size_t(binding.rows(endType(library, step, isRow))), 1);
    own.resize(ids.size() * bytes);
    for (size_t r = 0; r < ids.size(); ++r)
      copy(own.data() + r * bytes, table.data() + size_t(ids[r]) * bytes, bytes);
  };
  std::vector<std::vector<char>> gathered(step.num_tensors);
  for (uint32_t i = 0; i < step.num_tensors; ++i) {
    const bool isGathered = accessOf(library, step, i) == GNN_ACCESS_ROW || accessOf(library, step, i) == GNN_ACCESS_COL;
    if (isGathered)
      forRows(i, gathered[i], [](char *own, const char *whole, size_t bytes) { std::memcpy(own, whole, bytes); });
    const std::vector<char> &from = isGathered ? gathered[i] : tables[step.tensors[i]];
    memories.push_back(engine.allocate(from.size()));
    operands.push_back(memories.back()->data());
    engine.copyIn(operands.back(), from.data(), from.size());
  }
  memories.push_back(engine.allocate(prepared->roomBytes(s)));
  prepared->run(s, view, operands.data(), {flags, states, memories.back()->data()});
  for (uint32_t i = firstOutput(library.table(), step); i < step.num_tensors; ++i) {
    const bool isRow = accessOf(library, step, i) == GNN_ACCESS_ROW;
    if (isRow && !(flags & GNN_SWEEP_LAST)) // rows are not ended yet
      continue;
    std::vector<char> &to = isRow ? gathered[i] : tables[step.tensors[i]];
    engine.copyOut(to.data(), operands[i], to.size());
    if (isRow)
      forRows(i, to, [](const char *own, char *whole, size_t bytes) { std::memcpy(whole, own, bytes); });
  }
}

void ChunkExecutor::runSweep(uint32_t s) {
  const gnn_step_t &step = program.steps[s];
  const Csr &csr = binding.relation(step.relation).csr(step.direction);
  const int64_t all = int64_t(csr.cols.size());
  const Ids allRows = order(endType(library, step, /*ofRows=*/true), step.row_depth),
            allCols = order(endType(library, step, /*ofRows=*/false), step.col_depth);
  auto part = [&](const Ids &ids, int64_t p) {
    auto at = [&](int64_t i) { return ids.begin() + int64_t(ids.size()) * i / plan.parts; };
    return Ids(at(p), at(p + 1));
  };
  for (int64_t p = 0; p < plan.parts; ++p) {
    const Ids rows = part(allRows, p);
    Ids positions(rows.size(), 0), isNeighbour(size_t(binding.rows(endType(library, step, /*ofRows=*/false))), 0), cols;
    for (int64_t row : rows)
      for (int64_t e = csr.offsets[size_t(row)]; e < csr.offsets[size_t(row) + 1]; ++e)
        isNeighbour[csr.cols[size_t(e)]] = 1;
    std::copy_if(allCols.begin(), allCols.end(), std::back_inserter(cols),
                 [&](int64_t col) { return isNeighbour[size_t(col)]; });
    const std::unique_ptr<Memory> states = engine.allocate(rows.size() * prepared->stateBytes(s));
    if (plan.kind == ChunkPlan::HubSegments)
      runSegments(s, rows, cols, states->data());
    if (plan.kind == ChunkPlan::Sampled || plan.kind == ChunkPlan::Seeds)
      call(s, cutBlock(csr, rows, cols, 0, all, positions), GNN_SWEEP_FIRST | GNN_SWEEP_LAST, nullptr);
    for (int64_t q = 0; q < plan.parts && plan.kind == ChunkPlan::Grid; ++q)
      call(s, cutBlock(csr, rows, part(allCols, q), 0, all, positions),
           (q == 0 ? GNN_SWEEP_FIRST : 0) | (q == plan.parts - 1 ? GNN_SWEEP_LAST : 0), states->data());
  }
}

/// Each segment of the rows by itself; then their states are merged in order, and the rows ended.
void ChunkExecutor::runSegments(uint32_t s, const Ids &rows, const Ids &cols, void *states) {
  const gnn_step_t &step = program.steps[s];
  const Csr &csr = binding.relation(step.relation).csr(step.direction);
  Ids positions(rows.size(), 0);
  int64_t longest = 0;
  for (int64_t row : rows)
    longest = std::max(longest, csr.degree(row));
  const std::unique_ptr<Memory> more = engine.allocate(rows.size() * prepared->stateBytes(s));
  for (int64_t begin = 0; begin == 0 || begin < longest; begin += GNN_SEGMENT_LENGTH) {
    call(s, cutBlock(csr, rows, cols, begin, begin + GNN_SEGMENT_LENGTH, positions), GNN_SWEEP_FIRST,
         begin ? more->data() : states);
    for (size_t r = 0; begin > 0 && r < rows.size(); ++r)
      if (csr.degree(rows[r]) > begin)
        prepared->merge(s, states, more->data(), int64_t(r), int64_t(r) + 1);
  }
  call(s, cutBlock(csr, rows, cols, 0, 0, positions), GNN_SWEEP_LAST, states);
}
