//===- BranchCoverage.cpp - Sides of `if` that are checked ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices of a run, and the runs that are left.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/BranchCoverage.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gnnc;

bool BranchCoverage::isComplete() {
  while (!left.empty() && covered.count(left.back().back()))
    left.pop_back();
  return left.empty();
}

bool BranchCoverage::startNext() {
  if (isComplete() || ++numRuns > maxRuns)
    return false;
  required = {left.back().begin(), left.back().end()};
  left.pop_back();
  taken.clear();
  parameters.clear();
  hypothetical = false;
  return true;
}

bool BranchCoverage::choose(Node node, bool value, llvm::StringRef parameter) {
  auto found = required.find(node);
  Side side{node, found == required.end() ? value : found->second};
  auto first = parameters.end();
  if (!parameter.empty()) {
    first = parameters.emplace(parameter, side).first;
    side.second = first->second.second;
  }
  hypothetical |= side.second != value;
  covered.insert(side);
  if (!llvm::is_contained(taken, side))
    taken.push_back(side);
  const Side other{node, !side.second};
  if (!covered.count(other) && queued.size() < maxRuns && queued.insert(other).second) {
    std::vector<Side> path(taken.begin(), llvm::find(taken, side));
    if (first != parameters.end())
      std::replace(path.begin(), path.end(), first->second, Side{first->second.first, other.second});
    path.push_back(other);
    left.push_back(std::move(path));
  }
  return side.second;
}
