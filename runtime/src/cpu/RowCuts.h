//===- RowCuts.h - Rows of a step as tasks ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step is done in tasks, each a run of rows: task i has rows [cuts[i], cuts[i + 1]).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_ROWCUTS_H
#define GNN_CPU_ROWCUTS_H

#include "gnn/program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnn::rt {

class HubRows;

/// Most tasks of a sweep for each thread, so that one that is late costs little.
constexpr int64_t maxTasksPerThread = 8;
/// The cost of a sweep in edges; each row adds to it, too.
int64_t costOfSweep(const gnn_block_t &block);
/// Cuts the rows of a block into tasks of about equal edges, `most` where there are enough. The edges of hubs are not
/// theirs. `cuts` gives up what it had.
void cutByEdges(const gnn_block_t &block, const HubRows &hubs, int64_t most, std::vector<int64_t> &cuts);
/// `cuts` and more, so that no task has more than `mostRows` rows.
std::vector<int64_t> cutTasks(const std::vector<int64_t> &cuts, int64_t mostRows);
/// Where at most `count` groups of about as many rows begin among the tasks that `cuts` makes, and the number of tasks.
std::vector<size_t> groupTasks(const std::vector<int64_t> &cuts, int64_t count);

} // namespace gnn::rt

#endif // GNN_CPU_ROWCUTS_H
