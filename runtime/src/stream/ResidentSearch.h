//===- ResidentSearch.h - What stays in memory as a whole -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for tables and edges to keep in memory, shared by the planners of a graph and of a shape.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_RESIDENTSEARCH_H
#define GNN_STREAM_RESIDENTSEARCH_H

#include "runtime/src/stream/SpilledData.h"

#include <algorithm>

namespace gnn::rt {

/// So many times the fewest intervals are tried: smaller intervals leave more memory for tables that stay.
constexpr int64_t mostTimesFewest = 8;
/// Bytes of a file that are read while a step is asked for and its threads are woken.
constexpr uint64_t bytesOfStepCall = 64 << 10;

/// Tables and edges that may stay in memory.
class ResidentSearch {
public:
  /// `saved`: bytes that a run moves less with it; `held`: bytes that it takes.
  void add(Residents candidate, uint64_t saved, uint64_t held) {
    candidates.push_back({double(saved) / double(held), std::move(candidate)});
  }
  /// Once all are added: the one that saves most for each byte becomes the first.
  void sort() {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
  }

  /// Calls `body` with each, the best first.
  template <class Body> void forEach(const Body &body) const {
    for (const auto &[worth, candidate] : candidates)
      body(candidate);
  }

  /// Adds candidates to `kept`, of which `best` is the plan, as long as one gives a plan of lower cost that fits. Edges
  /// save something once all cols of a sweep are in memory, so those that did not are tried again. `planFor` returns
  /// the plan of some residents.
  template <class Plan, class PlanFor, class Fits>
  Plan keepMost(Residents kept, Plan best, const PlanFor &planFor, const Fits &fits) const {
    for (bool hasMore = true; hasMore;) {
      hasMore = false;
      for (const auto &[worth, candidate] : candidates) {
        Residents more = both(kept, candidate);
        const Plan plan = planFor(more);
        if (!fits(plan) || plan.cost >= best.cost)
          continue;
        best = plan;
        kept = std::move(more);
        hasMore = true;
      }
    }
    return best;
  }

private:
  std::vector<std::pair<double, Residents>> candidates;
};

} // namespace gnn::rt

#endif // GNN_STREAM_RESIDENTSEARCH_H
