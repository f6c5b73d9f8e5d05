//===- RoundTicks.cpp - Where axes have numbers ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/RoundTicks.h"

#include <algorithm>
#include <cmath>

namespace gnn::tools {

std::vector<double> roundTicks(double from, double to, int most, double least) {
  double step = std::pow(10, std::floor(std::log10(std::max((to - from) / most, 1e-300))));
  for (double factor : {1.0, 2.0, 5.0, 10.0})
    if (factor * step >= (to - from) / most || factor == 10) {
      step *= factor;
      break;
    }
  step = std::max(step, least);
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double multiple = std::ceil((from - slack) / step); multiple * step <= to + slack; ++multiple)
    ticks.push_back(multiple == 0 ? 0 : multiple * step); // no -0
  return ticks;
}

} // namespace gnn::tools
