//===- StreamWalk.h - The order of a streamed run ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only loop over the calls of a stage, for runs, rehearsals and counts of traffic. A process or a rank goes over
// its intervals one after the other. Of several engines each has some neighbouring intervals of vertices and goes over
// them beside the others, and what one has loaded of the cols may go on to the next (NGra, section 4: a ring; NeuGraph,
// section 5: a chain). Every interval meets its cols in their order, so bits don't depend on the engines.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMWALK_H
#define GNN_STREAM_STREAMWALK_H

#include "runtime/src/stream/ColRelays.h"
#include "runtime/src/stream/StreamLayout.h"

namespace gnn::rt {

/// The cols of a chunk that are sent to an engine which has memory of its own.
struct ColsSent {
  uint64_t rows;                         // fewer than the interval has: they lie there one after the other
  std::shared_ptr<const RowMarks> marks; // which these are, or, where all are sent, which of them a file below is
                                         // asked for; null: all, or those that the edges of the chunk say
  uint64_t pieces = 1;                   // that they come in, so that each is given on while the next one comes
  bool areShared = false;                // other engines may take them: the chunk's own edges say nothing
};

/// The rows of an interval of cols that the edges of several intervals of rows touch: devices that give cols on to each
/// other need these (NeuGraph, section 3.3). As with UsefulRows it is counted how many these are, and found anew which.
class SharedRows {
public:
  /// For chunks in host memory whose cols are of this type. The arguments must outlive this.
  SharedRows(const Chunks &chunks, const Intervals &intervals, uint32_t colType)
      : chunks(chunks), intervals(intervals), colType(colType) {}

  /// How many rows of interval q the edges of some intervals of rows touch, with no more than `gap` rows between two of
  /// them. All of q are counted at first.
  uint64_t count(const std::vector<int64_t> &rowIntervals, int64_t q, int64_t gap = 0);
  /// Which these are, numbered.
  RowMarks marks(const std::vector<int64_t> &rowIntervals, int64_t q) const;

private:
  RowMarks marked(const std::vector<int64_t> &rowIntervals, int64_t q) const;

  const Chunks &chunks;
  const Intervals &intervals;
  const uint32_t colType;
  std::map<std::pair<std::vector<int64_t>, int64_t>, std::vector<uint64_t>> counts; // by gap, too: [intervals of cols]
};

class StreamWalk : StreamedProgram {
public:
  /// Intervals that engines go over side by side, one of each.
  struct Group {
    std::vector<size_t> engines;
    std::vector<int64_t> intervals; // [engines]
  };
  /// A chunk of a group, in its turn.
  struct Turn {
    size_t member, chunk;                // of those that the member's interval meets
    int64_t cols;                        // interval
    int from;                            // the member that has its cols already; -1: none
    bool hasEdges;                       // false: an interval that has none in any chunk meets this one
    const std::vector<int64_t> &sharing; // the intervals of rows of all engines that these cols go to
  };

  /// `topology`: of several engines. The arguments must outlive this.
  StreamWalk(const StreamLayout &layout, size_t numEngines, const Topology &topology);

  /// The intervals of an engine, as of ranks: the first ones have one more. Of one engine all that this process has.
  Intervals::Range share(uint32_t type, size_t engine) const;
  int64_t numGroups(uint32_t type) const;
  /// The intervals with this number in the shares of all engines that have as many.
  Group groupOf(uint32_t type, int64_t number) const;

  /// Calls `step(s)` for each step of a stage that is called once for an interval, and `chunk(s, turn)` for each chunk
  /// of the others, in the order in which a group does them.
  template <class Step, class Chunk>
  void go(const Stage &stage, ColRoute route, const Group &group, Step step, Chunk chunk) const {
    for (const OpTemplate &op : stage.ops)
      if (op.kind == OpKind::Compute && op.per == Per::Interval)
        step(op.step);
      else if (op.kind == OpKind::Compute)
        forTurns(route, op.step, group, [&](const Turn &turn) { chunk(op.step, turn); });
  }

  /// Bytes of a row of all that a sweep reads by col and that is spilled.
  uint64_t colRowBytes(uint32_t step) const;
  /// Rows of the cols of a chunk that travel where several engines share them: all, or those that one of them needs.
  uint64_t colRows(uint32_t step, const Turn &turn);
  /// Bytes that are read for these of the file below: of each table what some engine needs, and what lies between.
  uint64_t colBytesBelow(uint32_t step, const Turn &turn);
  ColsSent colsSent(uint32_t step, const Group &group, const Turn &turn, bool isRehearsal);

private:
  void forTurns(ColRoute route, uint32_t step, const Group &group,
                const std::function<void(const Turn &turn)> &body) const;
  ColsSent colsOfChunk(uint32_t step, int64_t rowInterval, int64_t colInterval) const;
  bool areRowsKnown(uint32_t step, const Turn &turn) const;
  SharedRows &sharedRows(uint32_t step);

  const StreamLayout &layout;
  const size_t numEngines;
  const std::optional<ColRelays> relays; // of several engines
  const size_t numLoaders;               // that fill their links at the same time
  const double bytesOfRelay;             // of the least piece that cols are given on in
  std::map<Residents::Edges, SharedRows> shared;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMWALK_H
