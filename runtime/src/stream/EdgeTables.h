//===- EdgeTables.h - Tables over edges that can lie in chunks --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels find the numbers of an edge by its id. Where they ask for ids for nothing else, an id may be a place in the
// chunk at hand, and tables lie in the order of chunks: by intervals of destinations, then of sources, then as the rows
// of destinations have their edges.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_EDGETABLES_H
#define GNN_STREAM_EDGETABLES_H

#include "runtime/src/program/Library.h"

#include <set>
#include <vector>

namespace gnn::rt {

/// Calls `body` with each sweep of the programs that are streamed.
template <class Body> void forSweeps(const Library &library, Body body) {
  for (const gnn_program_t *program : library.firstPrograms())
    for (const ProgramStep step : library.steps(*program))
      if (step.isSweep())
        body(step);
}

/// [library tensors] the tables over edges that can: inputs, and what steps make for each other.
std::vector<bool> chunkedEdgeTables(const Library &library);

/// Adds to tensors that are in memory as a whole the tables over edges that can't be in the file then: with several
/// ranks all, which they exchange as a whole, else those that lie as the others do, as one step has all its edges by
/// one id.
void addWholeEdgeTables(const Library &library, int ranks, std::set<uint32_t> &tensors);

} // namespace gnn::rt

#endif // GNN_STREAM_EDGETABLES_H
