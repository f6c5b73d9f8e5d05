//===- MappedArray.h - Arrays that kernels read over the link ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of this process that kernels read where it is ("zero-copy"): each access goes over the link to the host.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_MAPPEDARRAY_H
#define GNN_CUDA_MAPPEDARRAY_H

#include "runtime/src/cuda/Device.h"

namespace gnn::rt {

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

} // namespace gnn::rt

#endif // GNN_CUDA_MAPPEDARRAY_H
