//===- DeviceExecutor.h - Whole graphs on a GPU -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over a graph in the memory of a GPU: the steps are launched one after the other on the device's
// stream, in the first run while what later ones read is still being copied. Totals, the runtime's own products over
// rows and rows of many edges are folded in parts, and these in order, so every run has the same bits. A step of
// training, with the updates that end it, is one graph of the driver.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DEVICE_DEVICEEXECUTOR_H
#define GNN_DEVICE_DEVICEEXECUTOR_H

#include "runtime/src/device/Blas.h"
#include "runtime/src/device/DeviceData.h"
#include "runtime/src/device/DeviceGraph.h"
#include "runtime/src/device/DeviceKernels.h"
#include "runtime/src/device/DeviceLibrary.h"
#include "runtime/src/device/DeviceUpdates.h"
#include "runtime/src/exec/Executor.h"
#include "runtime/src/exec/StepOperands.h"

namespace gnn::rt {

class DeviceExecutor : public Executor {
public:
  /// `blas` does the dense products; null: the kernels do. All arguments but `program` must outlive the executor.
  DeviceExecutor(std::shared_ptr<Device> device, const DeviceLibrary &code, DeviceKernels &kernels, const Blas *blas,
                 const Library &library, const Dims &dims, const Binding &binding, std::shared_ptr<DeviceData> data,
                 const gnn_program_t &program);
  ~DeviceExecutor() override;

  void place(uint32_t tensor, void *data) override { bases[tensor] = reinterpret_cast<cuda::Address>(data); }
  void run(uint64_t stepKey) override;
  /// Backend::train. Returns when the device is done.
  StepOutcome train(const TrainingStep &step);
  const Tensor &result(uint32_t i) override;
  Tensor takeResult(uint32_t i) override;
  Tensor takeResultThere(uint32_t i) override;
  void repeatFixedSteps() override { fixedFor.reset(); }
  size_t peakBytes() const override { return bytes; }

private:
  /// Launches in order, after memory was prepared.
  struct Step {
    struct Fill {
      cuda::Address to = 0, from = 0; // from 0: zeros
      size_t bytes = 0;
    };
    std::vector<Fill> fills;
    std::optional<DeviceCall> rounding; // of the parameter of the product
    std::optional<BlasCall> product;
    std::vector<DeviceCall> calls;
  };
  /// What goes to the device and comes back in a step of training: pinned memory.
  struct Exchange {
    DeviceKernels::StepNumbers numbers;
    DeviceKernels::StepVerdict verdict;
  };
  /// What a call of a kernel's function is given beside what its step has: rows up to `end`.
  struct KernelCall {
    gnn_block_t block;
    int64_t end;
    DevicePieces pieces{}; // of sweeps: the rows of the block
    uint32_t flags = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
    int64_t numPieces = 0;                // GNN_PARAMETER_PIECES
    cuda::Address state = 0, scratch = 0; // scratch: 0 until it is allocated
  };
  struct Training {
    DeviceUpdates updates;
    DeviceGraph graph; // of the whole step
  };

  cuda::Address allocate(size_t size);
  cuda::Address statesOf(size_t size);
  size_t tensorBytes(uint32_t tensor) const;
  void placeTensors();
  void begin();
  Step &prepared(size_t step);
  std::vector<int64_t> resultShape(uint32_t tensor) const;
  void prepareMap(const gnn_step_t &info, Step &step);
  RowSplit splitOf(const gnn_step_t &info) const;
  void prepareSweep(const gnn_step_t &info, Step &step);
  void addCall(const gnn_step_t &info, const gnn_device_function_t &function, const DeviceFunction &code,
               KernelCall &call, int64_t numGroups, Step &step);
  std::optional<BlasCall> byBlas(const DenseProduct &product) const;
  void prepareProduct(const gnn_step_t &info, Step &step);
  void prepareRowProduct(const gnn_step_t &info, Step &step);
  void prepareProductSum(const gnn_step_t &info, Step &step);
  uint32_t elementOf(uint32_t tensor) const { return library.tensor(tensor).element; }
  void addTotals(const gnn_step_t &info, int64_t rows, cuda::Address slots, Step &step);
  cuda::Address blockArray(const gnn_step_t &info, const KernelCall &call, uint32_t array);
  uint64_t argument(const gnn_step_t &info, const KernelCall &call, uint32_t parameter);
  void launch(Step &step);
  void launchAll(bool fixedOnes);
  bool areFixedStepsDone() const { return fixedFor == binding.numRebinds(); }
  void launchTimed();
  void noteTimes();

  std::shared_ptr<Device> device;
  const DeviceLibrary &code;
  DeviceKernels &kernels;
  const Blas *blas;
  const Dims &dims;
  const Binding &binding;
  std::shared_ptr<DeviceData> data;
  std::vector<bool> fixed;          // of steps, see findFixedSteps
  std::optional<uint64_t> fixedFor; // Binding::numRebinds when they were done, if they were
  std::vector<DeviceArray> arrays;  // all that the executor owns
  size_t bytes = 0;                 // of them
  std::vector<cuda::Address> bases; // [library tensors]
  cuda::Address extents = 0;
  cuda::Address numbers = 0;                // DeviceKernels::StepNumbers, which begin with the gnn_random_t
  size_t numOwnArrays = 0, numOwnBytes = 0; // those that were there before any step was prepared
  cuda::Address states = 0;                 // of the rows of one sweep at a time, in `stateBytes` bytes
  size_t stateBytes = 0;
  std::vector<std::optional<Step>> steps; // prepared in the first run
  DeviceGraph graph;                      // of those that are not fixed
  std::shared_ptr<void> exchange;         // an Exchange; none before the first step of training
  std::unique_ptr<Training> training;     // the same
  std::vector<Tensor> results;            // [results] copies of those that were asked for since the last run
  std::vector<cuda::Event> events;        // before each step and after the last; none before they are timed
  std::vector<bool> isTimed;              // [steps] in the last run
};

} // namespace gnn::rt

#endif // GNN_DEVICE_DEVICEEXECUTOR_H
