//===- SampledOnDevice.h - Samples within the memory of GPUs ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training on samples within the memory of GPUs: there is room for batches and the workspace of their steps, splits are
// evaluated within half of the rest, and what is left caches the rows of features that are read most, and rows of edges
// where GPUs draw samples. GPUs with links to each other share one cache (UnifiedCache).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SAMPLEDONDEVICE_H
#define GNN_TRAIN_SAMPLEDONDEVICE_H

#include "runtime/src/model/Model.h"
#include "runtime/src/sample/HotRows.h"
#include "runtime/src/sample/Sampled.h"
#include "runtime/src/sample/UnifiedCache.h"
#include "runtime/src/stream/WithinMemory.h"
#include "runtime/src/train/DeviceCaches.h"
#include "runtime/src/train/SampledWithin.h"

namespace gnn::rt {

struct DeviceSamplesPlan {
  /// Bytes of a GPU's memory, and what some batches of another epoch will find of rows that are kept.
  struct OfDevice {
    std::string name;
    size_t bytes = 0;      // all that follow:
    size_t others = 0;     // parameters, moments, and what a later batch may take more
    size_t samples = 0;    // batches, and steps over them
    size_t evaluation = 0; // of splits
    size_t kept = 0;       // rows of features that are kept
    size_t keptEdges = 0;  // rows of edges that are
    UnifiedCache::Found found;
  };
  std::vector<OfDevice> devices;
  std::vector<std::vector<size_t>> groups; // of devices that have a cache together
  int64_t evaluatedIn = 0;                 // intervals of vertices; 0: over the whole graph
  int64_t foundBy = 0;                     // batches that are predicted

  size_t mostBytes() const;
  /// Hits and misses of the cache, summed over all devices.
  UnifiedCache::Found found() const;
  size_t kept() const { return sumOf(&OfDevice::kept); }
  size_t keptEdges() const { return sumOf(&OfDevice::keptEdges); }
  /// Rows of features that a batch reads, and bytes of those that are sent: the mean of these.
  double rowsOfBatch() const { return foundBy ? double(found().features.rows) / double(foundBy) : 0; }
  double sentOfBatch() const { return foundBy ? double(found().bytes) / double(foundBy) : 0; }

private:
  size_t sumOf(size_t OfDevice::*bytes) const;
};

class SampledOnDevice {
public:
  /// Whether a program reads rows that could be kept.
  static bool canKeep(const Library &library, const Binding &binding, const gnn_program_t &program);

  /// The model's engine must be a GPU, or a group of GPUs. `otherBytes` is the GPU memory that training takes beside
  /// the executor. `seedsOf` returns the seed vertices of a step; an epoch has `steps` steps. Throws GNN_ERROR_MEMORY
  /// if batches or evaluation do not fit. Model, binding and executor must outlive this.
  SampledOnDevice(Model &model, const Binding &binding, Sampled &sampled, const Sampler &sampler, const Shares &shares,
                  const SampledWithin::Source &source, size_t otherBytes, int64_t steps,
                  const std::function<Seeds(int64_t step)> &seedsOf);

  const DeviceSamplesPlan &plan() const { return chosen; }
  /// The executor of the program @evaluate; null if no evaluation is wanted.
  std::unique_ptr<Executor> takeEvaluation() { return std::move(evaluation); }
  /// Rows that batches have read so far, on one device or on all devices.
  const HotRows::Counts &counts(size_t device) const { return found[device].in->counts(found[device].number); }
  HotRows::Counts counts() const;

private:
  /// Where the batches of a device find rows.
  struct Found {
    std::shared_ptr<const HotRows> in;
    size_t number; // of the device there
  };

  void makeRoom(const SampledWithin::Source &source, size_t otherBytes, int64_t steps,
                const std::function<Seeds(int64_t step)> &seedsOf);
  void evaluateWithin(const SampledWithin::Source &source, const std::string &where);
  std::vector<std::vector<size_t>> cliques(const Topology *ofMachine) const;
  void keepHottest(const Binding &binding, const Sampler &sampler, const DeviceBatches &batches,
                   const std::vector<size_t> &bytes);
  bool keepsEdges() const;
  void keepEdges(const std::vector<size_t> &group, const std::vector<CachedRows::EdgeRows> &tables,
                 const DeviceCaches &planned);

  Model &model;
  const Library &library;
  Sampled &sampled;
  const gnn_program_t &evaluate;
  const std::vector<Engine *> engines;
  DeviceSamplesPlan chosen;
  std::unique_ptr<Binding> evaluated; // null: nothing is
  std::unique_ptr<WithinMemory> streams;
  std::unique_ptr<Executor> evaluation;
  std::vector<Found> found; // [engines]
};

} // namespace gnn::rt

#endif // GNN_TRAIN_SAMPLEDONDEVICE_H
