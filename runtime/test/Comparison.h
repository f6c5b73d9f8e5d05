//===- Comparison.h - How far results are apart -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_COMPARISON_H
#define GNN_TEST_COMPARISON_H

#include "runtime/src/core/Tensor.h"

#include <cmath>

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

#endif // GNN_TEST_COMPARISON_H
