//===- RouteText.h - What a step takes of links and kernels -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_ROUTETEXT_H
#define GNN_TOOLS_TRAIN_ROUTETEXT_H

#include "runtime/src/stream/WithinMemory.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

/// The time that a step on GPUs would take by each route, and the chosen route; in training, also the time of an
/// evaluation. `disk` gives the rates of the spill files of one GPU; null if there are none or they take no time.
nlohmann::json routesJson(const rt::WithinMemory &within, bool trains, const rt::DiskRates *disk);
/// How GPUs are connected, as a file of it says.
nlohmann::json topologyJson(const rt::Topology &topology);
/// Both for people; `routes` may have "topology".
void printRoutes(const nlohmann::json &routes);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_ROUTETEXT_H
