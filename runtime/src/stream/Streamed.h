//===- Streamed.h - Executor of graphs larger than memory -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program over the whole graph, an interval of vertices after the other: tables over vertices and edges lie in a
// spill file or, for a GPU, in memory of this process, and what is at hand is in the memory of the engine. Several GPUs
// go over intervals side by side, each with a worker of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMED_H
#define GNN_STREAM_STREAMED_H

#include "runtime/src/exec/Executor.h"
#include "runtime/src/stream/StageRunner.h"

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
  /// ranks that run it together, and ask for the same results in the same order; null: this process alone. Where
  /// several engines compute with this one, all of them do: cols come to them by a `route`, over the links of a
  /// `topology`, of which they are the devices. All arguments but the topology must outlive the executor.
  Streamed(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
           std::shared_ptr<SpilledData> data, Comm *comm = nullptr, ColRoute route = ColRoute::Replicated,
           const Topology &topology = {});

  const char *name() const override { return "streamed"; }
  void place(uint32_t tensor, void *where) override { runner.place(tensor, where); }
  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  /// By the clock of a GPU: how long the stages of the last training step took; 0 on processors and before. Of several
  /// that of the first, which awaits the others.
  double stepSeconds() const { return lastStepSeconds; }
  /// Rows of vertices are read of what is spilled.
  const Tensor &result(uint32_t i) override;
  /// Keeps nothing: pieces of the table are read for it.
  Tensor resultRows(uint32_t i, Span<const int64_t> rows) override;
  Tensor takeResult(uint32_t i) override { return read(i); }
  Tensor takeResultThere(uint32_t i) override { return engine.handedOut(read(i)); }
  /// Sets the memory of each engine for runs, which other executors use in turns. By default the executor allocates its
  /// own.
  void runIn(const std::vector<std::shared_ptr<Memory>> &memory) { runner.runIn(memory); }
  size_t peakBytes() const override { return layout.memory().bytes + layout.lastingBytes(); }
  const StreamLayout &places() const { return layout; }
  /// Before the first run on several devices, when all that is bound is in its place: chooses a route that was not
  /// said.
  void choose();
  ColRoute route() const { return chosen; }
  size_t numDevices() const { return runner.numEngines(); }
  /// The traffic of a run, once all bound data are in the spill file; of several devices, after `choose`.
  const StreamTraffic &traffic() const { return perRun; }
  /// Bytes from device to device so far.
  uint64_t movedBetween() const { return runner.movedBetween(); }

  /// Reports the progress of later runs to `told`; empty for no reports. Not supported with ranks.
  void reportBy(Report told) { report = std::move(told); }
  /// From now on each order of a run of one engine is told; empty: none is.
  void watchBy(Lanes::Watch told) { watch = std::move(told); }
  /// Does the steps over some intervals alone, for about so long, as far as that goes: for who watches what they take,
  /// when they are done for the second time. There are no results then.
  void runSome(double seconds, const Lanes::Watch &told);
  /// Asks for all that a run asks for, of which nothing is done. Returns the seconds that it would take. Not of ranks.
  double rehearse(const Prices &prices, const Lanes::Watch &told = {}) { return runner.rehearse(prices, chosen, told); }
  /// The same by each route over the links of the devices, at the rates of the topology; one device has a single route.
  /// `disk`: of files below host memory; null: they take no time. Not to be called during a run.
  std::vector<RoutePlan> routePlans(const DiskRates *disk = nullptr);

private:
  /// Before a run: forgets what was kept of the last one.
  void forget();
  Tensor read(uint32_t i);

  Engine &engine;
  const std::shared_ptr<SpilledData> data;
  const StreamLayout layout;
  const Topology topology;
  StageRunner runner;
  ColRoute chosen;
  StreamTraffic perRun;
  Lanes::Watch watch;
  Report report;
  std::vector<Tensor> onHost; // [results] that were asked for since the last run
  uint64_t callsOfRun = 0;
  double lastStepSeconds = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMED_H
