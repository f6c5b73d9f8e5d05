//===- DeviceModule.cpp - Code for a GPU ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/device/DeviceModule.h"

#include "runtime/src/core/Guard.h"

namespace gnn::rt {

namespace {

std::string nameOf(const DeviceImage &image) {
  return (image.isPtx ? "PTX of sm_" : "sm_") + std::to_string(image.arch);
}

bool fits(const DeviceImage &image, uint32_t arch) {
  return image.arch <= arch && (image.isPtx || image.arch / 10 == arch / 10);
}

/// Machine code before PTX, then newer before older.
const DeviceImage *bestImage(const std::vector<DeviceImage> &images, uint32_t arch) {
  const DeviceImage *best = nullptr;
  for (const DeviceImage &image : images)
    if (fits(image, arch) && (!best || std::pair(!image.isPtx, image.arch) > std::pair(!best->isPtx, best->arch)))
      best = &image;
  return best;
}

} // namespace

DeviceModule::DeviceModule(std::shared_ptr<Device> owner, const std::vector<DeviceImage> &images,
                           const std::string &origin)
    : device(std::move(owner)) {
  const DeviceImage *image = bestImage(images, device->arch());
  std::string known;
  for (const DeviceImage &other : images)
    known += (known.empty() ? "" : ", ") + nameOf(other);
  require(image != nullptr, GNN_ERROR_MISMATCH, origin, " has no code for ", device->label(), ", which is sm_",
          device->arch(), ", but for ", known);
  chip = nameOf(*image);
  char log[4096] = "";
  int options[] = {cuda::jitErrorLog, cuda::jitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  cuda::Result result = device->api().moduleLoad(&module, image->data, 2, options, values);
  require(result != cuda::errorInvalidImage && result != cuda::errorInvalidPtx && result != cuda::errorNoBinaryForGpu,
          GNN_ERROR_DATA, origin, ": ", device->label(), " does not accept its code, ", chip, ": ",
          device->api().describe(result), *log ? ": " : "", log);
  device->check(result, "loading " + chip + " of " + origin);
}

DeviceModule::~DeviceModule() {
  if (!module)
    return;
  Device::Scope scope(*device);
  device->api().streamSynchronize(device->workStream()); // which may still run it
  device->api().moduleUnload(module);
}

} // namespace gnn::rt
