//===- DeviceUpdates.h - What a step of training changes --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches that end a training step: a look at its results, and updates of a model's parameters and states, step
// after step in the same places. What differs between steps is in the device's memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEUPDATES_H
#define GNN_CUDA_DEVICEUPDATES_H

#include "runtime/src/cuda/DeviceKernels.h"

namespace gnn::rt {

class DeviceUpdates {
public:
  /// `results` are those of the program, the loss first; `numbers` has the StepNumbers.
  DeviceUpdates(Device &device, DeviceKernels &kernels, const TrainingStep &step,
                const std::vector<cuda::Address> &results, cuda::Address numbers);

  /// Whether it is about these arrays, with the same decay.
  bool isFor(const TrainingStep &step) const;
  /// Copies of the arrays in this process are out of date: after a launch of a graph that has what `launch` asks for.
  void noteChanges() const;
  void launch(Device &device);
  /// Where the DeviceKernels::StepVerdict is, after a launch.
  cuda::Address verdict() const { return verdictMemory.address(); }

private:
  const bool hasMoments;
  const double mostNorm;
  const std::vector<Update> updates;
  const std::vector<StateUpdate> states;
  const std::vector<cuda::Address> places; // of their arrays
  DeviceArray checked, found, squares, verdictMemory;
  std::vector<DeviceCall> calls;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEUPDATES_H
