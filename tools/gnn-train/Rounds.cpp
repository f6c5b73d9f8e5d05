//===- Rounds.cpp - Fair measurements -------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Rounds.h"

#include <algorithm>

namespace gnn::train_tool {

void Rounds::add(size_t version, const std::map<std::string, double> &seconds) {
  for (const auto &[name, value] : seconds)
    measured[version][name].push_back(value);
}

size_t Rounds::rounds(size_t version) const {
  return measured[version].empty() ? 0 : measured[version].begin()->second.size();
}

std::map<std::string, double> Rounds::medians(size_t version) const {
  std::map<std::string, double> result;
  for (const auto &[name, values] : measured[version]) {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    size_t middle = sorted.size() / 2;
    result[name] = sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
  return result;
}

void Rounds::leaveOutSlow() {
  std::map<std::string, double> best;
  for (size_t version = 0; version < measured.size(); ++version)
    for (const auto &[name, seconds] : medians(version))
      if (auto [known, isNew] = best.emplace(name, seconds); !isNew)
        known->second = std::min(known->second, seconds);
  for (size_t version = 1; version < measured.size(); ++version) { // the first is what others are compared with
    std::map<std::string, double> own = medians(version);
    out[version] = out[version] || std::all_of(own.begin(), own.end(), [&](const auto &entry) {
                     return entry.second > hopeless * best[entry.first];
                   });
  }
}

bool Rounds::endRound(double spent, double budget) {
  ++done;
  if (done == fewest)
    leaveOutSlow();
  return done >= most || (done >= fewest && spent >= budget);
}

} // namespace gnn::train_tool
