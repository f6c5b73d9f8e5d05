//===- BranchCoverage.h - Sides of `if` that are checked --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An `if` over constants expands to one of its sides. The other side is checked as well: by a further run over the
// component, which begins with the same choices, takes the other side, and whose model is thrown away.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_BRANCHCOVERAGE_H
#define GNNC_FRONTEND_SEMA_BRANCHCOVERAGE_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <vector>

namespace gnnc {

/// Names of a component that its runs have come to, by where they stand.
struct NameUses {
  std::set<const char *> definitions, reads;
  bool skipsRepeat = false; // a `repeat` of 0 iterations, in which nothing is read
};

/// The sides of the `if`s of one component that runs have evaluated, and those that are left.
class BranchCoverage {
public:
  /// An `if` statement or expression of the syntax tree.
  using Node = const void *;

  /// Begins a run that takes a side which no run has taken; false if there is none.
  bool startNext();
  /// The side of `node` that the run takes, where its condition has the value `value`. All conditions that are the
  /// parameter `parameter` have one value in a run; empty: the condition is none.
  bool choose(Node node, bool value, llvm::StringRef parameter);
  /// True if all sides that runs came to have been taken.
  bool isComplete();
  /// True for all runs but the first, whose model is kept.
  bool isFurtherRun() const { return numRuns > 0; }
  /// True if the run has taken a side that its condition excludes: what depends on values of constants is not to be
  /// checked.
  bool isHypothetical() const { return hypothetical; }

  NameUses names;

private:
  static constexpr size_t maxRuns = 256;

  using Side = std::pair<Node, bool>;
  std::vector<Side> taken;       // in this run, in the order in which they were come to
  std::map<Node, bool> required; // in this run
  std::map<llvm::StringRef, Side> parameters; // in this run: where each was decided first
  std::set<Side> covered, queued;
  std::vector<std::vector<Side>> left; // each with the sides before it
  size_t numRuns = 0;
  bool hypothetical = false;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_BRANCHCOVERAGE_H
