//===- PaperDriver.cpp - A driver of devices that are not there -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PaperDriver.h"

#include "runtime/src/cuda/Driver.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gnn::train_tool {

using namespace rt;
using namespace rt::cuda;

namespace {

std::shared_ptr<const Topology> devices;

/// Memory of devices is addresses alone.
Address takeAddresses(size_t bytes) {
  constexpr Address lines = 512;
  static std::atomic<Address> next{Address(1) << 46};
  return next.fetch_add((Address(bytes) + lines - 1) / lines * lines);
}

template <class T> Result give(T *to, T value) {
  *to = value;
  return success;
}

template <class Handle> Result giveAny(Handle *to) { return give(to, reinterpret_cast<Handle>(uintptr_t(1))); }

Result attributeOf(int *value, int attribute) {
  constexpr int sharedOfMultiprocessor = 228 << 10, sharedOfBlock = 227 << 10;
  const DeviceKind &kind = devices->kind;
  switch (attribute) {
  case attributeMajor:
    return give(value, kind.arch / 10);
  case attributeMinor:
    return give(value, kind.arch % 10);
  case attributeMultiprocessors:
    return give(value, kind.multiprocessors);
  case attributeMultiprocessorShared:
    return give(value, sharedOfMultiprocessor);
  case attributeBlockShared:
    return give(value, sharedOfBlock);
  default:
    return errorInvalidValue;
  }
}

Driver make() {
  Driver driver;
#define GNN_CUDA_DO_NOTHING(member, symbol, parameters) driver.member = [] parameters -> Result { return success; };
  GNN_CUDA_FUNCTIONS(GNN_CUDA_DO_NOTHING)
#undef GNN_CUDA_DO_NOTHING
  driver.isOnPaper = true;
  driver.version = 13000;
  driver.getErrorName = [](Result, const char **to) { return give(to, "on paper"); };
  driver.getErrorString = [](Result, const char **to) { return give(to, "nothing is done"); };
  driver.deviceGetCount = [](int *count) { return give(count, int(devices->numDevices())); };
  driver.deviceGet = [](DeviceId *device, int ordinal) { return give(device, DeviceId(ordinal)); };
  driver.deviceGetName = [](char *name, int length, DeviceId) {
    std::snprintf(name, size_t(length), "on paper");
    return Result(success);
  };
  driver.deviceGetAttribute = [](int *value, int attribute, DeviceId) { return attributeOf(value, attribute); };
  driver.deviceCanAccessPeer = [](int *can, DeviceId device, DeviceId other) {
    return give(can, int(devices->reaches(size_t(device), size_t(other))));
  };
  driver.primaryContextRetain = [](Context *context, DeviceId) { return giveAny(context); };
  driver.memoryInfo = [](size_t *free, size_t *total) {
    *free = *total = size_t(devices->kind.memoryBytes);
    return Result(success);
  };
  driver.allocate = [](Address *address, size_t bytes) { return give(address, takeAddresses(bytes)); };
  driver.hostAllocate = [](void **pointer, size_t bytes, unsigned) {
    *pointer = std::malloc(bytes);
    return Result(*pointer ? success : errorOutOfMemory);
  };
  driver.hostAddress = [](Address *address, void *pointer, unsigned) {
    return give(address, reinterpret_cast<Address>(pointer));
  };
  driver.hostRelease = [](void *pointer) {
    std::free(pointer);
    return Result(success);
  };
  driver.copyToHost = [](void *to, Address, size_t bytes, Stream) {
    std::memset(to, 0, bytes);
    return Result(success);
  };
  driver.moduleLoad = [](Module *module, const void *, unsigned, int *, void **) { return giveAny(module); };
  driver.moduleFunction = [](Function *function, Module, const char *) { return giveAny(function); };
  driver.streamCreate = [](Stream *stream, unsigned) { return giveAny(stream); };
  driver.eventCreate = [](Event *event, unsigned) { return giveAny(event); };
  driver.eventElapsedTime = [](float *milliseconds, Event, Event) { return give(milliseconds, 0.0f); };
  driver.captureEnd = [](Stream, Graph *) { return Result(errorCaptureUnsupported); };
  return driver;
}

} // namespace

void useOnPaper(std::shared_ptr<const Topology> topology) {
  static const Driver driver = make();
  devices = std::move(topology);
  useDriver(devices ? &driver : nullptr);
}

} // namespace gnn::train_tool
