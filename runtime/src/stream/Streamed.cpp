//===- Streamed.cpp - Executor of graphs larger than memory ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread asks all engines: within a group chunk by chunk in turns, so that each has the next one to do while it is
// waited for another. A stage begins on all of several devices when the one before has ended on all.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Streamed.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/stream/Prices.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <numeric>

namespace gnn::rt {

/// Of a table, at a time, where some of its rows are asked for.
static constexpr size_t bytesOfPiece = size_t(1) << 20;
/// Chunks of a stage that are rehearsed: more would take longer than who plans wants to wait.
static constexpr int64_t mostTurns = 8192;

Streamed::Streamed(Engine &engine, const Library &opened, const Binding &binding, const gnn_program_t &compiled,
                   std::shared_ptr<SpilledData> spilled, Comm *comm, ColRoute route, const Topology &connections)
    : Executor(opened, compiled), engines(enginesOf(engine)), data(std::move(spilled)),
      layout(engine, library, binding, program, *data), topology(connections), walk(layout, engines.size(), topology),
      share(comm ? std::make_unique<RankShare>(*comm, engine, layout) : nullptr),
      exchange(engines.size() > 1 ? std::make_unique<DeviceExchange>(engines, workers, walk, layout, topology)
                                  : nullptr),
      chosen(exchange ? route : ColRoute::Replicated), perRun{layout.traffic().moved, layout.traffic().below,
                                                              layout.traffic().passedOver},
      onHost(program.num_results) {
  assert(StreamLayout::obstacle(library, program, data->file().isMemory(), comm != nullptr).empty());
  checkEdgeTypes(library, binding, program);
  auto tell = [this] {
    if (report && !report(double(callsOfRun++) / double(layout.traffic().calls)))
      throw Stopped();
  };
  for (Engine *each : engines)
    workers.push_back(std::make_unique<StreamWorker>(
        *each, layout, workers.empty() ? layout.prepared() : layout.prepareOn(*each), tell));
}

void Streamed::place(uint32_t tensor, void *where) {
  workers[0]->place(tensor, where);
  if (exchange)
    exchange->place(tensor, where);
}

void Streamed::runIn(const std::vector<std::shared_ptr<Memory>> &memory) {
  for (size_t d = 0; d < engines.size(); ++d)
    workers[d]->runIn(memory[d]);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Streamed::beginRun(const RunNumbers &numbers) {
  if (exchange)
    engines[0]->settle(); // parameters are read here for the other devices
  data->update();
  onHost.assign(onHost.size(), Tensor());
  if (share)
    share->begin();
  for (const std::unique_ptr<StreamWorker> &worker : workers)
    worker->calls().begin(numbers);
  if (exchange)
    exchange->begin(/*paper=*/nullptr);
  callsOfRun = 0;
}

void Streamed::run(uint64_t key) {
  beginRun({key, {}});
  runSteps();
}

StepOutcome Streamed::train(const TrainingStep &step) {
  Prepared &calls = workers[0]->calls();
  beginRun({step.key, step.rule});
  calls.expectUpdate(step, workers[0]->results());
  runSteps();
  calls.update();
  const StepOutcome outcome = calls.outcome();
  lastStepSeconds = engines[0]->deviceSeconds().value_or(0);
  return outcome;
}

void Streamed::runSteps() {
  for (const std::unique_ptr<StreamWorker> &worker : workers)
    worker->begin(exchange ? Lanes::Watch() : watch);
  runStages([this](size_t stage) { runStage(stage); });
}

void Streamed::runStages(const std::function<void(size_t)> &body) {
  try {
    for (size_t stage = 0; stage < layout.stages().size(); ++stage)
      body(stage);
    for (const std::unique_ptr<StreamWorker> &worker : workers)
      worker->end();
  } catch (...) {
    for (const std::unique_ptr<StreamWorker> &worker : workers)
      worker->abandon();
    throw;
  }
}

/// Of how many groups of a stage some steps over several devices are rehearsed.
static int64_t numRehearsed(const StreamLayout &layout, const Stage &stage, size_t devices) {
  int64_t turns = 0; // of a group
  for (uint32_t s = stage.first; s < stage.end; ++s)
    if (layout.schedule().isInChunks(s))
      turns += int64_t(devices) * layout.intervals.count(layout.steps[s].colType());
  return std::max<int64_t>(mostTurns / std::max<int64_t>(turns, 1), 1);
}

/// `paper`: of a rehearsal on several devices. Of many groups some are rehearsed, evenly spread, which stand for the
/// others.
void Streamed::runStage(size_t k, LinkRehearsal *paper) {
  const Stage &stage = layout.stages()[k];
  if (exchange)
    exchange->beginStage(k);
  workers[0]->gatherCols(k);
  const int64_t all = walk.numGroups(stage.type),
                some = paper ? std::min(all, numRehearsed(layout, stage, engines.size())) : all;
  std::optional<LinkRehearsal::Taken> before;
  if (some < all)
    before = paper->taken();
  for (int64_t i = 0; i < some; ++i)
    runGroup(k, (2 * i + 1) * all / (2 * some));
  if (before)
    paper->repeat(*before, double(all) / double(some));
  if (share)
    share->foldTotals(k, *workers[0]);
  if (exchange || share)
    for (const std::unique_ptr<StreamWorker> &worker : workers)
      worker->awaitAll();
  if (exchange)
    exchange->endStage(k);
  if (share)
    share->exchangeTables(k, workers[0]->bases());
}

void Streamed::runGroup(size_t k, int64_t number) {
  const Stage &stage = layout.stages()[k];
  const StreamWalk::Group group = walk.groupOf(stage.type, number);
  std::vector<StreamWorker *> members;
  std::vector<StreamWorker::At> at; // [members]
  for (size_t m = 0; m < group.engines.size(); ++m) {
    members.push_back(workers[group.engines[m]].get());
    at.push_back(members[m]->openInterval(k, group.intervals[m]));
  }
  auto step = [&](uint32_t s) {
    for (size_t m = 0; m < members.size(); ++m)
      members[m]->runStep(at[m], s);
  };
  ColsSent sent{};
  auto chunk = [&](uint32_t s, const StreamWalk::Turn &turn) {
    StreamWorker *relay = turn.from >= 0 ? members[size_t(turn.from)] : nullptr;
    if (!relay)
      sent = walk.colsSent(s, group, turn, workers[0]->queues().isRehearsal());
    members[turn.member]->runChunk(at[turn.member], s, turn.chunk, sent, relay);
    if (relay && !relay->queues().isRehearsal() && turn.hasEdges)
      exchange->noteMoved(sent.rows * walk.colRowBytes(s));
  };
  walk.go(stage, chosen, group, step, chunk);
  for (size_t m = 0; m < members.size(); ++m)
    members[m]->closeInterval(at[m]);
}

//===----------------------------------------------------------------------===//
// Trials, rehearsals and counts
//===----------------------------------------------------------------------===//

/// What is done first touches memory, writes where nothing was and finds in the page cache what was written to prepare
/// the data. So the same is done twice.
void Streamed::runSome(double seconds, const Lanes::Watch &told) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> enough(seconds / 2 / double(layout.stages().size()));
  std::vector<int64_t> tried(layout.stages().size(), 0); // intervals of each stage
  for (const bool isTrial : {true, false}) {
    beginRun({});
    workers[0]->begin(isTrial ? Lanes::Watch() : told);
    runStages([&](size_t stage) {
      const int64_t count = layout.intervals.count(layout.stages()[stage].type);
      const Clock::time_point begin = Clock::now();
      workers[0]->gatherCols(stage);
      for (int64_t p = 0; isTrial ? p < count && (p < 2 || Clock::now() - begin < enough) : p < tried[stage]; ++p) {
        runGroup(stage, p);
        if (!isTrial)
          continue;
        workers[0]->awaitAll();
        tried[stage] = p + 1;
      }
    });
  }
}

double Streamed::rehearse(const Prices &prices, const Lanes::Watch &told) {
  assert(!share && "what ranks wait for is not known");
  workers[0]->begin(told, &prices);
  runStages([this](size_t stage) { runStage(stage); });
  return workers[0]->queues().end();
}

std::vector<RoutePlan> Streamed::routePlans(const DiskRates *disk) {
  const KernelPrices prices(library, layout.binding.dimensions(), program, *engines[0], topology.kind);
  std::vector<RoutePlan> plans;
  for (ColRoute route : {ColRoute::Replicated, ColRoute::Ring, ColRoute::Chain}) {
    if (!exchange && route != ColRoute::Replicated)
      continue;
    LinkRehearsal clock(topology);
    const ColRoute before = std::exchange(chosen, route);
    for (size_t d = 0; d < engines.size(); ++d)
      workers[d]->begin({}, nullptr, {&clock, d, &prices, disk});
    if (exchange)
      exchange->begin(&clock);
    runStages([&](size_t stage) { runStage(stage, exchange ? &clock : nullptr); });
    chosen = before;
    plans.push_back(routePlan(route, clock));
  }
  return plans;
}

void Streamed::choose() {
  if (!exchange)
    return;
  data->update(); // edges say which rows are needed
  if (chosen == ColRoute::Cheapest)
    chosen = bestOf(routePlans()).route;
  perRun = exchange->traffic(chosen);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A result that is in memory as a whole, made or bound, in that of this process.
static Tensor wholeOf(const Tensor &made, const Tensor &bound) { return (made ? made : bound).onHost(); }

Tensor Streamed::read(uint32_t i) {
  const uint32_t tensor = program.results[i];
  if (share)
    share->fetch(tensor, workers[0]->bases());
  const int64_t rows = layout.binding.leadingExtent(library.tensor(tensor));
  const auto [element, shape] = layout.storedShape(tensor, rows);
  Tensor table = Tensor::empty(element, shape);
  if (workers[0]->results()[i] || layout.binding.data(tensor))
    std::memcpy(table.mutableData(), wholeOf(workers[0]->results()[i], layout.binding.data(tensor)).data(),
                table.bytes());
  else
    data->load(tensor, layout.place(tensor), 0, rows, layout.rowBytes(tensor), table.mutableData());
  return table;
}

const Tensor &Streamed::result(uint32_t i) {
  if (workers[0]->results()[i] && share)
    share->fetch(program.results[i], workers[0]->bases());
  if (workers[0]->results()[i] && workers[0]->results()[i].device() < 0)
    return workers[0]->results()[i];
  if (!onHost[i])
    onHost[i] = read(i);
  return onHost[i];
}

Tensor Streamed::resultRows(uint32_t i, Span<const int64_t> rows) {
  const uint32_t tensor = program.results[i];
  if (share)
    share->fetch(tensor, workers[0]->bases());
  if (workers[0]->results()[i] || layout.binding.data(tensor))
    return wholeOf(workers[0]->results()[i], layout.binding.data(tensor)).rowsAt(rows);
  const size_t rowBytes = layout.rowBytes(tensor);
  const auto [element, shape] = layout.storedShape(tensor, int64_t(rows.size()));
  Tensor taken = Tensor::empty(element, shape);
  auto *to = static_cast<char *>(taken.mutableData());

  const auto most = int64_t(bytesOfPiece / std::max<size_t>(rowBytes, 1) + 1);
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows[a] < rows[b]; });
  std::vector<char> piece;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const int64_t first = rows[order[begin]];
    while (end < order.size() && rows[order[end]] - first < most)
      ++end;
    const int64_t count = rows[order[end - 1]] + 1 - first;
    piece.resize(size_t(count) * rowBytes);
    data->load(tensor, layout.place(tensor), first, count, rowBytes, piece.data());
    for (size_t j = begin; j < end; ++j)
      std::memcpy(to + order[j] * rowBytes, piece.data() + size_t(rows[order[j]] - first) * rowBytes, rowBytes);
  }
  return taken;
}

} // namespace gnn::rt
