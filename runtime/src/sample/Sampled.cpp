//===- Sampled.cpp - Executor of sampled mini-batches ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Sampled.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/Obstacles.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>

namespace gnn::rt {

namespace {

using Clock = std::chrono::steady_clock;

const gnn_program_t &withoutObstacle(const Library &library, const gnn_program_t &program) {
  const std::string obstacle = obstacleToSamples(library, program);
  require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't be trained on samples: ", obstacle);
  return program;
}

} // namespace

Sampled::Sampled(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                 const FanOuts &fanOuts, const Drawing &drawing, int64_t ahead)
    : LocalExecutor(machine, opened, bound, withoutObstacle(opened, compiled), Going::Sampled) {
  for (uint32_t tensor = 0; tensor < library.tensors().size(); ++tensor)
    if (library.tensor(tensor).role == GNN_ROLE_SCALE) {
      scale = engine.zeros(library.tensor(tensor).element, {});
      local.place(tensor, scale.mutableData());
    }
  require(bool(scale), GNN_ERROR_MISMATCH, library.name(), " can't be trained on samples: its loss is no mean");
  const Sampler sampler(library, binding, program, fanOuts, drawing);
  for (int64_t i = 0; i <= ahead; ++i)
    batches.push_back(std::make_unique<DrawnBatch>(library, binding, program, sampler));
}

void Sampled::expect(uint64_t stepKey, Seeds seeds) {
  batches[turn]->begin(stepKey, std::move(seeds), /*onThread=*/batches.size() > 1);
  turn = (turn + 1) % batches.size();
}

bool Sampled::isExpected(uint64_t stepKey) const {
  return std::any_of(batches.begin(), batches.end(), [&](const auto &batch) { return batch->isOf(stepKey); });
}

void Sampled::rehearse(const std::vector<int64_t> &steps, const std::function<Seeds(int64_t step)> &seedsOf,
                       const std::function<void(int64_t step, const Neighbourhood &)> &show) {
  for (int64_t step : steps) {
    batches[0]->begin(mix64(uint64_t(step)), seedsOf(step), /*onThread=*/false);
    std::unique_ptr<Neighbourhood> &drawn = batches[0]->take();
    local.expectSize(drawn);
    show(step, *drawn);
    if (step == steps.back())
      local.moveTo(drawn);
  }
}

void Sampled::readFrom(const std::shared_ptr<PagedRows> &tables) {
  for (const auto &batch : batches)
    batch->readFrom(tables);
}

size_t Sampled::bytes() const { return local.bytes() + (batches.size() + 1) * local.neighbourhood().bytes(); }

/// What the binding has not of pairs that are drawn for a step.
void Sampled::placePairTables(const Seeds &seeds) {
  for (uint32_t t = 0; seeds.pairs.count() > 0 && t < library.tensors().size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    if (info.domain != GNN_DOMAIN_EDGE || info.type != *binding.pairsRelation() ||
        (info.role != GNN_ROLE_TARGET && info.role != GNN_ROLE_MASK))
      continue;
    const bool isMask = info.role == GNN_ROLE_MASK;
    ofPairs[t] = Tensor::of(isMask ? std::vector<double>(seeds.targets.size(), 1) : seeds.targets)
                     .converted(info.element, info.name);
    local.place(t, ofPairs[t].mutableData());
  }
}

void Sampled::goTo(uint64_t stepKey) {
  assert(isExpected(stepKey));
  DrawnBatch &batch =
      **std::find_if(batches.begin(), batches.end(), [&](const auto &each) { return each->isOf(stepKey); });
  const Clock::time_point begin = Clock::now();
  local.moveTo(batch.take());
  const Clock::time_point sampled = Clock::now();
  placePairTables(batch.seeds());
  local.gather([&](uint32_t tensor) { return batch.rowsOf(tensor); });
  if (profile) {
    profile->note("sampling", std::chrono::duration<double>(sampled - begin).count());
    profile->note("features of the sample", std::chrono::duration<double>(Clock::now() - sampled).count());
  }
  const Tensor &weights = binding.data(uint32_t(binding.lossMask() - &library.tensor(0)));
  weight = double(batch.seeds().pairs.count());
  for (int64_t row : batch.seeds().rows) // a vertex that the split has twice weighs twice
    weight += numberAt(weights, row);
  const Tensor mean = Tensor::of<double>({weight > 0 ? 1 / weight : 0}, {}).as(scale.element(), "the loss");
  std::memcpy(scale.mutableData(), mean.data(), mean.bytes());
}

} // namespace gnn::rt
