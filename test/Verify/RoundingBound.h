//===- RoundingBound.h - What rounding may cost -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_ROUNDINGBOUND_H
#define GNNC_TEST_VERIFY_ROUNDINGBOUND_H

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace gnnc::verify {

/// How far two numbers are apart; 0 for any two NaN, infinity for what is no number.
inline double distance(double actual, double expected) {
  if (std::isnan(actual) && std::isnan(expected))
    return 0;
  if (actual == expected)
    return 0;
  const double difference = std::fabs(actual - expected);
  return std::isfinite(difference) ? difference : HUGE_VAL;
}

/// The rounding error that each number of each array may have: how far samples of the oracle lie apart when it rounds
/// more coarsely than compiled code. The oracle computes the expression as it is written, so this bounds what the
/// source costs, and nothing that the compiler makes of it.
class RoundingBound {
public:
  explicit RoundingBound(double rounding) : rounding(rounding) {}

  /// Widens the bound of array `what` by one sample of the oracle. `floor` is not used.
  void compare(const std::string &what, const std::vector<double> &moved, const std::vector<double> &expected,
               double /*floor*/) {
    std::vector<Moves> &moves = arrays[what];
    moves.resize(expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const double by = distance(moved[i], expected[i]);
      double &farthest = moved[i] < expected[i] ? moves[i].down : moves[i].up;
      farthest = std::max(farthest, by);
    }
  }
  void fail(const std::string &) {}

  double of(const std::string &what, size_t element, double expected) const {
    // A dozen samples seldom meet the worst of what rounding does where slopes are steep: hence twice.
    return 2 * arrays.at(what)[element].range() + rounding * std::fabs(expected) + underflow;
  }
  bool isFinite() const {
    return llvm::all_of(arrays, [](const auto &array) {
      return llvm::all_of(array.second, [](Moves moves) { return std::isfinite(moves.range()); });
    });
  }

private:
  /// Numbers of f32 that are 0 instead, times factors of the size of an offset.
  static constexpr double underflow = 1e8 * std::numeric_limits<float>::min();

  struct Moves {
    double up = 0, down = 0;
    double range() const { return up + down; }
  };

  double rounding;
  std::map<std::string, std::vector<Moves>> arrays;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_ROUNDINGBOUND_H
