//===- WithinMemory.h - Executors within a budget ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the whole graph fits a budget of memory, and into how many intervals it is cut where it does not.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_WITHINMEMORY_H
#define GNN_STREAM_WITHINMEMORY_H

#include "runtime/src/stream/OnDevices.h"
#include "runtime/src/stream/StreamPlanner.h"

#include <functional>

namespace gnn::rt {

/// Throws GNN_ERROR_MISMATCH for a program that can't be streamed.
void requireStreamable(const Engine &engine, const Library &library, const gnn_program_t &program,
                       const MemoryLimit &limit);

class WithinMemory {
public:
  /// Gives an executor its parameters.
  using Place = std::function<void(Executor &)>;

  /// Makes an executor for each of these programs of a library, for one to run at a time. `otherBytes` as of
  /// StreamPlanner. On a GPU the whole graph is tried: each program is run once. Where the graph is streamed the
  /// binding gives its edges up, and inputs that lie in the spill file. Throws GNN_ERROR_MEMORY, and says what would
  /// do, for a limit that is too low; GNN_ERROR_MISMATCH for a program that can't be streamed. All arguments but the
  /// limit must outlive this.
  WithinMemory(Engine &engine, const Library &library, Binding &binding, std::vector<const gnn_program_t *> programs,
               size_t otherBytes, const MemoryLimit &limit, const Place &place);

  const StreamPlan &plan() const { return chosen; }
  /// Whether it is about the memory of a GPU, and what is streamed lies in that of this process.
  bool isOfDevice() const { return engine.hasDeviceMemory(); }
  /// Whether memory of this process is limited beside it.
  bool isLimitedHere() const { return limit.hostBytes != SIZE_MAX && chosen.parts > 0; }
  /// In the order of the programs.
  std::vector<std::unique_ptr<Executor>> takeExecutors() { return std::move(executors); }
  /// Whether a run can be rehearsed: of one process that streams within its own memory.
  bool canRehearse() const { return data && !data->below() && !limit.comm; }
  /// Of those executors, one that streams, while it is there.
  Streamed &streamed(size_t program) const { return *streams[program]; }
  /// Of those executors, one that streams on several devices; null: they don't.
  const OnDevices *onDevices(size_t program) const { return shared.empty() ? nullptr : shared[program]; }
  /// What a run of one of the programs on GPUs would take by each route, at the rates of the topology; of one GPU by
  /// the only one, and with the files below memory where these are on a `disk`. Of programs that are streamed, between
  /// runs.
  std::vector<RoutePlan> routePlans(size_t program, const DiskRates *disk = nullptr) const;
  /// What was read and written so far; null where nothing is streamed.
  const Spill *file() const { return data ? &data->file() : nullptr; }
  /// The same of the file below memory.
  const Spill *below() const { return data ? data->below() : nullptr; }
  const SpillFile::Traffic &trafficBelow(size_t program) const {
    return shared.empty() ? streams[program]->places().traffic().below : shared[program]->traffic().below;
  }
  /// What was read of the data's own files before the first run, of tables over vertices that were left there.
  uint64_t dataBytesRead() const { return bytesOfData + (data ? data->dataBytesRead() : 0); }
  /// Whether the system reads scattered rows together.
  bool readsTogether() const { return data && data->readsTogether(); }
  /// The same from device to device.
  uint64_t movedBetweenDevices() const {
    uint64_t bytes = 0;
    for (const OnDevices *together : shared)
      bytes += together->movedBetween();
    return bytes;
  }
  /// Of a run of one of the programs.
  const SpillFile::Traffic &traffic(size_t program) const { return perRun[program]; }
  /// Of a run of one that is streamed, the bytes of rows that it passes over.
  uint64_t passedOver(size_t program) const { return perPassed[program]; }
  /// What decides the bits of a run of one of the programs, for Plan::folds.
  const std::map<std::string, int64_t> &folds(size_t program) const { return perFolds[program]; }

private:
  void loadPaged(uint32_t tensor, const Intervals *partOf);
  void loadPaged(const StreamPlanner &planner, const Residents &residents);
  void leaveCache();
  void addStreamed(const gnn_program_t &program);
  void shareMemory();
  void chooseRoutes();
  bool takeWhole();
  bool tryWhole();
  std::map<std::string, int64_t> foldsOf(const gnn_program_t &program, const Streamed &streamed) const;
  void stream();

  Engine &engine;
  const std::vector<Engine *> engines; // that compute together, `engine` first
  Topology topology;                   // of these, where they are GPUs
  const Library &library;
  Binding &binding;
  const std::vector<const gnn_program_t *> programs;
  const size_t otherBytes;
  const MemoryLimit limit;
  const Place place;
  StreamPlan chosen{0, 0};
  uint64_t bytesOfData = 0;
  std::shared_ptr<SpilledData> data;
  std::vector<SpillFile::Traffic> perRun;
  std::vector<uint64_t> perPassed;
  std::vector<std::map<std::string, int64_t>> perFolds;
  std::vector<std::unique_ptr<Executor>> executors;
  std::vector<Streamed *> streams; // of the first device
  std::vector<OnDevices *> shared; // with all; empty: there is one
};

} // namespace gnn::rt

#endif // GNN_STREAM_WITHINMEMORY_H
