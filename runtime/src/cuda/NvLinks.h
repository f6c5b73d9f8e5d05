//===- NvLinks.h - Links from GPU to GPU ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVLink, as NVIDIA's management library tells of it, which is looked for at run time. Where there is none the driver
// says between which GPUs there is such a link, and not how fast it is. The functions of the library that the runtime
// calls are here with their types and constants, so that it builds on machines without it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_NVLINKS_H
#define GNN_CUDA_NVLINKS_H

#include <vector>

namespace gnn::rt::nvml {

using Status = int;
using Handle = struct OpaqueHandle *; // of a device

struct PciInfo {
  char shortName[16];
  unsigned domain, bus, device, id, subsystemId;
  char name[32];
};

enum : Status { success = 0, invalidArgument = 2, notSupported = 3, notFound = 6 };
enum : unsigned { mostLinks = 18, enabled = 1 };
/// Versions of NVLink (nvmlNvlinkVersion_t).
enum : unsigned { version1 = 1, version3 = 4, version5 = 7 };

} // namespace gnn::rt::nvml

/// F(member, symbol of the library, parameters): all return a Status.
#define GNN_NVML_FUNCTIONS(F)                                                                                          \
  F(init, nvmlInit_v2, ())                                                                                             \
  F(shutdown, nvmlShutdown, ())                                                                                        \
  F(deviceOf, nvmlDeviceGetHandleByPciBusId_v2, (const char *name, Handle *device))                                    \
  F(linkState, nvmlDeviceGetNvLinkState, (Handle device, unsigned link, unsigned *state))                              \
  F(linkVersion, nvmlDeviceGetNvLinkVersion, (Handle device, unsigned link, unsigned *version))                        \
  F(linkRemote, nvmlDeviceGetNvLinkRemotePciInfo_v2, (Handle device, unsigned link, PciInfo *remote))

namespace gnn::rt {

class Device;
class Topology;

/// Adds the links between these devices, which are those of the topology in their order. Two that share a switch have
/// as many to each other as either has to it. Where the management library is not there a link is taken to be a single
/// one of NVLink 2.
void addNvLinks(Topology &topology, const std::vector<Device *> &devices);

} // namespace gnn::rt

#endif // GNN_CUDA_NVLINKS_H
