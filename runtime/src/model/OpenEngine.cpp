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

std::optional<int> numberOf(const std::string &digits) {
  if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoi(digits);
}

/// A GPU, and others that compute with it.
std::unique_ptr<Engine> openDevices(const std::shared_ptr<const Library> &library, const std::vector<int> &indices,
                                    const std::string &name, size_t deviceBytes) {
  std::vector<std::unique_ptr<CudaEngine>> engines;
  for (size_t i = 0; i < indices.size(); ++i)
    require(std::count(indices.begin(), indices.begin() + std::ptrdiff_t(i), indices[i]) == 0, GNN_ERROR_ARGUMENT,
            "device ", name, ": cuda:", indices[i], " is there twice");
  for (int index : indices)
    engines.push_back(std::make_unique<CudaEngine>(Device::open(index, deviceBytes), library));
  std::unique_ptr<CudaEngine> first = std::move(engines[0]);
  engines.erase(engines.begin());
  if (!engines.empty())
    first->joinWith(std::move(engines));
  return first;
}

} // namespace

std::vector<int> deviceNumbers(const std::string &name) {
  std::vector<int> found;
  if (name == "cuda")
    return {0};
  if (name.compare(0, 5, "cuda:") != 0)
    return {};
  for (size_t begin = 5; begin <= name.size();) {
    const size_t end = std::min(name.find(',', begin), name.size());
    const std::string item = name.substr(begin, end - begin);
    const size_t dash = item.find('-');
    const std::optional<int> first = numberOf(item.substr(0, dash)),
                             last = dash == std::string::npos ? first : numberOf(item.substr(dash + 1));
    if (!first || !last || *first > *last)
      return {};
    for (int index = *first; index <= *last; ++index)
      found.push_back(index);
    begin = end + 1;
  }
  return found;
}

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
                                   unsigned threads, size_t deviceBytes, PlanChoice plans, std::string *whyProcessor) {
  const bool isAuto = device == "auto";
  const std::vector<int> indices = deviceNumbers(device);
  require(!indices.empty() || isAuto || device == "cpu", GNN_ERROR_ARGUMENT, "unknown device '", device,
          "'; there are cpu, cuda, cuda:N, several as cuda:0-3 or cuda:0,2, and auto");
  if (!indices.empty())
    return openDevices(library, indices, device, deviceBytes);
  std::string why;
  if (isAuto)
    if (std::unique_ptr<Engine> gpu = openAnyDevice(library, deviceBytes, why))
      return gpu;
  if (isAuto && whyProcessor)
    *whyProcessor = why;
  return std::make_unique<CpuEngine>(library, threads, plans);
}

} // namespace gnn::rt
