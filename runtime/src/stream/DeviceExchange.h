//===- DeviceExchange.h - What devices give each other ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the stages of a program that several devices run, each over its share of the intervals: the first device
// folds the totals, and tables that others read go to these. The first has all parameters, the others have copies.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_DEVICEEXCHANGE_H
#define GNN_STREAM_DEVICEEXCHANGE_H

#include "runtime/src/stream/RankOutputs.h"
#include "runtime/src/stream/StreamWorker.h"

namespace gnn::rt {

/// The traffic of a run.
struct StreamTraffic {
  Spill::Traffic host;         // of the spill file; of spilled memory, what is copied from and to it
  Spill::Traffic below = {};   // of the file below that memory, where there is one
  uint64_t passedOver = 0;     // bytes of rows of cols that are not read, since no edge of a chunk touches them
  uint64_t betweenDevices = 0; // asked for from device to device, of which
  uint64_t stagedByHost = 0;   // so much goes by way of host memory, as they don't reach each other
};

class DeviceExchange : StreamedProgram {
public:
  /// `workers` are those of the engines, which are the devices of the topology. All arguments must outlive this.
  DeviceExchange(const std::vector<Engine *> &engines, const std::vector<std::unique_ptr<StreamWorker>> &workers,
                 StreamWalk &walk, const StreamLayout &layout, const Topology &topology);

  /// Places a parameter that the first device has, and its copies.
  void place(uint32_t tensor, void *where);
  /// Before a run, or the rehearsal of one: parameters go to the other devices.
  void begin(LinkRehearsal *paper);
  /// Before a stage, and after it, when all devices have ended it.
  void beginStage(size_t stage);
  void endStage(size_t stage);

  /// The traffic of a run by a route.
  StreamTraffic traffic(ColRoute route);
  /// Bytes that have gone from device to device so far, with those of cols that are noted.
  uint64_t moved() const { return bytesMoved; }
  void noteMoved(uint64_t bytes) { bytesMoved += bytes; }

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

  void count(StreamTraffic &traffic, size_t from, size_t to, uint64_t bytes) const;
  void countOutputs(StreamTraffic &traffic) const;
  bool isReadAfter(uint32_t step, uint32_t tensor) const;
  std::pair<size_t, size_t> bytesOfRows(const Table &table, uint32_t type, size_t device) const;
  void copy(size_t from, size_t to, void *target, const void *source, size_t bytes, const Asked &after = {});
  void awaitCopies();
  Asked fold(size_t stage);
  void gatherTotals(size_t stage);
  void gatherRows(const Table &table, uint32_t type);
  void gatherEdges(const Table &table);

  const std::vector<Engine *> &engines;
  const std::vector<std::unique_ptr<StreamWorker>> &workers;
  StreamWalk &walk;
  const StreamLayout &layout;
  const Topology &topology;
  std::vector<StageOutputs> outputs; // [stages]
  std::map<uint32_t, Copied> copied; // by tensor
  LinkRehearsal *paper = nullptr;    // of the current run; null: what is asked for is done
  std::vector<Asked> copies;         // under way
  uint64_t bytesMoved = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_DEVICEEXCHANGE_H
