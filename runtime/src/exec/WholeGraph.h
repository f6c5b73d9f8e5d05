//===- WholeGraph.h - The whole-graph executor ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over a graph that is in memory as one block. All that a step needs is prepared when the executor is
// made; a run allocates and locks nothing. Rows are cut into tasks, each done by one thread; sums over rows go through
// fixed slots that are added in order: the bits of a result do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_WHOLEGRAPH_H
#define GNN_EXEC_WHOLEGRAPH_H

#include "runtime/src/core/Random.h"
#include "runtime/src/exec/Binding.h"
#include "runtime/src/exec/MemoryPlan.h"
#include "runtime/src/exec/Team.h"

#include <map>
#include <tuple>
#include <vector>

namespace gnn::rt {

class Partitions;

class WholeGraph {
public:
  /// All arguments but `program` must outlive the executor.
  WholeGraph(const Library &library, const Dims &dims, const Binding &binding, const gnn_program_t &program,
             Team &team);
  ~WholeGraph();
  WholeGraph(const WholeGraph &) = delete;
  WholeGraph &operator=(const WholeGraph &) = delete;

  /// Where a parameter or state tensor lies; to be given for each that the program touches before the first run.
  void place(uint32_t tensor, void *data) { bases[tensor] = data; }

  /// To be told when the binding has other pairs, as many as before.
  void refreshRelations();

  /// Runs the program once. Its results are in `result(i)` until the next run, unless they were taken.
  void run(uint64_t stepKey);

  /// Result `i` of the program's list, in local vertex order.
  const Tensor &result(uint32_t i) const { return results[i]; }
  /// The same for the caller to keep: the next run writes to new memory.
  Tensor takeResult(uint32_t i);

  /// Bytes of temporaries, results, partial sums and scratch memory at their peak.
  size_t peakBytes() const;
  const MemoryPlan &plan() const { return memory; }

  /// From now on times each step.
  void startProfile();
  /// One line a step, slowest first: mean milliseconds, share, those of the quickest run, name. After `startProfile`
  /// and runs.
  std::string profile() const;
  /// Seconds of the last run by kernel, products by their result. After `startProfile`.
  std::map<std::string, double> lastTimes() const;

private:
  struct Step;

  void prepare(Step &step);
  void prepareKernel(Step &step);
  void prepareProduct(Step &step);
  void prepareFold(Step &step);
  bool isMadeInPanels(const Step &step) const;
  size_t bytesOnEdges(const gnn_step_t &step) const;
  std::vector<int64_t> cutSweep(const Step &step) const;
  void planPasses(Step &step);
  std::vector<int64_t> cutByEdges(const gnn_block_t &block) const;
  void bindOperands(Step &step) const;
  std::string nameOf(const Step &step) const;

  const Library &library;
  const Dims &dims;
  const Binding &binding;
  const gnn_program_t &program;
  Team &team;
  std::vector<int32_t> producers; // of tensors that are made in panels, see findPanels
  MemoryPlan memory;
  gnn_random_t random{0};
  Buffer<char> arena;
  Buffer<char> scratch;    // one piece a worker
  Buffer<char> sweepState; // of the rows of a sweep over partitions
  size_t scratchStride = 0;
  std::vector<void *> bases; // [library tensors]
  std::vector<Tensor> results;
  /// By relation, direction, number and whether edge ids are kept.
  std::map<std::tuple<uint32_t, uint32_t, int64_t, bool>, std::shared_ptr<const Partitions>> partitions;
  std::vector<Step> steps;
  bool profiling = false;
  int64_t profiledRuns = 0;
};

} // namespace gnn::rt

#endif // GNN_EXEC_WHOLEGRAPH_H
