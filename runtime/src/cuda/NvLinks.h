//===- NvLinks.h - Links from GPU to GPU ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVLink, as NVIDIA's management library tells of it, which is looked for at run time. Where there is none the driver
// says between which GPUs there is such a link, and not how fast it is.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_NVLINKS_H
#define GNN_CUDA_NVLINKS_H

#include "runtime/src/cuda/Device.h"
#include "runtime/src/links/Topology.h"

namespace gnn::rt {

/// Adds the links between these devices, which are those of the topology in their order. Two that share a switch have
/// as many to each other as either has to it. Where the management library is not there a link is taken to be a single
/// one of NVLink 2.
void addNvLinks(Topology &topology, const std::vector<Device *> &devices);

} // namespace gnn::rt

#endif // GNN_CUDA_NVLINKS_H
