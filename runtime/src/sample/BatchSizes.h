//===- BatchSizes.h - How large batches are ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows and edges of batches, the mean of those that were drawn.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_BATCHSIZES_H
#define GNN_SAMPLE_BATCHSIZES_H

#include "runtime/src/exec/Neighbourhood.h"

namespace gnn::rt {

class BatchSizes {
public:
  explicit BatchSizes(const Library &library);

  void add(const Neighbourhood &batch);
  /// The mean number of rows of a vertex type within each depth of the seeds; each depth includes those before.
  std::vector<double> rows(uint32_t vertexType) const;
  double edges(uint32_t relation) const { return mean(edgeSums[relation]); }

private:
  double mean(int64_t sum) const { return batches ? double(sum) / double(batches) : 0; }

  int64_t batches = 0;
  std::vector<std::vector<int64_t>> rowSums; // [vertex types][depths]
  std::vector<int64_t> edgeSums;             // [relations]
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_BATCHSIZES_H
