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
#include "runtime/src/exec/Executor.h"
#include "runtime/src/exec/Team.h"

#include <optional>
#include <vector>

namespace gnn::rt {

class PassCols;
struct StepTasks;
struct SweepShape;

class WholeGraph : public Executor {
public:
  /// All arguments but `program` must outlive the executor.
  WholeGraph(const Library &library, const Dims &dims, const Binding &binding, const gnn_program_t &program,
             Team &team);
  ~WholeGraph() override;

  void place(uint32_t tensor, void *data) override { bases[tensor] = data; }
  void refreshRelations() override;
  void run(uint64_t stepKey) override;
  const Tensor &result(uint32_t i) override { return results[i]; }
  Tensor takeResult(uint32_t i) override;
  void repeatFixedSteps() override { fixedFor.reset(); }
  size_t peakBytes() const override;

private:
  using Step = StepTasks;

  void prepare(Step &step);
  void prepareKernel(Step &step);
  void prepareProduct(Step &step);
  void prepareFold(Step &step);
  void findProducts(Step &step);
  gnn_knobs_t knobsOf(const Step &step) const;
  bool isMadeInPanels(const Step &step) const;
  bool isOverPairs(const Step &step) const;
  size_t bytesOnEdges(const gnn_step_t &step) const;
  void prepareSweep(Step &step);
  void cutSweep(Step &step) const;
  bool isInPasses(const Step &step, uint32_t i) const;
  SweepShape shapeOf(const Step &step) const;
  PassCols passColsOf(const Step &step) const;
  void planPasses(Step &step);
  void placeTemporaries();
  void bindOperands(Step &step) const;

  const Dims &dims;
  const Binding &binding;
  Team &team;
  const gnn_tuning_t *tuning;     // of a graph like this one, or null
  std::vector<int32_t> producers; // of tensors that are made in panels, see findPanels
  std::vector<bool> fixed;        // of steps, whether they are done once; in inference, whose inputs change, none is
  gnn_random_t random{0};
  Buffer<char> kept;         // temporaries that live from run to run; the others are in the team's workspace
  size_t scratchStride = 0;  // of a worker
  std::vector<void *> bases; // [library tensors]
  std::vector<Tensor> results;
  std::vector<Step> steps;
  std::optional<uint64_t> fixedFor; // Binding::numRebinds when fixed steps were done, if they were
};

} // namespace gnn::rt

#endif // GNN_EXEC_WHOLEGRAPH_H
