//===- Relation.cpp - Edges prepared for sweeps ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both directions of a relation and their blocks.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Relation.h"
#include "runtime/src/graph/Partitions.h"
#include "runtime/src/graph/SortEdges.h"

using namespace gnn::rt;

Relation::Relation(const EdgeList &edges, int64_t numSources, int64_t numDestinations,
                   std::shared_ptr<const VertexOrder> sourceOrder, std::shared_ptr<const VertexOrder> destinationOrder)
    : Relation(sortEdges(edges, numSources, numDestinations), int64_t(edges.src.size()), std::move(sourceOrder),
               std::move(destinationOrder)) {}

Relation::Relation(SortedEdges edges, int64_t numEdgeIds, std::shared_ptr<const VertexOrder> sourceOrder,
                   std::shared_ptr<const VertexOrder> destinationOrder, std::shared_ptr<const EdgeFile> file)
    : sorted(std::move(edges)), file(std::move(file)), edgeIds(numEdgeIds), sourceOrder(std::move(sourceOrder)),
      destinationOrder(std::move(destinationOrder)) {}

size_t Relation::bytes() const {
  size_t bytes = 0;
  for (const Csr *csr : {&sorted.byDestination, &sorted.bySource}) {
    const bool hasOffsets = csr->offsets.end()[-1] == numEdges(); // else see offsetsOfNone
    bytes += ((hasOffsets ? csr->offsets.size() : 0) + csr->edgeIds.wide.size()) * sizeof(int64_t) +
             (csr->cols.size() + csr->edgeIds.narrow.size()) * sizeof(uint32_t) + csr->types.size() * sizeof(int32_t);
  }
  return bytes;
}

void Relation::forPieces(uint32_t direction, int64_t begin, int64_t end,
                         const std::function<void(const EdgePiece &)> &body) const {
  if (file)
    return file->forPieces(direction, begin, end, body);
  const Csr &edges = csr(direction);
  for (int64_t first = begin; first < end; first += edgesOfPiece)
    body({first, std::min(first + edgesOfPiece, end), edges.cols.data() + first,
          edges.edgeIds.wide.empty() ? edges.edgeIds.narrow.data() + first : nullptr,
          edges.edgeIds.wide.empty() ? nullptr : edges.edgeIds.wide.data() + first,
          edges.types.empty() ? nullptr : edges.types.data() + first});
}

gnn_block_t Relation::block(uint32_t direction) const {
  auto idsOf = [](const std::shared_ptr<const VertexOrder> &order) { return order ? order->id.data() : nullptr; };
  const Csr &edges = csr(direction);
  bool toDestination = direction == GNN_TO_DESTINATION;
  gnn_block_t block{};
  block.size = sizeof(block);
  block.num_rows = edges.numRows();
  block.num_cols = toDestination ? numSources() : numDestinations();
  block.offsets = edges.offsets.data();
  block.ends = block.offsets + 1;
  block.cols = edges.cols.data();
  block.row_id = idsOf(toDestination ? destinationOrder : sourceOrder);
  block.col_id = idsOf(toDestination ? sourceOrder : destinationOrder);
  block.edge_id = edges.edgeIds.wide.empty() ? nullptr : edges.edgeIds.wide.data();
  block.edge_id32 = edges.edgeIds.wide.empty() ? edges.edgeIds.narrow.data() : nullptr;
  block.edge_type = edges.types.empty() ? nullptr : edges.types.data();
  return block;
}

std::shared_ptr<const Partitions> Relation::partitions(uint32_t direction, int64_t count, bool withIds) const {
  std::lock_guard<std::mutex> lock(making);
  std::weak_ptr<const Partitions> &known = made[{direction, count, withIds}];
  std::shared_ptr<const Partitions> result = known.lock();
  if (!result)
    known = result = std::make_shared<const Partitions>(block(direction), count, withIds);
  return result;
}
