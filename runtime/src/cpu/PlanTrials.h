//===- PlanTrials.h - Which plan is the fastest -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step that runs again and again may try several plans of equal bits in its first runs, one after the other, and stay
// with the fastest. Knows no clock: it is told what was measured.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_PLANTRIALS_H
#define GNN_CPU_PLANTRIALS_H

#include <cstddef>
#include <string>
#include <vector>

namespace gnn::rt {

/// How a step is planned that several plans suit: by trials of its first runs, or by counts alone.
enum class PlanChoice { Tried, Counted };
/// "tried" or "counted"; throws GNN_ERROR_ARGUMENT for others. `what` names the setting.
PlanChoice parsePlanChoice(const std::string &text, const char *what);

class PlanTrials {
public:
  /// Each plan has so many runs, in turns. The first run of a plan touches its memory: the least counts.
  static constexpr int rounds = 3;
  /// A plan is tried no more once it had two runs of so many times the least.
  static constexpr double hopeless = 1.2;
  /// Another plan than the first must take at most this share of the first one's time.
  static constexpr double worthwhile = 0.95;

  /// Trials of `plans` plans; a single plan needs no trial.
  explicit PlanTrials(size_t plans = 1) : least(plans), over(plans < 2) {}

  bool areOver() const { return over; }
  /// The plan of the next run; after the trials that of all.
  size_t plan() const { return next; }
  /// The least that each plan has taken.
  const std::vector<double> &seconds() const { return least; }
  /// After a run of it.
  void add(double seconds);

private:
  bool isHopeless(size_t plan) const;
  size_t fastest() const;

  std::vector<double> least; // [plans] seconds
  size_t next = 0;
  int round = 0;
  bool over;
};

} // namespace gnn::rt

#endif // GNN_CPU_PLANTRIALS_H
