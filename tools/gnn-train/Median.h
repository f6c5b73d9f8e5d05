//===- Median.h - The median of some numbers --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_MEDIAN_H
#define GNN_TOOLS_TRAIN_MEDIAN_H

#include <algorithm>
#include <vector>

namespace gnn::train_tool {

/// The number in the middle, of an even count the greater of two; 0 of none.
inline double median(std::vector<double> numbers) {
  if (numbers.empty())
    return 0;
  const auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_MEDIAN_H
