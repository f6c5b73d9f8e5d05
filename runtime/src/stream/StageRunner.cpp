//===- StageRunner.cpp - The stages of a streamed program -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StageRunner.h"

#include "runtime/src/engine/Peers.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace gnn::rt {

/// The most chunks of a stage that a plan rehearses, so that planning takes seconds at most.
static constexpr int64_t mostTurns = 8192;

StageRunner::StageRunner(Engine &engine, const StreamLayout &planned, Comm *comm, const Topology &topology,
                         const std::function<void()> &onCall)
    : engines(enginesOf(engine)), layout(planned), walk(layout, engines.size(), topology),
      share(comm ? std::make_unique<RankShare>(*comm, engine, layout) : nullptr),
      exchange(engines.size() > 1 ? std::make_unique<DeviceExchange>(engines, workers, walk, layout, topology)
                                  : nullptr) {
  for (Engine *each : engines)
    workers.push_back(std::make_unique<StreamWorker>(
        *each, layout, workers.empty() ? layout.prepared() : layout.prepareOn(*each), onCall));
}

void StageRunner::place(uint32_t tensor, void *where) {
  first().tables().place(tensor, where);
  if (exchange)
    exchange->place(tensor, where);
}

void StageRunner::runIn(const std::vector<std::shared_ptr<Memory>> &memory) {
  for (size_t d = 0; d < engines.size(); ++d)
    workers[d]->runIn(memory[d]);
}

void StageRunner::begin(const RunNumbers &numbers) {
  if (exchange)
    engines[0]->settle(); // parameters are read here for the other devices
  layout.data.update();
  if (share)
    share->begin();
  for (const std::unique_ptr<StreamWorker> &worker : workers)
    worker->calls().begin(numbers);
  if (exchange)
    exchange->begin(/*paper=*/nullptr);
}

void StageRunner::run(ColRoute route, const Lanes::Watch &watch) {
  for (const std::unique_ptr<StreamWorker> &worker : workers)
    worker->begin(exchange ? Lanes::Watch() : watch);
  runStages([this, route](size_t stage) { runStage(stage, route); });
}

void StageRunner::fetch(uint32_t tensor) {
  if (share)
    share->fetch(tensor, first().tables().placed());
}

void StageRunner::runStages(const std::function<void(size_t)> &body) {
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

/// How many groups of a stage a plan rehearses where several devices share its steps.
static int64_t numRehearsed(const StreamLayout &layout, const Stage &stage, size_t devices) {
  int64_t turns = 0; // of a group
  for (uint32_t s = stage.first; s < stage.end; ++s)
    if (layout.schedule().isInChunks(s))
      turns += int64_t(devices) * layout.intervals.count(layout.steps[s].colType());
  return std::max<int64_t>(mostTurns / std::max<int64_t>(turns, 1), 1);
}

/// `paper`: of a rehearsal on several devices. Of many groups some are rehearsed, evenly spread, which stand for the
/// others.
void StageRunner::runStage(size_t k, ColRoute route, LinkRehearsal *paper) {
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
    runGroup(k, route, (2 * i + 1) * all / (2 * some));
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
    share->exchangeTables(k, workers[0]->tables().placed());
}

void StageRunner::runGroup(size_t k, ColRoute route, int64_t number) {
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
  walk.go(stage, route, group, step, chunk);
  for (size_t m = 0; m < members.size(); ++m)
    members[m]->closeInterval(at[m]);
}

//===----------------------------------------------------------------------===//
// Trials and rehearsals
//===----------------------------------------------------------------------===//

/// What is done first touches memory, writes where nothing was and finds in the page cache what was written to prepare
/// the data. So the same is done twice.
void StageRunner::runSome(double seconds, ColRoute route, const Lanes::Watch &told) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> enough(seconds / 2 / double(layout.stages().size()));
  std::vector<int64_t> tried(layout.stages().size(), 0); // intervals of each stage
  for (const bool isTrial : {true, false}) {
    begin({});
    workers[0]->begin(isTrial ? Lanes::Watch() : told);
    runStages([&](size_t stage) {
      const int64_t count = layout.intervals.count(layout.stages()[stage].type);
      const Clock::time_point begin = Clock::now();
      workers[0]->gatherCols(stage);
      for (int64_t p = 0; isTrial ? p < count && (p < 2 || Clock::now() - begin < enough) : p < tried[stage]; ++p) {
        runGroup(stage, route, p);
        if (!isTrial)
          continue;
        workers[0]->awaitAll();
        tried[stage] = p + 1;
      }
    });
  }
}

double StageRunner::rehearse(const Prices &prices, ColRoute route, const Lanes::Watch &told) {
  assert(!share && "what ranks wait for is not known");
  first().begin(told, &prices);
  runStages([this, route](size_t stage) { runStage(stage, route); });
  return first().queues().end();
}

RoutePlan StageRunner::rehearse(ColRoute route, const Topology &topology, const KernelPrices &prices,
                                const DiskRates *disk) {
  LinkRehearsal clock(topology);
  for (size_t d = 0; d < engines.size(); ++d)
    workers[d]->begin({}, nullptr, {&clock, d, &prices, disk});
  if (exchange)
    exchange->begin(&clock);
  runStages([&](size_t stage) { runStage(stage, route, exchange ? &clock : nullptr); });
  return routePlan(route, clock);
}

} // namespace gnn::rt
