//===- RowCuts.cpp - Rows of a step as tasks ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/RowCuts.h"

#include "runtime/src/cpu/HubRows.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// A task of a sweep is worth handing to another thread from this many edges on; a row counts as some edges itself.
constexpr int64_t edgesPerTask = 512;
constexpr int64_t edgesPerRow = 4;

} // namespace

int64_t costOfSweep(const gnn_block_t &block) { return block.offsets[block.num_rows] + edgesPerRow * block.num_rows; }

namespace {

/// The first row from `row` on before which rows cost `target`, without a walk over all of them.
int64_t rowAtCost(const gnn_block_t &block, int64_t row, int64_t target) {
  int64_t end = block.num_rows;
  while (row < end) {
    const int64_t middle = row + (end - row) / 2;
    if (block.offsets[middle] + edgesPerRow * middle < target)
      row = middle + 1;
    else
      end = middle;
  }
  return row;
}

} // namespace

void cutByEdges(const gnn_block_t &block, const HubRows &hubs, int64_t most, std::vector<int64_t> &cuts) {
  auto edgesOf = [&](int64_t row) { return block.offsets[row + 1] - block.offsets[row]; };
  int64_t cost = costOfSweep(block), nextHub = 0, before = 0; // what the rows before `row` cost
  for (int64_t hub = 0; hub < hubs.count(); ++hub)
    cost -= edgesOf(hubs.row(hub));
  int64_t tasks = std::clamp<int64_t>(cost / edgesPerTask, 1, most);
  cuts.assign(1, 0);
  for (int64_t task = 1, row = 0; task < tasks; ++task) {
    if (hubs.empty())
      row = rowAtCost(block, row, cost * task / tasks);
    for (; !hubs.empty() && row < block.num_rows && before < cost * task / tasks; ++row) {
      const bool isHub = nextHub < hubs.count() && row == hubs.row(nextHub);
      before += edgesPerRow + (isHub ? 0 : edgesOf(row));
      nextHub += isHub;
    }
    if (row > cuts.back() && row < block.num_rows)
      cuts.push_back(row);
  }
  if (block.num_rows > 0)
    cuts.push_back(block.num_rows);
}

std::vector<int64_t> cutTasks(const std::vector<int64_t> &cuts, int64_t mostRows) {
  std::vector<int64_t> finer{cuts.front()};
  for (size_t task = 1; task < cuts.size(); ++task) {
    while (cuts[task] - finer.back() > mostRows)
      finer.push_back(finer.back() + mostRows);
    finer.push_back(cuts[task]);
  }
  return finer;
}

std::vector<size_t> groupTasks(const std::vector<int64_t> &cuts, int64_t count) {
  std::vector<size_t> groups{0};
  for (int64_t group = 1; group <= count; ++group) {
    auto at = size_t(std::lower_bound(cuts.begin(), cuts.end(), cuts.back() * group / count) - cuts.begin());
    if (at > groups.back())
      groups.push_back(at);
  }
  return groups;
}

} // namespace gnn::rt
