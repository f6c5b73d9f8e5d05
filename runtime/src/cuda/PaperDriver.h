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

#include <memory>

namespace gnn::rt::cuda {

/// From now on the driver of this process is one of the devices of a topology; null: that of the system. While no
/// device is in use.
void useOnPaper(std::shared_ptr<const Topology> topology);

/// That driver; null: there is none.
const Driver *driverOnPaper();

} // namespace gnn::rt::cuda

#endif // GNN_CUDA_PAPERDRIVER_H
