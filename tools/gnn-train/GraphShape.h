//===- GraphShape.h - A graph of which sizes alone are known ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a model's tables and edges over a graph of a given shape. All intervals, and all ranks, are assumed to have
// equal numbers of vertices and edges.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_GRAPHSHAPE_H
#define GNN_TOOLS_TRAIN_GRAPHSHAPE_H

#include "runtime/src/program/Dims.h"
#include "runtime/src/stream/SpilledData.h"

namespace gnn::train_tool {

class GraphShape {
public:
  /// `dims` are a model's, finished. `vertices` are of the types of its schema, `edges` of its relations after their
  /// transforms, of sparse inputs their entries. Throws GNN_ERROR_MISMATCH for a table of 2^48 bytes or more.
  GraphShape(const rt::Library &library, const rt::Dims &dims, const std::vector<int64_t> &vertices,
             std::vector<int64_t> edges);

  const rt::Library &library() const { return opened; }
  const rt::Dims &dimensions() const { return dims; }
  int64_t rows(uint32_t vertexType) const { return vertexRows[vertexType]; }
  int64_t edges(uint32_t relation) const { return relationEdges[relation]; }
  size_t rowBytes(uint32_t tensor) const { return rowSizes[tensor]; }
  /// As it is in one process.
  uint64_t tableBytes(uint32_t tensor) const { return tableSizes[tensor]; }

  /// Rows of an interval, of `parts`; columns of sparse inputs are one.
  int64_t intervalRows(uint32_t vertexType, int64_t parts) const;
  int64_t numIntervals(uint32_t vertexType, int64_t parts) const;
  /// Rows of the rank that has most.
  int64_t rankRows(uint32_t vertexType, int ranks) const { return intervalRows(vertexType, ranks); }
  /// The edges of a relation that lead to the rows of one rank.
  int64_t rankEdges(const rt::Residents::Edges &edges, int ranks) const;
  /// Bytes of an edge in memory and in files, with the id and type that sweeps read: for plans without a graph, an
  /// estimate of SliceFormat::edgeBytes, which counts those of real runs. Leaves out the places of edges.
  size_t edgeBytes(const rt::Residents::Edges &edges) const;
  uint32_t rowType(const rt::Residents::Edges &edges) const;

private:
  const rt::Library &opened;
  const rt::Dims dims;
  std::vector<int64_t> vertexRows, relationEdges;
  std::vector<size_t> rowSizes;
  std::vector<uint64_t> tableSizes;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_GRAPHSHAPE_H
