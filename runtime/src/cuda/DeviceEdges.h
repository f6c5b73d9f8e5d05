//===- DeviceEdges.h - Rows of edges that a GPU draws of --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEEDGES_H
#define GNN_CUDA_DEVICEEDGES_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/cuda/DeviceKernels.h"
#include "runtime/src/engine/EdgeDraws.h"

#include <map>

namespace gnn::rt {

/// An array of this process that kernels read where it is ("zero-copy"): each access goes over the link to the host.
class MappedArray {
public:
  /// Small arrays are copied: they share pages of the heap with others, and a page is pinned once. Larger ones, which
  /// have pages of their own, are pinned where they are; all devices and models of this process share that.
  static constexpr size_t mostCopied = size_t(64) << 20;

  /// Null where the system does not allow it. `data` must outlive it.
  static std::shared_ptr<const MappedArray> of(const std::shared_ptr<Device> &device, const void *data, size_t bytes,
                                               size_t mostCopied = MappedArray::mostCopied);

  /// For kernels of the device.
  cuda::Address address() const { return place; }

private:
  MappedArray(std::shared_ptr<void> owner, cuda::Address place) : owner(std::move(owner)), place(place) {}

  std::shared_ptr<void> owner; // of pinned pages
  cuda::Address place;
};

class DeviceEdges : public DrawTables, public std::enable_shared_from_this<DeviceEdges> {
public:
  /// As DeviceSampler::drawTables. The kernels must outlive what is made.
  static std::shared_ptr<DeviceEdges> open(const std::shared_ptr<Device> &device, DeviceKernels &kernels,
                                           const Binding &binding,
                                           const std::vector<std::pair<uint32_t, uint32_t>> &of);

  std::unique_ptr<EdgeDraws> draws() override;
  size_t numTables() const override { return tables.size(); }
  std::vector<size_t> keep(uint32_t relation, uint32_t direction, const std::vector<DrawTables *> &group,
                           const std::vector<std::vector<uint32_t>> &rows) override;

private:
  class Draws;
  /// Which rows devices keep that reach each other's memory: first come those of the first.
  struct Places {
    static constexpr uint32_t notKept = UINT32_MAX; // as the kernel has it
    Buffer<uint32_t> ofRows;                        // [rows of the table] which of those that are kept it is
    std::vector<uint32_t> firsts{0};                // [devices + 1]
  };
  /// A relation in a direction.
  struct Rows {
    const Csr *csr;
    std::shared_ptr<const MappedArray> offsets, cols;
    DeviceArray kept{};                     // where the edges of rows begin, their cols, and DeviceKernels::KeptEdges
    size_t keptTables = 0;                  // where these are, of all devices
    std::shared_ptr<const Places> places{}; // null: nobody keeps any
    size_t number = 0;                      // of this device there

    bool isKeptHere(uint32_t place) const {
      return places->firsts[number] <= place && place < places->firsts[number + 1];
    }
  };

  static void addRows(const Csr &csr, const std::vector<uint32_t> &rows, Places &places, std::vector<uint32_t> &words);
  DeviceEdges(std::shared_ptr<Device> device, DeviceKernels &kernels) : gpu(std::move(device)), kernels(kernels) {}

  std::shared_ptr<Device> gpu;
  DeviceKernels &kernels;
  std::map<std::pair<uint32_t, uint32_t>, Rows> tables;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEEDGES_H
