//===- DeviceLibrary.cpp - A library's code on a GPU ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceLibrary.h"

#include "runtime/src/core/Guard.h"

namespace gnn::rt {

namespace {

const gnn_device_t &tableOf(const Library &library, const Device &device) {
  const gnn_device_t *table = library.table().device;
  require(table != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no code for ", device.label(),
          ", only for processors: compile it for GPUs too (gnnc --target=cpu,sm_80)");
  return *table;
}

std::vector<DeviceImage> imagesOf(const gnn_device_t &table) {
  std::vector<DeviceImage> images;
  for (uint32_t i = 0; i < table.num_images; ++i)
    images.push_back({table.images[i].arch, table.images[i].is_ptx != 0, table.images[i].data});
  return images;
}

} // namespace

DeviceLibrary::DeviceLibrary(const std::shared_ptr<Device> &device, const Library &library)
    : table(tableOf(library, *device)), module(device, imagesOf(table), library.path()) {
  for (uint32_t k = 0; k < library.table().num_kernels; ++k) {
    functions.push_back(module.function(table.run[k].name));
    const bool hasMerge = library.kernel(k).kind == GNN_KERNEL_SWEEP && library.kernel(k).num_totals == 0;
    merges.push_back(hasMerge ? module.function(table.merge[k].name) : DeviceFunction());
  }
}

} // namespace gnn::rt
