//===- PlanTrials.cpp - Which plan is the fastest -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/PlanTrials.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

PlanChoice parsePlanChoice(const std::string &text, const char *what) {
  require(text == "tried" || text == "counted", GNN_ERROR_ARGUMENT, what, ": '", text,
          "' is no way to plan; there are tried and counted");
  return text == "tried" ? PlanChoice::Tried : PlanChoice::Counted;
}

void PlanTrials::add(double seconds) {
  assert(!over && "after the trials nothing is measured");
  least[next] = round == 0 ? seconds : std::min(least[next], seconds);
  do {
    if (++next < least.size())
      continue;
    next = 0;
    ++round;
  } while (round < rounds && isHopeless(next));
  over = round == rounds;
  if (over)
    next = fastest();
}

bool PlanTrials::isHopeless(size_t plan) const {
  return round >= 2 && least[plan] > hopeless * *std::min_element(least.begin(), least.end());
}

size_t PlanTrials::fastest() const {
  const size_t best = size_t(std::min_element(least.begin(), least.end()) - least.begin());
  return least[best] <= worthwhile * least[0] ? best : 0;
}

} // namespace gnn::rt
