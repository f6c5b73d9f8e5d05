//===- DeviceGraph.h - What a GPU does again and again ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, copies and fills that are the same time after time. They are asked for one by one at first, when the driver
// loads the kernels; the second time they are recorded (a CUDA graph), and from then on repeated by one call, which
// takes about as long as one launch. What differs from one time to the next is in memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEGRAPH_H
#define GNN_CUDA_DEVICEGRAPH_H

#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/Engine.h"

#include <functional>

namespace gnn::rt {

class DeviceGraph : public Recording {
public:
  explicit DeviceGraph(std::shared_ptr<Device> device) : device(std::move(device)) {}
  ~DeviceGraph() override;

  /// Does what `ask` asks of the device: the same every time, without waiting for anything or taking memory. Where the
  /// driver cannot record it, one by one every time.
  void run(const std::function<void()> &ask) override;

private:
  std::shared_ptr<Device> device;
  unsigned runs = 0;
  std::optional<RecordedGraph> graph;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEGRAPH_H
