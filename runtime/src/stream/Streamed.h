//===- Streamed.h - Executor of graphs larger than memory -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program over the whole graph, an interval of vertices after the other: tables over vertices and edges lie in a
// spill file or, for a GPU, in memory of this process, and what is at hand is in the memory of the engine. What the
// next call needs is loaded while one runs, and what the one before made is stored.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMED_H
#define GNN_STREAM_STREAMED_H

#include "runtime/src/exec/Executor.h"
#include "runtime/src/stream/ByteRing.h"
#include "runtime/src/stream/Lanes.h"
#include "runtime/src/stream/RankShare.h"

namespace gnn::rt {

/// Ends a run that is reported on and is not to go on.
struct Stopped : std::exception {
  const char *what() const noexcept override { return "this run was stopped"; }
};

class Streamed : public Executor {
public:
  /// Is told what share of a run has been asked for. False: it ends as Stopped, with parameters as they were.
  using Report = std::function<bool(double share)>;

  /// The program has no obstacle (StreamLayout). `data` is of the binding and, with ranks, of this one. `comm`: the
  /// ranks that run it together, and ask for the same results in the same order; null: this process alone. All
  /// arguments must outlive the executor.
  Streamed(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
           std::shared_ptr<SpilledData> data, Comm *comm = nullptr);
  /// The same program on another engine that computes with that of `first`, for some of its intervals (OnDevices):
  /// its places and data are those of `first`, which must outlive it.
  Streamed(Streamed &first, Engine &engine);
  ~Streamed() override;

  const char *name() const override { return "streamed"; }
  void place(uint32_t tensor, void *where) override { bases[tensor] = static_cast<char *>(where); }
  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  /// By the clock of a GPU: how long the stages of the last training step took; 0 on processors and before.
  double stepSeconds() const { return lastStepSeconds; }
  /// Rows of vertices are read of what is spilled.
  const Tensor &result(uint32_t i) override;
  /// Keeps nothing: pieces of the table are read for it.
  Tensor resultRows(uint32_t i, Span<const int64_t> rows) override;
  Tensor takeResult(uint32_t i) override;
  Tensor takeResultThere(uint32_t i) override { return engine.handedOut(takeResult(i)); }
  /// Sets the engine's memory for runs, which other executors use in turns. By default the executor allocates its own.
  void runIn(std::shared_ptr<Memory> memory) { arena = std::move(memory); }
  size_t runBytes() const { return layout.runBytes(); }
  size_t peakBytes() const override { return layout.runBytes() + layout.lastingBytes(); }
  /// The traffic of a run, once all bound data are in the spill file.
  const SpillFile::Traffic &traffic() const { return layout.traffic().moved; }
  /// Beside that, bytes of rows that a run passes over.
  uint64_t passedOver() const { return layout.traffic().passedOver; }

  /// Reports the progress of later runs to `told`; empty for no reports. Not supported with ranks.
  void reportBy(Report told) { report = std::move(told); }
  /// The number of calls of steps in a run.
  uint64_t calls() const { return layout.traffic().calls; }
  /// From now on each order of a run is told; empty: none is.
  void watchBy(Lanes::Watch told) { watch = std::move(told); }
  /// Does the steps over some intervals alone, for about so long, as far as that goes: for who watches what they take,
  /// when they are done for the second time. There are no results then.
  void runSome(double seconds, const Lanes::Watch &told);
  /// Asks for all that a run asks for, of which nothing is done. Returns the seconds that it would take. Not of ranks.
  double rehearse(const Prices &prices, const Lanes::Watch &told = {});
  /// The same by the links of a device.
  void rehearse(const OnPaper &paper);

  /// Whether a sweep meets all edges of its rows in one call.
  bool isOfRows(uint32_t step) const { return layout.isOfRows(step); }

  // A run, piece by piece, for who has several of one program side by side.

  /// The rows at hand.
  struct RowPiece;
  struct At {
    size_t stage;
    int64_t interval;
    RowPiece *rows;
  };
  /// The cols of a chunk that are sent to an engine which has memory of its own.
  struct ColsSent {
    uint64_t rows;                         // fewer than the interval has: they lie there one after the other
    std::shared_ptr<const RowMarks> marks; // which these are, or, where all are sent, which of them a file below is
                                           // asked for; null: all, or those that the edges of the chunk say
    uint64_t pieces = 1;                   // that they come in, so that each is given on while the next one comes
    bool areShared = false;                // other engines may take them: the chunk's own edges say nothing
  };

  const StreamLayout &places() const { return layout; }
  void beginRun(const RunNumbers &numbers);
  /// Between these two the engine is asked for stages. The second one awaits all of it; `abandon` is for a failure.
  void beginStages(const Lanes::Watch &told = {}, const Prices *prices = nullptr, const OnPaper &paper = {});
  void endStages();
  void abandon();
  At openInterval(size_t stage, int64_t interval);
  /// Whether a step is asked for chunk by chunk.
  bool isInChunks(uint32_t step) const;
  void runStep(const At &at, uint32_t step);
  /// The k-th chunk that a sweep meets. `relay`: whose last chunk had its cols, which come from there; null: from where
  /// they lie.
  void runChunk(const At &at, uint32_t step, size_t k, const ColsSent &sent, Streamed *relay);
  void closeInterval(const At &at);
  void awaitAll();
  char *base(uint32_t tensor) const { return bases[tensor]; }
  char *totalOf(const TotalParts &total, int64_t interval) const {
    return static_cast<char *>(arena->data()) + total.offset + size_t(interval) * total.bytes;
  }
  /// Folds so many parts of a total from the one at `first` on.
  void foldParts(const TotalParts &total, const char *first, int64_t parts);
  StepOutcome update();
  void expectUpdate(const TrainingStep &step) { prepared->expectUpdate(step, results); }

private:
  class EdgeView;
  struct ColPiece;
  struct EdgePiece;

  void placeResults();
  void runSteps();
  void tell();
  void runStages(const std::function<void(size_t)> &body);
  void runStage(size_t stage);
  void runInterval(size_t stage, int64_t interval);
  size_t numChunksMet(const At &at, uint32_t step) const;
  ColsSent colsSent(const At &at, uint32_t step, size_t k) const;
  /// Where the rows at hand of a table lie that the stage loads or stores.
  char *rowsOf(const At &at, uint32_t tensor) const;
  void loadRows(const At &at);
  void storeRows(const At &at, Asked ran);
  Asked runRows(const At &at, uint32_t step);
  void gatherCols(size_t stage);
  Asked gatherInterval(const OpTemplate &op, int64_t interval);
  void gatherIds(uint32_t step);
  /// The cols of a call, and its edges.
  struct Cols {
    int64_t interval;
    const ColPiece *piece;
    int64_t edgeBefore; // of those of the chunk
  };
  Asked call(const At &at, uint32_t step, const EdgeView &view, int64_t edges, const Cols &cols, uint32_t flags,
             const std::vector<Asked> &after);
  void *place(const At &at, uint32_t step, const Operand &operand, const Cols &cols);
  void foldTotals(size_t stage);
  void foldInTurn(size_t stage);
  /// Original ids of the vertices of an interval, those that are made at a place; null: no step reads any.
  const int64_t *idsOf(uint32_t step, uint32_t type, int64_t interval, bool areMade, size_t at,
                       std::vector<Asked> &tickets);
  /// In the memory of the engine.
  char *memoryAt(size_t offset) const { return static_cast<char *>(arena->data()) + offset; }
  /// The address in host memory where data for an engine with device memory are made.
  char *hereAt(size_t offset) const { return static_cast<char *>(madeHere.get()) + (offset - layout.madeHere()); }
  /// The same for a place in it.
  char *hereFor(const char *there) const { return hereAt(size_t(there - static_cast<const char *>(arena->data()))); }
  RowPiece &takeRows(size_t stage);
  ColPiece &takeCols(uint32_t step, int64_t p, int64_t q);
  EdgePiece &takeEdges(size_t bytes);
  bool hasEdgeTables(const ProgramStep &step) const;
  Asked loadEdges(const Chunks &chunks, int64_t p, size_t k, int64_t slice, uint32_t step, EdgePiece &piece,
                  size_t before, const ColsSent &sent);
  void loadChunk(const Chunks &chunks, const At &at, uint32_t step, int64_t colInterval, ColPiece &piece,
                 const Asked &edges, const ColsSent &sent, Streamed *relay);
  std::vector<Asked> relayCols(Streamed &from, const OpTemplate &op, size_t to, const ColsSent &sent);
  void storeChunk(const Chunks &chunks, const At &at, uint32_t step, int64_t colInterval, ColPiece &piece,
                  const Asked &ran);
  void findUseful(const Chunks &chunks, int64_t p, int64_t q, uint32_t step, char *slot, bool isPacked);
  std::vector<Asked> loadCols(const At &at, const OpTemplate &op, int64_t colInterval, ColPiece &piece, size_t to,
                              const Asked &edges, const ColsSent &sent);
  std::vector<Asked> packCols(const OpTemplate &op, int64_t colInterval, ColPiece &piece, size_t to, const Asked &edges,
                              const ColsSent &sent);
  bool fetchesSome(const At &at, const OpTemplate &op, int64_t colInterval, const ColsSent &sent) const;
  std::vector<Asked> fetchCols(const At &at, const OpTemplate &op, int64_t colInterval, size_t to, const Asked &edges,
                               const ColsSent &sent);
  void readMarked(const OpTemplate &op, int64_t colInterval, const RowMarks &marks, int64_t gap, char *to);
  std::vector<Asked> copyCols(const OpTemplate &op, size_t to, const Asked &after, const ColsSent &sent);
  Asked load(const OpTemplate &op, int64_t interval, int64_t firstRow, int64_t rows, char *to);
  Asked store(const OpTemplate &op, int64_t interval, int64_t firstRow, int64_t rows, const char *from,
              const Asked &ran);
  Asked &storedOf(uint32_t tensor, int64_t interval);
  bool isThere(uint32_t tensor, int64_t interval);
  Asked copy(const Order &order, Spill::Kind kind, const std::vector<Asked> &after, void *to, const void *from);
  void awaitAll(std::vector<Asked> &tickets);
  void forTickets(const std::function<void(std::vector<Asked> &)> &body);
  Tensor wholeResult(uint32_t i) const;
  Tensor read(uint32_t i);

  Engine &engine;
  const Binding &binding;
  const std::shared_ptr<SpilledData> data;
  const Intervals &intervals;
  const std::shared_ptr<const StreamLayout> planned;
  const StreamLayout &layout;
  const std::shared_ptr<Prepared> prepared;
  Streamed *const first; // that is told of calls; null: this one
  const std::shared_ptr<ResidentTables> tables;
  Lanes lanes;
  Lanes::Watch watch;                     // of runs
  Report report;                          // of runs
  const std::unique_ptr<RankShare> share; // null: this process has all
  std::shared_ptr<Memory> arena;          // of a run
  std::shared_ptr<void> madeHere;         // StreamLayout::madeHere; null: the engine has no memory of its own
  std::vector<char *> bases;              // [library tensors] of those that are whole; of what steps make, in this run
  std::vector<Tensor> results;            // those that are whole; others are none
  std::vector<Tensor> onHost;             // [results] that were asked for since the last run

  // State of the current run.
  std::vector<std::vector<Asked>> stored; // [library tensors][intervals] when what a stage made is in the file
  ByteRing<RowPiece> rowRing;
  ByteRing<ColPiece> colRing;
  ByteRing<EdgePiece> edgeRing;
  std::vector<Asked> folds;    // of totals
  std::vector<Asked> gathered; // for sweeps over pairs
  Asked lastCall;
  size_t lastEdges; // where the last slice lies
  RowMarks useful;  // of the chunk whose edges were loaded last, where it is of a file
  uint64_t numIntervals = 0, numChunks = 0, callsOfRun = 0;
  double lastStepSeconds = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMED_H
