//===- PaperDriver.h - A driver of devices that are not there ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For plans: engines are made ready as on the real devices, and nothing that they are asked for is done.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_PAPERDRIVER_H
#define GNN_CUDA_PAPERDRIVER_H

#include "runtime/src/cuda/Driver.h"
#include "runtime/src/links/Topology.h"

namespace gnn::rt::cuda {

/// From now on the driver of this process is one of the devices of a topology, which must outlive all that uses it.
/// Before the first use of a device.
void useOnPaper(const Topology &topology);

/// That driver; null: there is none.
const Driver *driverOnPaper();

} // namespace gnn::rt::cuda

#endif // GNN_CUDA_PAPERDRIVER_H
