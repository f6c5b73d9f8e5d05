//===- StreamWorker.h - An engine's part of a streamed run ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an engine does for intervals and chunks, one after the other. What the next call needs is loaded while one runs,
// and what the one before made is stored. Nothing is waited for but memory: that of rings (ByteRing), whose oldest
// pieces have to end. All else are tickets.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMWORKER_H
#define GNN_STREAM_STREAMWORKER_H

#include "runtime/src/stream/ByteRing.h"
#include "runtime/src/stream/Transfers.h"

namespace gnn::rt {

class StreamWorker : StreamedProgram {
public:
  /// The rows at hand.
  struct RowPiece;
  struct At {
    size_t stage;
    int64_t interval;
    RowPiece *rows;
  };

  /// `prepared` is the program on the engine. `onCall` is called with each call of a step that is not rehearsed, and
  /// may throw. The engine and the layout must outlive this.
  StreamWorker(Engine &engine, const StreamLayout &layout, std::shared_ptr<Prepared> prepared,
               std::function<void()> onCall);
  ~StreamWorker();

  void place(uint32_t tensor, void *where) { places[tensor] = static_cast<char *>(where); }
  /// Sets the memory of runs. By default the worker allocates its own.
  void runIn(std::shared_ptr<Memory> memory) { transfers.runIn(std::move(memory)); }
  Prepared &calls() const { return *prepared; }
  /// [program results] those that are in the memory of the engine; others are none.
  const std::vector<Tensor> &results() const { return resultTensors; }
  /// [library tensors] places of those that are whole; of what steps make, in the current run.
  const std::vector<char *> &bases() const { return places; }

  // A run. Between `begin` and `end` the engine is asked for stages; `end` awaits all of it, `abandon` is for a
  // failure.

  void begin(const Lanes::Watch &told = {}, const Prices *prices = nullptr, const OnPaper &paper = {});
  void end();
  void abandon();
  void awaitAll();
  /// The queues of the engine, real or rehearsed.
  const Lanes &queues() const { return lanes; }

  /// Gathers the rows that the pairs of a stage end at.
  void gatherCols(size_t stage);
  At openInterval(size_t stage, int64_t interval);
  /// Calls a step that is called once for an interval.
  void runStep(const At &at, uint32_t step);
  /// The k-th chunk that a sweep meets. `relay`: whose last chunk had its cols, which come from there; null: from where
  /// they lie.
  void runChunk(const At &at, uint32_t step, size_t k, const ColsSent &sent, StreamWorker *relay);
  void closeInterval(const At &at);

  /// The part that an interval makes of a total.
  char *totalOf(const TotalParts &total, int64_t interval) const { return transfers.memoryAt(total.at(interval)); }
  /// Folds so many parts of a total from the one at `first` on: into the total or, where more come, into the first
  /// part.
  void foldParts(const TotalParts &total, char *first, int64_t parts, bool moreCome = false);

private:
  class EdgeView;
  struct ColPiece;
  struct EdgePiece;
  /// The cols of a call, and its edges.
  struct Cols {
    int64_t interval;
    const ColPiece *piece;
    int64_t edgeBefore; // of those of the chunk
  };

  void placeResults();
  /// Takes a piece of a ring once the oldest pieces there have ended.
  template <class Piece> Piece &take(ByteRing<Piece> &ring, const RunMemory::Area &area, size_t bytes);
  char *rowsOf(const At &at, uint32_t tensor) const;
  /// Calls `move(op, firstRow, rows, place)` for each table of the rows at hand that the stage reads or writes.
  template <class Move> void moveRows(const At &at, OpKind kind, Move move);
  Asked gatherInterval(const OpTemplate &op, int64_t interval);
  Asked call(const At &at, uint32_t step, const EdgeView &view, int64_t edges, const Cols &cols, uint32_t flags,
             const std::vector<Asked> &after);
  void *place(const At &at, uint32_t step, const Operand &operand, const Cols &cols);
  void loadChunk(const At &at, uint32_t step, int64_t colInterval, ColPiece &piece, const Asked &edges,
                 const ColsSent &sent, StreamWorker *relay);
  void foldInterval(const At &at);
  void forTickets(const std::function<void(std::vector<Asked> &)> &body);

  Engine &engine;
  const StreamLayout &layout;
  const std::shared_ptr<Prepared> prepared;
  const std::function<void()> onCall;
  const std::shared_ptr<ResidentTables> tables;
  Lanes lanes;
  Lanes::Watch watch; // of the current run
  Transfers transfers;
  std::vector<char *> places;
  std::vector<Tensor> resultTensors;
  ByteRing<RowPiece> rowRing;
  ByteRing<ColPiece> colRing;
  ByteRing<EdgePiece> edgeRing;
  std::vector<Asked> gathered; // for sweeps over pairs
  Asked lastCall;
  size_t lastEdges; // where the last slice lies
  uint64_t numIntervals = 0, numChunks = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMWORKER_H
