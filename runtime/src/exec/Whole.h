//===- Whole.h - Executor of whole graphs -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over a graph that is in memory as one view, which all steps go over. All that they need is prepared
// when the executor is made; a run allocates and locks nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_WHOLE_H
#define GNN_EXEC_WHOLE_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/Executor.h"
#include "runtime/src/exec/FixedFields.h"

#include <optional>
#include <vector>

namespace gnn::rt {

/// All of the graph that a binding is over.
class WholeView : public View {
public:
  WholeView(const Library &library, const Binding &binding, bool parametersStay = false)
      : library(library), binding(binding), stay(parametersStay) {}

  int64_t rows(uint32_t vertexType) const override { return binding.rows(vertexType); }
  const int64_t *ids(uint32_t vertexType) const override;
  gnn_block_t block(uint32_t relation, uint32_t direction) const override;
  uint64_t content(uint32_t relation) const override { return binding.relation(relation).number(); }
  /// Pairs are drawn anew.
  const Relation *lasting(uint32_t relation) const override;
  bool parametersStay() const override { return stay; }

private:
  const Library &library;
  const Binding &binding;
  const bool stay;
};

class Whole : public Executor {
public:
  /// All arguments must outlive the executor. With `parametersStay` only the pairs differ from run to run, and nobody
  /// takes results: vertices are computed once. `shared`: of the executors over this binding, none of which has
  /// parameters that stay; null: what it keeps is its own.
  Whole(Engine &engine, const Library &library, const Dims &dims, const Binding &binding, const gnn_program_t &program,
        bool parametersStay = false, FixedFields *shared = nullptr);

  const char *name() const override { return "whole graph"; }
  void place(uint32_t tensor, void *data) override { bases[tensor] = data; }
  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  const Tensor &result(uint32_t i) override;
  Tensor takeResult(uint32_t i) override;
  Tensor takeResultThere(uint32_t i) override { return engine.handedOut(results[i]); }
  void repeatFixedSteps() override;
  void makeFixed() override;
  bool readsAgain(uint32_t tensor) const override;
  size_t peakBytes() const override;
  StepParts parts(uint32_t step) const override { return prepared->parts(step); }

private:
  size_t bytesOf(uint32_t tensor) const;
  bool areFixedDone() const;
  void noteFixedDone();
  void placeTensors();
  void placeResults();
  void start(const RunNumbers &numbers);
  void finish();
  void runSteps(bool fixedOnes);
  void runStep(uint32_t step);

  Engine &engine;
  const Dims &dims;
  const Binding &binding;
  const WholeView view;
  const std::unique_ptr<Prepared> prepared;
  const std::shared_ptr<ResidentTables> tables;
  std::unique_ptr<Recording> recording; // of the steps that are not fixed
  std::unique_ptr<Recording> training;  // of these and the update after them
  std::unique_ptr<StepClock> clock;     // where steps are timed
  FixedFields::ByTensor kept;           // temporaries that live from run to run
  std::unique_ptr<Memory> transient;    // the others, and what steps need while they run
  std::vector<void *> bases;            // [library tensors]
  std::vector<void *> operands;         // of the step at hand
  std::vector<Tensor> results;
  std::vector<Tensor> onHost;       // [results] as this process reads them, where it has since the last run
  std::optional<uint64_t> fixedFor; // Binding::numRebinds when fixed steps were done, if they were
  bool areFixedTimed = false;       // they were done in the last run
};

} // namespace gnn::rt

#endif // GNN_EXEC_WHOLE_H
