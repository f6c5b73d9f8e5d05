//===- Processor.h - Models on this machine's processor ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend of the cores that the process itself runs on.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_PROCESSOR_H
#define GNN_EXEC_PROCESSOR_H

#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/exec/Backend.h"

namespace gnn::rt {

class Processor : public Backend {
public:
  /// `threads` 0 means as many as this process may use.
  Processor(std::shared_ptr<const Library> library, unsigned threads);

  std::unique_ptr<Executor> executor(const Dims &dims, const Binding &binding, const gnn_program_t &program) override;
  Tensor zeros(uint32_t element, std::vector<int64_t> shape) override;
  StepOutcome train(Executor &executor, const TrainingStep &step) override;
  /// One step of an optimizer, with the gradients that the updates have.
  void update(const UpdateRule &rule, const std::vector<Update> &updates);
  double deviceSeconds() override;
  const std::string &device() const override { return name; }
  const std::string &code() const override { return isa; }
  const std::string &products() const override { return productsName; }
  unsigned threads() const override { return engine.numThreads(); }

private:
  std::shared_ptr<const Library> library;
  const std::string name = "cpu", isa, productsName;
  CpuEngine engine;
};

} // namespace gnn::rt

#endif // GNN_EXEC_PROCESSOR_H
