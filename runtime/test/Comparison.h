//===- Comparison.h - How far results are apart -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_COMPARISON_H
#define GNN_TEST_COMPARISON_H

#include "runtime/src/program/Library.h"

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// The largest difference of two results by the largest number; what is not finite is infinitely far from all.
struct Comparison {
  double largest = 1e-30, difference = 0;

  void add(const gnn::rt::Tensor &expected, const gnn::rt::Tensor &got) {
    for (int64_t i = 0; i < expected.count(); ++i) {
      const double a = numberAt(expected, i), apart = std::abs(a - numberAt(got, i));
      largest = std::max(largest, std::abs(a));
      difference = std::max(difference, std::isfinite(apart) ? apart : INFINITY);
    }
  }
  double relative() const { return difference / largest; }
};

/// Of the results of a program, by name. Gradients are one vector: one of them that cancels has but noise.
class Comparisons {
public:
  void add(const gnn_tensor_info_t &result, const gnn::rt::Tensor &expected, const gnn::rt::Tensor &got) {
    byName[result.role == GNN_ROLE_GRAD ? "the gradient" : result.name].add(expected, got);
  }
  /// A line for each that is further apart than `tolerance`.
  std::vector<std::string> beyond(double tolerance) const {
    std::vector<std::string> lines;
    for (const auto &[name, comparison] : byName)
      if (!(comparison.relative() <= tolerance)) {
        std::ostringstream line;
        line << name << " differs by " << comparison.relative() << " of its largest number";
        lines.push_back(line.str());
      }
    return lines;
  }

private:
  std::map<std::string, Comparison> byName;
};

#endif // GNN_TEST_COMPARISON_H
