//===- StageRunner.h - The stages of a streamed program ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STAGERUNNER_H
#define GNN_STREAM_STAGERUNNER_H

#include "runtime/src/stream/DeviceExchange.h"
#include "runtime/src/stream/RankShare.h"
#include "runtime/src/stream/RoutePlan.h"

namespace gnn::rt {

/// Runs the stages of a streamed program, one after the other, on all engines that compute with a given one, and
/// between them exchanges tables and totals with these and with other ranks. One thread gives work to all engines, in
/// turns and chunk by chunk within a group, so that each has its next chunk while the thread waits for another engine.
class StageRunner {
public:
  /// `onCall` as of StreamWorker; the others as of Streamed. All but `onCall` must outlive this.
  StageRunner(Engine &engine, const StreamLayout &layout, Comm *comm, const Topology &topology,
              const std::function<void()> &onCall);

  size_t numEngines() const { return engines.size(); }
  /// The worker of the engine that has the parameters and the results.
  StreamWorker &first() const { return *workers[0]; }
  /// As WholeTables::results.
  const std::vector<Tensor> &results() const { return first().tables().results(); }
  void place(uint32_t tensor, void *where);
  void runIn(const std::vector<std::shared_ptr<Memory>> &memory);

  /// Before a run, on all engines: data that were bound again are there.
  void begin(const RunNumbers &numbers);
  /// After `begin`. Each order of a single engine is told to `watch`, if that is not empty.
  void run(ColRoute route, const Lanes::Watch &watch);
  /// After a run, in all ranks: the rows of a result that other ranks have.
  void fetch(uint32_t tensor);

  /// As Streamed::runSome and Streamed::rehearse.
  void runSome(double seconds, ColRoute route, const Lanes::Watch &told);
  double rehearse(const Prices &prices, ColRoute route, const Lanes::Watch &told);
  /// The predicted times of a run by a route.
  RoutePlan rehearse(ColRoute route, const Topology &topology, const KernelPrices &prices, const DiskRates *disk);

  /// The traffic of a run on several engines.
  StreamTraffic traffic(ColRoute route) { return exchange->traffic(route); }
  uint64_t movedBetween() const { return exchange ? exchange->moved() : 0; }

private:
  void runStages(const std::function<void(size_t)> &body);
  void runStage(size_t stage, ColRoute route, LinkRehearsal *paper = nullptr);
  void runGroup(size_t stage, ColRoute route, int64_t number);

  const std::vector<Engine *> engines;
  const StreamLayout &layout;
  StreamWalk walk;
  std::vector<std::unique_ptr<StreamWorker>> workers; // [engines]
  const std::unique_ptr<RankShare> share;             // null: this process has all
  const std::unique_ptr<DeviceExchange> exchange;     // null: there is one engine
};

} // namespace gnn::rt

#endif // GNN_STREAM_STAGERUNNER_H
