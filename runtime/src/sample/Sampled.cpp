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
    : Executor(opened, withoutObstacle(opened, compiled)), engine(machine), binding(bound),
      local(engine, library, binding, program, /*isChosen=*/true), results(program.num_results),
      onHost(results.size()) {
  for (uint32_t tensor = 0; tensor < library.tensors().size(); ++tensor)
    if (library.tensor(tensor).role == GNN_ROLE_SCALE) {
      scale = engine.zeros(library.tensor(tensor).element, {});
      local.place(tensor, scale.mutableData());
    }
  require(bool(scale), GNN_ERROR_MISMATCH, library.name(), " can't be trained on samples: its loss is no mean");
  const Sampler sampler(library, binding, program, fanOuts, drawing);
  for (int64_t i = 0; i <= ahead; ++i)
    batches.push_back(std::make_unique<DrawnBatch>(library, binding, program, sampler));
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    results[i] = engine.empty(info.element, binding.dimensions().shapeOf(info));
    local.place(program.results[i], results[i].mutableData());
  }
}

void Sampled::expect(uint64_t stepKey, std::vector<int64_t> rows) {
  batches[turn]->begin(stepKey, std::move(rows), /*onThread=*/batches.size() > 1);
  turn = (turn + 1) % batches.size();
}

bool Sampled::isExpected(uint64_t stepKey) const {
  return std::any_of(batches.begin(), batches.end(), [&](const auto &batch) { return batch->isOf(stepKey); });
}

void Sampled::rehearse(const std::vector<int64_t> &steps,
                       const std::function<std::vector<int64_t>(int64_t step)> &rowsOf,
                       const std::function<void(int64_t step, const Neighbourhood &)> &show) {
  for (int64_t step : steps) {
    batches[0]->begin(mix64(uint64_t(step)), rowsOf(step), /*onThread=*/false);
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

void Sampled::start(const RunNumbers &numbers) {
  assert(isExpected(numbers.key));
  DrawnBatch &batch =
      **std::find_if(batches.begin(), batches.end(), [&](const auto &each) { return each->isOf(numbers.key); });
  const Tensor &weights = binding.data(uint32_t(binding.lossMask() - &library.tensor(0)));
  const Clock::time_point begin = Clock::now();
  local.moveTo(batch.take());
  const Clock::time_point sampled = Clock::now();
  local.gather([&](uint32_t tensor) { return batch.rowsOf(tensor); });
  if (profile) {
    profile->note("sampling", std::chrono::duration<double>(sampled - begin).count());
    profile->note("features of the sample", std::chrono::duration<double>(Clock::now() - sampled).count());
  }
  weight = 0; // a vertex that the split has twice weighs twice
  for (int64_t row : batch.seeds())
    weight += numberAt(weights, row);
  const Tensor mean = Tensor::of<double>({weight > 0 ? 1 / weight : 0}, {}).as(scale.element(), "the loss");
  std::memcpy(scale.mutableData(), mean.data(), mean.bytes());
  local.program().begin(numbers);
  onHost.assign(onHost.size(), Tensor());
  if (profile && !clock)
    clock = engine.clock(program.num_steps);
}

void Sampled::run(uint64_t key) {
  start({key, {}});
  engine.beginRun();
  local.runSteps(clock.get());
  finish();
}

void Sampled::finish() {
  engine.endRun();
  if (!profile)
    return;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    profile->note(s, clock->seconds(s));
  profile->endRun();
}

StepOutcome Sampled::train(const TrainingStep &step, const std::function<void(std::vector<Tensor> &)> &between) {
  start({step.key, step.rule});
  local.program().expectUpdate(step, results);
  engine.beginRun();
  local.runSteps(clock.get());
  if (between)
    between(results);
  local.program().update();
  finish();
  return local.program().outcome();
}

const Tensor &Sampled::result(uint32_t i) {
  if (!onHost[i])
    onHost[i] = results[i].onHost();
  return onHost[i];
}

Tensor Sampled::takeResult(uint32_t i) {
  Tensor taken = Tensor::empty(result(i).element(), result(i).shape());
  std::memcpy(taken.mutableData(), result(i).data(), taken.bytes());
  return taken;
}

} // namespace gnn::rt
