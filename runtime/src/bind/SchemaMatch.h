//===- SchemaMatch.h - A model's types in a graph ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the types of vertices and the relations that a model speaks of among those of a graph: by name, or the only one
// by being the only one.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_SCHEMAMATCH_H
#define GNN_BIND_SCHEMAMATCH_H

#include "runtime/src/graph/Graph.h"
#include "runtime/src/program/Library.h"

#include <string>
#include <vector>

namespace gnn::rt {

struct SchemaMatch {
  static constexpr int32_t none = -1;

  /// Throws GNN_ERROR_MISMATCH, naming `where`, if a type or a relation of edges is not there or has other ends.
  SchemaMatch(const Library &library, const Graph &graph, const std::string &where);

  std::vector<int32_t> vertices;  // by vertex type of the library; none: a table
  std::vector<int32_t> relations; // by relation of the library; none: a sparse input, or pairs that the graph has not
};

} // namespace gnn::rt

#endif // GNN_BIND_SCHEMAMATCH_H
