//===- SeedTablets.h - Which device trains on which vertices ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SEEDTABLETS_H
#define GNN_SAMPLE_SEEDTABLETS_H

#include "runtime/src/core/Span.h"
#include "runtime/src/graph/Relation.h"

namespace gnn::rt {

/// Deals seeds, rows of a vertex type, to devices: communities to groups of devices, as many seeds as they have devices
/// of all, and within a group by hash (Legion, section 4.1). `groups`: of devices by their numbers, each in one.
/// `communities`: an order of the vertices of that type in which they lie together (communityOrder); null: all seeds
/// are dealt by hash. `pieces`, if not 0: within a group each device has so many pieces of that order instead. The
/// fewer, the more its batches meet the same vertices, and the more devices differ. [devices] each has as many as
/// others, but for one a piece. The same at any number of threads.
std::vector<std::vector<int64_t>> dealSeeds(Span<const int64_t> seeds, const VertexOrder *communities,
                                            const std::vector<std::vector<size_t>> &groups, size_t pieces = 0);

} // namespace gnn::rt

#endif // GNN_SAMPLE_SEEDTABLETS_H
