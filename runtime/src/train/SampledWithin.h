//===- SampledWithin.h - Samples within a limit of memory -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training on samples within a limit of memory: edges are in memory, rows of features are read from their files, the
// hottest rows are cached in the memory that is left, and splits are evaluated by a streamed executor. One epoch is
// sampled in advance, so the bytes that batches take and read are known.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SAMPLEDWITHIN_H
#define GNN_TRAIN_SAMPLEDWITHIN_H

#include "runtime/src/graph/LoadedEdges.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/sample/BatchSizes.h"
#include "runtime/src/sample/Hotness.h"
#include "runtime/src/sample/Sampled.h"
#include "runtime/src/stream/WithinMemory.h"

namespace gnn::rt {

/// The fields of edges that have to be loaded to draw samples for a training program.
LoadedFields edgesOfSamples(const Library &library, const gnn_program_t &program);

/// The graph that samples are drawn from: `graph` with its edges in memory, except for relations in a file that would
/// take most of the limit. Those stay in the file if they can be drawn from there.
std::shared_ptr<const Graph> graphOfSamples(const Library &library, const gnn_program_t &program,
                                            std::shared_ptr<const Graph> graph, const Drawing &drawing,
                                            uint64_t limitBytes);

struct SampledPlan {
  bool isWhole = false;    // all tables are in memory, and nothing is read
  size_t bytes = 0;        // of memory, all that follow:
  size_t edges = 0;        // of the graph
  size_t tables = 0;       // in memory: labels, masks, features that are not in files, parameters and moments
  size_t samples = 0;      // batches, what they read, and steps over them
  size_t evaluation = 0;   // of splits
  size_t kept = 0;         // rows of features that are kept
  int64_t evaluatedIn = 0; // intervals of vertices; 0: over the whole graph
  uint64_t fileBytes = 0;  // of the spill files
  double rowsOfBatch = 0;  // rows of features that a batch has, and their bytes: the mean of an epoch
  double bytesOfBatch = 0;
  double hitRate = 1;     // of these rows those that will be found in memory
  double readOfBatch = 0; // bytes of files that the others take, with rows between them

  bool hasEdgesInFile = false; // then:
  size_t keptEdges = 0;        // rows of edges that are kept
  double edgeRowsOfBatch = 0;  // that a batch draws of
  double edgeHitRate = 1;      // of these those that will be found in memory
  double edgesReadOfBatch = 0; // bytes of the file that the others take
};

class SampledWithin {
public:
  /// Data that splits are evaluated on, and the limit.
  struct Source {
    std::shared_ptr<const Graph> graph; // of evaluation, with edges that may be in a file
    Features features;                  // of it
    MemoryLimit limit;
    bool evaluates = true; // this process
  };

  /// `seedsOf`: the seeds of a step; an epoch has `steps`. Throws GNN_ERROR_MEMORY, and says
  /// what would do, for a limit that is too low. Model, binding and executor must outlive this.
  SampledWithin(Model &model, Binding &binding, Sampled &sampled, const Source &source, int64_t steps,
                const std::function<Seeds(int64_t step)> &seedsOf);

  const SampledPlan &plan() const { return chosen; }
  /// Sizes of the batches that were drawn in advance.
  const BatchSizes &sizes() const { return batchSizes; }
  /// The executor of the program @evaluate; null if other executors evaluate.
  std::unique_ptr<Executor> takeEvaluation() { return std::move(evaluation); }
  /// Whether rows are read of files at all, and whether the system reads scattered ones together.
  bool readsRows() const { return bool(rows); }
  bool readsTogether() const { return rows && rows->readsTogether(); }
  /// Rows that batches have read so far.
  PagedRows::Counts counts() const { return rows ? rows->counts() : PagedRows::Counts(); }
  FiledEdges::Counts edgeCounts() const { return sampled.filedEdges().counts() - edgesBefore; }

private:
  Hotness rehearse(int64_t steps, const std::function<Seeds(int64_t step)> &seedsOf);
  void countMemory(const MemoryLimit &limit);
  bool takeWhole(const Source &source);
  void stream(const Source &source);
  void keepHottest(Hotness &hotness, const MemoryLimit &limit);
  void predictReads(int64_t steps, const std::function<Seeds(int64_t step)> &seedsOf);

  Model &model;
  const Library &library;
  Binding &binding;
  Sampled &sampled;
  const gnn_program_t &evaluate;
  std::shared_ptr<PagedRows> rows; // null: all tables are in memory
  size_t tableBytes = 0;           // of all tables in files
  size_t batchBytes = 0;           // of what a batch has of them
  BatchSizes batchSizes;
  FiledEdges::Counts edgesBefore; // of those that were drawn for the plan
  SampledPlan chosen;
  std::unique_ptr<Binding> evaluated; // null: `binding`
  std::unique_ptr<WithinMemory> streams;
  std::unique_ptr<Executor> evaluation;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_SAMPLEDWITHIN_H
