//===- StreamWorker.cpp - An engine's part of a streamed run --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamWorker.h"

#include "runtime/src/core/UniqueNumber.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace gnn::rt {

/// The rows of an interval and, of a sweep, the edges of a chunk.
class StreamWorker::EdgeView : public View {
public:
  EdgeView(int64_t rows, const int64_t *ids, const gnn_block_t &block = {})
      : numRows(rows), rowIds(ids), edges(block) {}
  int64_t rows(uint32_t) const override { return numRows; }
  const int64_t *ids(uint32_t) const override { return rowIds; }
  gnn_block_t block(uint32_t, uint32_t) const override { return edges; }
  uint64_t content(uint32_t) const override { return number; }
  const Relation *lasting(uint32_t) const override { return nullptr; }
  bool isThere() const override { return true; }

private:
  const int64_t numRows;
  const int64_t *rowIds;
  const gnn_block_t edges;
  const uint64_t number = uniqueNumber();
};

// Pieces of rings: `tickets` are what has to end before their memory serves again.

struct StreamWorker::RowPiece {
  size_t at = 0; // in the memory of the engine
  std::unique_ptr<EdgeView> view;
  std::vector<std::unique_ptr<EdgeView>> sweeps; // of edges that are in memory
  std::vector<Asked> loaded;                     // when the rows are there
  std::vector<Asked> tickets;
};

struct StreamWorker::ColPiece {
  size_t at = 0;
  std::map<uint32_t, LoadedCols> loaded; // by operand
  std::vector<Asked> tickets;
};

struct StreamWorker::EdgePiece {
  size_t at = 0;
  std::unique_ptr<EdgeView> view;
  std::vector<Asked> tickets;
};

/// The pieces that are in the memory of runs, or on their way.
struct StreamWorker::Pieces {
  explicit Pieces(const RunMemory &memory)
      : rows(memory.rows.ring), cols(memory.cols.ring), edges(memory.edges.ring), lastEdges(memory.edges.offset) {}

  /// Takes a piece of a ring once the oldest pieces there have ended.
  template <class Piece>
  static Piece &take(ByteRing<Piece> &ring, const RunMemory::Area &area, size_t bytes, Lanes &lanes) {
    size_t at = 0;
    Piece &piece = ring.take(bytes, at, [&](Piece &oldest) { lanes.awaitAll(oldest.tickets); });
    piece.at = area.offset + at;
    return piece;
  }
  template <class Body> void forTickets(Body body) {
    auto ofPiece = [&](auto &piece) { body(piece.tickets); };
    rows.forAll(ofPiece);
    cols.forAll(ofPiece);
    edges.forAll(ofPiece);
    body(gathered);
  }

  ByteRing<RowPiece> rows;
  ByteRing<ColPiece> cols;
  ByteRing<EdgePiece> edges;
  std::vector<Asked> gathered; // for sweeps over pairs
  size_t lastEdges;            // where the last slice lies
  uint64_t numIntervals = 0, numChunks = 0;
};

StreamWorker::StreamWorker(Engine &machine, const StreamLayout &planned, std::shared_ptr<Prepared> compiled,
                           std::function<void()> tell)
    : StreamedProgram(planned), engine(machine), layout(planned), prepared(std::move(compiled)),
      onCall(std::move(tell)), whole(engine, layout), lanes(engine), transfers(engine, layout, lanes),
      pieces(std::make_unique<Pieces>(layout.memory())) {
  for (uint32_t s = 0; s < steps.size(); ++s)
    if (layout.schedule().isOfRows(s))
      data.edgeRows(steps[s]->relation, steps[s]->direction, engine);
}

StreamWorker::~StreamWorker() = default;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void StreamWorker::begin(const Lanes::Watch &told, const Prices *prices, const OnPaper &paper) {
  lastCall = {};
  watch = told;
  lanes.begin(watch ? &watch : nullptr, prices, paper);
  transfers.begin();
  for (auto [tensor, offset] : layout.memory().ofRun) // where the memory of the run is now
    if (!layout.isSpilled(tensor))
      whole.place(tensor, transfers.memoryAt(offset));
  engine.beginRun();
}

void StreamWorker::end() {
  awaitAll();
  engine.endRun();
}

void StreamWorker::awaitAll() {
  pieces->forTickets([this](std::vector<Asked> &tickets) { lanes.awaitAll(tickets); });
}

/// Where something failed: nothing touches any more what the next run is to use.
void StreamWorker::abandon() {
  pieces->forTickets([](std::vector<Asked> &tickets) {
    for (const Asked &asked : tickets)
      asked.ticket.cancel();
    for (const Asked &asked : tickets)
      try {
        asked.ticket.await();
      } catch (...) { // what is thrown already, or for what was cancelled
      }
    tickets.clear();
  });
  engine.endRun();
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

char *StreamWorker::rowsOf(const At &at, uint32_t tensor) const {
  return transfers.memoryAt(at.rows->at + layout.memory().stages[at.stage].rowsAt.at(tensor));
}

template <class Move> void StreamWorker::moveRows(const At &at, OpKind kind, Move move) {
  const Stage &stage = layout.stages()[at.stage];
  const int64_t first = intervals.begin(stage.type, at.interval), rows = intervals.rows(stage.type, at.interval);
  stage.forEach(kind, Per::Interval, stage.first, [&](const OpTemplate &op) {
    at.rows->tickets.push_back(move(op, first, rows, rowsOf(at, op.tensor)));
  });
}

StreamWorker::At StreamWorker::openInterval(size_t stageNumber, int64_t interval) {
  const Stage &stage = layout.stages()[stageNumber];
  const RunMemory::OfStage &of = layout.memory().stages[stageNumber];
  RowPiece &piece = Pieces::take(pieces->rows, layout.memory().rows, of.rowPiece, lanes);
  const At at{stageNumber, interval, &piece};
  const size_t idsAt = layout.memory().rowIds.idsAt(pieces->numIntervals++, piece.at + of.rowIdsAt);
  piece.view = std::make_unique<EdgeView>(
      intervals.rows(stage.type, interval),
      transfers.ids(stage.first, stage.type, interval, of.makesRowIds, idsAt, piece.tickets));
  moveRows(at, OpKind::ReadTable, [&](const OpTemplate &op, int64_t first, int64_t rows, char *to) {
    return transfers.load(op, interval, first, rows, to);
  });
  piece.loaded = piece.tickets;
  return at;
}

void StreamWorker::closeInterval(const At &at) {
  const Asked ran = at.rows->tickets.back();
  moveRows(at, OpKind::WriteTable, [&](const OpTemplate &op, int64_t first, int64_t rows, const char *from) {
    return transfers.store(op, at.interval, first, rows, from, ran);
  });
  foldInterval(at);
}

/// Where it is a sweep the edges of the rows at hand are in memory, and all cols; of pairs those that were gathered.
void StreamWorker::runStep(const At &at, uint32_t s) {
  constexpr uint32_t whole = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
  if (!layout.schedule().isOfRows(s))
    return at.rows->tickets.push_back(call(at, s, *at.rows->view, /*edges=*/0, Cols{}, whole, at.rows->loaded));
  const ProgramStep step = steps[s];
  const VertexOrder *order = layout.copiesOrder(step.colType()) ? nullptr : binding.order(step.colType());
  const EdgeRows &edges = data.edgeRows(step->relation, step->direction, engine);
  const bool areGathered = isOfPairs(s);
  gnn_block_t block = edges.block(at.interval);
  block.row_id = at.rows->view->ids(0);
  block.col_id = areGathered
                     ? reinterpret_cast<const int64_t *>(transfers.memoryAt(layout.memory().steps[s].gatheredIds))
                 : order ? order->id.data()
                         : nullptr;
  at.rows->sweeps.push_back(std::make_unique<EdgeView>(block.num_rows, block.row_id, block));
  std::vector<Asked> loaded = at.rows->loaded;
  if (areGathered && !pieces->gathered.empty())
    loaded.push_back(pieces->gathered.back()); // a queue does one after the other
  at.rows->tickets.push_back(call(at, s, *at.rows->sweeps.back(), edges.numEdges(at.interval), Cols{}, whole, loaded));
}

Asked StreamWorker::call(const At &at, uint32_t s, const EdgeView &view, int64_t edges, const Cols &cols,
                         uint32_t flags, const std::vector<Asked> &after) {
  if (!lanes.isRehearsal())
    onCall();
  std::vector<void *> operands;
  for (const Operand operand : steps[s].operands())
    operands.push_back(place(at, s, operand, cols));
  const RunMemory::OfStep &of = layout.memory().steps[s];
  const StepCall how{flags, transfers.memoryAt(of.states), transfers.memoryAt(of.room)};
  return lastCall = lanes.ask({Queue::Work, s, /*bytes=*/0, uint64_t(view.rows(0) + edges) + rowsOfCall,
                               uint64_t(view.rows(0)), uint64_t(edges)},
                              after, [&calls = *prepared, s, &view, operands = std::move(operands), how] {
                                calls.run(s, view, operands.data(), how);
                              });
}

void *StreamWorker::place(const At &at, uint32_t s, const Operand &operand, const Cols &cols) {
  const uint32_t tensor = operand.tensor;
  if (operand.isPerCol() && isOfPairs(s))
    return transfers.memoryAt(layout.memory().steps[s].gathered[operand.index]);
  if (layout.isSpilled(tensor)) {
    if (operand.isInChunks()) {
      const bool isInOrder = operand.isPerEdge() && steps[s]->direction == GNN_TO_DESTINATION; // that of the slices
      return transfers.memoryAt(cols.piece->at) + layout.colsAt(s, operand.index, at.interval, cols.interval) +
             (isInOrder ? size_t(cols.edgeBefore) * layout.rowBytes(tensor) : 0);
    }
    return layout.memory().stages[at.stage].rowsAt.count(tensor) ? rowsOf(at, tensor)
                                                                 : transfers.memoryAt(layout.memory().ofRun.at(tensor));
  }
  for (const TotalParts &total : layout.totals(at.stage))
    if (total.step == s && total.operand == operand.index)
      return totalOf(total, at.interval);
  char *base = whole.at(tensor);
  assert(base && "every tensor of a program is made, bound or placed");
  if (!operand.isPerRow() && !operand.isPerCol())
    return base;
  const uint32_t type = steps[s].typeOf(operand);
  return base + size_t(intervals.begin(type, operand.isPerRow() ? at.interval : cols.interval)) *
                    layout.bytesOfVertex(tensor, type);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Of the rows at hand, of those that have edges, in the order of their cols. Cols stay while the slices of the chunk
/// come and go.
void StreamWorker::runChunk(const At &at, uint32_t s, size_t k, const ColsSent &sent, StreamWorker *relay) {
  const ProgramStep step = steps[s];
  const uint32_t colType = step.colType();
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  const int64_t p = at.interval;
  const std::vector<int64_t> &met = chunks.met(p);
  const int64_t q = met[k], slices = chunks.numSlices(p, q);
  ColPiece &cols = Pieces::take(pieces->cols, layout.memory().cols, layout.colPiece(s, p, q), lanes);
  const size_t idsAt = layout.memory().colIds.idsAt(pieces->numChunks++, cols.at + layout.colIdsAt(s, p, q));
  const int64_t *colIds = transfers.ids(s, colType, q, layout.memory().steps[s].makesColIds, idsAt, cols.tickets);
  const bool hasTables =
      step.operands().any([&](const Operand &of) { return of.isPerEdge() && layout.isSpilled(of.tensor); });
  Asked ran;
  for (int64_t j = 0; j < slices; ++j) {
    const size_t before = pieces->lastEdges;
    EdgePiece &piece = Pieces::take(pieces->edges, layout.memory().edges, chunks.slotBytes(p, q, j), lanes);
    pieces->lastEdges = piece.at;
    gnn_block_t block = chunks.block(p, q, j, transfers.memoryAt(piece.at), hasTables);
    block.row_id = at.rows->view->ids(0);
    block.col_id = colIds;
    piece.view = std::make_unique<EdgeView>(block.num_rows, block.row_id, block);
    piece.tickets = transfers.loadEdges(s, p, k, j, piece.at, before, sent);
    if (j == 0 && chunks.hasEdges(p, q))
      loadChunk(at, s, q, cols, piece.tickets[0], sent, relay);
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
  if (chunks.hasEdges(p, q)) // what the sweep makes by edge
    layout.stages()[at.stage].forEach(OpKind::WriteTable, Per::Chunk, s, [&](const OpTemplate &op) {
      const char *from = transfers.memoryAt(cols.at + layout.colsAt(s, op.operand, p, q));
      cols.tickets.push_back(transfers.store(op, q, chunks.edgesBefore(p, q), chunks.numEdges(p, q), from, ran));
    });
}

/// What a sweep reads of tables by col and by edge. Where cols are relayed, the memory that they are copied from serves
/// again when they have been.
void StreamWorker::loadChunk(const At &at, uint32_t s, int64_t q, ColPiece &piece, const Asked &edges,
                             const ColsSent &sent, StreamWorker *relay) {
  const Chunks &chunks = data.chunks(steps[s]->relation, steps[s]->direction);
  const int64_t p = at.interval;
  layout.stages()[at.stage].forEach(OpKind::ReadTable, Per::Chunk, s, [&](const OpTemplate &op) {
    const size_t to = piece.at + layout.colsAt(s, op.operand, p, q);
    if (op.extent == Extent::Edges) {
      piece.tickets.push_back(
          transfers.load(op, q, chunks.edgesBefore(p, q), chunks.numEdges(p, q), transfers.memoryAt(to)));
      return;
    }
    LoadedCols &loaded = piece.loaded[op.operand];
    loaded.at = to;
    if (relay) {
      ColPiece &there = relay->pieces->cols.last();
      loaded.pieces = transfers.relayCols(relay->transfers, there.loaded.at(op.operand), op, to, sent);
      there.tickets.push_back(loaded.pieces.back());
    } else
      loaded.pieces = transfers.loadCols(op, {p, q}, to, edges, sent, piece.tickets);
    piece.tickets.push_back(loaded.pieces.back()); // those of a queue end in their order
  });
}

//===----------------------------------------------------------------------===//
// Rows that pairs end at
//===----------------------------------------------------------------------===//

/// Beside the steps of the stage before: nothing else lies where they are gathered.
void StreamWorker::gatherCols(size_t stage) {
  for (const OpTemplate &op : layout.stages()[stage].ops) {
    const uint32_t s = op.step;
    if (op.kind == OpKind::Gather)
      for (int64_t q = 0; q < intervals.count(steps[s].colType()); ++q)
        pieces->gathered.push_back(gatherInterval(op, q));
    if (op.kind != OpKind::MakeIds || op.per != Per::Stage)
      continue; // else original ids of the rows that are gathered
    const ProgramStep step = steps[s];
    const uint32_t type = step.colType();
    const VertexOrder *order = binding.order(type);
    const RowMarks &touched = data.edgeRows(step->relation, step->direction, engine).touched();
    auto *ids = reinterpret_cast<int64_t *>(transfers.memoryAt(layout.memory().steps[s].gatheredIds));
    pieces->gathered.push_back(
        lanes.ask({Queue::Load, s, /*bytes=*/0, /*size=*/bytesOfCall}, {}, [=, &touched, rows = binding.rows(type)] {
          int64_t *next = ids;
          touched.forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row)
              *next++ = order ? order->id[size_t(row)] : row;
          });
        }));
  }
}

/// Rows that pairs end at, of a table that is in the file or in memory.
Asked StreamWorker::gatherInterval(const OpTemplate &op, int64_t interval) {
  const uint32_t s = op.step, tensor = op.tensor;
  const ProgramStep step = steps[s];
  const uint32_t type = step.colType();
  const RowMarks &touched = data.edgeRows(step->relation, step->direction, engine).touched();
  const int64_t rows = intervals.rows(type, interval), first = intervals.begin(type, interval);
  const size_t rowBytes = layout.bytesOfVertex(tensor, type);
  char *to = transfers.memoryAt(layout.memory().steps[s].gathered[op.operand]);
  auto gather = [=, &touched](const char *from) { // the rows of the interval
    touched.forRanges(first, first + rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
      std::memcpy(to + size_t(touched.numberOf(uint32_t(begin))) * rowBytes, from + size_t(begin - first) * rowBytes,
                  size_t(end - begin) * rowBytes);
    });
  };
  const uint64_t bytes = uint64_t(rows) * rowBytes;
  if (op.home == Tier::Engine) {
    const char *from = whole.at(tensor);
    return lanes.ask({Queue::Load, s, /*bytes=*/0, bytes + bytesOfCall}, {lastCall},
                     [=] { gather(from + size_t(first) * rowBytes); });
  }
  ColPiece &piece = Pieces::take(pieces->cols, layout.memory().cols, layout.memory().steps[s].mostToGather, lanes);
  char *read = transfers.memoryAt(piece.at);
  const Asked done =
      lanes.ask({Queue::Load, s, bytes, bytes + bytesOfCall}, {transfers.storedOf(tensor, interval)}, [=] {
        data.load(tensor, layout.place(tensor), first, rows, rowBytes, read);
        gather(read);
      });
  piece.tickets.push_back(done);
  return done;
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// In the order of intervals, before the next one makes its parts, which lie in the same place.
void StreamWorker::foldInterval(const At &at) {
  const Stage &stage = layout.stages()[at.stage];
  std::vector<TotalParts> totals = layout.totals(at.stage);
  if (at.interval == 0 || totals.empty() || !totals[0].foldsByInterval)
    return;
  const bool isLast = at.interval + 1 == intervals.count(stage.type);
  const Order order{Queue::Work, stage.first, /*bytes=*/0, /*size=*/1};
  at.rows->tickets.push_back(lanes.ask(order, {}, [this, isLast, totals = std::move(totals)] {
    for (const TotalParts &total : totals) {
      char *sum = totalOf(total, 0);
      foldParts(total, sum, 2, !isLast);
    }
  }));
}

void StreamWorker::foldParts(const TotalParts &total, char *first, int64_t parts, bool moreCome) {
  const uint32_t tensor = steps[total.step][total.operand].tensor;
  const gnn_tensor_info_t &info = library.tensor(tensor);
  engine.fold(total.fold, info.element, binding.leadingExtent(info) * binding.dimensions().rowElements(info),
              moreCome ? first : whole.placed()[tensor], first, total.bytes, parts);
}

} // namespace gnn::rt
