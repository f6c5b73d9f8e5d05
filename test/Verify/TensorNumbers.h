//===- TensorNumbers.h - Tensors of the oracle's numbers --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_TENSORNUMBERS_H
#define GNNC_TEST_VERIFY_TENSORNUMBERS_H

#include "runtime/src/core/Tensor.h"
#include <vector>

namespace gnnc::verify {

inline gnn::rt::Tensor tensorOf(const std::vector<double> &numbers, uint32_t element, std::vector<int64_t> shape) {
  gnn::rt::Tensor doubles = gnn::rt::Tensor::of(numbers, std::move(shape));
  return element == GNN_F64 ? doubles : doubles.converted(element, "scenario");
}

inline std::vector<double> numbersOf(const gnn::rt::Tensor &tensor) {
  const gnn::rt::Tensor doubles = tensor.element() == GNN_F64 ? tensor : tensor.converted(GNN_F64, "result");
  return {doubles.data<double>(), doubles.data<double>() + doubles.count()};
}

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_TENSORNUMBERS_H
