//===- SampledOnDevice.h - Samples within the memory of a GPU ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a limit of a GPU's memory makes of training on samples: there is room for batches and what steps make of them,
// splits are evaluated within half of what these leave, and all else keeps the rows of features that are read most.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SAMPLEDONDEVICE_H
#define GNN_TRAIN_SAMPLEDONDEVICE_H

#include "runtime/src/model/Model.h"
#include "runtime/src/sample/HotRows.h"
#include "runtime/src/sample/Sampled.h"
#include "runtime/src/sample/UnifiedCache.h"
#include "runtime/src/stream/WithinMemory.h"
#include "runtime/src/train/SampledWithin.h"

namespace gnn::rt {

struct DeviceSamplesPlan {
  size_t bytes = 0;          // of the GPU's memory, all that follow:
  size_t others = 0;         // parameters, moments, and what a later batch may take more
  size_t samples = 0;        // batches, and steps over them
  size_t evaluation = 0;     // of splits
  size_t kept = 0;           // rows of features that are kept
  int64_t evaluatedIn = 0;   // intervals of vertices; 0: over the whole graph
  UnifiedCache::Found found; // what some batches of another epoch will find
  int64_t foundBy = 0;       // so many

  /// Rows of features that a batch reads, and bytes of those that are sent: the mean of these.
  double rowsOfBatch() const { return foundBy ? double(found.features.rows) / double(foundBy) : 0; }
  double sentOfBatch() const { return foundBy ? double(found.bytes) / double(foundBy) : 0; }
};

class SampledOnDevice {
public:
  /// Whether a program reads rows that could be kept.
  static bool canKeep(const Library &library, const Binding &binding, const gnn_program_t &program);

  /// Of a session whose engine is one GPU. `otherBytes`: what training takes beside the executor. `rows`: the seeds of
  /// an epoch, in batches of `batch`. Throws GNN_ERROR_MEMORY where batches or evaluation find no room. Model, binding
  /// and executor must outlive this.
  SampledOnDevice(Model &model, const Binding &binding, Sampled &sampled, const Sampler &sampler,
                  const SampledWithin::Source &source, size_t otherBytes, const std::vector<int64_t> &rows,
                  int64_t batch);

  const DeviceSamplesPlan &plan() const { return chosen; }
  /// Of the program @evaluate; null where none is wanted.
  std::unique_ptr<Executor> takeEvaluation() { return std::move(evaluation); }
  /// What batches have read so far.
  const HotRows::Counts &counts() const { return hot->counts(); }

private:
  void evaluateWithin(const SampledWithin::Source &source, const std::string &where, size_t otherBytes);
  void keepHottest(const Binding &binding, const Sampler &sampler, const std::vector<int64_t> &rows, int64_t batch,
                   size_t bytes);

  Model &model;
  const Library &library;
  Sampled &sampled;
  const gnn_program_t &evaluate;
  DeviceSamplesPlan chosen;
  std::unique_ptr<Binding> evaluated; // null: nothing is
  std::unique_ptr<WithinMemory> streams;
  std::unique_ptr<Executor> evaluation;
  std::shared_ptr<HotRows> hot;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_SAMPLEDONDEVICE_H
