//===- OnDevices.h - A streamed program on several devices ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each device has some neighbouring intervals of vertices, and runs the stages of a program over them from the same
// memory of this process. Intervals of all devices form groups, one of each, that go over the cols side by side: so
// what one has loaded of them may go on to the others (NGra, section 4: a ring; NeuGraph, section 5: a chain). Every
// interval meets its cols in their order and totals are folded in that of intervals, so bits don't depend on the
// devices.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_ONDEVICES_H
#define GNN_STREAM_ONDEVICES_H

#include "runtime/src/stream/ColRelays.h"
#include "runtime/src/stream/RankOutputs.h"
#include "runtime/src/stream/RoutePlan.h"
#include "runtime/src/stream/SharedRows.h"
#include "runtime/src/stream/Streamed.h"

namespace gnn::rt {

class OnDevices : public Executor {
public:
  /// The traffic of a run.
  struct Traffic {
    Spill::Traffic host;         // from and to the memory of this process, as of Streamed
    uint64_t betweenDevices = 0; // asked for from device to device, of which
    uint64_t stagedByHost = 0;   // so much goes by way of the memory of this process, as they don't reach each other
    Spill::Traffic below = {};   // of the file below that memory, where there is one
    uint64_t passedOver = 0;     // not read of the memory of this process, as no edge touches these rows
  };

  /// `first` is of the first of the engines, which are the devices of the topology. All arguments but that must
  /// outlive the executor.
  OnDevices(std::unique_ptr<Streamed> first, std::vector<Engine *> engines, const Library &library,
            const Binding &binding, const gnn_program_t &program, SpilledData &data, ColRoute route,
            const Topology &topology);

  const char *name() const override { return "streamed"; }
  void place(uint32_t tensor, void *where) override;
  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  const Tensor &result(uint32_t i) override { return workers[0]->result(i); }
  Tensor resultRows(uint32_t i, Span<const int64_t> rows) override { return workers[0]->resultRows(i, rows); }
  Tensor takeResult(uint32_t i) override { return workers[0]->takeResult(i); }
  Tensor takeResultThere(uint32_t i) override { return workers[0]->takeResultThere(i); }
  size_t peakBytes() const override { return workers[0]->peakBytes(); }

  /// As of Streamed, for each of the engines.
  void runIn(const std::vector<std::shared_ptr<Memory>> &memory);
  /// Before the first run, when all that is bound is in its place: chooses a route that was not said.
  void choose();
  /// The predicted time of a run by each route, at the rates of the topology. Not to be called during a run.
  std::vector<RoutePlan> plans();
  size_t numDevices() const { return engines.size(); }
  ColRoute route() const { return chosen; }
  const Traffic &traffic() const { return perRun; }
  /// As of Streamed, on the first device, which all others are awaited by.
  double stepSeconds() const { return workers[0]->stepSeconds(); }
  /// So far.
  uint64_t movedBetween() const { return moved; }

private:
  /// Rows or numbers of edges that several devices make, and others will read.
  struct Table {
    uint32_t tensor;
    bool isOfEdges, isForAll; // else it is a result, for the first
  };
  struct Total {
    uint32_t tensor;
    bool isReadLater;
  };
  struct StageOutputs {
    std::vector<Table> tables;
    std::vector<Total> totals;
  };
  /// A parameter, of which the other devices have copies.
  struct Copied {
    const void *from;
    size_t bytes;
    std::vector<std::unique_ptr<Memory>> there; // [engines - 1]
  };
  struct Member {
    Streamed &worker;
    Streamed::At at;
  };
  /// A chunk of a group, in its turn.
  struct Turn {
    size_t member, chunk;                // of those that the member meets
    int64_t cols;                        // interval
    int from;                            // the member that has its cols already; -1: none
    const std::vector<int64_t> &sharing; // the intervals of rows of all devices that these cols go to
  };
  using OnTurn = std::function<void(const Turn &turn)>;
  /// Intervals of some devices that go over the cols side by side.
  struct Group {
    std::vector<size_t> devices;
    std::vector<int64_t> intervals; // [devices]
  };

  void addOutputs();
  bool isReadAfter(uint32_t step, uint32_t tensor) const;
  Intervals::Range share(uint32_t type, size_t device) const;
  int64_t numGroups(uint32_t type) const;
  Group groupOf(uint32_t type, int64_t number) const;
  size_t tensorBytes(uint32_t tensor) const;
  uint64_t colRowBytes(uint32_t step) const;
  bool areRowsKnown(uint32_t step, const Turn &turn) const;
  uint64_t colRows(uint32_t step, const Turn &turn);
  uint64_t colBytesBelow(uint32_t step, const Turn &turn);
  Streamed::ColsSent colsSent(uint32_t step, const Turn &turn);
  SharedRows &sharedRows(uint32_t step);
  std::pair<int64_t, int64_t> bytesOfRows(const Table &table, uint32_t type, size_t device) const;
  Traffic trafficBy(ColRoute route);
  void countCols(ColRoute route, Traffic &traffic);
  void countOutputs(Traffic &traffic) const;
  void count(Traffic &traffic, size_t from, size_t to, uint64_t bytes) const;
  void forTurns(ColRoute route, uint32_t step, const Group &group, const OnTurn &body) const;

  void begin(const RunNumbers &numbers);
  void runStages();
  void runStage(size_t stage);
  void rehearseGroups(size_t stage);
  void runGroup(size_t stage, int64_t number);
  RoutePlan rehearse(ColRoute route);
  void runChunks(const Group &group, const std::vector<Member> &members, uint32_t step);
  void copy(size_t from, size_t to, void *target, const void *source, size_t bytes, const Asked &after = {});
  Asked fold(size_t stage);
  void awaitCopies();
  void gatherTotals(size_t stage);
  void gatherRows(const Table &table, uint32_t type);
  void gatherEdges(const Table &table);

  const std::vector<Engine *> engines;
  const Binding &binding;
  SpilledData &data;
  const Intervals &intervals;
  std::vector<std::unique_ptr<Streamed>> workers; // [engines]
  const StreamLayout &layout;
  std::vector<StageOutputs> outputs; // [stages]
  const Topology topology;
  const ColRelays relays;
  const size_t numLoaders;   // that fill their links at the same time
  const double bytesOfRelay; // of the least piece that cols are given on in
  const KernelPrices prices;
  std::map<Residents::Edges, SharedRows> shared;
  LinkRehearsal *paper = nullptr; // null: what is asked for is done
  ColRoute chosen;
  Traffic perRun;
  std::map<uint32_t, Copied> copied; // by tensor
  std::vector<Asked> copies;         // under way
  uint64_t moved = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_ONDEVICES_H
