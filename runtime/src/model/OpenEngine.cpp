//===- OpenEngine.cpp - Engines by the name of their machine --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/model/OpenEngine.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/cuda/CudaEngine.h"

#include <algorithm>
#include <optional>

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

/// The first GPU that the library has code for; null, with the reason in `why`, if there is none.
static std::unique_ptr<Engine> openAnyDevice(const std::shared_ptr<const Library> &library, size_t deviceBytes,
                                             std::string &why) {
  if (!library->table().device) {
    why = library->path() + " has no code for GPUs (gnnc --target=cpu,sm_80)";
    return nullptr;
  }
  for (int i = 0, count = std::max(Device::count(), 1); i < count; ++i) // where there is none, the first says why
    try {
      return std::make_unique<CudaEngine>(Device::open(i, deviceBytes), library);
    } catch (const Error &error) { // the next may do
      why += (why.empty() ? "" : "; ") + std::string(error.what());
    }
  return nullptr;
}

std::unique_ptr<Engine> openEngine(const std::shared_ptr<const Library> &library, const std::string &device,
                                   unsigned threads, size_t deviceBytes, std::string *whyProcessor) {
  const bool isAuto = device == "auto";
  std::optional<int> index = deviceIndex(device);
  require(index || isAuto || device == "cpu", GNN_ERROR_ARGUMENT, "unknown device '", device,
          "'; there are cpu, cuda, cuda:N, auto");
  if (index)
    return std::make_unique<CudaEngine>(Device::open(*index, deviceBytes), library);
  std::string why;
  if (isAuto)
    if (std::unique_ptr<Engine> gpu = openAnyDevice(library, deviceBytes, why))
      return gpu;
  if (isAuto && whyProcessor)
    *whyProcessor = why;
  return std::make_unique<CpuEngine>(library, threads);
}

} // namespace gnn::rt
