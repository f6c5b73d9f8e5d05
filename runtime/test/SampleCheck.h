//===- SampleCheck.h - Samples against chunks -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a training step of the executor of samples with the same step of ChunkExecutor, whose tables are whole and
// whose edges are picked one by one: for fan-outs of all, few and one.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_SAMPLECHECK_H
#define GNN_TEST_SAMPLECHECK_H

#include "runtime/src/model/Model.h"

/// A line for each comparison that fails, or one that says why the model can't be trained on samples; none: all is
/// well.
std::vector<std::string> checkSamples(gnn::rt::Model &model, std::shared_ptr<const gnn::rt::Graph> graph,
                                      const gnn::rt::Features &features, gnn::rt::Span<const int64_t> seeds);

#endif // GNN_TEST_SAMPLECHECK_H
