//===- Losses.cpp - One number for every vertex ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross entropy, binary cross entropy on logits and mean squared error of one vertex.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Evaluate.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

/// -log softmax(logits)[label]. A label outside the classes marks an unlabelled vertex and costs nothing.
static double crossEntropy(const double *logits, int64_t classes, int64_t label) {
  if (label < 0 || label >= classes)
    return 0;
  const double shift = shiftOf(*std::max_element(logits, logits + classes));
  double sum = 0;
  for (int64_t i = 0; i < classes; ++i)
    sum += std::exp(logits[i] - shift);
  return shift - logits[label] + std::log(sum);
}

/// -(t log sigmoid(x) + (1 - t) log(1 - sigmoid(x))), without overflow.
static double binaryCrossEntropy(double x, double t) {
  return std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::fabs(x)));
}

void evaluateLoss(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]], &target = values[value.operands[1]];
  const int64_t size = x.rowSize();
  for (int64_t row = 0; row < result.rows; ++row) {
    if (value.kind == ValueKind::CrossEntropy) {
      result.row(row)[0] = crossEntropy(x.row(row), size, int64_t(target.row(row)[0]));
      continue;
    }
    double sum = 0;
    for (int64_t i = 0; i < size; ++i) {
      double difference = x.row(row)[i] - target.row(row)[i];
      sum += value.kind == ValueKind::MeanSquaredError ? difference * difference
                                                       : binaryCrossEntropy(x.row(row)[i], target.row(row)[i]);
    }
    result.row(row)[0] = size == 0 ? 0 : sum / size;
  }
}

} // namespace gnnc
