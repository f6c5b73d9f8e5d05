//===- StreamedChunks.cpp - A chunk of a streamed run ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the edges of a chunk, the cols that they touch and the tables over them come to the engine, and what is made of
// them leaves it: from a file, from memory of this process, or from another engine.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/stream/StreamedView.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

/// That a chunk makes of what it reads.
static constexpr uint64_t bytesOfLoadedRow = 20;

size_t Streamed::numChunksMet(const At &at, uint32_t s) const {
  return data->chunks(program.steps[s].relation, program.steps[s].direction).met(at.interval).size();
}

/// To an engine that is alone. Of a chunk that is packed all cols are: its edges say which rows these are.
Streamed::ColsSent Streamed::colsSent(const At &at, uint32_t s, size_t k) const {
  const gnn_step_t &step = program.steps[s];
  const uint32_t colType = endType(library, step, /*ofRows=*/false);
  const Chunks &chunks = data->chunks(step.relation, step.direction);
  const int64_t p = at.interval, q = chunks.met(p)[k];
  if (!layout.isPacked(s, p, q))
    return {uint64_t(intervals.rows(colType, q)), nullptr};
  ColsSent sent{0, nullptr};
  for (uint32_t i = 0; i < firstOutput(library.table(), step); ++i)
    if (accessOf(library.table(), step, i) == GNN_ACCESS_COL)
      sent.rows = layout.colsRead(s, i, p, q).rows;
  return sent;
}

/// Of the rows at hand, of those that have edges, in the order of their cols. Cols stay while the slices of the chunk
/// come and go.
unsigned Streamed::runChunk(const At &at, uint32_t s, size_t k, const ColsSent &sent, const Relay *relay) {
  const gnn_step_t &step = program.steps[s];
  const uint32_t colType = endType(library, step, /*ofRows=*/false);
  const Chunks &chunks = data->chunks(step.relation, step.direction);
  const int64_t p = at.interval;
  const std::vector<int64_t> &met = chunks.met(p);
  const int64_t q = met[k], slices = chunks.numSlices(p, q);
  const unsigned half = unsigned(numChunks++ % layout.halves());
  awaitAll(ofCols[half]);
  const int64_t *colIds = idsOf(s, colType, q, layout.colIds(), half, ofCols[half]);
  const bool hasTables = hasEdgeTables(step);
  Asked ran;
  for (int64_t j = 0; j < slices; ++j) {
    const unsigned edgeHalf = unsigned(numSlices++ % layout.edgeHalves());
    awaitAll(ofEdges[edgeHalf]);
    gnn_block_t block = chunks.block(p, q, j, memoryAt(layout.edges(), edgeHalf), hasTables);
    block.row_id = rowViews[at.half]->ids(0);
    block.col_id = colIds;
    callViews[edgeHalf] = std::make_unique<EdgeView>(engine, block.num_rows, block.row_id, block);
    const Asked edges = loadEdges(chunks, p, k, j, s, edgeHalf, half, sent);
    if (j == 0 && chunks.hasEdges(p, q))
      loadChunk(chunks, at, s, q, half, edges, sent, relay);
    std::vector<Asked> loaded = rowsLoaded[at.half];
    for (const std::vector<Asked> *tickets : {&ofCols[half], &ofEdges[edgeHalf]})
      loaded.insert(loaded.end(), tickets->begin(), tickets->end());
    const bool isFirst = k == 0 && j == 0, isLast = k + 1 == met.size() && j + 1 == slices;
    ran = call(at, s, *callViews[edgeHalf], chunks.numEdges(p, q, j), {q, half, chunks.edgesOfBefore(j)},
               (isFirst ? GNN_SWEEP_FIRST : 0) | (isLast ? GNN_SWEEP_LAST : 0), std::move(loaded));
    ofCols[half].push_back(ran);
    ofEdges[edgeHalf].push_back(ran);
    if (isLast)
      ofInterval[at.half].push_back(ran);
  }
  if (chunks.hasEdges(p, q))
    storeChunk(chunks, at, s, q, half, ran);
  return half;
}

/// Slice j of chunk (p, met(p)[k]). Where the engine has memory of its own it is made on this side: when that is done.
Asked Streamed::loadEdges(const Chunks &chunks, int64_t p, size_t k, int64_t j, uint32_t s, unsigned edgeHalf,
                          unsigned colHalf, const ColsSent &sent) {
  const int64_t q = chunks.met(p)[k];
  const bool isApart = engine.isApart(),
             isPacked = isApart && sent.rows < uint64_t(intervals.rows(endType(library, program.steps[s], false), q));
  auto slotOf = [&](unsigned which) {
    return isApart ? hereAt(layout.edges(), which) : memoryAt(layout.edges(), which);
  };
  char *slot = slotOf(edgeHalf);
  const char *before = slotOf(1 - edgeHalf); // but for the first slice of p: then there are two
  const uint64_t bytes = chunks.bytes(p, q, j), toMake = uint64_t(callViews[edgeHalf]->rows(0)) * bytesOfLoadedRow;
  std::vector<Asked> &tickets = ofEdges[edgeHalf];
  tickets.push_back(lanes.ask({Queue::Load, s, isApart ? 0 : bytes, bytes + toMake + bytesOfCall}, {},
                              [=, &chunks, marks = sent.marks] {
                                chunks.load(p, k, j, slot, before);
                                if (!marks)
                                  findUseful(chunks, p, q, s, slot, colHalf, isPacked);
                                else
                                  marks->renumber(chunks.cols(p, q, j, slot), chunks.numEdges(p, q, j));
                              }));
  const Asked made = tickets.back();
  if (const size_t from = chunks.copiedFrom(p, q, j); isApart)
    tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {made},
                           memoryAt(layout.edges(), edgeHalf) + from, slot + from));
  return made;
}

/// Of the chunk (p, q) that a slot has: one that is selective is one slice. If it `isPacked` its edges number the rows.
void Streamed::findUseful(const Chunks &chunks, int64_t p, int64_t q, uint32_t s, char *slot, unsigned half,
                          bool isPacked) {
  if (!isPacked && !layout.isSelectiveBelow(s, p, q) && (engine.isApart() || !layout.isSelective(s, p, q)))
    return;
  useful[half].begin(intervals.rows(endType(library, program.steps[s], /*ofRows=*/false), q));
  useful[half].mark(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
  if (!isPacked)
    return;
  useful[half].number();
  useful[half].renumber(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
}

bool Streamed::hasEdgeTables(const gnn_step_t &step) const {
  for (uint32_t i = 0; i < step.num_tensors; ++i)
    if (layout.isSpilled(step.tensors[i]) && accessOf(library.table(), step, i) == GNN_ACCESS_EDGE)
      return true;
  return false;
}

/// What a sweep reads of tables by col and by edge.
void Streamed::loadChunk(const Chunks &chunks, const At &at, uint32_t s, int64_t q, unsigned half, const Asked &edges,
                         const ColsSent &sent, const Relay *relay) {
  const gnn_step_t &step = program.steps[s];
  for (uint32_t i = 0; i < firstOutput(library.table(), step); ++i) {
    const uint32_t tensor = step.tensors[i], access = accessOf(library.table(), step, i);
    if (!layout.isSpilled(tensor) || access == GNN_ACCESS_ROW)
      continue;
    if (access == GNN_ACCESS_EDGE) {
      ofCols[half].push_back(load(s, tensor, q, chunks.edgesBefore(at.interval, q), chunks.numEdges(at.interval, q),
                                  memoryAt(layout.cols(), half) + layout.colsAt(s, i)));
      continue;
    }
    std::vector<Asked> &pieces = colsLoaded[half][i];
    pieces = relay ? relayCols(*relay, s, i, half, sent) : loadCols(at, s, i, q, half, edges, sent);
    ofCols[half].push_back(pieces.back()); // those of a queue end in their order
  }
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
std::vector<Asked> Streamed::loadCols(const At &at, uint32_t s, uint32_t i, int64_t q, unsigned half,
                                      const Asked &edges, const ColsSent &sent) {
  const uint32_t tensor = program.steps[s].tensors[i], type = endType(library, program.steps[s], /*ofRows=*/false);
  const int64_t first = intervals.begin(type, q), rows = intervals.rows(type, q);
  const RowsRead read = engine.isApart() ? RowsRead{uint32_t(sent.rows), 1} : layout.colsRead(s, i, at.interval, q);
  const size_t rowBytes = layout.rowBytes(tensor);
  char *to = memoryAt(layout.cols(), half) + layout.colsAt(s, i);
  if (layout.isBelow(tensor) && (read.rows < rows || layout.colsReadBelow(s, i, at.interval, q).rows < rows))
    return {fetchCols(at, s, i, q, half, edges, sent)};
  if (read.rows == rows)
    return inPieces(sent, [&](uint64_t begin, uint64_t count) {
      return load(s, tensor, q, first + int64_t(begin), int64_t(count), to + begin * rowBytes);
    });
  if (engine.isApart())
    return packCols(s, i, q, half, edges, sent);
  const uint64_t bytes = read.rows * uint64_t(rowBytes);
  auto readRows = [=, &marks = useful[half], gap = layout.gapOf(s, i)] { // each row to its place
    std::vector<WantedRows> wanted;
    marks.forRanges(0, rows, gap, [&](int64_t begin, int64_t end) {
      wanted.push_back({first + begin, end - begin, to + size_t(begin) * rowBytes});
    });
    data->load(tensor, layout.place(tensor), wanted, rowBytes);
  };
  return {
      lanes.ask({Queue::Load, s, bytes, bytes + read.ranges * bytesOfCall}, {storedOf(tensor, q), edges}, readRows)};
}

/// Gathers rows on this side, to copy them one after the other.
std::vector<Asked> Streamed::packCols(uint32_t s, uint32_t i, int64_t q, unsigned half, const Asked &edges,
                                      const ColsSent &sent) {
  const uint32_t tensor = program.steps[s].tensors[i], type = endType(library, program.steps[s], /*ofRows=*/false);
  const size_t rowBytes = layout.rowBytes(tensor), offset = layout.colsAt(s, i);
  const uint64_t bytes = sent.rows * rowBytes;
  lanes.await(storedOf(tensor, q)); // this process reads it, which no stream of the engine waits for
  const char *table = data->file().memory(layout.place(tensor) + uint64_t(intervals.begin(type, q)) * rowBytes);
  char *packed = hereAt(layout.cols(), half) + offset;
  auto gatherRows = [=, rows = intervals.rows(type, q), marks = sent.marks, &found = useful[half]] {
    char *next = packed;
    (marks ? *marks : found).forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
      next = std::copy(table + size_t(begin) * rowBytes, table + size_t(end) * rowBytes, next);
    });
  };
  const Asked gathered = lanes.ask({Queue::Load, s, /*bytes=*/0, bytes + bytesOfCall}, {edges}, gatherRows);
  ofCols[half].push_back(gathered);
  char *to = memoryAt(layout.cols(), half) + offset;
  return inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return copy({Queue::Load, s, count * rowBytes, count * rowBytes + bytesOfCall}, Spill::Tables, {gathered},
                to + begin * rowBytes, packed + begin * rowBytes);
  });
}

/// Reads rows of the file below to their places on this side, and sends these, or those that are needed one after the
/// other.
Asked Streamed::fetchCols(const At &at, uint32_t s, uint32_t i, int64_t q, unsigned half, const Asked &edges,
                          const ColsSent &sent) {
  const uint32_t tensor = program.steps[s].tensors[i], type = endType(library, program.steps[s], /*ofRows=*/false);
  const int64_t first = intervals.begin(type, q), rows = intervals.rows(type, q);
  const RowsRead below = layout.colsReadBelow(s, i, at.interval, q);
  const size_t rowBytes = layout.rowBytes(tensor);
  char *here = hereAt(layout.cols(), half) + layout.colsAt(s, i);
  auto readRows = [=, &marks = useful[half], gap = layout.gapBelow(s, i), isPacked = sent.rows < uint64_t(rows)] {
    std::vector<WantedRows> wanted;
    marks.forRanges(0, rows, gap, [&](int64_t begin, int64_t end) {
      wanted.push_back({first + begin, end - begin, here + size_t(begin) * rowBytes});
    });
    data->load(tensor, layout.place(tensor), wanted, rowBytes);
    char *next = here;
    if (isPacked)
      marks.forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
        const size_t bytes = size_t(end - begin) * rowBytes;
        std::memmove(next, here + size_t(begin) * rowBytes, bytes);
        next += bytes;
      });
  };
  const Asked read =
      lanes.ask({Queue::Load, s, /*bytes=*/0, below.rows * uint64_t(rowBytes) + below.ranges * bytesOfCall},
                {storedOf(tensor, q), edges}, readRows);
  const uint64_t bytes = sent.rows * uint64_t(rowBytes);
  return copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Tables, {read},
              memoryAt(layout.cols(), half) + layout.colsAt(s, i), here);
}

/// The memory that they are copied from serves again when they have been.
std::vector<Asked> Streamed::relayCols(const Relay &relay, uint32_t s, uint32_t i, unsigned half,
                                       const ColsSent &sent) {
  const std::vector<Asked> &there = relay.from.colsLoaded[relay.half].at(i);
  const size_t rowBytes = layout.rowBytes(program.steps[s].tensors[i]), offset = layout.colsAt(s, i);
  const char *from = relay.from.memoryAt(layout.cols(), relay.half) + offset;
  char *to = memoryAt(layout.cols(), half) + offset;
  size_t k = 0;
  std::vector<Asked> pieces = inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return lanes.copyFrom(relay.from.lanes, {there[k++]}, to + begin * rowBytes, from + begin * rowBytes,
                          count * rowBytes);
  });
  relay.from.ofCols[relay.half].push_back(pieces.back());
  return pieces;
}

/// What a sweep makes by edge.
void Streamed::storeChunk(const Chunks &chunks, const At &at, uint32_t s, int64_t q, unsigned half, const Asked &ran) {
  const gnn_step_t &step = program.steps[s];
  for (uint32_t i = firstOutput(library.table(), step); i < step.num_tensors; ++i) {
    const uint32_t tensor = step.tensors[i];
    if (!layout.isSpilled(tensor) || accessOf(library.table(), step, i) != GNN_ACCESS_EDGE)
      continue;
    const char *from = memoryAt(layout.cols(), half) + layout.colsAt(s, i);
    ofCols[half].push_back(
        store(s, tensor, q, chunks.edgesBefore(at.interval, q), chunks.numEdges(at.interval, q), from, ran));
  }
}

} // namespace gnn::rt
