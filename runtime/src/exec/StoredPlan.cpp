//===- StoredPlan.cpp - Whose rows are stored -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/StoredPlan.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace gnn::rt {

namespace {

struct Candidate {
  double worth; // edges that a byte saves
  uint32_t type;
  int64_t vertex;
};

/// Adds the lengths of all rows of a relation in a direction.
void addEdges(const Relation &relation, uint32_t direction, std::vector<double> &to) {
  const Csr &csr = relation.csr(direction);
  for (size_t row = 0; row < to.size(); ++row)
    to[row] += double(csr.offsets[row + 1] - csr.offsets[row]);
}

std::vector<Candidate> candidatesOf(const StoredLayout &layout, const Library &library, const Binding &binding,
                                    const gnn_program_t &program) {
  std::vector<std::vector<double>> saved(layout.numTypes()), readers(saved);
  for (uint32_t type = 0; type < layout.numTypes(); ++type)
    if (layout.bytesOf(type)) {
      saved[type].resize(size_t(binding.rows(type)));
      readers[type] = saved[type];
    }
  std::set<std::pair<uint32_t, uint32_t>> followed, read; // relations and directions
  for (const ProgramStep step : library.steps(program)) {
    if (!step.isSweep() || step.isSweepOver(GNN_RELATION_SPARSE_INPUT))
      continue;
    const uint32_t direction = directionOf(step);
    if (const uint32_t type = step.rowType();
        step->row_depth > 0 && layout.bytesOf(type) && followed.emplace(step->relation, direction).second)
      addEdges(binding.relation(step->relation), direction, saved[type]);
    if (const uint32_t type = step.colType(); layout.bytesOf(type) && read.emplace(step->relation, direction).second)
      addEdges(binding.relation(step->relation), direction == GNN_TO_SOURCE ? GNN_TO_DESTINATION : GNN_TO_SOURCE,
               readers[type]);
  }
  std::vector<Candidate> found;
  for (uint32_t type = 0; type < layout.numTypes(); ++type)
    for (size_t vertex = 0; vertex < saved[type].size(); ++vertex)
      if (const double worth = saved[type][vertex] * readers[type][vertex]; worth > 0)
        found.push_back({worth / double(layout.costOf(type)), type, int64_t(vertex)});
  return found;
}

} // namespace

std::vector<std::vector<int64_t>> chooseStored(const StoredLayout &layout, const Library &library,
                                               const Binding &binding, const gnn_program_t &program, size_t bytes) {
  for (uint32_t type = 0; type < layout.numTypes(); ++type)
    require(layout.bytesOf(type) == 0 || bytes >= layout.costOf(type), GNN_ERROR_MEMORY, "stored rows of ",
            library.name(), " have ", bytes, " bytes, but one row of a vertex of type '",
            library.table().vertex_types[type].name, "' takes ", layout.costOf(type));
  std::vector<Candidate> candidates = candidatesOf(layout, library, binding, program);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
    return std::make_tuple(-a.worth, a.type, a.vertex) < std::make_tuple(-b.worth, b.type, b.vertex);
  });
  std::vector<std::vector<int64_t>> chosen(layout.numTypes());
  for (const Candidate &each : candidates)
    if (const size_t cost = layout.costOf(each.type); cost <= bytes) {
      bytes -= cost;
      chosen[each.type].push_back(each.vertex);
    }
  return chosen;
}

} // namespace gnn::rt
