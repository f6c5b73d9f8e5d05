//===- DeviceExchange.cpp - What devices give each other ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/DeviceExchange.h"

#include "runtime/src/engine/Peers.h"

#include <algorithm>

namespace gnn::rt {

/// Size of the parts in which the devices' tables over edges are combined.
static constexpr size_t bytesOfPiece = size_t(1) << 20;

/// Finds what devices have to exchange. Spilled tables need no exchange, since all devices read one spill file.
DeviceExchange::DeviceExchange(const std::vector<Engine *> &machines,
                               const std::vector<std::unique_ptr<StreamWorker>> &ofMachines, StreamWalk &order,
                               const StreamLayout &places, const Topology &connections)
    : StreamedProgram(places), engines(machines), workers(ofMachines), walk(order), layout(places),
      topology(connections), outputs(layout.stages().size()) {
  for (const RankOutput &output : rankOutputs(library, program)) {
    const uint32_t tensor = steps[output.step][output.operand].tensor;
    const size_t stage = layout.schedule().numberOf(output.step);
    if (output.way == RankOutput::Summed)
      outputs[stage].totals.push_back({tensor, isReadAfter(output.step, tensor)});
    else if (output.travels() && !layout.isSpilled(tensor))
      outputs[stage].tables.push_back({tensor, output.isOfEdges, output.way == RankOutput::ToAll});
  }
}

bool DeviceExchange::isReadAfter(uint32_t step, uint32_t tensor) const {
  for (uint32_t s = step + 1; s < program.num_steps; ++s)
    if (steps[s].reads(tensor))
      return true;
  return false;
}

void DeviceExchange::place(uint32_t tensor, void *where) {
  Copied &copy = copied[tensor];
  copy.from = where;
  copy.bytes = layout.tableBytes(tensor);
  for (size_t d = 1 + copy.there.size(); d < engines.size(); ++d) {
    copy.there.push_back(engines[d]->allocate(copy.bytes));
    workers[d]->tables().place(tensor, copy.there.back()->data());
  }
}

void DeviceExchange::begin(LinkRehearsal *rehearsal) {
  paper = rehearsal;
  copies.clear();
  for (const auto &[tensor, parameter] : copied)
    for (size_t d = 1; d < engines.size(); ++d)
      if (paper)
        paper->move(d, Queue::Work, Topology::host, int(d), parameter.bytes, {});
      else
        engines[d]->copyIn(parameter.there[d - 1]->data(), parameter.from, parameter.bytes);
}

/// The first byte of a device's rows in a table, and how many there are.
std::pair<size_t, size_t> DeviceExchange::bytesOfRows(const Table &table, uint32_t type, size_t device) const {
  const size_t rowBytes = layout.bytesOfVertex(table.tensor, type);
  const Intervals::Range own = walk.share(type, device);
  const auto begin = size_t(intervals.begin(type, own.begin)), end = size_t(intervals.begin(type, own.end));
  return {begin * rowBytes, (end - begin) * rowBytes};
}

StreamTraffic DeviceExchange::traffic(ColRoute route) {
  StreamTraffic traffic{layout.traffic().moved, layout.traffic().below};
  traffic.host.read[Spill::Tables] -= layout.traffic().cols;
  traffic.below.read[Spill::Tables] -= layout.traffic().colsBelow;
  for (const Stage &stage : layout.stages())
    for (int64_t g = 0; g < walk.numGroups(stage.type); ++g) {
      const StreamWalk::Group group = walk.groupOf(stage.type, g);
      auto chunk = [&](uint32_t s, const StreamWalk::Turn &turn) {
        if (!turn.hasEdges)
          return;
        const uint64_t rowBytes = walk.colRowBytes(s), rows = walk.colRows(s, turn);
        if (turn.from >= 0)
          return count(traffic, group.engines[size_t(turn.from)], group.engines[turn.member], rows * rowBytes);
        traffic.host.read[Spill::Tables] += rows * rowBytes;
        traffic.below.read[Spill::Tables] += walk.colBytesBelow(s, turn);
        traffic.passedOver += (uint64_t(intervals.rows(steps[s].colType(), turn.cols)) - rows) * rowBytes;
      };
      walk.go(
          stage, route, group, [](uint32_t) {}, chunk);
    }
  countOutputs(traffic);
  return traffic;
}

/// Adds so many bytes from device to device.
void DeviceExchange::count(StreamTraffic &traffic, size_t from, size_t to, uint64_t bytes) const {
  traffic.betweenDevices += bytes;
  if (!engines[to]->peers()->reaches(*engines[from]))
    traffic.stagedByHost += bytes;
}

/// Adds what devices give each other in a run, but for cols.
void DeviceExchange::countOutputs(StreamTraffic &traffic) const {
  for (size_t k = 0; k < outputs.size(); ++k) {
    const uint32_t type = layout.stages()[k].type;
    for (size_t d = 1; d < engines.size(); ++d) {
      const Intervals::Range own = walk.share(type, d);
      for (const TotalParts &total : layout.totals(k))
        count(traffic, d, 0,
              uint64_t(own.end - own.begin) * layout.tableBytes(steps[total.step][total.operand].tensor));
      for (const Total &total : outputs[k].totals)
        count(traffic, 0, d, total.isReadLater ? layout.tableBytes(total.tensor) : 0);
    }
    for (const Table &table : outputs[k].tables) {
      if (table.isOfEdges) {
        traffic.host.read[Spill::Tables] += engines.size() * layout.tableBytes(table.tensor);
        traffic.host.written[Spill::Tables] += engines.size() * layout.tableBytes(table.tensor);
        continue;
      }
      for (size_t from = 0; from < engines.size(); ++from)
        for (size_t to = 0; to < (table.isForAll ? engines.size() : 1); ++to)
          if (from != to)
            count(traffic, from, to, bytesOfRows(table, type, from).second);
    }
  }
}

void DeviceExchange::beginStage(size_t k) {
  for (const Table &table : outputs[k].tables)
    for (size_t d = 0; d < engines.size() && table.isOfEdges && !paper; ++d)
      engines[d]->clear(workers[d]->tables().placed()[table.tensor], layout.tableBytes(table.tensor));
}

void DeviceExchange::endStage(size_t k) {
  gatherTotals(k);
  for (const Table &table : outputs[k].tables)
    table.isOfEdges ? gatherEdges(table) : gatherRows(table, layout.stages()[k].type);
}

/// On the way from device to device until `awaitCopies`.
void DeviceExchange::copy(size_t from, size_t to, void *target, const void *source, size_t bytes, const Asked &after) {
  if (bytes == 0)
    return;
  if (paper) {
    copies.push_back({{}, 0, paper->move(to, Queue::Load, int(from), int(to), bytes, {after.id})});
    return;
  }
  copies.push_back({engines[to]->peers()->copyFrom(*engines[from], target, source, bytes, {after.ticket})});
  bytesMoved += bytes;
}

void DeviceExchange::awaitCopies() {
  for (const Asked &copy : copies)
    paper ? paper->await(copy.id) : copy.ticket.await();
  copies.clear();
}

/// On the first device, which has the parts of all intervals.
Asked DeviceExchange::fold(size_t k) {
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
void DeviceExchange::gatherTotals(size_t k) {
  if (outputs[k].totals.empty())
    return;
  const uint32_t type = layout.stages()[k].type;
  for (const TotalParts &total : layout.totals(k))
    for (size_t d = 1; d < engines.size(); ++d)
      for (int64_t p = walk.share(type, d).begin; p < walk.share(type, d).end; ++p)
        copy(d, 0, workers[0]->totalOf(total, p), workers[d]->totalOf(total, p),
             layout.tableBytes(steps[total.step][total.operand].tensor));
  awaitCopies();
  const Asked folded = fold(k);
  for (const Total &total : outputs[k].totals)
    for (size_t d = 1; d < engines.size() && total.isReadLater; ++d)
      copy(0, d, workers[d]->tables().placed()[total.tensor], workers[0]->tables().placed()[total.tensor],
           layout.tableBytes(total.tensor), folded);
  awaitCopies();
}

void DeviceExchange::gatherRows(const Table &table, uint32_t type) {
  for (size_t from = 0; from < engines.size(); ++from) {
    const auto [begin, bytes] = bytesOfRows(table, type, from);
    for (size_t to = 0; to < (table.isForAll ? engines.size() : 1); ++to)
      if (from != to)
        copy(from, to, workers[to]->tables().placed()[table.tensor] + begin,
             workers[from]->tables().placed()[table.tensor] + begin, bytes);
  }
  awaitCopies();
}

/// A device's edges lie anywhere in the table, and are 0 in that of others.
void DeviceExchange::gatherEdges(const Table &table) {
  const size_t all = layout.tableBytes(table.tensor);
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
      engines[d]->copyOut((d == 0 ? sum : more).data(), workers[d]->tables().placed()[table.tensor] + begin, bytes);
      for (size_t i = 0; i < bytes && d > 0; ++i)
        sum[i] = char(sum[i] | more[i]);
    }
    for (size_t d = 0; d < engines.size(); ++d)
      engines[d]->copyIn(workers[d]->tables().placed()[table.tensor] + begin, sum.data(), bytes);
  }
  data.file().noteRead(Spill::Tables, engines.size() * all);
  data.file().noteWritten(Spill::Tables, engines.size() * all);
}

} // namespace gnn::rt
