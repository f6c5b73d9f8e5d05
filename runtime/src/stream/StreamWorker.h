//===- StreamWorker.h - An engine's part of a streamed run ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the steps of an engine for intervals and chunks, one after the other. While one runs, the data of the next are
// loaded, and those of the one before are stored. Only memory is waited for: that of rings (ByteRing), whose oldest
// pieces have to end. All else are tickets.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMWORKER_H
#define GNN_STREAM_STREAMWORKER_H

#include "runtime/src/stream/Transfers.h"
#include "runtime/src/stream/WholeTables.h"

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

  /// Sets the memory of runs. By default the worker allocates its own.
  void runIn(std::shared_ptr<Memory> memory) { transfers.runIn(std::move(memory)); }
  Prepared &calls() const { return *prepared; }
  /// Where tensors are whole; what steps make for each other, in the current run.
  WholeTables &tables() { return whole; }

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
  struct Pieces;
  /// The cols of a call, and its edges.
  struct Cols {
    int64_t interval;
    const ColPiece *piece;
    int64_t edgeBefore; // of those of the chunk
  };

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

  Engine &engine;
  const StreamLayout &layout;
  const std::shared_ptr<Prepared> prepared;
  const std::function<void()> onCall;
  WholeTables whole;
  Lanes lanes;
  Lanes::Watch watch; // of the current run
  Transfers transfers;
  const std::unique_ptr<Pieces> pieces;
  Asked lastCall;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMWORKER_H
