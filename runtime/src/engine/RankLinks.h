//===- RankLinks.h - Engines of ranks that reach each other -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capability of an engine with device memory: ranks exchange the contents of that memory directly, without copies in
// the memory of their processes.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_RANKLINKS_H
#define GNN_ENGINE_RANKLINKS_H

#include "runtime/src/comm/Comm.h"
#include "runtime/src/engine/Engine.h"

namespace gnn::rt {

class RankLinks {
public:
  virtual ~RankLinks() = default;
  /// By all ranks, each with an engine on a device of its own; `comm` must outlive it. Throws RanksDiffer, in all
  /// ranks, if one of them can't.
  virtual void linkRanks(Comm &comm) = 0;
  /// Between the memories of the engines of all ranks; null: they are not linked.
  virtual Exchange *link() = 0;
  /// The library that links the ranks, with its version: "NCCL 2.19.3".
  virtual std::string linkName() const = 0;
};

inline Exchange *linkOf(Engine &engine) {
  RankLinks *links = engine.rankLinks();
  return links ? links->link() : nullptr;
}

} // namespace gnn::rt

#endif // GNN_ENGINE_RANKLINKS_H
