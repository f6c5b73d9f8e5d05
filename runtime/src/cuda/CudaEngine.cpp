//===- CudaEngine.cpp - A GPU as an engine --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/CudaEngine.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/DeviceCopies.h"
#include "runtime/src/cuda/DeviceEdges.h"
#include "runtime/src/cuda/DevicePrepared.h"
#include "runtime/src/cuda/DeviceTensor.h"
#include "runtime/src/cuda/NvLinks.h"
#include "runtime/src/links/FoundTopology.h"

#include <cstring>

namespace gnn::rt {

namespace {

void *pointerOf(const DeviceArray &array) { return reinterpret_cast<void *>(array.address()); }

class DeviceMemory : public Memory {
public:
  explicit DeviceMemory(DeviceArray array) : array(std::move(array)) {}
  void *data() const override { return pointerOf(array); }

private:
  DeviceArray array;
};

/// Events around each step.
class DeviceClock : public StepClock {
public:
  DeviceClock(std::shared_ptr<Device> device, uint32_t steps) : gpu(std::move(device)), begins(steps), ends(steps) {
    Device::Scope scope(*gpu);
    for (uint32_t s = 0; s < steps; ++s) {
      begins[s] = gpu->createEvent();
      ends[s] = gpu->createEvent();
    }
  }
  ~DeviceClock() override {
    Device::Scope scope(*gpu);
    for (const auto *events : {&begins, &ends})
      for (cuda::Event event : *events)
        gpu->destroy(event);
  }

  void begin(uint32_t step) override { record(begins[step]); }
  void end(uint32_t step) override { record(ends[step]); }
  double seconds(uint32_t step) override {
    Device::Scope scope(*gpu);
    gpu->finish();
    return gpu->secondsBetween(begins[step], ends[step]);
  }

private:
  void record(cuda::Event event) {
    Device::Scope scope(*gpu);
    gpu->record(event);
  }

  std::shared_ptr<Device> gpu;
  std::vector<cuda::Event> begins, ends;
};

template <class Map> void dropUnused(Map &map) {
  for (auto at = map.begin(); at != map.end();)
    at = at->second.expired() ? map.erase(at) : std::next(at);
}

} // namespace

CudaEngine::CudaEngine(std::shared_ptr<Device> opened, std::shared_ptr<const Library> compiled)
    : gpu(std::move(opened)), library(std::move(compiled)), copies(std::make_shared<DeviceCopies>(gpu)) {
  Device::Scope scope(*gpu);
  functions.emplace(gpu, *library);
  kernels.emplace(gpu);
  blas = Blas::open(gpu);
  label = gpu->label();
  productsName = blas ? blas->name() : "own kernels";
}

void CudaEngine::joinWith(std::vector<std::unique_ptr<CudaEngine>> engines) {
  others = std::move(engines);
  std::string names = gpu->name(), first = gpu->label().substr(gpu->name().size());
  for (const std::unique_ptr<CudaEngine> &other : others) {
    const std::string kind = other->gpu->label().substr(other->gpu->name().size());
    require(kind == first && other->gpu->arch() == gpu->arch() &&
                other->gpu->multiprocessors() == gpu->multiprocessors() && other->code() == code(),
            GNN_ERROR_MISMATCH, other->gpu->label(), " is another kind of GPU than ", gpu->label(),
            ": those that compute together are of one");
    names += "," + std::to_string(other->ordinal());
  }
  label = names + first;
  for (Engine *engine : all())
    for (Engine *other : all())
      if (engine != other) {
        Device &from = *static_cast<CudaEngine *>(engine)->gpu;
        Device::Scope scope(from);
        from.reach(*static_cast<CudaEngine *>(other)->gpu);
      }
}

std::vector<Engine *> CudaEngine::all() {
  std::vector<Engine *> engines{this};
  for (const std::unique_ptr<CudaEngine> &other : others)
    engines.push_back(other.get());
  return engines;
}

bool CudaEngine::reaches(const Engine &other) const {
  return gpu->reaches(*static_cast<const CudaEngine &>(other).gpu);
}

Topology CudaEngine::topology() {
  std::vector<std::string> names;
  std::vector<Device *> devices;
  const std::vector<Engine *> engines = all();
  for (Engine *engine : engines) {
    devices.push_back(static_cast<CudaEngine *>(engine)->gpu.get());
    names.push_back(devices.back()->pciName());
  }
  Topology topology = foundTopology(names);
  topology.kind.arch = int(gpu->arch());
  topology.kind.multiprocessors = int(gpu->multiprocessors());
  for (size_t d = 0; d < engines.size(); ++d)
    for (size_t e = 0; e < d; ++e)
      topology.setReach(d, e, static_cast<CudaEngine *>(engines[d])->reaches(*engines[e]));
  addNvLinks(topology, devices);
  return topology;
}

Ticket CudaEngine::copyFrom(Engine &other, void *to, const void *from, size_t bytes, std::vector<Ticket> after) {
  const Device &there = *static_cast<CudaEngine &>(other).gpu;
  return queues().ask(Queue::Load, std::move(after), [=, &there] { asked->transferFrom(there, to, from, bytes); });
}

void CudaEngine::linkRanks(Comm &comm) { between = NcclExchange::open(comm, gpu); }

std::shared_ptr<DeviceBlocks> CudaEngine::blocksOf(const Relation &relation, uint32_t index) {
  dropUnused(relations);
  std::weak_ptr<DeviceBlocks> &known = relations[relation.number()];
  std::shared_ptr<DeviceBlocks> blocks = known.lock();
  if (!blocks)
    known = blocks = std::make_shared<DeviceBlocks>(copies, index);
  return blocks;
}

std::unique_ptr<Prepared> CudaEngine::prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                              const StepViews &views) {
  Device::Scope scope(*gpu);
  const DeviceParts parts{
      copies,   *library,   *functions,
      *kernels, blas.get(), [this](const Relation &relation, uint32_t index) { return blocksOf(relation, index); }};
  return std::make_unique<DevicePrepared>(parts, dims, program, capacity, onlyOf(views));
}

std::shared_ptr<ResidentTables> CudaEngine::tables(const Binding &binding) {
  dropUnused(bindings);
  std::shared_ptr<ResidentTables> tables = bindings[&binding].lock();
  if (!tables)
    bindings[&binding] = tables = std::make_shared<DeviceTables>(copies, binding);
  return tables;
}

std::unique_ptr<Recording> CudaEngine::recording() { return std::make_unique<DeviceGraph>(gpu); }

std::unique_ptr<StepClock> CudaEngine::clock(uint32_t steps) { return std::make_unique<DeviceClock>(gpu, steps); }

std::unique_ptr<Memory> CudaEngine::allocate(size_t bytes) {
  Device::Scope scope(*gpu);
  auto memory = std::make_unique<DeviceMemory>(gpu->allocate(bytes));
  if (asked)
    asked->noteAllocated();
  return memory;
}

Queues &CudaEngine::queues() {
  if (!asked)
    asked = std::make_unique<DeviceQueues>(gpu);
  return *asked;
}

void CudaEngine::copyIn(void *to, const void *from, size_t bytes) {
  HostCopy::refresh(from);
  Device::Scope scope(*gpu);
  gpu->upload(HostCopy::addressOf(to, /*isWritten=*/true), from, bytes);
}

void CudaEngine::gatherIn(void *to, const void *table, size_t rowBytes, Span<const int64_t> rows) {
  HostCopy::refresh(table);
  Engine::gatherIn(to, table, rowBytes, rows);
}

void CudaEngine::copyOut(void *to, const void *from, size_t bytes) {
  if (HostCopy::refresh(from)) {
    std::memcpy(to, from, bytes);
    return;
  }
  Device::Scope scope(*gpu);
  gpu->download(to, reinterpret_cast<cuda::Address>(from), bytes);
}

void CudaEngine::clear(void *to, size_t bytes) {
  Device::Scope scope(*gpu);
  gpu->fillZeros(HostCopy::addressOf(to, /*isWritten=*/true), bytes);
}

void CudaEngine::fold(uint32_t kind, uint32_t element, int64_t count, void *into, const void *parts, size_t stride,
                      int64_t numParts) {
  if (count == 0)
    return;
  Device::Scope scope(*gpu);
  kernels
      ->fold(kind, element, HostCopy::addressOf(into, /*isWritten=*/true), HostCopy::addressOf(parts), stride, numParts,
             count)
      .launch(*gpu);
}

void CudaEngine::pick(const RowPicks &picks) {
  if (picks.count == 0 || picks.rowBytes == 0)
    return;
  Device::Scope scope(*gpu);
  kernels->pick(picks).launch(*gpu);
}

std::shared_ptr<DrawTables> CudaEngine::drawTables(const Binding &binding,
                                                   const std::vector<std::pair<uint32_t, uint32_t>> &of) {
  return DeviceEdges::open(gpu, *kernels, binding, of);
}

std::shared_ptr<void> CudaEngine::reachable(size_t bytes) {
  Device::Scope scope(*gpu);
  return gpu->pinned(bytes);
}

size_t CudaEngine::rowBytes(const Dims &dims, const gnn_tensor_info_t &tensor) const {
  return tensor.element == GNN_BITS ? size_t(dims.rowElements(tensor)) : dims.rowBytes(tensor);
}

Tensor CudaEngine::empty(uint32_t element, std::vector<int64_t> shape) {
  Device::Scope scope(*gpu);
  const size_t bytes = size_t(countElements(shape, element)) * elementBytes(element);
  return deviceTensor(gpu, gpu->allocate(bytes), element, std::move(shape));
}

Tensor CudaEngine::handedOut(const Tensor &result) {
  if (result.device() < 0)
    return copied(result);
  Device::Scope scope(*gpu);
  DeviceArray array = gpu->allocate(result.bytes());
  gpu->copy(array.address(), reinterpret_cast<cuda::Address>(result.data()), result.bytes());
  gpu->finish();
  return deviceTensor(gpu, std::move(array), result.element(), result.shape());
}

Tensor CudaEngine::copied(const Tensor &tensor) {
  Device::Scope scope(*gpu);
  return copyToDevice(gpu, tensor);
}

Tensor CudaEngine::zeros(uint32_t element, std::vector<int64_t> shape) {
  Device::Scope scope(*gpu);
  return HostCopy::zeros(gpu, element, std::move(shape));
}

void CudaEngine::settle() {
  Device::Scope scope(*gpu);
  gpu->settle();
  HostCopy::refreshLent(*gpu);
}

void CudaEngine::beginRun() {
  Device::Scope scope(*gpu);
  gpu->beginRun();
}

void CudaEngine::endRun() {
  Device::Scope scope(*gpu);
  gpu->endRun();
}

std::optional<double> CudaEngine::deviceSeconds() {
  Device::Scope scope(*gpu);
  return gpu->lastRunSeconds();
}

} // namespace gnn::rt
