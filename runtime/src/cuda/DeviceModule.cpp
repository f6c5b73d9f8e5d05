//===- DeviceModule.cpp - Code for a GPU ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceModule.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <map>

namespace gnn::rt {

namespace {

std::string nameOf(const DeviceImage &image) {
  return (image.isPtx ? "PTX of sm_" : "sm_") + std::to_string(image.arch);
}

bool fits(const DeviceImage &image, uint32_t arch) {
  return image.arch <= arch && (image.isPtx || image.arch / 10 == arch / 10);
}

/// Those that fit, best first: machine code before PTX, then newer before older.
std::vector<DeviceImage> bestImages(std::vector<DeviceImage> images, uint32_t arch) {
  images.erase(
      std::remove_if(images.begin(), images.end(), [&](const DeviceImage &image) { return !fits(image, arch); }),
      images.end());
  std::stable_sort(images.begin(), images.end(), [](const DeviceImage &a, const DeviceImage &b) {
    return std::pair(!a.isPtx, a.arch) > std::pair(!b.isPtx, b.arch);
  });
  return images;
}

/// Errors after which another image may do, and what a user can do about them.
const std::map<cuda::Result, const char *> refusalErrors{
    {cuda::errorInvalidImage, ""},
    {cuda::errorInvalidPtx, ""},
    {cuda::errorNoBinaryForGpu, ""},
    {cuda::errorNoJitCompiler, " (install the driver's libnvidia-ptxjitcompiler.so.1)"},
    {cuda::errorNewerPtx, " (a newer driver compiles it, by its libnvidia-ptxjitcompiler.so.1)"},
    {cuda::errorJitDisabled, " (unset CUDA_DISABLE_PTX_JIT)"}};

} // namespace

DeviceModule::DeviceModule(std::shared_ptr<Device> owner, const std::vector<DeviceImage> &images,
                           const std::string &origin)
    : device(std::move(owner)) {
  const std::vector<DeviceImage> fitting = bestImages(images, device->arch());
  std::string known;
  for (const DeviceImage &image : images)
    known += (known.empty() ? "" : ", ") + nameOf(image);
  require(!fitting.empty(), GNN_ERROR_MISMATCH, origin, " has no code for ", device->label(), ", which is sm_",
          device->arch(), ", but for ", known);
  // Drivers refuse machine code of a ptxas that is newer than they are, but take the PTX beside it.
  std::string refusals;
  for (const DeviceImage &image : fitting) {
    chip = nameOf(image);
    char log[4096] = "";
    int options[] = {cuda::jitErrorLog, cuda::jitErrorLogBytes};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    cuda::Result result = device->api().moduleLoad(&module, image.data, 2, options, values);
    const auto refusal = refusalErrors.find(result);
    if (refusal == refusalErrors.end()) {
      device->check(result, "loading " + chip + " of " + origin);
      return;
    }
    refusals += (refusals.empty() ? "" : "; ") + chip + ": " + device->api().describe(result) + refusal->second +
                (*log ? ": " + std::string(log) : "");
  }
  fail(GNN_ERROR_DATA, origin, ": ", device->label(), " does not accept its code, ", refusals);
}

DeviceModule::~DeviceModule() {
  if (!module)
    return;
  Device::Scope scope(*device);
  device->api().streamSynchronize(device->workStream()); // which may still run it
  device->api().moduleUnload(module);
}

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
