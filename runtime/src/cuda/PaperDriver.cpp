//===- PaperDriver.cpp - A driver of devices that are not there -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/PaperDriver.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gnn::rt::cuda {

namespace {

std::shared_ptr<const Topology> devices;

/// Memory of devices is addresses alone.
Address takeAddresses(size_t bytes) {
  constexpr Address lines = 512;
  static std::atomic<Address> next{Address(1) << 46};
  return next.fetch_add((Address(bytes) + lines - 1) / lines * lines);
}

template <class Handle> Handle anyHandle() { return reinterpret_cast<Handle>(uintptr_t(1)); }

Result attributeOf(int *value, int attribute) {
  constexpr int sharedOfMultiprocessor = 228 << 10, sharedOfBlock = 227 << 10;
  const DeviceKind &kind = devices->kind;
  switch (attribute) {
  case attributeMajor:
    *value = kind.arch / 10;
    return success;
  case attributeMinor:
    *value = kind.arch % 10;
    return success;
  case attributeMultiprocessors:
    *value = kind.multiprocessors;
    return success;
  case attributeMultiprocessorShared:
    *value = sharedOfMultiprocessor;
    return success;
  case attributeBlockShared:
    *value = sharedOfBlock;
    return success;
  default:
    return errorInvalidValue;
  }
}

Result text(const char **to, const char *words) {
  *to = words;
  return success;
}

Driver make() {
  Driver driver;
#define GNN_CUDA_DO_NOTHING(member, symbol, parameters) driver.member = [] parameters -> Result { return success; };
  GNN_CUDA_FUNCTIONS(GNN_CUDA_DO_NOTHING)
#undef GNN_CUDA_DO_NOTHING
  driver.isOnPaper = true;
  driver.version = 13000;
  driver.getErrorName = [](Result, const char **to) { return text(to, "on paper"); };
  driver.getErrorString = [](Result, const char **to) { return text(to, "nothing is done"); };
  driver.deviceGetCount = [](int *count) {
    *count = int(devices->numDevices());
    return Result(success);
  };
  driver.deviceGet = [](DeviceId *device, int ordinal) {
    *device = ordinal;
    return Result(success);
  };
  driver.deviceGetName = [](char *name, int length, DeviceId) {
    std::snprintf(name, size_t(length), "on paper");
    return Result(success);
  };
  driver.deviceGetAttribute = [](int *value, int attribute, DeviceId) { return attributeOf(value, attribute); };
  driver.deviceCanAccessPeer = [](int *can, DeviceId device, DeviceId other) {
    *can = devices->reaches(size_t(device), size_t(other));
    return Result(success);
  };
  driver.primaryContextRetain = [](Context *context, DeviceId) {
    *context = anyHandle<Context>();
    return Result(success);
  };
  driver.memoryInfo = [](size_t *free, size_t *total) {
    *free = *total = size_t(devices->kind.memoryBytes);
    return Result(success);
  };
  driver.allocate = [](Address *address, size_t bytes) {
    *address = takeAddresses(bytes);
    return Result(success);
  };
  driver.hostAllocate = [](void **pointer, size_t bytes, unsigned) {
    *pointer = std::malloc(bytes);
    return Result(*pointer ? success : errorOutOfMemory);
  };
  driver.hostAddress = [](Address *address, void *pointer, unsigned) {
    *address = reinterpret_cast<Address>(pointer);
    return Result(success);
  };
  driver.hostRelease = [](void *pointer) {
    std::free(pointer);
    return Result(success);
  };
  driver.copyToHost = [](void *to, Address, size_t bytes, Stream) {
    std::memset(to, 0, bytes);
    return Result(success);
  };
  driver.moduleLoad = [](Module *module, const void *, unsigned, int *, void **) {
    *module = anyHandle<Module>();
    return Result(success);
  };
  driver.moduleFunction = [](Function *function, Module, const char *) {
    *function = anyHandle<Function>();
    return Result(success);
  };
  driver.streamCreate = [](Stream *stream, unsigned) {
    *stream = anyHandle<Stream>();
    return Result(success);
  };
  driver.eventCreate = [](Event *event, unsigned) {
    *event = anyHandle<Event>();
    return Result(success);
  };
  driver.eventElapsedTime = [](float *milliseconds, Event, Event) {
    *milliseconds = 0;
    return Result(success);
  };
  driver.captureEnd = [](Stream, Graph *) { return Result(errorCaptureUnsupported); };
  return driver;
}

} // namespace

void useOnPaper(std::shared_ptr<const Topology> topology) { devices = std::move(topology); }

const Driver *driverOnPaper() {
  static const Driver driver = make();
  return devices ? &driver : nullptr;
}

} // namespace gnn::rt::cuda
