//===- PlanTrialsTest.cpp - Which plan is the fastest ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/PlanTrials.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// Tries plans that take so long, the first run of each ten times as long. Returns which had a run, in turn.
std::vector<size_t> runsOf(PlanTrials &trials, const std::vector<double> &seconds) {
  std::vector<size_t> runs, seen(seconds.size());
  while (!trials.areOver()) {
    const size_t plan = trials.plan();
    runs.push_back(plan);
    trials.add(seconds[plan] * (seen[plan]++ == 0 ? 10 : 1));
  }
  return runs;
}

} // namespace

TEST_CASE("of one plan there is nothing to try") {
  CHECK(PlanTrials().areOver());
  CHECK(PlanTrials(1).areOver());
  CHECK(PlanTrials(1).plan() == 0);
}

TEST_CASE("plans run in turns, and the fastest stays") {
  PlanTrials trials(3);
  CHECK_FALSE(trials.areOver());
  CHECK(runsOf(trials, {1.0, 0.9, 1.05}) == std::vector<size_t>{0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(trials.plan() == 1);
}

TEST_CASE("what is much slower has two runs") {
  PlanTrials slower(3), slowest(2);
  CHECK(runsOf(slower, {1.0, 1.5, 0.8}) == std::vector<size_t>{0, 1, 2, 0, 1, 2, 2});
  CHECK(slower.plan() == 2);
  CHECK(runsOf(slowest, {1.0, 1.5}) == std::vector<size_t>{0, 1, 0, 1, 0});
  CHECK(slowest.plan() == 0);
}

TEST_CASE("the plan by counts stays unless another is clearly faster") {
  PlanTrials alike(2), faster(2);
  runsOf(alike, {1.0, 0.97});
  CHECK(alike.plan() == 0);
  runsOf(faster, {1.0, 0.94});
  CHECK(faster.plan() == 1);
}
