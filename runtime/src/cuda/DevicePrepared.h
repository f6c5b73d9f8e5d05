//===- DevicePrepared.h - Programs on a GPU ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a program as launches on a device's stream, which are made when a step first runs: what later ones read
// is still being copied then. Totals, the runtime's own products over rows and rows of many edges are folded in parts,
// and these in order, so every run has the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEPREPARED_H
#define GNN_CUDA_DEVICEPREPARED_H

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/cuda/Blas.h"
#include "runtime/src/cuda/DeviceBlocks.h"
#include "runtime/src/cuda/DeviceKernels.h"
#include "runtime/src/cuda/DeviceModule.h"
#include "runtime/src/engine/Engine.h"

#include <functional>

namespace gnn::rt {

/// Parts that the programs of a device share.
struct DeviceParts {
  std::shared_ptr<DeviceCopies> copies;
  const Library &library;
  const DeviceLibrary &code;
  DeviceKernels &kernels;
  const Blas *blas; // does the dense products; null: the kernels do
  /// The arrays of a relation that lasts, which programs over it share.
  std::function<std::shared_ptr<DeviceBlocks>(const Relation &, uint32_t index)> blocksOf;
};

class DevicePrepared : public Prepared {
public:
  /// All arguments but `capacity` must outlive it.
  DevicePrepared(const DeviceParts &parts, const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                 const View *only);

  bool takesViewsThere() const override;
  /// Where one view is seen, steps have their own.
  size_t roomBytes(uint32_t step) const override;
  size_t ownBytes() const override;
  size_t stateBytes(uint32_t step) const override;
  void begin(const RunNumbers &numbers) override;
  void run(uint32_t step, const View &view, void *const *operands, const StepCall &call) override;
  void merge(uint32_t step, void *states, const void *more, int64_t begin, int64_t end) override;
  bool expectUpdate(const TrainingStep &step, const std::vector<Tensor> &results) override;
  void update() override;
  StepOutcome outcome() override;

private:
  /// Launches in order, after memory was prepared.
  struct Step {
    struct Fill {
      cuda::Address to = 0, from = 0; // from 0: zeros
      size_t bytes = 0;
    };
    std::vector<cuda::Address> operands;
    std::vector<Fill> fills{};
    std::optional<DeviceCall> rounding{}; // of the parameter of the product
    std::optional<BlasCall> product{};
    std::vector<DeviceCall> calls{};
    std::vector<DeviceArray> arrays{}; // of its own
    cuda::Address room = 0;            // else
    size_t roomLeft = 0;
  };
  /// Arguments of a kernel function for rows [begin, end), beside those of its step.
  struct KernelCall {
    gnn_block_t block;
    bool isThere; // View::isThere
    int64_t end, begin = 0;
    DevicePieces pieces{}; // of sweeps: the rows of the block
    uint32_t flags = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
    int64_t numPieces = 0; // GNN_PARAMETER_PIECES
    int64_t slotRows = 0;  // GNN_PARAMETER_SLOT_ROWS
    cuda::Address state = 0, moreStates = 0;
    cuda::Address scratch = 0; // 0 until it is allocated
  };

  Device &device() const { return parts.copies->device(); }
  const gnn_step_t &infoOf(uint32_t step) const { return program.steps[step]; }
  uint32_t elementOf(uint32_t tensor) const { return parts.library.tensor(tensor).element; }
  size_t bytesOf(uint32_t tensor) const;
  cuda::Address allocate(size_t size, std::vector<DeviceArray> &arrays);
  cuda::Address allocate(size_t size, Step &step);
  cuda::Address statesOf(size_t size);
  void dropSteps();

  Step prepared(uint32_t step, const View &view, std::vector<cuda::Address> operands, const StepCall &call);
  DeviceBlocks &blocks(const gnn_step_t &info, const View &view);
  cuda::Address rowIds(const gnn_step_t &info, const KernelCall &call);
  cuda::Address blockArray(const gnn_step_t &info, const KernelCall &call, uint32_t array);
  uint64_t argument(const gnn_step_t &info, const Step &step, const KernelCall &call, uint32_t parameter);
  void addCall(const gnn_step_t &info, const gnn_device_function_t &function, const DeviceFunction &code,
               KernelCall &call, int64_t numGroups, Step &step);
  void prepareMap(const gnn_step_t &info, const View &view, Step &step);
  void addTotals(const gnn_step_t &info, int64_t numSlots, cuda::Address slots, Step &step);
  void prepareTableSum(const gnn_step_t &info, const View &view, const StepCall &how, Step &step);
  RowSplit splitOf(const gnn_step_t &info, const View &view) const;
  int64_t mostRows() const;
  cuda::Address rowNumbers();
  DevicePieces piecesOf(const gnn_step_t &info, const View &view, const gnn_block_t &block);
  size_t slotBytes(const gnn_step_t &info) const;
  int64_t mostSlots(const gnn_step_t &info) const;
  int64_t blocksOf(const gnn_device_function_t &function, int64_t numGroups) const;
  size_t scratchBytes(const gnn_device_function_t &function, int64_t numGroups) const;
  void prepareSweep(const gnn_step_t &info, const View &view, const StepCall &how, Step &step);
  std::optional<BlasCall> byBlas(const DenseProduct &product) const;
  void prepareProduct(const gnn_step_t &info, const View &view, Step &step);
  void prepareRowProduct(const gnn_step_t &info, const ProductSizes &sizes, Step &step);
  void prepareProductSum(const gnn_step_t &info, const ProductSizes &sizes, Step &step);
  void launch(Step &step);

  const DeviceParts parts;
  const Dims &dims;
  const gnn_program_t &program;
  const Capacity capacity;
  const View *only;
  size_t bytes = 0;                       // of all arrays
  std::vector<DeviceArray> shared;        // by the steps; first those that are there before any step
  cuda::Address extents = 0, numbers = 0; // DeviceKernels::StepNumbers, which begin with the gnn_random_t
  cuda::Address states = 0;               // of the rows of one sweep at a time, in `statesSize` bytes
  size_t statesSize = 0;
  std::vector<std::optional<Step>> steps;
  std::vector<std::shared_ptr<DeviceBlocks>> relations; // [relations] those that were asked for
  std::map<uint32_t, DeviceCopy> ids;                   // of the rows of maps, by vertex type
  DeviceArray numbersOfRows;                            // 0, 1, ..., of views whose arrays are there
  std::unique_ptr<DeviceUpdates> updates;
  std::vector<cuda::Address> updatedFrom;              // the results that they read
  std::shared_ptr<DeviceKernels::StepVerdict> verdict; // pinned memory; none before the first step of training
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEPREPARED_H
