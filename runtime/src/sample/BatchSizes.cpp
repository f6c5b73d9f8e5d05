//===- BatchSizes.cpp - How large batches are -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/BatchSizes.h"

namespace gnn::rt {

BatchSizes::BatchSizes(const Library &library)
    : rowSums(library.table().num_vertex_types), edgeSums(library.table().num_relations, 0) {}

void BatchSizes::add(const Neighbourhood &batch) {
  ++batches;
  for (uint32_t type = 0; type < rowSums.size(); ++type) {
    rowSums[type].resize(size_t(batch.deepest()) + 1, 0);
    for (int32_t depth = 0; depth <= batch.deepest(); ++depth)
      rowSums[type][size_t(depth)] += batch.rows(depth, type);
  }
  for (uint32_t relation = 0; relation < edgeSums.size(); ++relation)
    edgeSums[relation] += batch.edges(relation);
}

std::vector<double> BatchSizes::rows(uint32_t vertexType) const {
  std::vector<double> means;
  for (int64_t sum : rowSums[vertexType])
    means.push_back(mean(sum));
  return means;
}

} // namespace gnn::rt
