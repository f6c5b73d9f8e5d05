//===- AppendedEdges.cpp - Edges that come after preparation --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/AppendedEdges.h"

namespace gnn::rt {

AppendedEdges::AppendedEdges(int64_t room, int64_t numSources, int64_t numDestinations) : edges(size_t(room)) {
  heads[GNN_TO_SOURCE] = std::make_unique<std::atomic<uint32_t>[]>(size_t(numSources));
  heads[GNN_TO_DESTINATION] = std::make_unique<std::atomic<uint32_t>[]>(size_t(numDestinations));
}

void AppendedEdges::append(uint32_t source, uint32_t destination, int32_t type) {
  Edge &edge = edges[size_t(appended)];
  edge.ends[GNN_TO_SOURCE] = source;
  edge.ends[GNN_TO_DESTINATION] = destination;
  edge.type = type;
  for (uint32_t direction : {GNN_TO_SOURCE, GNN_TO_DESTINATION})
    edge.next[direction] = heads[direction][edge.ends[direction]].load(std::memory_order_relaxed);
  ++appended;
  for (uint32_t direction : {GNN_TO_SOURCE, GNN_TO_DESTINATION}) // readers follow these to what is written by now
    heads[direction][edge.ends[direction]].store(uint32_t(appended), std::memory_order_release);
}

} // namespace gnn::rt
