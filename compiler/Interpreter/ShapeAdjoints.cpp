//===- ShapeAdjoints.cpp - Adjoints of rearrangements and products --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of what Shapes.cpp evaluates.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Adjoints.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

void broadcastAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const std::vector<int64_t> sources = broadcastSources(value, dx, gradient);
  for (int64_t row = 0; row < gradient.rows; ++row)
    for (size_t i = 0; i < sources.size(); ++i)
      dx.row(row)[sources[i]] += gradient.row(row)[i];
}

/// Position of the first element that a max or min over a dimension selects.
static int64_t selectElement(Reduction reduction, const double *first, int64_t count, int64_t stride) {
  int64_t selected = 0;
  for (int64_t i = 1; i < count; ++i)
    if (beats(reduction, first[i * stride], first[selected * stride]))
      selected = i;
  return selected;
}

/// NaN if the one at `left` is infinite, as the quotient of the whole product by it.
static double productOfOthers(const double *first, int64_t count, int64_t stride, int64_t left) {
  double product = std::isinf(first[left * stride]) ? NAN : 1;
  for (int64_t i = 0; i < count; ++i)
    if (i != left)
      product *= first[i * stride];
  return product;
}

static void reduceRunAdjoint(Reduction reduction, const double *x, double *dx, int64_t count, int64_t stride,
                             double result, double gradient) {
  if (count == 0 || gradient == 0)
    return;
  if (reduction == Reduction::Max || reduction == Reduction::Min) {
    dx[selectElement(reduction, x, count, stride) * stride] += gradient;
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    double share = reduction == Reduction::Mean        ? 1.0 / count
                   : reduction == Reduction::LogSumExp ? std::exp(x[i * stride] - result)
                   : reduction == Reduction::Prod      ? productOfOthers(x, count, stride, i)
                                                       : 1.0;
    dx[i * stride] += gradient * share;
  }
}

void reduceAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0);
  OracleField &dx = state.adjoint(value, 0);
  const Around dims = around(x.shape, value.dims[0]);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t outer = 0; outer < dims.outer; ++outer)
      for (int64_t inner = 0; inner < dims.inner; ++inner) {
        const int64_t first = outer * dims.extent * dims.inner + inner, element = outer * dims.inner + inner;
        reduceRunAdjoint(value.reduction, x.row(row) + first, dx.row(row) + first, dims.extent, dims.inner,
                         result.row(row)[element], gradient.row(row)[element]);
      }
}

namespace {
/// A product [m, k] [k, n].
struct ProductExtents {
  int64_t m, k, n;
};
} // namespace

static void productAdjoint(const double *x, const double *w, const double *gradient, double *dx, double *dw,
                           ProductExtents extents) {
  const auto [m, k, n] = extents;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j) {
        const double g = gradient[i * n + j];
        if (g == 0) // of what is left out, which may be no number
          continue;
        dx[i * k + l] += g * w[l * n + j];
        dw[l * n + j] += g * x[i * k + l];
      }
}

void matMulAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0), &w = state.operand(value, 1);
  OracleField &dx = state.adjoint(value, 0), &dw = state.adjoint(value, 1);
  const ProductExtents extents = {around(x.shape, x.shape.size() - 1).outer, w.shape.front(), around(w.shape, 0).inner};
  for (int64_t row = 0; row < gradient.rows; ++row)
    productAdjoint(x.row(row), w.row(row), gradient.row(row), dx.row(row), dw.row(row), extents);
}

void typedMatMulAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0), &w = state.operand(value, 1), &index = state.operand(value, 2);
  OracleField &dx = state.adjoint(value, 0), &dw = state.adjoint(value, 1);
  const ProductExtents extents = {around(x.shape, x.shape.size() - 1).outer, w.shape[1], around(w.shape, 1).inner};
  for (int64_t row = 0; row < gradient.rows; ++row)
    if (std::optional<int64_t> i = indexAt(index, row, w.shape.front())) {
      const int64_t first = *i * extents.k * extents.n;
      productAdjoint(x.row(row), w.row(row) + first, gradient.row(row), dx.row(row), dw.row(row) + first, extents);
    }
}

void indexAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const OracleField &index = state.operand(value, 1);
  OracleField &dx = state.adjoint(value, 0);
  for (int64_t row = 0; row < gradient.rows; ++row)
    if (std::optional<int64_t> i = indexAt(index, row, dx.shape.front()))
      for (int64_t k = 0; k < gradient.rowSize(); ++k)
        dx.row(row)[*i * gradient.rowSize() + k] += gradient.row(row)[k];
}

void reshapeAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  for (size_t i = 0; i < gradient.data.size(); ++i)
    dx.data[i] += gradient.data[i];
}

void concatAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const Around whole = around(gradient.shape, value.dims[0]);
  for (int64_t row = 0; row < gradient.rows; ++row) {
    int64_t offset = 0;
    for (unsigned operand : value.operands) {
      OracleField &dx = state.adjoints[operand];
      const int64_t run = dx.shape[value.dims[0]] * whole.inner;
      for (int64_t outer = 0; outer < whole.outer; ++outer)
        for (int64_t i = 0; i < run; ++i)
          dx.row(row)[outer * run + i] += gradient.row(row)[outer * whole.extent * whole.inner + offset + i];
      offset += run;
    }
  }
}

void transposeAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const std::vector<int64_t> sources = transposeSources(value, dx);
  for (int64_t row = 0; row < gradient.rows; ++row)
    for (size_t i = 0; i < sources.size(); ++i)
      dx.row(row)[sources[i]] += gradient.row(row)[i];
}

void padAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const int64_t runs = around(dx.shape, dx.shape.size() - 1).outer;
  for (int64_t row = 0; row < gradient.rows; ++row)
    for (int64_t run = 0; run < runs; ++run)
      for (int64_t i = 0; i < dx.shape.back(); ++i)
        dx.row(row)[run * dx.shape.back() + i] += gradient.row(row)[run * gradient.shape.back() + i];
}

void sliceAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const Around whole = around(dx.shape, value.dims[0]), part = around(gradient.shape, value.dims[0]);
  const int64_t offset = *evaluateDim(state.context.model, state.context.bindings, value.offset);
  for (int64_t row = 0; row < gradient.rows; ++row)
    for (int64_t outer = 0; outer < whole.outer; ++outer)
      for (int64_t i = 0; i < part.extent; ++i)
        for (int64_t inner = 0; inner < whole.inner; ++inner)
          dx.row(row)[(outer * whole.extent + offset + i) * whole.inner + inner] +=
              gradient.row(row)[(outer * part.extent + i) * whole.inner + inner];
}

} // namespace gnnc
