//===- Neighbourhood.h - What the answers for some vertices need -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds, the vertices that are asked for, and depth by depth all who they read through edges, with these edges: what a
// program must go over to answer for the seeds exactly (gnn_step_t::row_depth). Vertices have their place in the order
// in which they are met, so that those of a depth are the first of those of the next, and the block of a depth the
// first rows of one block of each relation and direction.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_NEIGHBOURHOOD_H
#define GNN_EXEC_NEIGHBOURHOOD_H

#include "runtime/src/core/Span.h"
#include "runtime/src/exec/Binding.h"
#include "runtime/src/exec/View.h"

#include <memory>
#include <string>
#include <vector>

namespace gnn::rt {

class Neighbourhood {
public:
  /// Why the program's results depend on more than a neighbourhood, or need more than this can give: "it computes
  /// totals over all vertices"; empty if they do not.
  static std::string obstacle(const Library &library, const gnn_program_t &program);

  /// Of a program without an obstacle, at no seeds. All arguments must outlive what is made.
  Neighbourhood(const Library &library, const Binding &binding, const gnn_program_t &program);
  ~Neighbourhood();

  /// Takes other seeds: rows of the whole tables of a vertex type, each once.
  void expand(uint32_t vertexType, Span<const int64_t> seeds);

  int32_t deepest() const { return int32_t(numRows.size()) - 1; }
  /// What steps of a depth go over; -1: the rows of what is no table of vertices. Valid until the next `expand`.
  const View &at(int32_t depth) const;
  int64_t rows(int32_t depth, uint32_t vertexType) const { return numRows[size_t(depth)][vertexType]; }
  /// The most edges of a relation that a step goes over, in either direction.
  int64_t edges(uint32_t relation) const;
  /// The rows of whole tables that are here, in this order.
  const std::vector<int64_t> &verticesOf(uint32_t vertexType) const { return vertices[vertexType]; }
  /// The same for tables of edges, where a step reads or writes any.
  const std::vector<int64_t> &edgesOf(uint32_t relation) const;

private:
  struct Walk;
  class Layer;

  Walk *walkOf(uint32_t relation, uint32_t direction) const;
  void addWalk(const gnn_step_t &step);
  void forget();
  uint32_t meet(uint32_t vertexType, int64_t vertex);
  void follow(Walk &walk, int64_t rows);

  const Library &library;
  const Binding &binding;
  std::vector<std::unique_ptr<Walk>> walks;
  std::vector<std::vector<int64_t>> vertices; // [vertex types] rows of the whole tables
  std::vector<std::vector<int64_t>> ids;      // [vertex types] of these, where tables have another order than ids
  std::vector<std::vector<uint32_t>> places;  // [vertex types][rows of the whole table] in `vertices`
  std::vector<std::vector<int64_t>> numRows;  // [depths][vertex types]
  std::vector<std::unique_ptr<Layer>> layers; // [depths]
};

} // namespace gnn::rt

#endif // GNN_EXEC_NEIGHBOURHOOD_H
