//===- ReachCheck.h - Reached rows against the whole graph ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_REACHCHECK_H
#define GNN_TEST_REACHCHECK_H

#include "runtime/src/model/Model.h"

/// What differs between training steps over the rows that the loss reaches and those over all, draws included, for
/// losses over one, some and all of `seeds`; and what is not the same in the bits of a second run. Empty: nothing.
/// Throws GNN_ERROR_MISMATCH for a model that depends on more.
std::vector<std::string> checkReach(gnn::rt::Model &model, std::shared_ptr<const gnn::rt::Graph> graph,
                                    const gnn::rt::Features &features, gnn::rt::Span<const int64_t> seeds);

#endif // GNN_TEST_REACHCHECK_H
