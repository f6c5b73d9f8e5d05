//===- SeedTablets.cpp - Which device trains on which vertices ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/SeedTablets.h"

#include "runtime/src/core/Random.h"
#include "runtime/src/train/Batches.h"

#include <algorithm>

namespace gnn::train_tool {

using namespace rt;

static void sortByHash(std::vector<int64_t> &seeds) {
  std::sort(seeds.begin(), seeds.end(), [](int64_t a, int64_t b) {
    return std::make_pair(mix64(uint64_t(a)), a) < std::make_pair(mix64(uint64_t(b)), b);
  });
}

std::vector<std::vector<int64_t>> dealSeeds(Span<const int64_t> seeds, const VertexOrder *communities,
                                            const std::vector<std::vector<size_t>> &groups, size_t pieces) {
  size_t devices = 0;
  for (const std::vector<size_t> &group : groups)
    devices += group.size();
  std::vector<int64_t> all(seeds.begin(), seeds.end());
  if (communities)
    std::sort(all.begin(), all.end(),
              [&](int64_t a, int64_t b) { return communities->local[size_t(a)] < communities->local[size_t(b)]; });
  else
    sortByHash(all);
  std::vector<std::vector<int64_t>> tablets(devices);
  size_t before = 0;
  for (const std::vector<size_t> &group : groups) {
    const size_t begin = all.size() * before / devices, end = all.size() * (before + group.size()) / devices;
    std::vector<int64_t> part(all.begin() + std::ptrdiff_t(begin), all.begin() + std::ptrdiff_t(end));
    if (pieces == 0)
      sortByHash(part);
    const size_t turns = pieces * group.size(); // each takes one of so many pieces
    for (size_t i = 0; i < part.size(); ++i)
      tablets[group[(pieces == 0 ? i : i * turns / part.size()) % group.size()]].push_back(part[i]);
    before += group.size();
  }
  return tablets;
}

DeviceBatches batchesOfTablets(const std::vector<std::vector<int64_t>> &tablets, int64_t batch) {
  auto batches = std::make_shared<std::vector<Batches>>();
  DeviceBatches all;
  for (const std::vector<int64_t> &tablet : tablets) {
    batches->push_back(tablet.empty() ? Batches() : Batches(tablet, batch));
    all.seeds.push_back(int64_t(tablet.size()));
    all.steps.push_back(tablet.empty() ? 0 : batches->back().stepsOfEpoch());
  }
  all.drawStep = [batches](size_t device, int64_t step, const DeviceBatches::Draw &draw) {
    draw((*batches)[device].rowsOf(/*seed=*/device, step), stepKey(/*seed=*/device, uint64_t(step)));
  };
  return all;
}

} // namespace gnn::train_tool
