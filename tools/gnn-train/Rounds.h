//===- Rounds.h - Fair measurements -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions of a program are measured in turns, so that a slow moment of the machine meets all of them. What is clearly
// slower in everything is left out of later rounds. Knows no clock: it is told what was measured.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_ROUNDS_H
#define GNN_TOOLS_TRAIN_ROUNDS_H

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gnn::train_tool {

class Rounds {
public:
  static constexpr size_t fewest = 3, most = 200;
  static constexpr double hopeless = 1.5; // times the best median, in all that is measured

  explicit Rounds(size_t versions) : measured(versions), out(versions, false) {}

  /// Seconds by name of one run of a version.
  void add(size_t version, const std::map<std::string, double> &seconds);
  /// After every version that is still in was added once; `spent` and `budget` in seconds. Whether that was enough.
  bool endRound(double spent, double budget);

  bool isOut(size_t version) const { return out[version]; }
  size_t rounds(size_t version) const;
  /// Median seconds by name.
  std::map<std::string, double> medians(size_t version) const;

private:
  void leaveOutSlow();

  std::vector<std::map<std::string, std::vector<double>>> measured;
  std::vector<bool> out;
  size_t done = 0;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_ROUNDS_H
