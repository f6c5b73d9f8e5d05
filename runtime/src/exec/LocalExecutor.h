//===- LocalExecutor.h - Executors of some vertices -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of executors that train over some of the vertices: a LocalRun, and results that are the model's.
// Subclasses choose the vertices.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_LOCALEXECUTOR_H
#define GNN_EXEC_LOCALEXECUTOR_H

#include "runtime/src/exec/Executor.h"
#include "runtime/src/exec/LocalRun.h"

namespace gnn::rt {

class LocalExecutor : public Executor {
public:
  void place(uint32_t tensor, void *data) override { local.place(tensor, data); }
  void repeatFixedSteps() override { areFixedDone = false; }
  const Tensor &result(uint32_t i) override;
  Tensor takeResult(uint32_t i) override;
  Tensor takeResultThere(uint32_t i) override { return engine.handedOut(results[i]); }
  const MemoryPlan &plan() const override { return local.plan(); }

protected:
  LocalExecutor(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
                Going going);
  // A run, once the vertices and their tables are those of it:
  void begin(const RunNumbers &numbers);
  void runSteps(); // within Engine::beginRun and `finish`
  void finish();

  Engine &engine;
  const Binding &binding;
  LocalRun local;
  std::vector<Tensor> results;

private:
  std::unique_ptr<StepClock> clock; // where steps are timed
  std::vector<Tensor> onHost;       // [results] as this process reads them, where it has since the last run
  bool areFixedDone = false;
};

} // namespace gnn::rt

#endif // GNN_EXEC_LOCALEXECUTOR_H
