//===- GraphLife.h - How long somebody has a graph --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_GRAPHLIFE_H
#define GNN_GRAPH_GRAPHLIFE_H

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace gnn::rt {

/// The lifetime of a graph, or of a growing graph and its snapshots: it ends with the last of its owners.
class GraphLife {
public:
  /// Who keeps what was made of graphs, and gives it up with them.
  class Listener {
  public:
    virtual ~Listener() = default;
    /// One of the graphs has ended, on whichever thread that is.
    virtual void graphEnded() noexcept = 0;
  };

  GraphLife() = default;
  ~GraphLife() {
    for (const std::weak_ptr<Listener> &each : listeners)
      if (const std::shared_ptr<Listener> listener = each.lock())
        listener->graphEnded();
  }
  GraphLife(const GraphLife &) = delete;
  GraphLife &operator=(const GraphLife &) = delete;

  /// Calls it then, once however often this was said, if it is there still.
  void atEnd(const std::weak_ptr<Listener> &listener) const {
    const std::lock_guard<std::mutex> lock(mutex);
    listeners.erase(std::remove_if(listeners.begin(), listeners.end(),
                                   [&](const std::weak_ptr<Listener> &known) {
                                     return known.expired() ||
                                            (!known.owner_before(listener) && !listener.owner_before(known));
                                   }),
                    listeners.end());
    listeners.push_back(listener);
  }

private:
  mutable std::mutex mutex;
  mutable std::vector<std::weak_ptr<Listener>> listeners;
};

} // namespace gnn::rt

#endif // GNN_GRAPH_GRAPHLIFE_H
