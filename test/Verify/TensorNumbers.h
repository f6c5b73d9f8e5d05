//===- TensorNumbers.h - Tensors of the oracle's numbers --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_TENSORNUMBERS_H
#define GNNC_TEST_VERIFY_TENSORNUMBERS_H

#include "gnn/error.hpp"
#include "runtime/src/core/Tensor.h"
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace gnnc::verify {

/// Throws an internal error if `shape` has another number of elements than there are `numbers`.
inline gnn::rt::Tensor tensorOf(const std::vector<double> &numbers, uint32_t element, std::vector<int64_t> shape) {
  const int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
  if (count != int64_t(numbers.size()))
    throw gnn::Error(GNN_ERROR_INTERNAL,
                     std::to_string(numbers.size()) + " numbers for a tensor of " + std::to_string(count));
  gnn::rt::Tensor doubles = gnn::rt::Tensor::of(numbers, std::move(shape));
  return element == GNN_F64 ? doubles : doubles.converted(element, "scenario");
}

inline std::vector<double> numbersOf(const gnn::rt::Tensor &tensor) {
  const gnn::rt::Tensor doubles = tensor.element() == GNN_F64 ? tensor : tensor.converted(GNN_F64, "result");
  return {doubles.data<double>(), doubles.data<double>() + doubles.count()};
}

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_TENSORNUMBERS_H
