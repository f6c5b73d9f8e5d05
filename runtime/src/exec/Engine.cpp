//===- Engine.cpp - A machine that runs steps -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Engine.h"

#include <algorithm>

namespace gnn::rt {

Capacity capacityOf(const Library &library, const View &view) {
  Capacity capacity;
  for (uint32_t t = 0; t < library.table().num_vertex_types; ++t)
    capacity.rows.push_back(view.rows(t));
  for (uint32_t r = 0; r < library.table().num_relations; ++r) {
    const gnn_block_t block = view.block(r, GNN_TO_DESTINATION);
    capacity.edges.push_back(block.offsets[block.num_rows]);
  }
  return capacity;
}

} // namespace gnn::rt
