//===- StreamWalk.cpp - The order of a streamed run -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamWalk.h"

#include "runtime/src/links/Loaders.h"

#include <algorithm>

namespace gnn::rt {

/// Cols of a chunk go from device to device in pieces. Each takes so many latencies of a link at least.
static constexpr uint64_t mostRelays = 16;
static constexpr double latenciesOfRelay = 16;

/// The most bytes that a link moves in `latenciesOfRelay` of its latencies; 1 if no link has a latency.
static double bytesOfRelayBy(const Topology &topology) {
  double most = 0;
  for (const Topology::Link &link : topology.links())
    most = std::max(most, latenciesOfRelay * link.latency * link.rate);
  return std::max(most, 1.0);
}

StreamWalk::StreamWalk(const StreamLayout &places, size_t engines, const Topology &topology)
    : StreamedProgram(places), layout(places), numEngines(engines),
      relays(numEngines > 1 ? std::optional<ColRelays>(topology) : std::nullopt),
      numLoaders(numEngines > 1 ? loadersOf(topology).size() : 1), bytesOfRelay(bytesOfRelayBy(topology)) {}

Intervals::Range StreamWalk::share(uint32_t type, size_t engine) const {
  if (numEngines == 1)
    return intervals.ours(type);
  const auto d = int64_t(engine), all = int64_t(numEngines), count = intervals.count(type);
  return {(d * count + all - 1) / all, ((d + 1) * count + all - 1) / all};
}

int64_t StreamWalk::numGroups(uint32_t type) const {
  const Intervals::Range most = share(type, 0);
  return most.end - most.begin;
}

StreamWalk::Group StreamWalk::groupOf(uint32_t type, int64_t number) const {
  Group group;
  for (size_t d = 0; d < numEngines; ++d)
    if (const Intervals::Range own = share(type, d); own.begin + number < own.end) {
      group.engines.push_back(d);
      group.intervals.push_back(own.begin + number);
    }
  return group;
}

/// The chunks of a group's intervals, in the order of their cols.
void StreamWalk::forTurns(ColRoute route, uint32_t s, const Group &group,
                          const std::function<void(const Turn &turn)> &body) const {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  if (numEngines == 1) {
    const std::vector<int64_t> &met = chunks.met(group.intervals[0]);
    for (size_t k = 0; k < met.size(); ++k)
      body({/*member=*/0, k, met[k], /*from=*/-1, chunks.hasEdges(group.intervals[0], met[k]), group.intervals});
    return;
  }
  std::vector<size_t> next(group.engines.size(), 0), memberOf(numEngines);
  for (size_t m = 0; m < group.engines.size(); ++m)
    memberOf[group.engines[m]] = m;
  for (int64_t q = 0; q < intervals.count(step.colType()); ++q) {
    for (const ColRelays::Sequence &sequence : relays->of(route, q, group.engines)) {
      int from = -1;
      std::vector<int64_t> sharing;
      for (size_t engine : sequence)
        sharing.push_back(group.intervals[memberOf[engine]]);
      std::sort(sharing.begin(), sharing.end());
      for (size_t engine : sequence) {
        const size_t m = memberOf[engine];
        const std::vector<int64_t> &met = chunks.met(group.intervals[m]);
        if (next[m] == met.size() || met[next[m]] != q)
          continue;
        const bool hasEdges = chunks.hasEdges(group.intervals[m], q);
        body({m, next[m]++, q, from, hasEdges, sharing});
        if (hasEdges)
          from = int(m);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Cols that travel
//===----------------------------------------------------------------------===//

RowMarks SharedRows::marked(const std::vector<int64_t> &rowIntervals, int64_t q) const {
  RowMarks marks;
  marks.begin(intervals.rows(colType, q));
  for (int64_t p : rowIntervals)
    chunks.mark(p, q, marks);
  return marks;
}

RowMarks SharedRows::marks(const std::vector<int64_t> &rowIntervals, int64_t q) const {
  RowMarks marks = marked(rowIntervals, q);
  marks.number();
  return marks;
}

uint64_t SharedRows::count(const std::vector<int64_t> &rowIntervals, int64_t q, int64_t gap) {
  std::vector<uint64_t> &known = counts[{rowIntervals, gap}];
  for (auto next = int64_t(known.size()); next < intervals.count(colType); ++next)
    known.push_back(uint64_t(marked(rowIntervals, next).count(0, intervals.rows(colType, next), gap)));
  return known[size_t(q)];
}

uint64_t StreamWalk::colRowBytes(uint32_t s) const {
  uint64_t bytes = 0;
  layout.schedule().stageOf(s).forEach(OpKind::ReadTable, Per::Chunk, s, [&](const OpTemplate &op) {
    bytes += op.extent == Extent::Cols ? layout.rowBytes(op.tensor) : 0;
  });
  return bytes;
}

SharedRows &StreamWalk::sharedRows(uint32_t s) {
  const ProgramStep step = steps[s];
  const Residents::Edges edges(step->relation, step->direction);
  return shared.try_emplace(edges, data.chunks(step->relation, step->direction), intervals, step.colType())
      .first->second;
}

/// Whether it is known before any chunk is loaded which cols the engines need that they go to: of edges that are in
/// host memory.
bool StreamWalk::areRowsKnown(uint32_t s, const Turn &turn) const {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  return data.spillOf(Residents::Edges{step->relation, step->direction}).isMemory() &&
         std::all_of(turn.sharing.begin(), turn.sharing.end(),
                     [&](int64_t p) { return chunks.numSlices(p, turn.cols) == 1; });
}

uint64_t StreamWalk::colRows(uint32_t s, const Turn &turn) {
  const auto all = uint64_t(intervals.rows(steps[s].colType(), turn.cols));
  if (!layout.grid().mayBePacked(s) || !areRowsKnown(s, turn))
    return all;
  const uint64_t useful = sharedRows(s).count(turn.sharing, turn.cols);
  return data.packsAll() || isWorthPacking(useful, all, numLoaders) ? useful : all;
}

uint64_t StreamWalk::colBytesBelow(uint32_t s, const Turn &turn) {
  const auto all = uint64_t(intervals.rows(steps[s].colType(), turn.cols));
  const bool readsSome = layout.grid().mayReadSome(s, ChunkGrid::BelowHost) && areRowsKnown(s, turn);
  uint64_t bytes = 0;
  for (const Operand input : steps[s].inputs())
    if (input.isPerCol() && layout.schedule().placement().isBelowHost(input.tensor))
      bytes += (readsSome ? sharedRows(s).count(turn.sharing, turn.cols,
                                                layout.grid().gapOf(s, input.index, ChunkGrid::BelowHost))
                          : all) *
               layout.rowBytes(input.tensor);
  return bytes;
}

/// To an engine that is alone. Of a chunk that is packed all cols are: its edges say which rows these are.
ColsSent StreamWalk::colsOfChunk(uint32_t s, int64_t p, int64_t q) const {
  ColsSent sent{uint64_t(intervals.rows(steps[s].colType(), q)), nullptr};
  if (layout.grid().isPacked(s, p, q))
    for (const Operand input : steps[s].inputs())
      if (input.isPerCol())
        sent.rows = layout.grid().colsRead(s, input.index, p, q).rows;
  return sent;
}

ColsSent StreamWalk::colsSent(uint32_t s, const Group &group, const Turn &turn, bool isRehearsal) {
  if (numEngines == 1)
    return colsOfChunk(s, group.intervals[turn.member], turn.cols);
  const auto all = uint64_t(intervals.rows(steps[s].colType(), turn.cols));
  ColsSent sent{colRows(s, turn), nullptr};
  sent.areShared = true;
  if (!isRehearsal &&
      (sent.rows < all || (layout.grid().mayReadSome(s, ChunkGrid::BelowHost) && areRowsKnown(s, turn))))
    sent.marks = std::make_shared<const RowMarks>(sharedRows(s).marks(turn.sharing, turn.cols));
  if (turn.sharing.size() > 1) {
    const auto pieces = uint64_t(double(sent.rows * colRowBytes(s)) / bytesOfRelay);
    sent.pieces = std::clamp<uint64_t>(pieces, 1, std::clamp<uint64_t>(sent.rows, 1, mostRelays));
  }
  return sent;
}

} // namespace gnn::rt
