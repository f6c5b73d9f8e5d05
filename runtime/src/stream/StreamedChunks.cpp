//===- StreamedChunks.cpp - A chunk of a streamed run ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the edges of a chunk, the cols that they touch and the tables over them come to the engine, and what is made of
// them leaves it: from a file, from memory of this process, or from another engine.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamedView.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

/// That a chunk makes of what it reads.
static constexpr uint64_t bytesOfLoadedRow = 20;

size_t Streamed::numChunksMet(const At &at, uint32_t s) const {
  return data->chunks(steps[s]->relation, steps[s]->direction).met(at.interval).size();
}

/// To an engine that is alone. Of a chunk that is packed all cols are: its edges say which rows these are.
Streamed::ColsSent Streamed::colsSent(const At &at, uint32_t s, size_t k) const {
  const ProgramStep step = steps[s];
  const uint32_t colType = step.colType();
  const Chunks &chunks = data->chunks(step->relation, step->direction);
  const int64_t p = at.interval, q = chunks.met(p)[k];
  if (!layout.grid().isPacked(s, p, q))
    return {uint64_t(intervals.rows(colType, q)), nullptr};
  ColsSent sent{0, nullptr};
  for (const Operand input : step.inputs())
    if (input.isPerCol())
      sent.rows = layout.grid().colsRead(s, input.index, p, q).rows;
  return sent;
}

Streamed::ColPiece &Streamed::takeCols(uint32_t s, int64_t p, int64_t q) {
  size_t at = 0;
  ColPiece &piece = colRing.take(layout.colPiece(s, p, q), at, [this](ColPiece &oldest) { awaitAll(oldest.tickets); });
  piece.at = layout.cols().offset + at;
  return piece;
}

Streamed::EdgePiece &Streamed::takeEdges(size_t bytes) {
  size_t at = 0;
  EdgePiece &piece = edgeRing.take(bytes, at, [this](EdgePiece &oldest) { awaitAll(oldest.tickets); });
  piece.at = layout.edges().offset + at;
  return piece;
}

/// Of the rows at hand, of those that have edges, in the order of their cols. Cols stay while the slices of the chunk
/// come and go.
void Streamed::runChunk(const At &at, uint32_t s, size_t k, const ColsSent &sent, Streamed *relay) {
  const ProgramStep step = steps[s];
  const uint32_t colType = step.colType();
  const Chunks &chunks = data->chunks(step->relation, step->direction);
  const int64_t p = at.interval;
  const std::vector<int64_t> &met = chunks.met(p);
  const int64_t q = met[k], slices = chunks.numSlices(p, q);
  ColPiece &cols = takeCols(s, p, q);
  const size_t idsAt = StreamLayout::idsAt(layout.colIds(), numChunks++, cols.at + layout.colIdsAt(s, p, q));
  const int64_t *colIds = idsOf(s, colType, q, layout.makesColIds(s), idsAt, cols.tickets);
  const bool hasTables = hasEdgeTables(step);
  Asked ran;
  for (int64_t j = 0; j < slices; ++j) {
    const size_t before = lastEdges;
    EdgePiece &piece = takeEdges(chunks.slotBytes(p, q, j));
    lastEdges = piece.at;
    gnn_block_t block = chunks.block(p, q, j, memoryAt(piece.at), hasTables);
    block.row_id = at.rows->view->ids(0);
    block.col_id = colIds;
    piece.view = std::make_unique<EdgeView>(block.num_rows, block.row_id, block);
    const Asked edges = loadEdges(chunks, p, k, j, s, piece, before, sent);
    if (j == 0 && chunks.hasEdges(p, q))
      loadChunk(chunks, at, s, q, cols, edges, sent, relay);
    std::vector<Asked> loaded = at.rows->loaded;
    for (const std::vector<Asked> *tickets : {&cols.tickets, &piece.tickets})
      loaded.insert(loaded.end(), tickets->begin(), tickets->end());
    const bool isFirst = k == 0 && j == 0, isLast = k + 1 == met.size() && j + 1 == slices;
    ran = call(at, s, *piece.view, chunks.numEdges(p, q, j), {q, &cols, chunks.edgesOfBefore(j)},
               (isFirst ? GNN_SWEEP_FIRST : 0) | (isLast ? GNN_SWEEP_LAST : 0), std::move(loaded));
    cols.tickets.push_back(ran);
    piece.tickets.push_back(ran);
    if (isLast)
      at.rows->tickets.push_back(ran);
  }
  if (chunks.hasEdges(p, q))
    storeChunk(chunks, at, s, q, cols, ran);
}

/// Slice j of chunk (p, met(p)[k]); `before` is where the one before it lies. Where the engine has memory of its own it
/// is made on this side: when that is done.
Asked Streamed::loadEdges(const Chunks &chunks, int64_t p, size_t k, int64_t j, uint32_t s, EdgePiece &piece,
                          size_t before, const ColsSent &sent) {
  const int64_t q = chunks.met(p)[k];
  const bool isCopied = data->file().isMemory(),
             isPacked = isCopied && sent.rows < uint64_t(intervals.rows(steps[s].colType(), q));
  auto slotAt = [&](size_t at) { return isCopied ? hereAt(at) : memoryAt(at); };
  char *slot = slotAt(piece.at);
  const char *ofBefore = slotAt(before); // but for the first slice of p
  const uint64_t bytes = chunks.bytes(p, q, j), toMake = uint64_t(piece.view->rows(0)) * bytesOfLoadedRow;
  Order order{Queue::Load, s, isCopied ? 0 : bytes, bytes + toMake + bytesOfCall};
  const ProgramStep step = steps[s];
  const Placement &placement = layout.schedule().placement();
  if (placement.isBelowHost(placement.home(Residents::Edges{step->relation, step->direction})))
    order.bytesBelow = chunks.bytesInFile(p, q, j);
  piece.tickets.push_back(lanes.ask(order, {}, [=, &chunks, marks = sent.marks] {
    chunks.load(p, k, j, slot, ofBefore);
    if (!marks)
      findUseful(chunks, p, q, s, slot, isPacked);
    else if (isPacked)
      marks->renumber(chunks.cols(p, q, j, slot), chunks.numEdges(p, q, j));
  }));
  const Asked made = piece.tickets.back();
  if (const size_t from = chunks.copiedFrom(p, q, j); isCopied)
    piece.tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {made},
                                 memoryAt(piece.at) + from, slot + from));
  return made;
}

/// Of the chunk (p, q) that a slot has: one that is selective is one slice. Its cols are loaded next. If it `isPacked`
/// its edges number the rows.
void Streamed::findUseful(const Chunks &chunks, int64_t p, int64_t q, uint32_t s, char *slot, bool isPacked) {
  if (!isPacked && !layout.grid().isSelectiveBelow(s, p, q) &&
      (layout.grid().mayBePacked(s) || !layout.grid().isSelective(s, p, q)))
    return;
  useful.begin(intervals.rows(steps[s].colType(), q));
  useful.mark(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
  if (!isPacked)
    return;
  useful.number();
  useful.renumber(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
}

bool Streamed::hasEdgeTables(const ProgramStep &step) const {
  return step.operands().any([&](const Operand &of) { return of.isPerEdge() && layout.isSpilled(of.tensor); });
}

/// What a sweep reads of tables by col and by edge.
void Streamed::loadChunk(const Chunks &chunks, const At &at, uint32_t s, int64_t q, ColPiece &piece, const Asked &edges,
                         const ColsSent &sent, Streamed *relay) {
  layout.stages()[at.stage].forEach(OpKind::ReadTable, Per::Chunk, s, [&](const OpTemplate &op) {
    const size_t to = piece.at + layout.colsAt(s, op.operand, at.interval, q);
    if (op.extent == Extent::Edges) {
      piece.tickets.push_back(
          load(op, q, chunks.edgesBefore(at.interval, q), chunks.numEdges(at.interval, q), memoryAt(to)));
      return;
    }
    auto &[place, loaded] = piece.loaded[op.operand];
    place = to;
    loaded = relay ? relayCols(*relay, op, to, sent) : loadCols(at, op, q, piece, to, edges, sent);
    piece.tickets.push_back(loaded.back()); // those of a queue end in their order
  });
}

/// Calls `body(first, rows)` for each piece of the cols that are sent, of which there is one at least.
template <class Body> static std::vector<Asked> inPieces(const Streamed::ColsSent &sent, const Body &body) {
  std::vector<Asked> pieces;
  for (uint64_t k = 0; k < sent.pieces; ++k) {
    const uint64_t first = k * sent.rows / sent.pieces;
    pieces.push_back(body(first, (k + 1) * sent.rows / sent.pieces - first));
  }
  return pieces;
}

/// Rows of an interval of cols: all, or those that the chunk's edges touch, once it is known which these are.
std::vector<Asked> Streamed::loadCols(const At &at, const OpTemplate &op, int64_t q, ColPiece &piece, size_t place,
                                      const Asked &edges, const ColsSent &sent) {
  const uint32_t s = op.step, type = steps[s].colType();
  const int64_t first = intervals.begin(type, q), rows = intervals.rows(type, q);
  const bool mayPack = layout.grid().mayBePacked(s);
  const RowsRead read =
      mayPack ? RowsRead{uint32_t(sent.rows), 1} : layout.grid().colsRead(s, op.operand, at.interval, q);
  const size_t rowBytes = layout.rowBytes(op.tensor);
  char *to = memoryAt(place);
  if (layout.schedule().isBelowHost(op) && fetchesSome(at, op, q, sent))
    return fetchCols(at, op, q, place, edges, sent);
  if (read.rows == rows)
    return inPieces(sent, [&](uint64_t begin, uint64_t count) {
      return load(op, q, first + int64_t(begin), int64_t(count), to + begin * rowBytes);
    });
  if (mayPack)
    return packCols(op, q, piece, place, edges, sent);
  const uint64_t bytes = read.rows * uint64_t(rowBytes);
  Order order{Queue::Load, s, bytes, bytes + read.ranges * bytesOfCall};
  order.isThere = isThere(op.tensor, q);
  return {lanes.ask(order, {storedOf(op.tensor, q), edges},
                    [=, gap = layout.grid().gapOf(s, op.operand)] { readMarked(op, q, useful, gap, to); })};
}

/// Reads the marked rows of an interval of cols from a file, each to its place among those of the interval.
void Streamed::readMarked(const OpTemplate &op, int64_t q, const RowMarks &marks, int64_t gap, char *to) {
  const uint32_t type = steps[op.step].colType();
  const int64_t first = intervals.begin(type, q);
  const size_t rowBytes = layout.rowBytes(op.tensor);
  std::vector<WantedRows> wanted;
  marks.forRanges(0, intervals.rows(type, q), gap, [&](int64_t begin, int64_t end) {
    wanted.push_back({first + begin, end - begin, to + size_t(begin) * rowBytes});
  });
  data->load(op.tensor, layout.place(op.tensor), wanted, rowBytes);
}

/// Copies the cols that are sent from host memory, where they lie one after the other.
std::vector<Asked> Streamed::copyCols(const OpTemplate &op, size_t place, const Asked &after, const ColsSent &sent) {
  const size_t rowBytes = layout.rowBytes(op.tensor);
  const char *from = hereAt(place);
  char *to = memoryAt(place);
  return inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return copy({Queue::Load, op.step, count * rowBytes, count * rowBytes + bytesOfCall}, Spill::Tables, {after},
                to + begin * rowBytes, from + begin * rowBytes);
  });
}

/// Gathers rows in host memory, to copy them one after the other.
std::vector<Asked> Streamed::packCols(const OpTemplate &op, int64_t q, ColPiece &piece, size_t place,
                                      const Asked &edges, const ColsSent &sent) {
  const uint32_t type = steps[op.step].colType();
  const size_t rowBytes = layout.rowBytes(op.tensor);
  lanes.await(storedOf(op.tensor, q)); // this process reads it, which no stream of the engine waits for
  const char *table = data->file().memory(layout.place(op.tensor) + uint64_t(intervals.begin(type, q)) * rowBytes);
  char *packed = hereAt(place);
  auto gatherRows = [=, rows = intervals.rows(type, q), marks = sent.marks, &found = useful] {
    char *next = packed;
    (marks ? *marks : found).forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
      next = std::copy(table + size_t(begin) * rowBytes, table + size_t(end) * rowBytes, next);
    });
  };
  const Asked gathered =
      lanes.ask({Queue::Load, op.step, /*bytes=*/0, sent.rows * rowBytes + bytesOfCall}, {edges}, gatherRows);
  piece.tickets.push_back(gathered);
  return copyCols(op, place, gathered, sent);
}

/// Whether the file below is asked for some rows of an interval, not for all. That depends on the chunk, or on those of
/// all engines that take its cols.
bool Streamed::fetchesSome(const At &at, const OpTemplate &op, int64_t q, const ColsSent &sent) const {
  const auto all = uint64_t(intervals.rows(steps[op.step].colType(), q));
  return sent.rows < all ||
         (sent.areShared ? sent.marks != nullptr
                         : layout.grid().colsReadBelow(op.step, op.operand, at.interval, q).rows < all);
}

/// Reads rows of the file below to their places in host memory, and sends these, or those that are needed one after the
/// other.
std::vector<Asked> Streamed::fetchCols(const At &at, const OpTemplate &op, int64_t q, size_t place, const Asked &edges,
                                       const ColsSent &sent) {
  const uint32_t s = op.step;
  const int64_t rows = intervals.rows(steps[s].colType(), q);
  const size_t rowBytes = layout.rowBytes(op.tensor);
  char *here = hereAt(place);
  auto readRows = [=, shared = sent.marks, &found = useful, gap = layout.grid().gapBelow(s, op.operand),
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
  order.bytesBelow = layout.grid().colsReadBelow(s, op.operand, at.interval, q).rows * uint64_t(rowBytes);
  return copyCols(op, place, lanes.ask(order, {storedOf(op.tensor, q), edges}, readRows), sent);
}

/// The memory that they are copied from serves again when they have been.
std::vector<Asked> Streamed::relayCols(Streamed &other, const OpTemplate &op, size_t place, const ColsSent &sent) {
  const auto &there = other.colRing.last().loaded.at(op.operand); // place and pieces
  const size_t rowBytes = layout.rowBytes(op.tensor);
  const char *from = other.memoryAt(there.first);
  char *to = memoryAt(place);
  size_t k = 0;
  std::vector<Asked> pieces = inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return lanes.copyFrom(other.lanes, {there.second[k++]}, to + begin * rowBytes, from + begin * rowBytes,
                          count * rowBytes);
  });
  other.colRing.last().tickets.push_back(pieces.back());
  return pieces;
}

/// What a sweep makes by edge.
void Streamed::storeChunk(const Chunks &chunks, const At &at, uint32_t s, int64_t q, ColPiece &piece,
                          const Asked &ran) {
  layout.stages()[at.stage].forEach(OpKind::WriteTable, Per::Chunk, s, [&](const OpTemplate &op) {
    const char *from = memoryAt(piece.at) + layout.colsAt(s, op.operand, at.interval, q);
    piece.tickets.push_back(
        store(op, q, chunks.edgesBefore(at.interval, q), chunks.numEdges(at.interval, q), from, ran));
  });
}

} // namespace gnn::rt
