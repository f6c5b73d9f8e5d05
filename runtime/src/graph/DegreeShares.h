//===- DegreeShares.h - How edges spread over vertices ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In skewed graphs few vertices have most edges, and caches that hold only their rows serve most of what edges read.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_DEGREESHARES_H
#define GNN_GRAPH_DEGREESHARES_H

#include "runtime/src/core/Span.h"

#include <array>
#include <cstdint>

namespace gnn::rt {

class DegreeShares {
public:
  /// Shares of `count` vertices of equal degree.
  explicit DegreeShares(int64_t count);
  /// Shares of the rows of a CSR with these offsets.
  explicit DegreeShares(Span<const int64_t> offsets);

  /// The share of all edges, 0 to 1, that the `count` vertices of highest degree have, to a power of two in degree.
  double ofHighest(double count) const;

private:
  struct Class {
    double vertices = 0, edges = 0;
  };
  std::array<Class, 65> classes; // by number of bits of the degree
  double allEdges = 0;
};

} // namespace gnn::rt

#endif // GNN_GRAPH_DEGREESHARES_H
