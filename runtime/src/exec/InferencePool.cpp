//===- InferencePool.cpp - Calls of inference at the same time ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/InferencePool.h"

#include <algorithm>

namespace gnn::rt {

void InferencePool::Lane::forget() {
  try {
    engine.settle();
  } catch (const std::exception &) { // the engine failed: the next call says so
  }
  inference.dropExecutors();
  inference.binding.reset();
}

InferencePool::Lease::~Lease() {
  if (lane->hasEnded())
    lane->forget();
  if (const std::unique_ptr<Binding> &binding = lane->inference.binding)
    binding->releaseInputs();
  {
    std::lock_guard<std::mutex> lock(pool.mutex);
    pool.idle.push_back(std::move(lane)); // there is room
  }
  pool.returned.notify_one();
}

/// Null if the machine has no other engine.
std::unique_ptr<InferencePool::Lane> InferencePool::makeLane() {
  std::unique_ptr<Engine> other = numLanes ? own.another() : nullptr;
  if (numLanes && !other)
    return nullptr;
  idle.reserve(numLanes + 1);
  Engine &engine = other ? *other : own;
  std::unique_ptr<Lane> lane(new Lane{std::move(other), engine});
  ++numLanes;
  return lane;
}

InferencePool::Lease InferencePool::take(const std::shared_ptr<const Graph> &graph) {
  std::unique_lock<std::mutex> lock(mutex);
  if (idle.empty())
    if (std::unique_ptr<Lane> lane = makeLane())
      return {*this, std::move(lane)};
  returned.wait(lock, [this] { return !idle.empty(); });
  auto found = std::find_if(idle.rbegin(), idle.rend(),
                            [&](const std::unique_ptr<Lane> &lane) { return lane->inference.isOf(graph); });
  auto at = found == idle.rend() ? idle.begin() : std::prev(found.base());
  std::unique_ptr<Lane> lane = std::move(*at);
  idle.erase(at);
  return {*this, std::move(lane)};
}

void InferencePool::forgetEnded() {
  auto takeEnded = [this]() -> std::unique_ptr<Lane> {
    const std::lock_guard<std::mutex> lock(mutex);
    auto found =
        std::find_if(idle.begin(), idle.end(), [](const std::unique_ptr<Lane> &lane) { return lane->hasEnded(); });
    if (found == idle.end())
      return nullptr;
    std::unique_ptr<Lane> lane = std::move(*found);
    idle.erase(found);
    return lane;
  };
  while (std::unique_ptr<Lane> lane = takeEnded())
    const Lease ended(*this, std::move(lane)); // forgets as it ends
}

} // namespace gnn::rt
