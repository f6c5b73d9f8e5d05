//===- ColRoute.h - How cols come to several devices ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_COLROUTE_H
#define GNN_STREAM_COLROUTE_H

#include <string>

namespace gnn::rt {

/// How the rows of an interval of cols come to the devices of a group that read them.
enum class ColRoute {
  Cheapest,   // of the others, that which is predicted to take least time
  Replicated, // to each of them from there
  Ring,       // from there to a loader, another for each interval, and on through all devices (NGra, section 4.2)
  Chain,      // from there to the first under each switch, and on to the others there (NeuGraph, section 3.3)
};

/// "auto", "replicated", "ring", "chain". Throws GNN_ERROR_ARGUMENT for others; `option` names it in messages.
ColRoute parseColRoute(const std::string &text, const std::string &option);
const char *nameOf(ColRoute route);

} // namespace gnn::rt

#endif // GNN_STREAM_COLROUTE_H
