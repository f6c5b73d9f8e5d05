//===- DeviceBackend.cpp - Models on a GPU --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/device/DeviceBackend.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/device/DeviceTensor.h"
#include "runtime/src/exec/Processor.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// The number in "cuda:1"; that of "cuda" is 0.
std::optional<int> deviceIndex(const std::string &name) {
  constexpr char prefix[] = "cuda";
  if (name.compare(0, 4, prefix) != 0)
    return std::nullopt;
  if (name.size() == 4)
    return 0;
  const std::string digits = name.substr(std::min<size_t>(5, name.size()));
  if (name[4] != ':' || digits.empty() || digits.size() > 4 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoi(digits);
}

} // namespace

DeviceBackend::DeviceBackend(std::shared_ptr<Device> opened, std::shared_ptr<const Library> compiled)
    : gpu(std::move(opened)), library(std::move(compiled)) {
  Device::Scope scope(*gpu);
  functions.emplace(gpu, *library);
  kernels.emplace(gpu);
  blas = Blas::open(gpu);
  productsName = blas ? blas->name() : "own kernels";
}

std::unique_ptr<Executor> DeviceBackend::executor(const Dims &dims, const Binding &binding,
                                                  const gnn_program_t &program) {
  for (auto at = copies.begin(); at != copies.end();)
    at = at->second.expired() ? copies.erase(at) : std::next(at);
  std::shared_ptr<DeviceData> data = copies[&binding].lock();
  if (!data)
    copies[&binding] = data = std::make_shared<DeviceData>(gpu, binding);
  return std::make_unique<DeviceExecutor>(gpu, *functions, *kernels, blas.get(), *library, dims, binding,
                                          std::move(data), program);
}

Tensor DeviceBackend::zeros(uint32_t element, std::vector<int64_t> shape) {
  Device::Scope scope(*gpu);
  return gpu->sharedZeros(element, std::move(shape));
}

void DeviceBackend::settle() {
  Device::Scope scope(*gpu);
  gpu->settle();
}

StepOutcome DeviceBackend::train(Executor &executor, const TrainingStep &step) {
  return static_cast<DeviceExecutor &>(executor).train(step); // this backend makes no others
}

Tensor DeviceBackend::copied(const Tensor &tensor) {
  Device::Scope scope(*gpu);
  return copyToDevice(gpu, tensor);
}

double DeviceBackend::deviceSeconds() {
  Device::Scope scope(*gpu);
  return gpu->lastRunSeconds();
}

/// The first GPU that the library has code for; null, with the reason in `why`, if there is none.
static std::unique_ptr<Backend> openAnyDevice(const std::shared_ptr<const Library> &library, size_t deviceBytes,
                                              std::string &why) {
  if (!library->table().device) {
    why = library->path() + " has no code for GPUs (gnnc --target=cpu,sm_80)";
    return nullptr;
  }
  for (int i = 0, count = std::max(Device::count(), 1); i < count; ++i) // where there is none, the first says why
    try {
      return std::make_unique<DeviceBackend>(Device::open(i, deviceBytes), library);
    } catch (const Error &error) { // the next may do
      why += (why.empty() ? "" : "; ") + std::string(error.what());
    }
  return nullptr;
}

std::unique_ptr<Backend> openBackend(const std::shared_ptr<const Library> &library, const std::string &device,
                                     unsigned threads, size_t deviceBytes, std::string *whyProcessor) {
  const bool isAuto = device == "auto";
  std::optional<int> index = deviceIndex(device);
  require(index || isAuto || device == "cpu", GNN_ERROR_ARGUMENT, "unknown device '", device,
          "'; there are cpu, cuda, cuda:N, auto");
  if (index)
    return std::make_unique<DeviceBackend>(Device::open(*index, deviceBytes), library);
  std::string why;
  if (isAuto)
    if (std::unique_ptr<Backend> gpu = openAnyDevice(library, deviceBytes, why))
      return gpu;
  if (isAuto && whyProcessor)
    *whyProcessor = why;
  return std::make_unique<Processor>(library, threads);
}

} // namespace gnn::rt
