//===- PairCounts.h - What is odd about pairs of links ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_PAIRCOUNTS_H
#define GNN_TOOLS_DATA_PAIRCOUNTS_H

#include "gnn/gnn.hpp"
#include <string>
#include <utility>
#include <vector>

namespace gnn::data_tool {

/// Counts repeated pairs, pairs of several splits, and pairs of "val" and "test" that are edges of the graph: a model
/// sees those while it trains. Each count, which may be 0, comes with its text, as {3, "pairs of val_pairs are edges of
/// the graph"}. Types count where both sides have them. A schema does not say which relation its pairs are of, so they
/// are not compared with edges.
std::vector<std::pair<int64_t, std::string>> countOddPairs(const Dataset &data);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_PAIRCOUNTS_H
