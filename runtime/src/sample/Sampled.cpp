//===- Sampled.cpp - Executor of sampled mini-batches ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Sampled.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/program/Obstacles.h"
#include "runtime/src/program/Price.h"
#include "runtime/src/sample/SentBatch.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>

namespace gnn::rt {

namespace {

const gnn_program_t &withoutObstacle(const Library &library, const gnn_program_t &program) {
  const std::string obstacle = obstacleToSamples(library, program);
  require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't be trained on samples: ", obstacle);
  return program;
}

} // namespace

DrawnBy parseDrawnBy(const std::string &text, const std::string &where) {
  require(text == "device" || text == "host", GNN_ERROR_ARGUMENT, where, ": '", text, "', expected device or host");
  return text == "device" ? DrawnBy::Device : DrawnBy::Host;
}

Sampled::Sampled(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                 const FanOuts &fanOuts, const Drawing &drawing, int64_t ahead, const Shares &shares, DrawnBy drawnBy)
    : LocalExecutor(machine, opened, bound, withoutObstacle(opened, compiled), Going::Sampled), devices{this},
      sums(shares.count > 1 ? std::make_unique<ShareSums>(engine, library, program, results, shares) : nullptr) {
  const std::vector<Engine *> engines = enginesOf(engine);
  require(shares.ours().size() >= int64_t(engines.size()), GNN_ERROR_ARGUMENT, "batches in ", shares.count,
          shares.count == 1 ? " share" : " shares", " for ", engines.size(), " GPUs, ", engine.device(),
          ": there has to be one for each");
  const Sampler sampler(library, binding, program, fanOuts, drawing);
  filed = sampler.filedEdges();
  for (size_t d = 1; d < engines.size(); ++d) {
    others.emplace_back(new Sampled(*engines[d], *this));
    devices.push_back(others.back().get());
  }
  for (size_t d = 0; d < engines.size(); ++d)
    devices[d]->open(sampler, shares, shares.ours(d, engines.size()), size_t(ahead) + 1, drawnBy);
}

Sampled::Sampled(Engine &machine, const Sampled &first)
    : LocalExecutor(machine, first.library, first.binding, first.program, Going::Sampled) {}

void Sampled::open(const Sampler &sampler, const Shares &shares, const Shares::Range &mine, size_t numSamples,
                   DrawnBy drawnBy) {
  for (uint32_t tensor = 0; tensor < library.tensors().size(); ++tensor)
    if (library.tensor(tensor).role == GNN_ROLE_SCALE) {
      scale = engine.zeros(library.tensor(tensor).element, {});
      local.place(tensor, scale.mutableData());
    }
  require(bool(scale), GNN_ERROR_MISMATCH, library.name(), " can't be trained on samples: its loss is no mean");
  queue.emplace(engine, library, binding, program, sampler, shares, mine, numSamples, drawnBy);
  if (!engine.rowGather())
    return;
  std::vector<uint32_t> given;
  for (const SentBatch::Table &table : SentBatch::tablesOf(library, binding, program))
    given.push_back(table.tensor);
  local.expectGiven(given);
}

void Sampled::place(uint32_t tensor, void *data) {
  LocalExecutor::place(tensor, data);
  const size_t bytes = binding.tensorBytes(tensor);
  const bool isGathered = std::any_of(program.uses, program.uses + program.num_uses,
                                      [&](const gnn_use_t &use) { return use.tensor == tensor && use.depth >= 0; });
  for (const std::unique_ptr<Sampled> &other : others) {
    Copied &copy = other->copied[tensor] = {data, bytes, nullptr, {}};
    if (isGathered)
      copy.here.resize(bytes);
    else
      copy.there = other->engine.allocate(bytes);
    other->local.place(tensor, isGathered ? copy.here.data() : copy.there->data());
  }
}

const gnn_program_t &Sampled::cheapestOf(const std::vector<const gnn_program_t *> &programs, const Library &library,
                                         const Binding &binding, const FanOuts &fanOuts, const Drawing &drawing,
                                         Seeds seeds) {
  DrawnShare batch(library, binding, programs, Sampler(library, binding, *programs.at(0), fanOuts, drawing), Shares());
  batch.begin(/*stepKey=*/0, std::make_shared<const Seeds>(std::move(seeds)), /*share=*/0, /*onThread=*/false);
  const Neighbourhood &around = *batch.take();
  const std::vector<ProgramPrice> prices = pricesOf(library, binding.dimensions(), programs, FixedWork::Repeated);
  return prices[cheapest(prices, [&](const gnn_step_t &step) { return around.countsOf(step); })].program();
}

void Sampled::expect(uint64_t stepKey, Seeds seeds) {
  if (expected.size() == queue->samples().size())
    expected.pop_front();
  expected.push_back({stepKey, std::make_shared<const Seeds>(std::move(seeds))});
}

bool Sampled::isExpected(uint64_t stepKey) const {
  return std::any_of(expected.begin(), expected.end(), [&](const ExpectedBatch &step) { return step.key == stepKey; });
}

void Sampled::rehearse(const std::vector<int64_t> &steps, const std::function<Seeds(int64_t step)> &seedsOf,
                       const std::function<void(int64_t step, const Neighbourhood &)> &show) {
  for (int64_t step : steps) {
    const auto seeds = std::make_shared<const Seeds>(seedsOf(step));
    for (Sampled *device : devices)
      for (int64_t share = device->queue->begin(); share < device->queue->endOf(*seeds); ++share) {
        DrawnShare &sample = *device->queue->samples()[0];
        sample.begin(mix64(uint64_t(step)), seeds, share, /*onThread=*/false);
        std::unique_ptr<Neighbourhood> &drawn = sample.take();
        device->local.expectSize(*drawn);
        show(step, *drawn);
        if (step == steps.back())
          device->local.moveTo(drawn);
      }
  }
}

size_t Sampled::bytes() const {
  return peakBytes() + size_t(numSamples() + 1) * local.neighbourhood().bytes() + (sums ? sums->bytes(results) : 0);
}

/// What the binding has not of pairs that are drawn for a step.
void Sampled::placePairTables(const Seeds &seeds) {
  for (uint32_t t = 0; seeds.pairs.count() > 0 && t < library.tensors().size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    if (info.domain != GNN_DOMAIN_EDGE || info.type != *pairsRelation(library) ||
        (info.role != GNN_ROLE_TARGET && info.role != GNN_ROLE_MASK))
      continue;
    const bool isMask = info.role == GNN_ROLE_MASK;
    ofPairs[t] = Tensor::of(isMask ? std::vector<double>(seeds.targets.size(), 1) : seeds.targets)
                     .converted(info.element, info.name);
    local.place(t, ofPairs[t].mutableData());
  }
}

void Sampled::moveTo(DrawnShare &share, Clock::time_point begin) {
  local.moveTo(share.take());
  if (share.draws())
    drawn += share.draws()->counts;
  const Clock::time_point sampled = Clock::now();
  placePairTables(share.seeds());
  if (SentBatch *batch = share.sent()) {
    batch->send();
    if (local.program().takesViewsThere())
      local.lookAt(batch->views());
  }
  local.gather([&](uint32_t tensor) { return share.rowsOf(tensor); });
  if (share.sent()) // last: what is copied before need not wait for it
    share.sent()->take();
  if (!profile)
    return;
  profile->note("sampling", std::chrono::duration<double>(sampled - begin).count());
  profile->note("features of the sample", std::chrono::duration<double>(Clock::now() - sampled).count());
}

/// What all shares of a step read: the loss is a mean over the batch, whatever its shares are. Parameters of the first
/// device are copied to the others through memory of this process.
void Sampled::beginStep(double seeds) {
  engine.settle();
  const Tensor mean = Tensor::of<double>({seeds > 0 ? 1 / seeds : 0}, {}).as(scale.element(), "the loss");
  std::memcpy(scale.mutableData(), mean.data(), mean.bytes());
  for (auto &[tensor, parameter] : copied)
    if (parameter.there)
      engine.copyIn(parameter.there->data(), parameter.from, parameter.bytes);
    else
      engine.copyOut(parameter.here.data(), parameter.from, parameter.bytes);
}

/// What follows of the step is sent while this computes.
Shares::Range Sampled::beginShare(const Run &run, int64_t number) {
  const Clock::time_point asked = Clock::now();
  DrawnShare &share = queue->draw(run.batch, number, run.following);
  moveTo(share, asked);
  begin(run.numbers);
  if (run.step)
    local.program().expectUpdate(*run.step, results);
  if (number == queue->begin())
    engine.beginRun();
  if (share.range().size() > 0)
    runSteps();
  if (number + 1 < queue->endOf(*run.batch.seeds))
    queue->sendAhead(run.batch.key, number + 1);
  return share.range();
}

static double weightOf(const Seeds &seeds, const Tensor &weights) {
  auto weight = double(seeds.pairs.count());
  for (int64_t row : seeds.rows) // a vertex that the split has twice weighs twice
    weight += numberAt(weights, row);
  return weight;
}

/// `step`: whose update follows; null: none does.
void Sampled::runShares(const RunNumbers &numbers, const TrainingStep *step) {
  assert(isExpected(numbers.key));
  while (expected.front().key != numbers.key)
    expected.pop_front();
  const ExpectedBatch now = std::move(expected.front());
  expected.pop_front();
  weight = weightOf(*now.seeds, binding.lossWeights());
  for (Sampled *device : devices)
    device->beginStep(weight);
  std::vector<Shares::Range> ranges(devices.size(), {0, 0});
  int64_t turns = 0;
  for (const Sampled *device : devices)
    turns = std::max(turns, device->queue->endOf(*now.seeds) - device->queue->begin());
  for (int64_t turn = 0; turn < turns; ++turn) { // side by side
    for (size_t d = 0; d < devices.size(); ++d)
      if (const int64_t number = devices[d]->queue->begin() + turn; number < devices[d]->queue->endOf(*now.seeds))
        ranges[d] = devices[d]->beginShare({now, expected, numbers, d == 0 ? step : nullptr}, number);
    for (size_t d = 0; d < devices.size(); ++d)
      if (const int64_t number = devices[d]->queue->begin() + turn;
          sums && number < devices[d]->queue->endOf(*now.seeds) && ranges[d].size() > 0)
        sums->add(number, ranges[d], devices[d]->engine, devices[d]->results);
  }
  if (sums)
    sums->finish(results);
}

/// After what follows them.
void Sampled::finishShares() {
  for (Sampled *device : devices) {
    device->finish();
    if (!expected.empty())
      device->queue->sendAhead(expected.front().key, device->queue->begin());
  }
}

void Sampled::findIn(const std::shared_ptr<HotRows> &rows, const std::vector<size_t> &engines) {
  for (size_t i = 0; i < engines.size(); ++i)
    for (const auto &sample : devices[engines[i]]->queue->samples())
      sample->sent()->findIn(rows, i);
}

void Sampled::reserve() {
  for (Sampled *device : devices)
    device->queue->reserve();
}

EdgeDraws::Counts Sampled::drawCounts() const {
  EdgeDraws::Counts all;
  for (const Sampled *device : devices)
    all += device->drawn;
  return all;
}

void Sampled::run(uint64_t key) {
  runShares({key, {}}, nullptr);
  finishShares();
}

StepOutcome Sampled::train(const TrainingStep &step) {
  runShares({step.key, step.rule}, &step);
  local.program().update();
  finishShares();
  return local.program().outcome();
}

} // namespace gnn::rt
