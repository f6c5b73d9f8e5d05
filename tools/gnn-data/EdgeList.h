//===- EdgeList.h - Edges as they are imported ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_EDGELIST_H
#define GNN_TOOLS_DATA_EDGELIST_H

#include "runtime/src/data/Dataset.h"

namespace gnn::data_tool {

/// i64 [2, edges] of sources and targets in turns.
rt::Tensor edgeIndexOf(const std::vector<int64_t> &ends);

/// The same of a table of numbers of vertices, between commas, without names of columns.
rt::Tensor readEdgeTable(const std::string &path);

/// Each edge that `isUndirected` says, all where it is empty, is there a second time, the other way round, behind all
/// others, with its type and its features; but for self loops. Returns the edges that were given of those that are
/// added. The data set has an i64 edge index. A note counts edges that were there in both directions.
std::vector<int64_t> addReverseEdges(rt::Dataset &data, std::vector<std::string> &notes,
                                     const std::vector<bool> &isUndirected = {});

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_EDGELIST_H
