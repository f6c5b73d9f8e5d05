//===- PagedEdges.h - Edges prepared outside of memory ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same set of edges as EdgeSet::fromEdges and EdgeSet::between make, but sorted in files, by little memory: the
// list is read some edges at a time, these go to buckets of neighbouring rows in a file, and each bucket is sorted in
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_PAGEDEDGES_H
#define GNN_GRAPH_PAGEDEDGES_H

#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/NpyFile.h"

#include <cstdint>
#include <memory>
#include <string>

namespace gnn::rt {

/// Types of edges, and as many inverse ones, are numbers of 32 bits, of which -1 is none.
constexpr int64_t maxEdgeTypes = INT32_MAX / 2 - 2;

/// The list of edges.
struct EdgeTables {
  std::shared_ptr<const NpyFile> index; // integers [2, edges]
  std::shared_ptr<const NpyFile> types; // integers [edges], or null
  std::string indexName, typesName;     // in errors
  int64_t numTypes;                     // -1: the largest + 1
};

struct PagingOptions {
  std::string folder;               // for files, of which nothing stays
  size_t workBytes = 0;             // about the memory for sorting, beside 28 bytes a vertex
  bool ids = true, toSource = true; // what is asked for: ids of edges, and edges by source
  uint32_t transforms = 0;          // such as canPage
  uint32_t order = GNN_ORDER_GIVEN;
  std::function<void(double)> onProgress = nullptr; // is told of the share that is done; may be empty
};

/// Whether edges with these transforms in this order of vertices can be prepared outside of memory.
bool canPage(uint32_t transforms, uint32_t order);

/// Throws GNN_ERROR_DATA for an id or type out of range, GNN_ERROR_IO for files.
std::shared_ptr<const EdgeSet> pagedEdges(const EdgeTables &tables, int64_t numSources, int64_t numDestinations,
                                          bool isBetweenTypes, const PagingOptions &options,
                                          FileSystem &files = FileSystem::real());

} // namespace gnn::rt

#endif // GNN_GRAPH_PAGEDEDGES_H
