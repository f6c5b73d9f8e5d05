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
/// `among`: edges between vertices of that type; null: all seeds are dealt by hash. [devices] each has as many as
/// others, or one more. The same at any number of threads.
std::vector<std::vector<int64_t>> dealSeeds(Span<const int64_t> seeds, const Relation *among,
                                            const std::vector<std::vector<size_t>> &groups);

} // namespace gnn::rt

#endif // GNN_SAMPLE_SEEDTABLETS_H
