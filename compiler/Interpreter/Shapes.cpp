//===- Shapes.cpp - Values that rearrange or contract one row -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcast, reductions over a dimension, indexing, products with a parameter, reshape, transposition, concatenation,
// padding and slicing.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Evaluate.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

void evaluateBroadcast(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const std::vector<int64_t> sources = broadcastSources(value, x, result);
  for (int64_t row = 0; row < result.rows; ++row)
    for (size_t i = 0; i < sources.size(); ++i)
      result.row(row)[i] = x.row(row)[sources[i]];
}

static double reduceElements(Reduction reduction, const double *first, int64_t count, int64_t stride) {
  if (count == 0)
    return reduction == Reduction::Prod;
  double sum = 0, product = 1, best = first[0];
  bool hasZero = false; // which makes the product 0, also of what overflows, but for NaN
  for (int64_t i = 0; i < count; ++i) {
    double x = first[i * stride];
    sum += x;
    hasZero |= x == 0;
    product *= x != 0 ? x : 1;
    if ((reduction == Reduction::Max || reduction == Reduction::Min) && beats(reduction, x, best))
      best = x;
    if (reduction == Reduction::LogSumExp && beats(Reduction::Max, x, best))
      best = x;
  }
  if (reduction == Reduction::Sum)
    return sum;
  if (reduction == Reduction::Prod)
    return hasZero && !std::isnan(product) ? 0 : product;
  if (reduction == Reduction::Mean)
    return sum / count;
  if (reduction != Reduction::LogSumExp)
    return best;
  const double shift = shiftOf(best);
  double scaled = 0;
  for (int64_t i = 0; i < count; ++i)
    scaled += std::exp(first[i * stride] - shift);
  return shift + std::log(scaled);
}

void evaluateReduce(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const Around dims = around(x.shape, value.dims[0]);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t outer = 0; outer < dims.outer; ++outer)
      for (int64_t inner = 0; inner < dims.inner; ++inner)
        result.row(row)[outer * dims.inner + inner] = reduceElements(
            value.reduction, x.row(row) + outer * dims.extent * dims.inner + inner, dims.extent, dims.inner);
}

/// result [m, n] += x [m, k] w [k, n].
static void addProduct(const double *x, const double *w, double *result, int64_t m, int64_t k, int64_t n) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j)
        result[i * n + j] += x[i * k + l] * w[l * n + j];
}

void evaluateMatMul(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]], &w = values[value.operands[1]];
  const int64_t m = around(x.shape, x.shape.size() - 1).outer;
  for (int64_t row = 0; row < result.rows; ++row)
    addProduct(x.row(row), w.row(row), result.row(row), m, w.shape.front(), around(w.shape, 0).inner);
}

void evaluateIndex(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &table = values[value.operands[0]], &index = values[value.operands[1]];
  for (int64_t row = 0; row < result.rows; ++row)
    if (std::optional<int64_t> i = indexAt(index, row, table.shape.front()))
      std::copy_n(table.row(row) + *i * result.rowSize(), result.rowSize(), result.row(row));
}

void evaluateTypedMatMul(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]], &w = values[value.operands[1]], &index = values[value.operands[2]];
  const int64_t k = w.shape[1], n = around(w.shape, 1).inner;
  const int64_t m = around(x.shape, x.shape.size() - 1).outer;
  for (int64_t row = 0; row < result.rows; ++row)
    if (std::optional<int64_t> i = indexAt(index, row, w.shape.front()))
      addProduct(x.row(row), w.row(row) + *i * k * n, result.row(row), m, k, n);
}

void evaluateReshape(const Value &value, const OracleValues &values, OracleField &result) {
  result.data = values[value.operands[0]].data;
}

void evaluateConcat(const Value &value, const OracleValues &values, OracleField &result) {
  const Around whole = around(result.shape, value.dims[0]);
  for (int64_t row = 0; row < result.rows; ++row) {
    int64_t offset = 0;
    for (unsigned operand : value.operands) {
      const OracleField &x = values[operand];
      const int64_t run = x.shape[value.dims[0]] * whole.inner;
      for (int64_t outer = 0; outer < whole.outer; ++outer)
        std::copy_n(x.row(row) + outer * run, run, result.row(row) + outer * whole.extent * whole.inner + offset);
      offset += run;
    }
  }
}

void evaluateTranspose(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const std::vector<int64_t> sources = transposeSources(value, x);
  for (int64_t row = 0; row < result.rows; ++row)
    for (size_t i = 0; i < sources.size(); ++i)
      result.row(row)[i] = x.row(row)[sources[i]];
}

void evaluatePad(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const int64_t runs = around(x.shape, x.shape.size() - 1).outer;
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t run = 0; run < runs; ++run)
      std::copy_n(x.row(row) + run * x.shape.back(), x.shape.back(), result.row(row) + run * result.shape.back());
}

void evaluateSlice(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const Around whole = around(x.shape, value.dims[0]), part = around(result.shape, value.dims[0]);
  const int64_t offset = *evaluateDim(context.model, context.bindings, value.offset);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t outer = 0; outer < whole.outer; ++outer)
      for (int64_t i = 0; i < part.extent; ++i)
        for (int64_t inner = 0; inner < whole.inner; ++inner)
          result.row(row)[(outer * part.extent + i) * whole.inner + inner] =
              x.row(row)[(outer * whole.extent + offset + i) * whole.inner + inner];
}

} // namespace gnnc
