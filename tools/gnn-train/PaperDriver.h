//===- PaperDriver.h - A driver of devices that are not there ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PAPERDRIVER_H
#define GNN_TOOLS_TRAIN_PAPERDRIVER_H

#include "runtime/src/links/Topology.h"

#include <memory>

namespace gnn::train_tool {

/// Replaces the driver of this process, which must use no device, by one of the devices of a topology: memory is
/// addresses alone, and kernels do nothing. Null: takes the driver of the system again.
void useOnPaper(std::shared_ptr<const rt::Topology> topology);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PAPERDRIVER_H
