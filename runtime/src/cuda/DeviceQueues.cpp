//===- DeviceQueues.cpp - What a device does later ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceQueues.h"

namespace gnn::rt {

namespace {

class StreamEvent : public Queues::Event {
public:
  StreamEvent(std::shared_ptr<Device> device, cuda::Stream stream) : gpu(std::move(device)), event(gpu->createEvent()) {
    try {
      gpu->record(event, stream);
    } catch (...) {
      gpu->destroy(event);
      throw;
    }
  }
  ~StreamEvent() override {
    Device::Scope scope(*gpu);
    gpu->destroy(event);
  }

  void await() override { gpu->awaitAside(event); }
  cuda::Event handle() const { return event; }

private:
  std::shared_ptr<Device> gpu;
  cuda::Event event;
};

} // namespace

DeviceQueues::DeviceQueues(std::shared_ptr<Device> device) : gpu(std::move(device)) {
  Device::Scope scope(*gpu);
  try {
    loads = gpu->openStream();
    stores = gpu->openStream();
    allocated = gpu->createEvent();
    noteAllocated();
  } catch (...) {
    for (cuda::Stream stream : {loads, stores})
      gpu->close(stream);
    gpu->destroy(allocated);
    throw;
  }
}

DeviceQueues::~DeviceQueues() {
  close();
  Device::Scope scope(*gpu);
  for (cuda::Stream stream : {loads, stores})
    gpu->close(stream);
  gpu->destroy(allocated);
}

cuda::Stream DeviceQueues::streamOf(Queue queue) const {
  return queue == Queue::Work ? gpu->workStream() : queue == Queue::Load ? loads : stores;
}

void DeviceQueues::noteAllocated() { gpu->record(allocated, gpu->workStream()); }

/// What processors do is awaited here, before the device is asked. Devices await each other themselves.
void DeviceQueues::begin(Queue queue, const std::vector<std::shared_ptr<Event>> &events) {
  for (const std::shared_ptr<Event> &event : events) {
    auto *ofStream = dynamic_cast<StreamEvent *>(event.get());
    if (!ofStream) {
      event->await();
      continue;
    }
    Device::Scope scope(*gpu);
    gpu->await(ofStream->handle(), streamOf(queue));
  }
}

std::shared_ptr<Queues::Event> DeviceQueues::end(Queue queue) {
  Device::Scope scope(*gpu);
  return std::make_shared<StreamEvent>(gpu, streamOf(queue));
}

void DeviceQueues::transfer(Queue queue, void *to, const void *from, size_t bytes) {
  Device::Scope scope(*gpu);
  if (queue == Queue::Load)
    gpu->await(allocated, loads);
  if (bytes == 0)
    return;
  if (queue == Queue::Load)
    gpu->check(gpu->api().copyToDevice(reinterpret_cast<cuda::Address>(to), from, bytes, loads),
               "copying to the device");
  else
    gpu->check(gpu->api().copyToHost(to, reinterpret_cast<cuda::Address>(from), bytes, stores),
               "copying from the device");
}

void DeviceQueues::transferFrom(const Device &other, void *to, const void *from, size_t bytes) {
  Device::Scope scope(*gpu);
  gpu->await(allocated, loads);
  gpu->copyBetween(reinterpret_cast<cuda::Address>(to), other, reinterpret_cast<cuda::Address>(from), bytes, loads);
}

DeviceGraph::~DeviceGraph() {
  if (!graph)
    return;
  Device::Scope scope(*device);
  device->api().graphExecDestroy(graph->exec);
}

void DeviceGraph::run(const std::function<void()> &ask) {
  Device::Scope scope(*device);
  if (runs == 1)
    graph = device->recordGraph(ask);
  graph ? device->launch(*graph) : ask();
  ++runs;
}

} // namespace gnn::rt
