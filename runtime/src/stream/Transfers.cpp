//===- Transfers.cpp - Data that come to an engine and leave it -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Transfers.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gnn::rt {

Transfers::Transfers(Engine &machine, const StreamLayout &places, Lanes &queues)
    : StreamedProgram(places), engine(machine), layout(places), lanes(queues),
      madeHere(engine.reachable(layout.memory().madeHereBytes())), stored(library.tensors().size()) {}

void Transfers::begin() {
  stored.assign(stored.size(), {});
  if (!arena)
    arena = engine.allocateTransient(layout.memory().bytes);
}

//===----------------------------------------------------------------------===//
// Rows of tables
//===----------------------------------------------------------------------===//

/// Of vertices each interval of a table by itself, so that a stage begins while the one before it ends. Of edges, which
/// one direction stores and the other loads, the last that was stored.
Asked &Transfers::storedOf(uint32_t tensor, int64_t interval) {
  const size_t at = library.tensor(tensor).domain == GNN_DOMAIN_EDGE ? 0 : size_t(interval);
  if (stored[tensor].size() <= at)
    stored[tensor].resize(at + 1);
  return stored[tensor][at];
}

/// Whether somebody has written what is loaded, where not all intervals are run.
bool Transfers::isThere(uint32_t tensor, int64_t interval) {
  return data.isBound(tensor) || storedOf(tensor, interval).isReal;
}

/// To the memory of the engine: from a file, from host memory, or from a file by way of host memory.
Asked Transfers::load(const OpTemplate &op, int64_t interval, int64_t first, int64_t rows, char *to) {
  const uint32_t tensor = op.tensor;
  const Asked &there = storedOf(tensor, interval);
  const size_t rowBytes = layout.rowBytes(tensor);
  const uint64_t bytes = uint64_t(rows) * rowBytes;
  const Order copied{Queue::Load, op.step, bytes, bytes + bytesOfCall};
  if (op.home == Tier::Host)
    return copy(copied, Spill::Tables, {there}, to,
                data.file().memory(layout.place(tensor) + uint64_t(first) * rowBytes));
  const bool isBelow = layout.schedule().isBelowHost(op);
  char *here = isBelow ? hereFor(to) : to;
  Order order = copied;
  order.isThere = isThere(tensor, interval);
  if (isBelow)
    std::swap(order.bytes, order.bytesBelow);
  const Asked read =
      lanes.ask(order, {there}, [=] { data.load(tensor, layout.place(tensor), first, rows, rowBytes, here); });
  return isBelow ? copy(copied, Spill::Tables, {read}, to, here) : read;
}

/// The same ways back.
Asked Transfers::store(const OpTemplate &op, int64_t interval, int64_t first, int64_t rows, const char *from,
                       const Asked &ran) {
  const size_t rowBytes = layout.rowBytes(op.tensor), bytes = size_t(rows) * rowBytes;
  const uint64_t to = layout.place(op.tensor) + uint64_t(first) * rowBytes;
  Order order{Queue::Store, op.step, bytes, bytes + bytesOfCall};
  Asked &there = storedOf(op.tensor, interval);
  if (op.home == Tier::Host)
    return there = copy(order, Spill::Tables, {ran}, data.file().memory(to), from);
  Spill &file = data.spillOf(op.tensor);
  if (!layout.schedule().isBelowHost(op))
    return there = lanes.ask(order, {ran}, [=, &file] { file.write(Spill::Tables, from, bytes, to); });
  char *here = hereFor(from);
  const Asked copied = copy(order, Spill::Tables, {ran}, here, from);
  std::swap(order.bytes, order.bytesBelow);
  return there = lanes.ask(order, {copied}, [=, &file] {
    copied.ticket.await(); // this process reads it, which no stream of the engine waits for
    file.write(Spill::Tables, here, bytes, to);
  });
}

/// Between the memory of the engine and this process's, which are apart.
Asked Transfers::copy(const Order &order, Spill::Kind kind, const Tickets &after, void *to, const void *from) {
  if (!lanes.isRehearsal())
    order.queue == Queue::Load ? data.file().noteRead(kind, order.bytes) : data.file().noteWritten(kind, order.bytes);
  return lanes.copy(order, after, to, from);
}

const int64_t *Transfers::ids(uint32_t s, uint32_t type, int64_t interval, bool areMade, size_t at, Tickets &tickets) {
  const int64_t begin = intervals.begin(type, interval), count = intervals.rows(type, interval);
  const VertexOrder *order = binding.order(type);
  if (order && !layout.copiesOrder(type))
    return order->id.data() + begin;
  const bool areCopied = data.file().isMemory();
  if (!areMade || (lanes.isRehearsal() && !areCopied))
    return nullptr;
  auto *ids = reinterpret_cast<int64_t *>(memoryAt(at));
  auto *made = areCopied ? reinterpret_cast<int64_t *>(hereAt(at)) : ids;
  if (order)
    std::copy_n(order->id.data() + begin, count, made);
  else
    std::iota(made, made + count, begin);
  if (const uint64_t bytes = uint64_t(count) * sizeof *ids; areCopied)
    tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {}, ids, made));
  return ids;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

Transfers::Tickets Transfers::loadEdges(uint32_t s, int64_t p, size_t k, int64_t j, size_t to, size_t before,
                                        const ColsSent &sent) {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  const int64_t q = chunks.met(p)[k];
  const bool isCopied = data.file().isMemory(),
             isPacked = isCopied && sent.rows < uint64_t(intervals.rows(step.colType(), q));
  auto slotAt = [&](size_t at) { return isCopied ? hereAt(at) : memoryAt(at); };
  char *slot = slotAt(to);
  const char *ofBefore = slotAt(before); // but for the first slice of p
  const uint64_t bytes = chunks.bytes(p, q, j),
                 toMake = uint64_t(intervals.rows(step.rowType(), p)) * SliceFormat::bytesOfRow;
  Order order{Queue::Load, s, isCopied ? 0 : bytes, bytes + toMake + bytesOfCall};
  const Placement &placement = layout.schedule().placement();
  if (placement.isBelowHost(placement.home(Residents::Edges{step->relation, step->direction})))
    order.bytesBelow = chunks.bytesInFile(p, q, j);
  Tickets tickets{lanes.ask(order, {}, [=, &chunks, marks = sent.marks] {
    chunks.load(p, k, j, slot, ofBefore);
    if (!marks)
      findUseful(s, {p, q}, slot, isPacked);
    else if (isPacked)
      marks->renumber(chunks.cols(p, q, j, slot), chunks.numEdges(p, q, j));
  })};
  if (const size_t from = chunks.copiedFrom(p, q, j); isCopied)
    tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {tickets[0]},
                           memoryAt(to) + from, slot + from));
  return tickets;
}

/// Of the chunk that a slot has: one that is selective is one slice. Its cols are loaded next. If it `isPacked` its
/// edges number the rows.
void Transfers::findUseful(uint32_t s, ChunkAt at, char *slot, bool isPacked) {
  const auto [p, q] = at;
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  if (!isPacked && !layout.grid().isSelective(s, p, q, ChunkGrid::BelowHost) &&
      (layout.grid().mayBePacked(s) || !layout.grid().isSelective(s, p, q)))
    return;
  useful.begin(intervals.rows(step.colType(), q));
  useful.mark(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
  if (!isPacked)
    return;
  useful.number();
  useful.renumber(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
}

/// Calls `body(first, rows)` for each piece of the cols that are sent, of which there is one at least.
template <class Body> static std::vector<Asked> inPieces(const ColsSent &sent, const Body &body) {
  std::vector<Asked> pieces;
  for (uint64_t k = 0; k < sent.pieces; ++k) {
    const uint64_t first = k * sent.rows / sent.pieces;
    pieces.push_back(body(first, (k + 1) * sent.rows / sent.pieces - first));
  }
  return pieces;
}

Transfers::Tickets Transfers::loadCols(const OpTemplate &op, ChunkAt chunk, size_t place, const Asked &edges,
                                       const ColsSent &sent, Tickets &tickets) {
  const int64_t q = chunk.q;
  const uint32_t s = op.step, type = steps[s].colType();
  const int64_t first = intervals.begin(type, q), rows = intervals.rows(type, q);
  const bool mayPack = layout.grid().mayBePacked(s);
  const RowsRead read = mayPack ? RowsRead{uint32_t(sent.rows), 1} : layout.grid().colsRead(s, op.operand, chunk.p, q);
  const size_t rowBytes = layout.rowBytes(op.tensor);
  char *to = memoryAt(place);
  if (layout.schedule().isBelowHost(op) && fetchesSome(op, chunk, sent))
    return fetchCols(op, chunk, place, edges, sent);
  if (read.rows == rows)
    return inPieces(sent, [&](uint64_t begin, uint64_t count) {
      return load(op, q, first + int64_t(begin), int64_t(count), to + begin * rowBytes);
    });
  if (mayPack)
    return packCols(op, chunk, place, edges, sent, tickets);
  const uint64_t bytes = read.rows * uint64_t(rowBytes);
  Order order{Queue::Load, s, bytes, bytes + read.ranges * bytesOfCall};
  order.isThere = isThere(op.tensor, q);
  return {lanes.ask(order, {storedOf(op.tensor, q), edges},
                    [=, gap = layout.grid().gapOf(s, op.operand)] { readMarked(op, q, useful, gap, to); })};
}

/// Reads the marked rows of an interval of cols from a file, each to its place among those of the interval.
void Transfers::readMarked(const OpTemplate &op, int64_t q, const RowMarks &marks, int64_t gap, char *to) {
  const uint32_t type = steps[op.step].colType();
  const int64_t first = intervals.begin(type, q);
  const size_t rowBytes = layout.rowBytes(op.tensor);
  std::vector<WantedRows> wanted;
  marks.forRanges(0, intervals.rows(type, q), gap, [&](int64_t begin, int64_t end) {
    wanted.push_back({first + begin, end - begin, to + size_t(begin) * rowBytes});
  });
  data.load(op.tensor, layout.place(op.tensor), wanted, rowBytes);
}

/// Copies the cols that are sent from host memory, where they lie one after the other.
Transfers::Tickets Transfers::copyCols(const OpTemplate &op, size_t place, const Asked &after, const ColsSent &sent) {
  const size_t rowBytes = layout.rowBytes(op.tensor);
  const char *from = hereAt(place);
  char *to = memoryAt(place);
  return inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return copy({Queue::Load, op.step, count * rowBytes, count * rowBytes + bytesOfCall}, Spill::Tables, {after},
                to + begin * rowBytes, from + begin * rowBytes);
  });
}

/// Gathers rows in host memory, to copy them one after the other.
Transfers::Tickets Transfers::packCols(const OpTemplate &op, ChunkAt chunk, size_t place, const Asked &edges,
                                       const ColsSent &sent, Tickets &tickets) {
  const int64_t q = chunk.q;
  const uint32_t type = steps[op.step].colType();
  const size_t rowBytes = layout.rowBytes(op.tensor);
  lanes.await(storedOf(op.tensor, q)); // this process reads it, which no stream of the engine waits for
  const char *table = data.file().memory(layout.place(op.tensor) + uint64_t(intervals.begin(type, q)) * rowBytes);
  char *packed = hereAt(place);
  auto gatherRows = [=, rows = intervals.rows(type, q), marks = sent.marks, &found = useful] {
    char *next = packed;
    (marks ? *marks : found).forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
      next = std::copy(table + size_t(begin) * rowBytes, table + size_t(end) * rowBytes, next);
    });
  };
  const Asked gathered =
      lanes.ask({Queue::Load, op.step, /*bytes=*/0, sent.rows * rowBytes + bytesOfCall}, {edges}, gatherRows);
  tickets.push_back(gathered);
  return copyCols(op, place, gathered, sent);
}

/// Whether the file below is asked for some rows of an interval, not for all. That depends on the chunk, or on those of
/// all engines that take its cols.
bool Transfers::fetchesSome(const OpTemplate &op, ChunkAt chunk, const ColsSent &sent) const {
  const auto [p, q] = chunk;
  const auto all = uint64_t(intervals.rows(steps[op.step].colType(), q));
  return sent.rows < all ||
         (sent.areShared ? sent.marks != nullptr
                         : layout.grid().colsRead(op.step, op.operand, p, q, ChunkGrid::BelowHost).rows < all);
}

/// Reads rows of the file below to their places in host memory, and sends these, or those that are needed one after the
/// other.
Transfers::Tickets Transfers::fetchCols(const OpTemplate &op, ChunkAt chunk, size_t place, const Asked &edges,
                                        const ColsSent &sent) {
  const auto [p, q] = chunk;
  const uint32_t s = op.step;
  const int64_t rows = intervals.rows(steps[s].colType(), q);
  const size_t rowBytes = layout.rowBytes(op.tensor);
  char *here = hereAt(place);
  auto readRows = [=, q = chunk.q, shared = sent.marks, &found = useful,
                   gap = layout.grid().gapOf(s, op.operand, ChunkGrid::BelowHost),
                   isPacked = sent.rows < uint64_t(rows)] {
    const RowMarks &marks = shared ? *shared : found;
    readMarked(op, q, marks, gap, here);
    char *next = here;
    if (isPacked)
      marks.forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
        const size_t bytes = size_t(end - begin) * rowBytes;
        std::memmove(next, here + size_t(begin) * rowBytes, bytes);
        next += bytes;
      });
  };
  Order order{Queue::Load, s, /*bytes=*/0, sent.rows * uint64_t(rowBytes) + bytesOfCall};
  order.bytesBelow = layout.grid().colsRead(s, op.operand, p, q, ChunkGrid::BelowHost).rows * uint64_t(rowBytes);
  return copyCols(op, place, lanes.ask(order, {storedOf(op.tensor, q), edges}, readRows), sent);
}

Transfers::Tickets Transfers::relayCols(const Transfers &other, const LoadedCols &there, const OpTemplate &op,
                                        size_t place, const ColsSent &sent) {
  const size_t rowBytes = layout.rowBytes(op.tensor);
  const char *from = other.memoryAt(there.at);
  char *to = memoryAt(place);
  size_t k = 0;
  return inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return lanes.copyFrom(other.lanes, {there.pieces[k++]}, to + begin * rowBytes, from + begin * rowBytes,
                          count * rowBytes);
  });
}

} // namespace gnn::rt
