//===- FakeNvml.cpp - A libnvidia-ml for machines without a GPU -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVML that the runtime calls, of the devices of the fake libcuda: in that library, which
// libnvidia-ml.so.1 is a link to.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "runtime/src/cuda/NvLinks.h"

#include <algorithm>
#include <cstdio>

using namespace gnn::rt::nvml;

namespace {

constexpr unsigned domain = 0xffff, bus = 2, deviceOfSwitch = 31; // as FakeDriver.cpp says them

Handle handleOf(unsigned device) { return reinterpret_cast<Handle>(uintptr_t(device) + 1); }
unsigned numberOf(Handle device) { return unsigned(reinterpret_cast<uintptr_t>(device)) - 1; }

/// What a link of a device leads to; -1: to nothing.
int remoteOf(unsigned device, unsigned link) {
  const unsigned neighbour = device ^ 1;
  if (link < fake::number("nvlinks", 0))
    return neighbour < fake::number("devices", 1) ? int(neighbour) : -1;
  return link < fake::number("nvlinks", 0) + fake::number("nvswitch", 0) ? int(deviceOfSwitch) : -1;
}

} // namespace

extern "C" {

#pragma GCC visibility push(default)
#define DECLARE(member, symbol, parameters) Status symbol parameters;
GNN_NVML_FUNCTIONS(DECLARE)
#undef DECLARE
#pragma GCC visibility pop

Status nvmlInit_v2() { return success; }
Status nvmlShutdown() { return success; }

Status nvmlDeviceGetHandleByPciBusId_v2(const char *name, Handle *device) {
  unsigned numbers[3] = {};
  if (std::sscanf(name, "%x:%x:%x.", &numbers[0], &numbers[1], &numbers[2]) != 3)
    return invalidArgument;
  *device = handleOf(numbers[2]);
  return numbers[0] == domain && numbers[1] == bus && numbers[2] < fake::number("devices", 1) ? success : notFound;
}

Status nvmlDeviceGetNvLinkState(Handle device, unsigned link, unsigned *state) {
  *state = link < mostLinks && remoteOf(numberOf(device), link) >= 0 ? enabled : 0;
  return link < mostLinks ? success : invalidArgument;
}

Status nvmlDeviceGetNvLinkVersion(Handle, unsigned, unsigned *version) {
  *version = version3;
  return success;
}

Status nvmlDeviceGetNvLinkRemotePciInfo_v2(Handle device, unsigned link, PciInfo *remote) {
  const int where = remoteOf(numberOf(device), link);
  if (where < 0)
    return notSupported;
  *remote = {};
  remote->domain = domain;
  remote->bus = bus;
  remote->device = unsigned(where);
  return success;
}

} // extern "C"
