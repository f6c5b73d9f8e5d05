//===- InferencePool.h - Calls of inference at the same time ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any number of threads may infer with one model. They share its parameters; each call has an engine, and what was
// prepared on it, to itself. What a call leaves serves a later one, as long as somebody has the graph.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_INFERENCEPOOL_H
#define GNN_EXEC_INFERENCEPOOL_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/Executor.h"
#include "runtime/src/exec/InferAt.h"
#include "runtime/src/exec/Pullback.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace gnn::rt {

/// A differentiable function over a graph: `results` of a program of this kind.
struct PullbackPlan {
  std::shared_ptr<const Graph> graph;
  uint32_t kind; // GNN_PROGRAM_VJP or GNN_PROGRAM_VJP_TRAIN
  std::vector<uint32_t> results;
};

/// Programs prepared for a graph and inputs.
struct Inference {
  std::weak_ptr<const Graph> graph; // when nobody else has it, all of this is given up
  std::unique_ptr<Binding> binding;
  std::unique_ptr<Executor> whole; // over the binding, or null: no call has needed it
  std::unique_ptr<InferAt> at;     // the same, for some vertices
  std::map<std::weak_ptr<const PullbackPlan>, std::unique_ptr<Pullback>, std::owner_less<>> pullbacks; // the same

  bool isOf(const std::shared_ptr<const Graph> &other) const {
    return binding && !graph.owner_before(other) && !other.owner_before(graph); // locked, it might be the last one
  }
  /// Gives up what reads the binding.
  void dropExecutors() {
    whole.reset();
    at.reset();
    pullbacks.clear();
  }
};

class InferencePool {
  struct Lane {
    std::unique_ptr<Engine> other; // null: the model's
    Engine &engine;
    Inference inference{}; // on the engine

    bool hasEnded() const { return inference.binding && inference.graph.expired(); }
    void forget();
  };

public:
  /// `own` is the engine of the model, which computes where no call is beside another.
  explicit InferencePool(Engine &own) : own(own) {}

  /// Exclusive use of a lane of the pool by one call, for as long as the lease lives.
  class Lease {
  public:
    Lease(InferencePool &pool, std::unique_ptr<Lane> lane) : pool(pool), lane(std::move(lane)) {}
    ~Lease();
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;

    Engine &engine() const { return lane->engine; }
    /// The inference that an earlier call left in the lane; empty before the first call.
    Inference &inference() const { return lane->inference; }

  private:
    InferencePool &pool;
    std::unique_ptr<Lane> lane;
  };

  /// One with what was prepared for `graph`, if there is one that no call has; else the one that was not used for the
  /// longest time, or a new one. Where the machine has no other engine this waits for the call that has it.
  Lease take(const std::shared_ptr<const Graph> &graph);

  /// Gives up what was prepared for graphs that nobody has any more, but for what a call has: that follows when it
  /// ends.
  void forgetEnded();

private:
  std::unique_ptr<Lane> makeLane();

  Engine &own;
  std::mutex mutex; // of all that follows
  std::condition_variable returned;
  size_t numLanes = 0;
  std::vector<std::unique_ptr<Lane>> idle; // the one that was used last is the last
};

} // namespace gnn::rt

#endif // GNN_EXEC_INFERENCEPOOL_H
