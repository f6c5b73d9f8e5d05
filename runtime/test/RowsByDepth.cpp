//===- RowsByDepth.cpp - Who a loss reaches -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowsByDepth.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace gnn::rt;

bool RowsByDepth::isLocal(const Library &library, const gnn_program_t &program) {
  std::set<uint32_t> totals; // and what is computed of them alone
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
    if (step->kind > GNN_STEP_MAP)
      continue;
    const gnn_kernel_t &kernel = library.kernel(step->kernel);
    const uint32_t *outputs = step->tensors + kernel.num_inputs, *end = step->tensors + kernel.num_operands;
    const bool reads = std::any_of(step->tensors, outputs, [&](uint32_t tensor) { return totals.count(tensor) > 0; });
    if (reads && step->row_depth >= 0)
      return false;
    totals.insert(reads ? outputs : end - kernel.num_totals, end);
  }
  return std::none_of(program.results, program.results + program.num_results, [&](uint32_t result) {
    return library.tensor(result).role == GNN_ROLE_STATE_NEXT && totals.count(result);
  });
}

RowsByDepth::RowsByDepth(const Library &library, const Binding &binding, const gnn_program_t &program, const Ids &seeds,
                         const SeenEdges &seen) {
  ByType first(library.table().num_vertex_types);
  for (uint32_t type = 0; type < first.size(); ++type) {
    if (!seen.areAll() && !library.table().vertex_types[type].is_table)
      continue;
    first[type].resize(size_t(binding.rows(type)));
    std::iota(first[type].begin(), first[type].end(), 0);
  }
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_MASK && info.domain == GNN_DOMAIN_VERTEX && (!seen.areAll() || isLocal(library, program)))
      first[info.type] = seeds;
  int32_t deepest = 0;
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step)
    deepest = std::max({deepest, step->row_depth, step->col_depth});
  rows.push_back(std::move(first));
  for (int32_t depth = 0; depth < deepest; ++depth)
    rows.push_back(reach(library, binding, program, depth, rows.back(), seen));
}

RowsByDepth::ByType RowsByDepth::reach(const Library &library, const Binding &binding, const gnn_program_t &program,
                                       int32_t depth, ByType from, const SeenEdges &seen) {
  ByType next = from;
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
    // Rows of a deeper sweep are read by others at this depth too.
    if (step->kind != GNN_STEP_SWEEP || step->row_depth < depth || step->col_depth != step->row_depth + 1)
      continue;
    const gnn_relation_t &relation = library.table().relations[step->relation];
    const bool toSource = step->direction == GNN_TO_SOURCE;
    const Csr &csr = binding.relation(step->relation).csr(step->direction);
    Ids &cols = next[toSource ? relation.destination_type : relation.source_type];
    for (int64_t row : from[toSource ? relation.source_type : relation.destination_type])
      for (auto e = size_t(csr.offsets[size_t(row)]); e < size_t(csr.offsets[size_t(row) + 1]); ++e)
        if (seen.has(step->relation, step->direction, csr.edgeIds[e]))
          cols.push_back(csr.cols[e]);
  }
  for (Ids &ids : next) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return next;
}
