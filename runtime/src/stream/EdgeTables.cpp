//===- EdgeTables.cpp - Tables over edges that can lie in chunks ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/EdgeTables.h"

#include <algorithm>

namespace gnn::rt {

namespace {

std::vector<uint32_t> edgeTablesOf(const ProgramStep &step) {
  std::vector<uint32_t> found;
  for (const Operand operand : step.operands())
    if (operand.isPerEdge())
      found.push_back(operand.tensor);
  return found;
}

/// Takes all tables of a step from `found` if one is not in it, until nothing changes.
void takeLinked(const Library &library, std::vector<bool> &found) {
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    forSweeps(library, [&](const ProgramStep &step) {
      const std::vector<uint32_t> tables = edgeTablesOf(step);
      const auto count = std::count_if(tables.begin(), tables.end(), [&](uint32_t t) { return found[t]; });
      if (count == 0 || size_t(count) == tables.size())
        return;
      for (uint32_t tensor : tables)
        found[tensor] = false;
      hasChanged = true;
    });
  }
}

/// What a program gives to others, or has otherwise than by edge.
void takeOthers(const gnn_program_t &program, std::vector<bool> &found) {
  for (const gnn_use_t &use : usesIn(program))
    if (use.accesses != 1u << GNN_ACCESS_EDGE || use.last == int32_t(program.num_steps))
      found[use.tensor] = false;
}

} // namespace

std::vector<bool> chunkedEdgeTables(const Library &library) {
  std::vector<bool> found;
  for (const gnn_tensor_info_t &info : library.tensors())
    found.push_back(info.domain == GNN_DOMAIN_EDGE && !isOfPairs(library, info.type) &&
                    (info.role == GNN_ROLE_TEMP || info.role == GNN_ROLE_INPUT));
  for (const gnn_program_t *program : library.firstPrograms())
    takeOthers(*program, found);
  forSweeps(library, [&](const ProgramStep &step) {
    if (step.needs(GNN_KERNEL_EDGE_ID))
      for (uint32_t tensor : edgeTablesOf(step))
        found[tensor] = false;
  });
  takeLinked(library, found);
  return found;
}

void addWholeEdgeTables(const Library &library, int ranks, std::set<uint32_t> &tensors) {
  const std::vector<bool> isChunked = chunkedEdgeTables(library);
  for (uint32_t t = 0; t < isChunked.size() && ranks > 1; ++t)
    if (isChunked[t])
      tensors.insert(t);
  std::vector<bool> isElsewhere(library.tensors().size(), true);
  for (uint32_t tensor : tensors)
    isElsewhere[tensor] = false;
  takeLinked(library, isElsewhere);
  for (uint32_t t = 0; t < isElsewhere.size(); ++t)
    if (!isElsewhere[t])
      tensors.insert(t);
}

} // namespace gnn::rt
