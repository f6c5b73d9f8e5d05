//===- WithinMemory.h - Executors within a budget ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the whole graph fits a budget of memory; where it does not, into how many intervals it is cut, and where
// inputs lie meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_WITHINMEMORY_H
#define GNN_STREAM_WITHINMEMORY_H

#include "runtime/src/stream/StreamPlanner.h"
#include "runtime/src/stream/Streamed.h"

#include <functional>

namespace gnn::rt {

/// Throws GNN_ERROR_MISMATCH for a program that can't be streamed.
void requireStreamable(const Engine &engine, const Library &library, const gnn_program_t &program,
                       const MemoryLimit &limit);

/// Memory that this process may still take, page cache among it, by the system and the limits of its control group.
uint64_t availableMemory();

class WithinMemory {
public:
  /// Gives an executor its parameters.
  using Place = std::function<void(Executor &)>;

  /// Makes an executor for each of these programs of a library, for one to run at a time. `otherBytes` as of
  /// StreamPlanner. On a GPU the whole graph is tried: each program is run once. Where the graph is streamed the
  /// binding gives up its edges, and inputs that lie in the spill file; their memory is free once the caller has given
  /// them up as well. Throws GNN_ERROR_MEMORY, and says what would do, for a limit that is too low;
  /// GNN_ERROR_MISMATCH for a program that can't be streamed. All arguments but the limit must outlive this.
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
  /// The streamed executor of a program; it must be streamed.
  Streamed &streamed(size_t program) const { return *streams[program]; }
  /// The executor that streams a program on several devices; null if none does.
  const Streamed *onDevices(size_t program) const { return engines.size() > 1 ? streams[program] : nullptr; }
  /// The spill file with the counts of its traffic; null if nothing is streamed.
  const Spill *file() const { return data ? &data->file() : nullptr; }
  /// The same of the file below memory.
  const Spill *below() const { return data ? data->below() : nullptr; }
  /// Bytes read before the first run from the data set's own files, for tables over vertices that stayed there.
  uint64_t dataBytesRead() const { return bytesOfData + (data ? data->dataBytesRead() : 0); }
  /// Whether the system reads scattered rows together.
  bool readsTogether() const { return data && data->readsTogether(); }
  /// The same from device to device.
  uint64_t movedBetweenDevices() const {
    uint64_t bytes = 0;
    for (const Streamed *streamed : streams)
      bytes += streamed->movedBetween();
    return bytes;
  }
  /// The numbers that decide the bits of a run of a program, for Plan::folds.
  const std::map<std::string, int64_t> &folds(size_t program) const { return perFolds[program]; }

private:
  void loadPaged(uint32_t tensor, const Intervals *partOf);
  void loadPaged(const StreamPlanner &planner, const Residents &residents);
  void leaveCache();
  void shareMemory();
  bool takeWhole();
  bool tryWhole();
  std::map<std::string, int64_t> foldsOf(const gnn_program_t &program, const StreamLayout &layout) const;
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
  std::vector<std::map<std::string, int64_t>> perFolds;
  std::vector<std::unique_ptr<Executor>> executors;
  std::vector<Streamed *> streams; // empty: the whole graph is in memory
};

} // namespace gnn::rt

#endif // GNN_STREAM_WITHINMEMORY_H
