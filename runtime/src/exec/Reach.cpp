//===- Reach.cpp - What a loss sees of the graph --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Reach.h"

#include "runtime/src/program/FixedSteps.h"
#include "runtime/src/program/MemoryPlan.h"
#include "runtime/src/program/Steps.h"
#include "runtime/src/program/VirtualFields.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Of a plan that knows sizes alone.
struct Bytes {
  size_t arena, kept;
};

Bytes bytesOfTemporaries(const Library &library, const gnn_program_t &program,
                         const std::function<size_t(uint32_t)> &bytesOf, bool byDepth) {
  auto sweepsStay = [](const gnn_step_t &) { return SIZE_MAX; };
  const std::vector<int32_t> producers = findVirtualFields(library, program, bytesOf, sweepsStay, byDepth);
  const MemoryPlan plan = planMemory(
      library, program, [&](uint32_t tensor) { return producers[tensor] < 0 ? bytesOf(tensor) : 0; }, producers,
      findFixedSteps(library, program, producers));
  return {plan.arenaBytes, plan.keptBytes};
}

} // namespace

std::vector<int64_t> rowsOfLoss(const Library &library, const Binding &binding) {
  const Tensor &weights = binding.lossWeights();
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < weights.count(); ++row)
    if (numberAt(weights, row) != 0)
      rows.push_back(row);
  return rows;
}

Reach::Reach(const Library &opened, const Binding &binding, const gnn_program_t &program) : library(opened) {
  findWays(program);
  count(binding);
  addWork(binding, program);
  addBytes(binding, program);
}

void Reach::findWays(const gnn_program_t &program) {
  int32_t deepest = 0;
  for (const ProgramStep step : library.steps(program)) {
    deepest = std::max({deepest, step->row_depth, step.isSweep() ? step->col_depth : 0});
    if (!step.isSweep())
      continue;
    Followed &way = ways[{step->relation, directionOf(step)}];
    way.depth = std::max(way.depth, isBack(step) ? step->col_depth : step->row_depth);
    way.back |= isBack(step);
    way.hasIds |= step.needsEdgeIds();
  }
  numRows.assign(size_t(deepest) + 1, std::vector<int64_t>(library.table().num_vertex_types, 0));
}

/// Breadth first; each row is met once.
void Reach::count(const Binding &binding) {
  const gnn_library_t &table = library.table();
  std::vector<std::vector<int64_t>> met(table.num_vertex_types);
  std::vector<std::vector<bool>> isMet(table.num_vertex_types);
  for (uint32_t type = 0; type < met.size(); ++type)
    isMet[type].assign(size_t(binding.rows(type)), library.isTable(type));
  auto meet = [&](uint32_t type, int64_t row) {
    if (!isMet[type][size_t(row)])
      met[type].push_back(row);
    isMet[type][size_t(row)] = true;
  };
  for (int64_t row : rowsOfLoss(library, binding))
    meet(lossMask(library)->type, row);
  std::map<Way, size_t> followed;
  for (int32_t depth = 0; depth <= deepest(); ++depth) {
    for (uint32_t type = 0; type < met.size(); ++type)
      numRows[size_t(depth)][type] = library.isTable(type) ? binding.rows(type) : int64_t(met[type].size());
    for (auto &[way, follow] : ways) {
      if (depth > follow.depth)
        continue;
      const auto &[relation, direction] = way;
      const bool toSource = direction == GNN_TO_SOURCE;
      const gnn_relation_t &ends = table.relations[relation];
      const uint32_t rowType = toSource ? ends.source_type : ends.destination_type;
      const uint32_t colType = toSource ? ends.destination_type : ends.source_type;
      const Csr &csr = binding.relation(relation).csr(direction);
      int64_t edges = depth > 0 ? follow.edges.back() : 0;
      size_t &next = followed[way];
      for (const auto end = size_t(numRows[size_t(depth)][rowType]); next < end; ++next) {
        const int64_t row = met[rowType][next], first = csr.offsets[row], last = csr.offsets[row + 1];
        edges += last - first;
        for (int64_t e = first; e < last; ++e)
          meet(colType, csr.cols[size_t(e)]);
      }
      follow.edges.push_back(edges);
    }
  }
}

void Reach::addWork(const Binding &binding, const gnn_program_t &program) {
  const std::vector<bool> fixed = findFixedSteps(library, program, std::vector<int32_t>(library.tensors().size(), -1));
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    if (fixed[s])
      continue;
    const uint32_t type = step.rowType();
    work += rows(std::max(step->row_depth, 0), type);
    wholeWork += binding.rows(type);
    if (!step.isSweep())
      continue;
    const int32_t depth = isBack(step) ? step->col_depth : step->row_depth;
    work += ways[{step->relation, directionOf(step)}].edges[size_t(depth)];
    wholeWork += binding.relation(step->relation).numEdges();
  }
}

void Reach::addBytes(const Binding &binding, const gnn_program_t &program) {
  std::vector<int64_t> edges(library.table().num_relations, 0);
  for (const auto &[way, follow] : ways) {
    edges[way.first] = std::max(edges[way.first], follow.edges.back());
    const size_t ofEdge = sizeof(uint32_t) * (follow.hasIds ? 2 : 1); // a col, and an id or a position
    besideBytes += size_t(follow.edges.back()) * ofEdge * (follow.back ? 2 : 1);
  }
  std::vector<size_t> sizes(library.tensors().size()), wholeSizes(sizes.size());
  for (const gnn_use_t &use : usesIn(program)) {
    const gnn_tensor_info_t &info = library.tensor(use.tensor);
    size_t &size = sizes[use.tensor] = wholeSizes[use.tensor] = binding.tensorBytes(use.tensor);
    const bool hasRows = use.depth >= 0, isOfEdges = info.domain == GNN_DOMAIN_EDGE;
    if (hasRows && info.domain == GNN_DOMAIN_VERTEX && !library.isTable(info.type))
      size = size_t(rows(use.depth, info.type)) * binding.rowBytes(use.tensor);
    else if (isOfEdges)
      size = std::min(size, size_t(edges[info.type]) * binding.rowBytes(use.tensor));
    if (use.first < 0 && binding.data(use.tensor) && (hasRows || isOfEdges))
      besideBytes += size;
  }
  const Bytes here = bytesOfTemporaries(
      library, program, [&](uint32_t t) { return sizes[t]; }, /*byDepth=*/true);
  const Bytes whole = bytesOfTemporaries(
      library, program, [&](uint32_t t) { return wholeSizes[t]; }, false);
  arenaBytes = here.arena;
  besideBytes += here.kept;
  wholeArenaBytes = whole.arena;
  wholeBesideBytes = whole.kept;
}

bool Reach::pays(size_t others) const {
  return share() < worthwhile && std::max(arenaBytes, others) + besideBytes <=
                                     std::max(wholeArenaBytes, others) + wholeBesideBytes + littleMemory;
}

} // namespace gnn::rt
