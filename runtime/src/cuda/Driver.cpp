//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/Driver.h"

#include "runtime/src/core/Guard.h"

#include <dlfcn.h>
#include <mutex>

namespace gnn::rt::cuda {

namespace {

/// CUDA 11.8, the first that reads the PTX of sm_90.
constexpr int leastVersion = 11080;
const Driver *replacement = nullptr;

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void *openLibrary() {
  std::string why; // of the first: the second belongs to development files
  for (const char *name : {"libcuda.so.1", "libcuda.so"}) {
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
    const char *error = dlerror();
    why = why.empty() && error ? error : why;
  }
  fail(GNN_ERROR_DEVICE, "no NVIDIA driver: ", why);
}

template <class Member> void find(void *library, const char *symbol, Member &member) {
  member = reinterpret_cast<Member>(dlsym(library, symbol));
  require(member != nullptr, GNN_ERROR_DEVICE, "the NVIDIA driver is too old: it has no ", symbol,
          "; CUDA 11.8 or newer is needed");
}

} // namespace

void useDriver(const Driver *driver) { replacement = driver; }

const Driver &Driver::get() {
  if (replacement)
    return *replacement;
  static std::mutex mutex;
  static Driver driver;
  static void *library = nullptr; // stays open: threads of the driver run in it
  std::lock_guard<std::mutex> lock(mutex);
  if (!library) {
    void *opened = openLibrary();
#define GNN_CUDA_FIND(member, symbol, parameters) find(opened, #symbol, driver.member);
    GNN_CUDA_FUNCTIONS(GNN_CUDA_FIND)
#undef GNN_CUDA_FIND
    library = opened;
  }
  Result error = driver.init(0);
  require(error != errorNoDevice, GNN_ERROR_DEVICE, "the NVIDIA driver finds no device");
  require(error == success, GNN_ERROR_DEVICE, "the NVIDIA driver does not start: ", driver.describe(error));
  require(driver.driverGetVersion(&driver.version) == success && driver.version >= leastVersion, GNN_ERROR_DEVICE,
          "the NVIDIA driver is too old: it knows CUDA ", versionText(driver.version), ", but ",
          versionText(leastVersion), " or newer is needed");
  return driver;
}

std::string Driver::describe(Result error) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(error, &name) != success || getErrorString(error, &text) != success || !name || !text)
    return "error " + std::to_string(error);
  return std::string(name) + ": " + text;
}

} // namespace gnn::rt::cuda
