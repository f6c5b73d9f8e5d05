//===- DataDigest.h - Which data set it is ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_DATADIGEST_H
#define GNN_TOOLS_TRAIN_DATADIGEST_H

#include "runtime/src/data/Dataset.h"

#include <cstdint>

namespace gnn::train_tool {

/// Tells a data set from another: of its features, labels, splits and pairs, and of the edges given to `graph`, which
/// was made from it. The same for any order of vertices, and for a graph that was kept prepared; names and folders are
/// not in it. Against mistakes, not against forgery.
uint64_t digestOf(const rt::Dataset &data, const rt::Graph &graph);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_DATADIGEST_H
