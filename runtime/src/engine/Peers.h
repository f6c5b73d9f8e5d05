//===- Peers.h - Engines that compute as one --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capability of an engine that may have others of its kind beside it in this process, each with memory of its own. The
// first of them is the engine of a model; executors that know of no others run on it alone.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_PEERS_H
#define GNN_ENGINE_PEERS_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/links/Topology.h"

namespace gnn::rt {

class Peers {
public:
  virtual ~Peers() = default;
  /// All of them, the first one first.
  virtual std::vector<Engine *> all() = 0;
  /// Device memory that each peer may use at most.
  virtual size_t mostBytes() const = 0;
  /// Whether copies from the memory of another go straight to that of this one, not by way of this process's.
  virtual bool reaches(const Engine &other) const = 0;
  /// How all of them are connected, as far as the system says.
  virtual Topology topology() = 0;
  /// In Queue::Load: copies into the memory of this engine from that of another, where it is after `after`.
  virtual Ticket copyFrom(Engine &other, void *to, const void *from, size_t bytes, std::vector<Ticket> after) = 0;
};

/// `engine`, and those that compute with it.
inline std::vector<Engine *> enginesOf(Engine &engine) {
  Peers *peers = engine.peers();
  return peers ? peers->all() : std::vector<Engine *>{&engine};
}

/// How engines are connected that compute together: as a machine's topology says, by their ordinals, or where it is
/// null as far as the system does. Nothing of processors.
inline Topology topologyOf(const std::vector<Engine *> &engines, const Topology *ofMachine) {
  Peers *peers = engines[0]->peers();
  if (!peers)
    return {};
  if (!ofMachine)
    return peers->topology();
  std::vector<int> ordinals;
  for (const Engine *engine : engines)
    ordinals.push_back(engine->ordinal());
  return ofMachine->of(ordinals, "the topology");
}

} // namespace gnn::rt

#endif // GNN_ENGINE_PEERS_H
