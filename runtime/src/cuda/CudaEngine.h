//===- CudaEngine.h - A GPU as an engine ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's code for a GPU, the runtime's own kernels and its memory. Parameters and the moments of optimizers have
// copies in the memory of this process (HostCopy), which applications read and write.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_CUDAENGINE_H
#define GNN_CUDA_CUDAENGINE_H

#include "runtime/src/cuda/Blas.h"
#include "runtime/src/cuda/DeviceBlocks.h"
#include "runtime/src/cuda/DeviceKernels.h"
#include "runtime/src/cuda/DeviceModule.h"
#include "runtime/src/cuda/DeviceQueues.h"
#include "runtime/src/cuda/NcclExchange.h"
#include "runtime/src/engine/EdgeDraws.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/engine/RankLinks.h"
#include "runtime/src/engine/RowPicks.h"

#include <map>

namespace gnn::rt {

class CudaEngine : public Engine, public Peers, public RowGather, public DeviceSampler, public RankLinks {
public:
  /// Throws GNN_ERROR_MISMATCH if the library has no code for the device.
  CudaEngine(std::shared_ptr<Device> device, std::shared_ptr<const Library> library);

  /// From now on this computes with others, which are of no such group yet. Throws GNN_ERROR_MISMATCH unless all are
  /// GPUs of one kind.
  void joinWith(std::vector<std::unique_ptr<CudaEngine>> engines);
  Peers *peers() override { return this; }
  RankLinks *rankLinks() override { return this; }
  DeviceSampler *sampler() override { return this; }
  RowGather *rowGather() override { return this; }
  std::vector<Engine *> all() override;
  size_t mostBytes() const override { return gpu->memory().limit(); }
  bool reaches(const Engine &other) const override;
  Topology topology() override;
  Ticket copyFrom(Engine &other, void *to, const void *from, size_t bytes, std::vector<Ticket> after) override;

  void linkRanks(Comm &comm) override;
  Exchange *link() override { return between.get(); }
  std::string linkName() const override { return between ? between->name() : ""; }

  std::unique_ptr<Prepared> prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                    const StepViews &views) override;
  std::shared_ptr<ResidentTables> tables(const Binding &binding) override;
  std::unique_ptr<Recording> recording() override;
  std::unique_ptr<StepClock> clock(uint32_t steps) override;

  std::unique_ptr<Memory> allocate(size_t bytes) override;
  std::unique_ptr<Memory> allocateTransient(size_t bytes) override { return allocate(bytes); }
  void copyIn(void *to, const void *from, size_t bytes) override;
  void copyOut(void *to, const void *from, size_t bytes) override;
  void gatherIn(void *to, const void *table, size_t rowBytes, Span<const int64_t> rows) override;
  void clear(void *to, size_t bytes) override;
  void fold(uint32_t kind, uint32_t element, int64_t count, void *into, const void *parts, size_t stride,
            int64_t numParts) override;
  void pick(const RowPicks &picks) override;
  std::shared_ptr<DrawTables> drawTables(const Binding &binding,
                                         const std::vector<std::pair<uint32_t, uint32_t>> &of) override;
  size_t takenBytes(size_t bytes) const override { return DevicePool::rounded(bytes); }
  std::shared_ptr<void> reachable(size_t bytes) override;
  size_t usedBytes() const override { return gpu->memory().used(); }
  /// Bools that processors pack in bits take one byte each.
  size_t rowBytes(const Dims &dims, const gnn_tensor_info_t &tensor) const override;
  Tensor empty(uint32_t element, std::vector<int64_t> shape) override;
  Tensor handedOut(const Tensor &result) override;
  Tensor copied(const Tensor &tensor) override;
  Tensor zeros(uint32_t element, std::vector<int64_t> shape) override;
  void settle() override;
  void beginRun() override;
  void endRun() override;
  std::optional<double> deviceSeconds() override;

  int ordinal() const override { return gpu->ordinal(); }
  const std::string &device() const override { return label; }
  const std::string &code() const override { return functions->code(); }
  std::string architecture() const override { return "sm_" + std::to_string(gpu->arch()); }
  const std::string &products() const override { return productsName; }
  unsigned threads() const override { return 1; }

private:
  Queues &queues() override;
  void transfer(Queue queue, void *to, const void *from, size_t bytes) override {
    asked->transfer(queue, to, from, bytes);
  }
  std::shared_ptr<DeviceBlocks> blocksOf(const Relation &relation, uint32_t index);

  std::shared_ptr<Device> gpu;
  std::shared_ptr<const Library> library;
  std::shared_ptr<DeviceCopies> copies;
  std::optional<DeviceLibrary> functions;
  std::optional<DeviceKernels> kernels;
  std::unique_ptr<Blas> blas; // may be null
  std::string label;          // of all that compute with it
  std::string productsName;
  std::unique_ptr<DeviceQueues> asked;                               // null: nobody has yet
  std::map<const Binding *, std::weak_ptr<ResidentTables>> bindings; // while somebody uses them
  std::map<uint64_t, std::weak_ptr<DeviceBlocks>> relations;         // the same, by the number of the relation
  std::vector<std::unique_ptr<CudaEngine>> others;                   // that compute with it
  std::unique_ptr<NcclExchange> between;                             // this GPU and those of other ranks; may be null
};

} // namespace gnn::rt

#endif // GNN_CUDA_CUDAENGINE_H
