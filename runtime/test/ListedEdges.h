//===- ListedEdges.h - Edges one by one -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_LISTEDEDGES_H
#define GNN_TEST_LISTEDEDGES_H

#include "runtime/src/graph/EdgeSet.h"

namespace gnn::rt {

using Ids = std::vector<int64_t>;

/// Edges between vertices of one type, as tests add them.
struct ListedEdges {
  int64_t vertices;
  Ids src, dst;

  void add(int64_t from, int64_t to) {
    src.push_back(from);
    dst.push_back(to);
  }
  std::shared_ptr<const EdgeSet> set(uint32_t order = GNN_ORDER_GIVEN, uint32_t transforms = 0) const {
    EdgeOptions options;
    options.order = order;
    options.transforms = transforms;
    return EdgeSet::fromEdges(src, dst, vertices, options);
  }
};

} // namespace gnn::rt

#endif // GNN_TEST_LISTEDEDGES_H
