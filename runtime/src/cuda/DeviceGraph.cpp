//===- DeviceGraph.cpp - What a GPU does again and again ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceGraph.h"

namespace gnn::rt {

DeviceGraph::~DeviceGraph() {
  if (!graph)
    return;
  Device::Scope scope(*device);
  device->api().graphExecDestroy(graph->exec);
}

void DeviceGraph::run(const std::function<void()> &ask) {
  Device::Scope scope(*device);
  if (runs == 1)
    graph = device->recordGraph(ask);
  graph ? device->launch(*graph) : ask();
  ++runs;
}

} // namespace gnn::rt
