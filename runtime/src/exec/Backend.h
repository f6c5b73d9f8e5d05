//===- Backend.h - Where a model computes -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model needs of the machine that it computes on: executors, memory for its parameters, and steps of training.
// Used by one thread at a time.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_BACKEND_H
#define GNN_EXEC_BACKEND_H

#include "runtime/src/exec/Binding.h"
#include "runtime/src/exec/Executor.h"
#include "runtime/src/exec/TrainingStep.h"

#include <memory>
#include <string>

namespace gnn::rt {

class Backend {
public:
  virtual ~Backend() = default;

  /// Prepares a program of the library that the backend is for. The arguments and the backend must outlive the
  /// executor.
  virtual std::unique_ptr<Executor> executor(const Dims &dims, const Binding &binding,
                                             const gnn_program_t &program) = 0;
  /// Zeros that this process reads and writes as any memory, and executors too.
  virtual Tensor zeros(uint32_t element, std::vector<int64_t> shape) = 0;
  /// Before this process touches what `zeros` gave: waits for executors. Throws GNN_ERROR_DEVICE if it is lost, because
  /// a GPU failed.
  virtual void settle() {}
  /// Runs a training program once, by an executor of this backend. If all of its results are finite, parameters and
  /// states, which are memory of `zeros`, are updated.
  virtual StepOutcome train(Executor &executor, const TrainingStep &step) = 0;

  /// N of cuda:N; -1 for the processor.
  virtual int ordinal() const { return -1; }
  /// A tensor of this process in the memory of the device.
  virtual Tensor copied(const Tensor &tensor) { return tensor; }
  /// How long the last run of an executor, or step of training, took by the clock of a GPU. Throws GNN_ERROR_ARGUMENT
  /// if there was none, or no GPU.
  virtual double deviceSeconds() = 0;

  /// "cpu", or "cuda:0 (NVIDIA H200)".
  virtual const std::string &device() const = 0;
  /// For whom the code was compiled that runs: an instruction set, or "sm_90".
  virtual const std::string &code() const = 0;
  /// What tuning files call the machine: an instruction set, or the architecture of the GPU, whichever code it runs.
  virtual std::string architecture() const { return code(); }
  /// Who computes dense products: "oneDNN", "cuBLASLt 13.1".
  virtual const std::string &products() const = 0;
  /// Threads of this process that compute.
  virtual unsigned threads() const = 0;
};

} // namespace gnn::rt

#endif // GNN_EXEC_BACKEND_H
