//===- StreamCheck.h - Streamed runs against whole ones ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_STREAMCHECK_H
#define GNN_TEST_STREAMCHECK_H

#include "runtime/src/model/Model.h"
#include "runtime/src/stream/SpilledData.h"

/// Runs each program of the model over the graph streamed from files in `folder`, in 1, 2, 3 and 7 intervals, and
/// compares the results with those of the whole graph: bits where nothing is summed over all rows and edges have no
/// types or products, else numbers: oneDNN may round products of other numbers of rows otherwise, unless they
/// `areProductsExact`. Also that each run read and wrote what was planned. Returns what is wrong.
std::vector<std::string> checkStream(gnn::rt::Model &model, std::shared_ptr<const gnn::rt::Graph> graph,
                                     const gnn::rt::Features &features, gnn::rt::Span<const int64_t> lossVertices,
                                     const std::string &folder, bool areProductsExact = false);

/// Of all that could lie in a file, so much is in memory.
struct Kept {
  const char *name;
  uint32_t every, from; // of tables
  bool edges;
};
const std::vector<Kept> &keptKinds();
gnn::rt::Residents residentsOf(const gnn::rt::Library &library, const Kept &kept);

#endif // GNN_TEST_STREAMCHECK_H
