//===- GraphLife.h - How long somebody has a graph --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_GRAPHLIFE_H
#define GNN_GROW_GRAPHLIFE_H

#include <functional>
#include <mutex>
#include <vector>

namespace gnn::rt {

/// Of a graph that grows: shared by it and its snapshots, so that it ends with the last of them.
class GraphLife {
public:
  GraphLife() = default;
  ~GraphLife() {
    for (const std::function<void()> &end : ends)
      end();
  }
  GraphLife(const GraphLife &) = delete;
  GraphLife &operator=(const GraphLife &) = delete;

  /// Calls `end` then, on whichever thread that is: it must not throw.
  void atEnd(std::function<void()> end) const {
    const std::lock_guard<std::mutex> lock(mutex);
    ends.push_back(std::move(end));
  }

private:
  mutable std::mutex mutex;
  mutable std::vector<std::function<void()>> ends;
};

} // namespace gnn::rt

#endif // GNN_GROW_GRAPHLIFE_H
