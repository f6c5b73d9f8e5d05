//===- OnDevices.cpp - A streamed program on several devices --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread asks all devices: within a group chunk by chunk in turns, so that each has the next one to do while it is
// waited for another. A stage begins on all of them when the one before has ended on all.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/OnDevices.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/links/Loaders.h"

#include <algorithm>
#include <optional>

namespace gnn::rt {

/// Of a table over edges, while devices put together what they have made of it.
static constexpr size_t bytesOfPiece = size_t(1) << 20;
/// Cols of a chunk go from device to device in pieces. Each takes so many latencies of a link at least.
static constexpr uint64_t mostRelays = 16;
static constexpr double latenciesOfRelay = 16;
/// Chunks of a stage that are rehearsed: more would take longer than who plans wants to wait.
static constexpr int64_t mostTurns = 8192;

ColRoute parseColRoute(const std::string &text, const std::string &option) {
  for (ColRoute route : {ColRoute::Cheapest, ColRoute::Replicated, ColRoute::Ring, ColRoute::Chain})
    if (text == nameOf(route))
      return route;
  fail(GNN_ERROR_ARGUMENT, option, " ", text, ": there are auto, replicated, ring, chain");
}

const char *nameOf(ColRoute route) {
  switch (route) {
  case ColRoute::Replicated:
    return "replicated";
  case ColRoute::Ring:
    return "ring";
  case ColRoute::Chain:
    return "chain";
  default:
    return "auto";
  }
}

/// What the fastest link moves in so many latencies; 1 where no link has any.
static double bytesOfRelayBy(const Topology &topology) {
  double most = 0;
  for (const Topology::Link &link : topology.links())
    most = std::max(most, latenciesOfRelay * link.latency * link.rate);
  return std::max(most, 1.0);
}

OnDevices::OnDevices(std::unique_ptr<Streamed> first, std::vector<Engine *> machines, const Library &opened,
                     const Binding &bound, const gnn_program_t &compiled, SpilledData &spilled, ColRoute route,
                     const Topology &connections)
    : Executor(opened, compiled), engines(std::move(machines)), binding(bound), data(spilled),
      intervals(data.intervals()), layout(first->places()), outputs(layout.stages().size()), topology(connections),
      relays(topology), numLoaders(loadersOf(topology).size()), bytesOfRelay(bytesOfRelayBy(topology)),
      prices(library, binding.dimensions(), program, *engines[0], topology.kind), chosen(route) {
  workers.push_back(std::move(first));
  for (size_t d = 1; d < engines.size(); ++d)
    workers.push_back(std::make_unique<Streamed>(*workers[0], *engines[d]));
  addOutputs();
}

//===----------------------------------------------------------------------===//
// What is whose
//===----------------------------------------------------------------------===//

/// As of ranks: the first ones have one more.
Intervals::Range OnDevices::share(uint32_t type, size_t device) const {
  const auto d = int64_t(device), all = int64_t(engines.size()), count = intervals.count(type);
  return {(d * count + all - 1) / all, ((d + 1) * count + all - 1) / all};
}

int64_t OnDevices::numGroups(uint32_t type) const {
  const auto all = int64_t(engines.size());
  return (intervals.count(type) + all - 1) / all;
}

/// Of each device that has as many intervals the one with that number.
OnDevices::Group OnDevices::groupOf(uint32_t type, int64_t number) const {
  Group group;
  for (size_t d = 0; d < engines.size(); ++d)
    if (const Intervals::Range own = share(type, d); own.begin + number < own.end) {
      group.devices.push_back(d);
      group.intervals.push_back(own.begin + number);
    }
  return group;
}

size_t OnDevices::tensorBytes(uint32_t tensor) const {
  return size_t(binding.leadingExtent(library.tensor(tensor))) * layout.rowBytes(tensor);
}

/// Of all that a sweep reads by col and that is spilled.
uint64_t OnDevices::colRowBytes(uint32_t s) const {
  uint64_t bytes = 0;
  layout.schedule().stageOf(s).forEach(OpKind::ReadTable, Per::Chunk, s, [&](const OpTemplate &op) {
    bytes += op.extent == Extent::Cols ? layout.rowBytes(op.tensor) : 0;
  });
  return bytes;
}

bool OnDevices::isReadAfter(uint32_t step, uint32_t tensor) const {
  for (uint32_t s = step + 1; s < program.num_steps; ++s)
    if (steps[s].reads(tensor))
      return true;
  return false;
}

/// What is spilled lies where all devices find it.
void OnDevices::addOutputs() {
  size_t stage = 0;
  for (const RankOutput &output : rankOutputs(library, program)) {
    const uint32_t tensor = steps[output.step][output.operand].tensor;
    while (output.step >= layout.stages()[stage].end)
      ++stage;
    if (output.way == RankOutput::Summed)
      outputs[stage].totals.push_back({tensor, isReadAfter(output.step, tensor)});
    else if (output.travels() && !layout.isSpilled(tensor))
      outputs[stage].tables.push_back({tensor, output.isOfEdges, output.way == RankOutput::ToAll});
  }
}

void OnDevices::place(uint32_t tensor, void *where) {
  workers[0]->place(tensor, where);
  Copied &copy = copied[tensor];
  copy.from = where;
  copy.bytes = tensorBytes(tensor);
  for (size_t d = 1 + copy.there.size(); d < engines.size(); ++d) {
    copy.there.push_back(engines[d]->allocate(copy.bytes));
    workers[d]->place(tensor, copy.there.back()->data());
  }
}

void OnDevices::runIn(const std::vector<std::shared_ptr<Memory>> &memory) {
  for (size_t d = 0; d < engines.size(); ++d)
    workers[d]->runIn(memory[d]);
}

void OnDevices::choose() {
  data.update(); // edges say which rows are needed
  if (chosen == ColRoute::Cheapest)
    chosen = bestOf(plans()).route;
  perRun = trafficBy(chosen);
}

/// The first byte of a device's rows in a table, and how many there are. Parameters may have rows for vertices, too.
std::pair<int64_t, int64_t> OnDevices::bytesOfRows(const Table &table, uint32_t type, size_t device) const {
  const auto rowBytes = int64_t(tensorBytes(table.tensor)) / std::max<int64_t>(binding.rows(type), 1);
  const Intervals::Range own = share(type, device);
  const int64_t begin = intervals.begin(type, own.begin), end = intervals.begin(type, own.end);
  return {begin * rowBytes, (end - begin) * rowBytes};
}

//===----------------------------------------------------------------------===//
// What is moved
//===----------------------------------------------------------------------===//

/// The chunks of a group's intervals, in the order of their cols.
void OnDevices::forTurns(ColRoute route, uint32_t s, const Group &group, const OnTurn &body) const {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  std::vector<size_t> next(group.devices.size(), 0), memberOf(engines.size());
  for (size_t m = 0; m < group.devices.size(); ++m)
    memberOf[group.devices[m]] = m;
  for (int64_t q = 0; q < intervals.count(step.colType()); ++q) {
    for (const ColRelays::Sequence &sequence : relays.of(route, q, group.devices)) {
      int from = -1;
      std::vector<int64_t> sharing;
      for (size_t device : sequence)
        sharing.push_back(group.intervals[memberOf[device]]);
      std::sort(sharing.begin(), sharing.end());
      for (size_t device : sequence) {
        const size_t m = memberOf[device];
        const std::vector<int64_t> &met = chunks.met(group.intervals[m]);
        if (next[m] == met.size() || met[next[m]] != q)
          continue;
        body({m, next[m]++, q, from, sharing});
        if (chunks.hasEdges(group.intervals[m], q))
          from = int(m);
      }
    }
  }
}

SharedRows &OnDevices::sharedRows(uint32_t s) {
  const ProgramStep step = steps[s];
  const Residents::Edges edges(step->relation, step->direction);
  const uint32_t colType = step.colType();
  return shared.try_emplace(edges, data.chunks(step->relation, step->direction), intervals, colType).first->second;
}

/// Whether it is known before any chunk is loaded which cols the devices need that they go to: of edges that are in
/// memory of this process.
bool OnDevices::areRowsKnown(uint32_t s, const Turn &turn) const {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  return data.spillOf(Residents::Edges{step->relation, step->direction}).isMemory() &&
         std::all_of(turn.sharing.begin(), turn.sharing.end(),
                     [&](int64_t p) { return chunks.numSlices(p, turn.cols) == 1; });
}

/// Of the cols of a chunk, those that travel: all, or those that some device needs which they go to.
uint64_t OnDevices::colRows(uint32_t s, const Turn &turn) {
  const auto all = uint64_t(intervals.rows(steps[s].colType(), turn.cols));
  if (!layout.grid().mayBePacked(s) || !areRowsKnown(s, turn))
    return all;
  const uint64_t useful = sharedRows(s).count(turn.sharing, turn.cols);
  return data.packsAll() || isWorthPacking(useful, all, numLoaders) ? useful : all;
}

/// What is read of the file below for the device that loads them: of each table those that some device needs, and what
/// lies between.
uint64_t OnDevices::colBytesBelow(uint32_t s, const Turn &turn) {
  const ProgramStep step = steps[s];
  const auto all = uint64_t(intervals.rows(step.colType(), turn.cols));
  const bool readsSome = layout.grid().mayReadSomeBelow(s) && areRowsKnown(s, turn);
  uint64_t bytes = 0;
  for (const Operand input : step.inputs())
    if (input.isPerCol() && layout.schedule().placement().isBelowHost(input.tensor))
      bytes +=
          (readsSome ? sharedRows(s).count(turn.sharing, turn.cols, layout.grid().gapBelow(s, input.index)) : all) *
          layout.rowBytes(input.tensor);
  return bytes;
}

Streamed::ColsSent OnDevices::colsSent(uint32_t s, const Turn &turn) {
  const auto all = uint64_t(intervals.rows(steps[s].colType(), turn.cols));
  Streamed::ColsSent sent{colRows(s, turn), nullptr};
  sent.areShared = true;
  if (!paper && (sent.rows < all || (layout.grid().mayReadSomeBelow(s) && areRowsKnown(s, turn))))
    sent.marks = std::make_shared<const RowMarks>(sharedRows(s).marks(turn.sharing, turn.cols));
  if (turn.sharing.size() > 1) {
    const auto pieces = uint64_t(double(sent.rows * colRowBytes(s)) / bytesOfRelay);
    sent.pieces = std::clamp<uint64_t>(pieces, 1, std::clamp<uint64_t>(sent.rows, 1, mostRelays));
  }
  return sent;
}

void OnDevices::count(Traffic &traffic, size_t from, size_t to, uint64_t bytes) const {
  traffic.betweenDevices += bytes;
  if (!engines[to]->peers()->reaches(*engines[from]))
    traffic.stagedByHost += bytes;
}

void OnDevices::countCols(ColRoute route, Traffic &traffic) {
  traffic.host.read[Spill::Tables] -= layout.traffic().cols;
  traffic.below.read[Spill::Tables] -= layout.traffic().colsBelow;
  for (const Stage &stage : layout.stages())
    for (uint32_t s = stage.first; s < stage.end; ++s) {
      if (!workers[0]->isInChunks(s))
        continue;
      const ProgramStep step = steps[s];
      const uint32_t colType = step.colType();
      const Chunks &chunks = data.chunks(step->relation, step->direction);
      for (int64_t g = 0; g < numGroups(stage.type); ++g) {
        const Group group = groupOf(stage.type, g);
        forTurns(route, s, group, [&](const Turn &turn) {
          if (!chunks.hasEdges(group.intervals[turn.member], turn.cols))
            return;
          const uint64_t rowBytes = colRowBytes(s), rows = colRows(s, turn);
          if (turn.from >= 0)
            return count(traffic, group.devices[size_t(turn.from)], group.devices[turn.member], rows * rowBytes);
          traffic.host.read[Spill::Tables] += rows * rowBytes;
          traffic.below.read[Spill::Tables] += colBytesBelow(s, turn);
          traffic.passedOver += (uint64_t(intervals.rows(colType, turn.cols)) - rows) * rowBytes;
        });
      }
    }
}

void OnDevices::countOutputs(Traffic &traffic) const {
  for (size_t k = 0; k < outputs.size(); ++k) {
    const uint32_t type = layout.stages()[k].type;
    for (size_t d = 1; d < engines.size(); ++d) {
      const Intervals::Range own = share(type, d);
      for (const TotalParts &total : layout.totals(k))
        count(traffic, d, 0, uint64_t(own.end - own.begin) * tensorBytes(steps[total.step][total.operand].tensor));
      for (const Total &total : outputs[k].totals)
        count(traffic, 0, d, total.isReadLater ? tensorBytes(total.tensor) : 0);
    }
    for (const Table &table : outputs[k].tables) {
      if (table.isOfEdges) {
        traffic.host.read[Spill::Tables] += engines.size() * tensorBytes(table.tensor);
        traffic.host.written[Spill::Tables] += engines.size() * tensorBytes(table.tensor);
        continue;
      }
      for (size_t from = 0; from < engines.size(); ++from)
        for (size_t to = 0; to < (table.isForAll ? engines.size() : 1); ++to)
          if (from != to)
            count(traffic, from, to, uint64_t(bytesOfRows(table, type, from).second));
    }
  }
}

OnDevices::Traffic OnDevices::trafficBy(ColRoute route) {
  Traffic traffic{layout.traffic().moved};
  traffic.below = layout.traffic().below;
  countCols(route, traffic);
  countOutputs(traffic);
  return traffic;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void OnDevices::begin(const RunNumbers &numbers) {
  engines[0]->settle(); // parameters are in memory that this process sees
  for (const std::unique_ptr<Streamed> &worker : workers)
    worker->beginRun(numbers);
  for (const auto &[tensor, parameter] : copied)
    for (size_t d = 1; d < engines.size(); ++d)
      engines[d]->copyIn(parameter.there[d - 1]->data(), parameter.from, parameter.bytes);
}

void OnDevices::run(uint64_t key) {
  begin({key, {}});
  runStages();
}

StepOutcome OnDevices::train(const TrainingStep &step) {
  begin({step.key, step.rule});
  workers[0]->expectUpdate(step);
  runStages();
  return workers[0]->update();
}

void OnDevices::runStages() {
  for (const std::unique_ptr<Streamed> &worker : workers)
    worker->beginStages();
  try {
    for (size_t stage = 0; stage < layout.stages().size(); ++stage)
      runStage(stage);
    for (const std::unique_ptr<Streamed> &worker : workers)
      worker->endStages();
  } catch (...) {
    copies.clear();
    for (const std::unique_ptr<Streamed> &worker : workers)
      worker->abandon();
    throw;
  }
}

std::vector<RoutePlan> OnDevices::plans() {
  std::vector<RoutePlan> plans;
  for (ColRoute route : {ColRoute::Replicated, ColRoute::Ring, ColRoute::Chain})
    plans.push_back(rehearse(route));
  return plans;
}

/// All that a run asks for is asked for, of which nothing is done.
RoutePlan OnDevices::rehearse(ColRoute route) {
  LinkRehearsal clock(topology);
  const ColRoute before = std::exchange(chosen, route);
  paper = &clock;
  for (size_t d = 0; d < engines.size(); ++d)
    workers[d]->beginStages({}, nullptr, {&clock, d, &prices});
  for (const auto &[tensor, parameter] : copied)
    for (size_t d = 1; d < engines.size(); ++d)
      clock.move(d, Queue::Work, Topology::host, int(d), parameter.bytes, {});
  for (size_t stage = 0; stage < layout.stages().size(); ++stage)
    runStage(stage);
  for (const std::unique_ptr<Streamed> &worker : workers)
    worker->endStages();
  paper = nullptr;
  chosen = before;
  return routePlan(route, clock);
}

void OnDevices::runStage(size_t k) {
  const Stage &stage = layout.stages()[k];
  for (const Table &table : outputs[k].tables)
    for (size_t d = 0; d < engines.size() && table.isOfEdges && !paper; ++d)
      engines[d]->clear(workers[d]->base(table.tensor), tensorBytes(table.tensor));
  if (paper)
    rehearseGroups(k);
  for (int64_t g = 0; g < numGroups(stage.type) && !paper; ++g)
    runGroup(k, g);
  for (const std::unique_ptr<Streamed> &worker : workers)
    worker->awaitAll();
  gatherTotals(k);
  for (const Table &table : outputs[k].tables)
    table.isOfEdges ? gatherEdges(table) : gatherRows(table, stage.type);
}

/// Of many some, evenly spread, which stand for the others.
void OnDevices::rehearseGroups(size_t k) {
  const Stage &stage = layout.stages()[k];
  const int64_t all = numGroups(stage.type);
  int64_t turns = 0; // of a group
  for (uint32_t s = stage.first; s < stage.end; ++s)
    if (workers[0]->isInChunks(s))
      turns += int64_t(engines.size()) * intervals.count(steps[s].colType());
  const int64_t some = std::clamp<int64_t>(mostTurns / std::max<int64_t>(turns, 1), 1, std::max<int64_t>(all, 1));
  if (some >= all) {
    for (int64_t g = 0; g < all; ++g)
      runGroup(k, g);
    return;
  }
  const LinkRehearsal::Taken before = paper->taken();
  for (int64_t i = 0; i < some; ++i)
    runGroup(k, (2 * i + 1) * all / (2 * some));
  paper->repeat(before, double(all) / double(some));
}

void OnDevices::runGroup(size_t k, int64_t number) {
  const Stage &stage = layout.stages()[k];
  const Group group = groupOf(stage.type, number);
  std::vector<Member> members;
  for (size_t m = 0; m < group.devices.size(); ++m)
    members.push_back({*workers[group.devices[m]], workers[group.devices[m]]->openInterval(k, group.intervals[m])});
  for (const OpTemplate &op : stage.ops)
    if (op.kind == OpKind::Compute && op.per == Per::Slice)
      runChunks(group, members, op.step);
    else if (op.kind == OpKind::Compute)
      for (const Member &member : members)
        member.worker.runStep(member.at, op.step);
  for (const Member &member : members)
    member.worker.closeInterval(member.at);
}

void OnDevices::runChunks(const Group &group, const std::vector<Member> &members, uint32_t s) {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  Streamed::ColsSent sent{};
  forTurns(chosen, s, group, [&](const Turn &turn) {
    Streamed *relay = turn.from >= 0 ? &members[size_t(turn.from)].worker : nullptr;
    if (!relay)
      sent = colsSent(s, turn);
    const Member &member = members[turn.member];
    member.worker.runChunk(member.at, s, turn.chunk, sent, relay);
    if (relay && !paper && chunks.hasEdges(group.intervals[turn.member], turn.cols))
      moved += sent.rows * colRowBytes(s);
  });
}

/// On the way from device to device until `awaitCopies`.
void OnDevices::copy(size_t from, size_t to, void *target, const void *source, size_t bytes, const Asked &after) {
  if (bytes == 0)
    return;
  if (paper) {
    copies.push_back({{}, 0, paper->move(to, Queue::Load, int(from), int(to), bytes, {after.id})});
    return;
  }
  copies.push_back({engines[to]->peers()->copyFrom(*engines[from], target, source, bytes, {after.ticket})});
  moved += bytes;
}

void OnDevices::awaitCopies() {
  for (const Asked &copy : copies)
    paper ? paper->await(copy.id) : copy.ticket.await();
  copies.clear();
}

/// On the first device, which has the parts of all intervals.
Asked OnDevices::fold(size_t k) {
  const int64_t parts = intervals.count(layout.stages()[k].type);
  double seconds = 0;
  for (const TotalParts &total : layout.totals(k)) {
    seconds += topology.kind.launchSeconds + double(uint64_t(parts) * total.bytes) / topology.kind.memoryRate;
    if (!paper)
      workers[0]->foldParts(total, workers[0]->totalOf(total, 0), parts);
  }
  if (paper)
    return {{}, 0, paper->work(0, Queue::Work, seconds, {})};
  return {engines[0]->transferBy(Queue::Work, [] {}, {})};
}

/// The first device folds what all have made.
void OnDevices::gatherTotals(size_t k) {
  if (outputs[k].totals.empty())
    return;
  const uint32_t type = layout.stages()[k].type;
  for (const TotalParts &total : layout.totals(k))
    for (size_t d = 1; d < engines.size(); ++d)
      for (int64_t p = share(type, d).begin; p < share(type, d).end; ++p)
        copy(d, 0, workers[0]->totalOf(total, p), workers[d]->totalOf(total, p),
             tensorBytes(steps[total.step][total.operand].tensor));
  awaitCopies();
  const Asked folded = fold(k);
  for (const Total &total : outputs[k].totals)
    for (size_t d = 1; d < engines.size() && total.isReadLater; ++d)
      copy(0, d, workers[d]->base(total.tensor), workers[0]->base(total.tensor), tensorBytes(total.tensor), folded);
  awaitCopies();
}

void OnDevices::gatherRows(const Table &table, uint32_t type) {
  for (size_t from = 0; from < engines.size(); ++from) {
    const auto [begin, bytes] = bytesOfRows(table, type, from);
    for (size_t to = 0; to < (table.isForAll ? engines.size() : 1); ++to)
      if (from != to)
        copy(from, to, workers[to]->base(table.tensor) + begin, workers[from]->base(table.tensor) + begin,
             size_t(bytes));
  }
  awaitCopies();
}

/// A device's edges lie anywhere in the table, and are 0 in that of others.
void OnDevices::gatherEdges(const Table &table) {
  const size_t all = tensorBytes(table.tensor);
  if (paper) {
    for (size_t d = 0; d < engines.size(); ++d)
      paper->await(paper->move(d, Queue::Work, int(d), Topology::host, all, {}));
    for (size_t d = 0; d < engines.size(); ++d)
      paper->move(d, Queue::Work, Topology::host, int(d), all, {});
    return;
  }
  std::vector<char> sum(std::min(all, bytesOfPiece)), more(sum.size());
  for (size_t begin = 0; begin < all; begin += bytesOfPiece) {
    const size_t bytes = std::min(all - begin, bytesOfPiece);
    for (size_t d = 0; d < engines.size(); ++d) {
      engines[d]->copyOut((d == 0 ? sum : more).data(), workers[d]->base(table.tensor) + begin, bytes);
      for (size_t i = 0; i < bytes && d > 0; ++i)
        sum[i] = char(sum[i] | more[i]);
    }
    for (size_t d = 0; d < engines.size(); ++d)
      engines[d]->copyIn(workers[d]->base(table.tensor) + begin, sum.data(), bytes);
  }
  data.file().noteRead(Spill::Tables, engines.size() * all);
  data.file().noteWritten(Spill::Tables, engines.size() * all);
}

} // namespace gnn::rt
