//===- SeedTablets.h - Which device trains on which vertices ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_SEEDTABLETS_H
#define GNN_TOOLS_TRAIN_SEEDTABLETS_H

#include "runtime/src/core/Span.h"
#include "runtime/src/graph/Relation.h"
#include "runtime/src/train/DeviceCaches.h"

namespace gnn::train_tool {

/// Deals seeds, rows of a vertex type, to devices: communities to groups of devices, as many seeds as they have devices
/// of all, and within a group by hash (Legion, section 4.1). `groups`: of devices by their numbers, each in one.
/// `communities`: an order of the vertices of that type in which they lie together (communityOrder); null: all seeds
/// are dealt by hash. `pieces`, if not 0: within a group each device has so many pieces of that order instead. The
/// fewer, the more its batches meet the same vertices, and the more devices differ. [devices] each has as many as
/// others, but for one a piece. The same at any number of threads.
std::vector<std::vector<int64_t>> dealSeeds(rt::Span<const int64_t> seeds, const rt::VertexOrder *communities,
                                            const std::vector<std::vector<size_t>> &groups, size_t pieces = 0);

/// Batches of devices with seeds of their own, `tablets`, as in Legion (Sun et al. 2023).
rt::DeviceBatches batchesOfTablets(const std::vector<std::vector<int64_t>> &tablets, int64_t batch);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_SEEDTABLETS_H
