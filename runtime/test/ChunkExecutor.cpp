//===- ChunkExecutor.cpp - Programs over pieces of a graph ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkExecutor.h"

#include "runtime/src/exec/Whole.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace gnn::rt;

ChunkExecutor::ChunkExecutor(Engine &machine, const Library &opened, const Dims &dims, const Binding &bound,
                             const gnn_program_t &compiled, const ChunkPlan &cut, const Ids &seeds)
    : engine(machine), library(opened), binding(bound), program(compiled), plan(cut),
      prepared(engine.prepare(dims, program, capacityOf(library, WholeView(library, binding)), /*views=*/{})),
      tables(library.tensors().size()), calls(engine, library, binding, program, *prepared, tables),
      sample(library, binding, program, plan.chooser, seeds), rowsByDepth(library, binding, program, seeds, sample) {
  for (uint32_t t = 0; t < tables.size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    tables[t].resize(size_t(binding.leadingExtent(info)) * engine.rowBytes(dims, info));
    const bool isIn = info.role == GNN_ROLE_COUNT_IN;
    if (isIn || info.role == GNN_ROLE_COUNT_OUT)
      place(t, countSeen(binding.relation(uint32_t(info.source)), info, info.rank > 0 ? dims.rowElements(info) : 0,
                         seenOf(uint32_t(info.source), isIn ? GNN_TO_DESTINATION : GNN_TO_SOURCE)));
    else if (binding.data(t))
      place(t, binding.data(t));
  }
}

IsSeen ChunkExecutor::seenOf(uint32_t relation, uint32_t direction) const {
  if (!plan.seen.empty())
    return [end = plan.seen[relation]](int64_t id) { return id < end; };
  return [=](int64_t id) { return sample.has(relation, direction, id); };
}

void ChunkExecutor::run(uint64_t stepKey) {
  prepared->begin({stepKey, {}});
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    if (step.kind == GNN_STEP_SWEEP)
      runSweep(s);
    else
      calls.begin(s, ChunkBlock(order(step.vertex_type, step.row_depth), {}), GNN_SWEEP_FIRST | GNN_SWEEP_LAST,
                  nullptr);
    calls.end();
    if (plan.kind == ChunkPlan::Seeds)
      clearBeyond(step);
  }
}

/// Nothing is known of rows deeper than those that the step went over, but that gradients are 0 there.
void ChunkExecutor::clearBeyond(const gnn_step_t &step) {
  for (const Operand output : library.step(step).outputs()) {
    if (!output.isPerRow() || step.row_depth < 0)
      continue;
    std::vector<char> &table = tables[output.tensor], cleared(table.size(), 0);
    const uint32_t type = library.step(step).rowType();
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

void ChunkExecutor::runSweep(uint32_t s) {
  const gnn_step_t &step = program.steps[s];
  const Csr &csr = binding.relation(step.relation).csr(step.direction);
  const int64_t all = int64_t(csr.cols.size());
  const IsSeen seen = seenOf(step.relation, directionOf(step));
  const Ids allRows = order(library.step(step).rowType(), step.row_depth),
            allCols = order(library.step(step).colType(), step.col_depth);
  auto part = [&](const Ids &ids, int64_t p) {
    auto at = [&](int64_t i) { return ids.begin() + int64_t(ids.size()) * i / plan.parts; };
    return Ids(at(p), at(p + 1));
  };
  for (int64_t p = 0; p < plan.parts; ++p) {
    const Ids rows = part(allRows, p);
    Ids positions(rows.size(), 0), isNeighbour(size_t(binding.rows(library.step(step).colType())), 0), cols;
    for (int64_t row : rows)
      for (int64_t e = csr.offsets[size_t(row)]; e < csr.offsets[size_t(row) + 1]; ++e)
        isNeighbour[csr.cols[size_t(e)]] = 1;
    std::copy_if(allCols.begin(), allCols.end(), std::back_inserter(cols),
                 [&](int64_t col) { return isNeighbour[size_t(col)]; });
    const bool isOfTotals = library.kernel(step.kernel).num_totals > 0;
    const uint32_t first = isOfTotals && p > 0 ? 0 : GNN_SWEEP_FIRST; // totals are of all parts
    void *states = calls.memory(rows.size() * prepared->stateBytes(s));
    if (plan.kind == ChunkPlan::HubSegments && !isOfTotals)
      runSegments(s, csr, rows, cols, states);
    else if (plan.kind != ChunkPlan::Grid)
      calls.begin(s, cutBlock(csr, rows, cols, 0, all, seen, positions), first | GNN_SWEEP_LAST, nullptr);
    for (int64_t q = 0; q < plan.parts && plan.kind == ChunkPlan::Grid; ++q)
      calls.begin(s, cutBlock(csr, rows, part(allCols, q), 0, all, seen, positions),
                  (q == 0 ? first : 0) | (q == plan.parts - 1 ? GNN_SWEEP_LAST : 0), states);
  }
}

/// Each segment of the rows by itself; then their states are merged in order, and the rows ended.
void ChunkExecutor::runSegments(uint32_t s, const Csr &csr, const Ids &rows, const Ids &cols, void *states) {
  Ids positions(rows.size(), 0);
  int64_t longest = 0;
  for (int64_t row : rows)
    longest = std::max(longest, csr.degree(row));
  void *more = calls.memory(rows.size() * prepared->stateBytes(s));
  for (int64_t begin = 0; begin == 0 || begin < longest; begin += GNN_SEGMENT_LENGTH) {
    calls.begin(s, cutBlock(csr, rows, cols, begin, begin + GNN_SEGMENT_LENGTH, nullptr, positions), GNN_SWEEP_FIRST,
                begin ? more : states);
    calls.await();
    for (size_t r = 0; begin > 0 && r < rows.size(); ++r)
      if (csr.degree(rows[r]) > begin)
        prepared->merge(s, states, more, int64_t(r), int64_t(r) + 1);
  }
  calls.begin(s, cutBlock(csr, rows, cols, 0, 0, nullptr, positions), GNN_SWEEP_LAST, states);
}
