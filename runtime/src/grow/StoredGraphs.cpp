//===- StoredGraphs.cpp - Stored rows by graph ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/StoredGraphs.h"

#include "runtime/src/grow/GrowingGraph.h"
#include "runtime/src/grow/GrownRows.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace gnn::rt {

namespace {

struct OfGraph {
  std::weak_ptr<const GraphLife> life;
  StoredGraphs::OfEpoch newest;
  StoredGraphs::OfEpoch before;           // of `served`, until one of the newest epoch is; may be null
  std::shared_ptr<const Snapshot> served; // without a life, which it would keep; may be null
};

/// A weak pointer that is locked to be compared might become the last one.
bool isOf(const OfGraph &graph, const Snapshot &snapshot) {
  return !graph.life.owner_before(snapshot.life) && !snapshot.life.owner_before(graph.life);
}

std::shared_ptr<const Snapshot> withLife(Snapshot snapshot, std::shared_ptr<const GraphLife> life) {
  snapshot.life = std::move(life);
  return std::make_shared<const Snapshot>(std::move(snapshot));
}

} // namespace

struct StoredGraphs::Graphs : GraphLife::Listener {
  OfGraph *find(const Snapshot &snapshot) {
    auto found = std::find_if(all.begin(), all.end(), [&](const OfGraph &graph) { return isOf(graph, snapshot); });
    return found == all.end() ? nullptr : &*found;
  }
  void graphEnded() noexcept override {
    std::vector<OfGraph> ended; // outlives the lock: it is large
    const std::lock_guard<std::mutex> lock(mutex);
    const auto end =
        std::stable_partition(all.begin(), all.end(), [](const OfGraph &of) { return !of.life.expired(); });
    std::move(end, all.end(), std::back_inserter(ended));
    all.erase(end, all.end());
  }

  std::mutex mutex;
  std::vector<OfGraph> all;
};

StoredGraphs::StoredGraphs() : graphs(std::make_shared<Graphs>()) {}

StoredGraphs::OfEpoch StoredGraphs::find(const Snapshot &snapshot) const {
  const std::lock_guard<std::mutex> lock(graphs->mutex);
  const OfGraph *known = graphs->find(snapshot);
  if (!known)
    return {nullptr, nullptr};
  return known->before.epoch == snapshot.epoch ? known->before : known->newest;
}

void StoredGraphs::put(const Snapshot &snapshot, std::shared_ptr<GrownRows> rows) {
  const std::lock_guard<std::mutex> lock(graphs->mutex);
  OfGraph *known = graphs->find(snapshot);
  if (!known) {
    known = &graphs->all.emplace_back(OfGraph{snapshot.life, {}, {}, nullptr});
    snapshot.life->atEnd(graphs);
  }
  if (known->served && known->served->epoch == known->newest.epoch)
    known->before = known->newest;
  known->newest = {snapshot.epoch, std::move(rows)};
}

void StoredGraphs::serve(const Snapshot &snapshot) {
  std::shared_ptr<const Snapshot> next = withLife(snapshot, nullptr);
  OfEpoch before; // with `next`, outlives the lock
  const std::lock_guard<std::mutex> lock(graphs->mutex);
  OfGraph *known = graphs->find(snapshot);
  if (!known || known->newest.epoch != snapshot.epoch || (known->served && known->served->number > snapshot.number))
    return;
  known->served.swap(next);
  std::swap(known->before, before);
}

std::shared_ptr<const Snapshot> StoredGraphs::served(const Snapshot &snapshot) const {
  const std::lock_guard<std::mutex> lock(graphs->mutex);
  const OfGraph *known = graphs->find(snapshot);
  return known && known->served ? withLife(*known->served, snapshot.life) : nullptr;
}

void StoredGraphs::clear() {
  std::vector<OfGraph> cleared; // outlives the lock
  const std::lock_guard<std::mutex> lock(graphs->mutex);
  for (OfGraph &of : graphs->all)
    cleared.push_back({{}, std::exchange(of.newest, {}), std::exchange(of.before, {}), std::move(of.served)});
}

size_t StoredGraphs::size() const {
  const std::lock_guard<std::mutex> lock(graphs->mutex);
  return size_t(
      std::count_if(graphs->all.begin(), graphs->all.end(), [](const OfGraph &of) { return bool(of.newest.epoch); }));
}

} // namespace gnn::rt
