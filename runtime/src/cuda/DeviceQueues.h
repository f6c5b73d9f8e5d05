//===- DeviceQueues.h - What a device does later ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each queue is a stream of the device. Whoever asks puts it there at once; streams await each other by events. What is
// asked for again and again is recorded.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEQUEUES_H
#define GNN_CUDA_DEVICEQUEUES_H

#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/Engine.h"
#include "runtime/src/engine/Queues.h"

#include <functional>

namespace gnn::rt {

class DeviceQueues : public Queues {
public:
  /// Work is what the device is asked for anyway.
  explicit DeviceQueues(std::shared_ptr<Device> device);
  ~DeviceQueues() override;

  /// Memory was taken that the device may still use for work that it was asked for: who loads into it comes later.
  void noteAllocated();
  /// In its turn in Queue::Load or Queue::Store.
  void transfer(Queue queue, void *to, const void *from, size_t bytes);
  /// In its turn in Queue::Load: from the memory of another device.
  void transferFrom(const Device &other, void *to, const void *from, size_t bytes);

private:
  void begin(Queue queue, const std::vector<std::shared_ptr<Event>> &events) override;
  std::shared_ptr<Event> end(Queue queue) override;
  cuda::Stream streamOf(Queue queue) const;

  std::shared_ptr<Device> gpu;
  cuda::Stream loads = nullptr, stores = nullptr;
  cuda::Event allocated = nullptr;
};

/// Launches, copies and fills that are the same time after time. They are asked for one by one at first, when the
/// driver loads the kernels; the second time they are recorded (a CUDA graph), and from then on repeated by one call,
/// which takes about as long as one launch. What differs from one time to the next is in memory.
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

#endif // GNN_CUDA_DEVICEQUEUES_H
