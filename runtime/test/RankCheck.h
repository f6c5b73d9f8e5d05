//===- RankCheck.h - Ranks against one process ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_RANKCHECK_H
#define GNN_TEST_RANKCHECK_H

#include "runtime/src/model/Model.h"

/// Runs each program of the model over the graph by 2, 3 and 4 ranks, twice, in several numbers of intervals, with
/// nothing, something or all in memory. All results must have, in each rank, the bits of one process that has nothing
/// in memory. Returns what is wrong.
std::vector<std::string> checkRanks(gnn::rt::Model &model, std::shared_ptr<const gnn::rt::Graph> graph,
                                    const gnn::rt::Features &features, gnn::rt::Span<const int64_t> lossVertices,
                                    const std::string &folder);

#endif // GNN_TEST_RANKCHECK_H
