//===- TriedPlans.h - What sweeps learn from their first runs ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of all programs that an engine has made ready; several threads may run them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_TRIEDPLANS_H
#define GNN_CPU_TRIEDPLANS_H

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gnn::rt {

/// The parts in which a sweep stays to go, the fastest of `ways`.
struct TriedPlan {
  std::string program, kernel;
  int64_t partitions, passes, ways;
};

class TriedPlans {
public:
  /// A sweep of this program begins to try.
  void begin(const std::string &program) {
    std::lock_guard<std::mutex> lock(changing);
    ++trying[program];
  }
  /// It has found its plan.
  void settle(TriedPlan plan) {
    std::lock_guard<std::mutex> lock(changing);
    --trying[plan.program];
    settled.push_back(std::move(plan));
  }
  /// It goes before it has.
  void giveUp(const std::string &program) {
    std::lock_guard<std::mutex> lock(changing);
    --trying[program];
  }

  /// Whether a sweep of the program tries still.
  bool isTrying(const std::string &program) const {
    std::lock_guard<std::mutex> lock(changing);
    const auto found = trying.find(program);
    return found != trying.end() && found->second > 0;
  }
  std::vector<TriedPlan> all() const {
    std::lock_guard<std::mutex> lock(changing);
    return settled;
  }

private:
  mutable std::mutex changing;
  std::map<std::string, int64_t> trying; // sweeps by program
  std::vector<TriedPlan> settled;
};

} // namespace gnn::rt

#endif // GNN_CPU_TRIEDPLANS_H
