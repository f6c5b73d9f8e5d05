//===- TriedPlans.h - What sweeps learn from their first runs ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tried plans of all programs that an engine has prepared. Thread safe.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_TRIEDPLANS_H
#define GNN_CPU_TRIEDPLANS_H

#include "runtime/src/engine/Engine.h"

#include <map>
#include <mutex>
#include <utility>

namespace gnn::rt {

class TriedPlans {
public:
  /// A sweep begins to try: its number among these.
  size_t begin(TriedPlan plan) {
    std::lock_guard<std::mutex> lock(changing);
    plans.emplace(next, std::move(plan));
    return next++;
  }
  /// It stays with the way `taken`; its ways took so many seconds.
  void settle(size_t number, size_t taken, const std::vector<double> &seconds) {
    std::lock_guard<std::mutex> lock(changing);
    TriedPlan &plan = plans.at(number);
    plan.taken = taken;
    for (size_t i = 0; i < seconds.size(); ++i)
      plan.ways[i].seconds = seconds[i];
  }
  /// It goes before it has found one.
  void giveUp(size_t number) {
    std::lock_guard<std::mutex> lock(changing);
    plans.erase(number);
  }

  /// In the order in which they began.
  std::vector<TriedPlan> all() const {
    std::lock_guard<std::mutex> lock(changing);
    std::vector<TriedPlan> list;
    for (const auto &[number, plan] : plans)
      list.push_back(plan);
    return list;
  }

private:
  mutable std::mutex changing;
  std::map<size_t, TriedPlan> plans; // by number
  size_t next = 0;
};

} // namespace gnn::rt

#endif // GNN_CPU_TRIEDPLANS_H
