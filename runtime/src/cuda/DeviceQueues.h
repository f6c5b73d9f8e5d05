//===- DeviceQueues.h - What a device does later ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each queue is a stream of the device. Whoever asks puts it there at once; streams await each other by events.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEQUEUES_H
#define GNN_CUDA_DEVICEQUEUES_H

#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/Queues.h"

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

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEQUEUES_H
