//===- DeviceOptimizer.h - Steps of an optimizer on a GPU -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The updates of a model's parameters, step after step; the numbers of a step are in the device's memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DEVICE_DEVICEOPTIMIZER_H
#define GNN_DEVICE_DEVICEOPTIMIZER_H

#include "runtime/src/device/DeviceGraph.h"
#include "runtime/src/device/DeviceKernels.h"

namespace gnn::rt {

class DeviceOptimizer {
public:
  DeviceOptimizer(std::shared_ptr<Device> device, DeviceKernels &kernels, bool hasMoments,
                  const std::vector<Update> &updates);

  /// Whether it is about these arrays, with the same decay.
  bool isFor(bool withMoments, const std::vector<Update> &updates) const;
  void step(const UpdateRule &rule);

private:
  std::shared_ptr<Device> device;
  const bool hasMoments;
  const std::vector<Update> updates;
  DeviceArray numbers; // of DeviceKernels::StepNumbers
  std::vector<DeviceCall> calls;
  DeviceGraph graph;
};

} // namespace gnn::rt

#endif // GNN_DEVICE_DEVICEOPTIMIZER_H
