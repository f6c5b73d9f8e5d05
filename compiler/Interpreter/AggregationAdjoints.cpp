//===- AggregationAdjoints.cpp - Adjoints of what looks along edges -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of what Aggregation.cpp and Losses.cpp evaluate.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Adjoints.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

void readAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const OracleGraph &graph = state.context.relation(value.relation);
  const std::vector<int64_t> &vertexOf = value.kind == ValueKind::ReadSource ? graph.src : graph.dst;
  for (int64_t edge = 0; edge < gradient.rows; ++edge)
    for (int64_t i = 0; i < gradient.rowSize(); ++i)
      dx.row(vertexOf[edge])[i] += gradient.row(edge)[i];
}

/// Product of element `element` over all of `edges` but the one at `left`; NaN if that is infinite, as the quotient of
/// the whole product by it.
static double productOfOthers(const OracleField &x, const std::vector<int64_t> &edges, size_t left, int64_t element) {
  double product = std::isinf(x.row(edges[left])[element]) ? NAN : 1;
  for (size_t i = 0; i < edges.size(); ++i)
    if (i != left)
      product *= x.row(edges[i])[element];
  return product;
}

/// Passes `gradient` of a reduction of element `element` over `edges`, or vertices, back to them. `meanFactor` is how
/// the mean of a variance is rounded.
static void elementAdjoint(Reduction reduction, const OracleField &x, OracleField &dx,
                           const std::vector<int64_t> &edges, int64_t element, double result, double gradient,
                           double meanFactor) {
  if (edges.empty() || gradient == 0) // 0 also of what is left out, which may be no number
    return;
  if (reduction == Reduction::Max || reduction == Reduction::Min) {
    dx.row(selectEdge(reduction, x, edges, element))[element] += gradient;
    return;
  }
  double mean = 0;
  for (int64_t edge : edges)
    mean += meanFactor * x.row(edge)[element] / edges.size();
  for (size_t i = 0; i < edges.size(); ++i) {
    double share = reduction == Reduction::Mean        ? 1.0 / edges.size()
                   : reduction == Reduction::Var       ? 2 * (x.row(edges[i])[element] - mean) / edges.size()
                   : reduction == Reduction::LogSumExp ? std::exp(x.row(edges[i])[element] - result)
                   : reduction == Reduction::Prod      ? productOfOthers(x, edges, i, element)
                                                       : 1.0;
    dx.row(edges[i])[element] += gradient * share;
  }
}

void aggregateAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  if (value.reduction == Reduction::Count)
    return;
  const OracleField &x = state.operand(value, 0);
  OracleField &dx = state.adjoint(value, 0);
  for (int64_t row = 0; row < result.rows; ++row)
    for (const EdgeGroup &group : edgeGroups(state.context, value, state.values, result, row))
      for (int64_t i = 0; i < x.rowSize(); ++i)
        elementAdjoint(value.reduction, x, dx, group.edges, i, result.row(row)[group.offset + i],
                       gradient.row(row)[group.offset + i], state.context.roundingOfMean(row, group.offset + i));
}

void totalAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0);
  const std::vector<int64_t> vertices = state.context.verticesOf(value, x.rows);
  for (int64_t i = 0; i < x.rowSize(); ++i)
    elementAdjoint(value.reduction, x, state.adjoint(value, 0), vertices, i, 0, gradient.data[i],
                   state.context.roundingOfMean(0, i));
}

void softmaxAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const int64_t numRows = state.context.rows(value.relation, value.toward).size();
  for (int64_t row = 0; row < numRows; ++row) {
    const std::vector<int64_t> edges = participatingEdges(state.context, value, state.values, row);
    for (int64_t i = 0; i < result.rowSize(); ++i) {
      if (std::all_of(edges.begin(), edges.end(), [&](int64_t edge) { return gradient.row(edge)[i] == 0; }))
        continue; // also of weights that are left out, which may be no numbers
      double mean = 0;
      for (int64_t edge : edges)
        mean += result.row(edge)[i] * gradient.row(edge)[i];
      for (int64_t edge : edges)
        dx.row(edge)[i] += result.row(edge)[i] * (gradient.row(edge)[i] - mean);
    }
  }
}

static void crossEntropyAdjoint(const double *logits, double *adjoint, int64_t classes, int64_t label,
                                double gradient) {
  if (label < 0 || label >= classes)
    return;
  const double largest = *std::max_element(logits, logits + classes);
  double sum = 0;
  for (int64_t i = 0; i < classes; ++i)
    sum += std::exp(logits[i] - largest);
  for (int64_t i = 0; i < classes; ++i)
    adjoint[i] += gradient * (std::exp(logits[i] - largest) / sum - (i == label));
}

void lossAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0), &target = state.operand(value, 1);
  OracleField &dx = state.adjoint(value, 0), &dtarget = state.adjoint(value, 1);
  const int64_t size = x.rowSize();
  for (int64_t row = 0; row < gradient.rows; ++row) {
    const double g = gradient.row(row)[0];
    if (g == 0) // no weight: even of a loss that is no number
      continue;
    if (value.kind == ValueKind::CrossEntropy) {
      crossEntropyAdjoint(x.row(row), dx.row(row), size, int64_t(target.row(row)[0]), g);
      continue;
    }
    for (int64_t i = 0; i < size; ++i) {
      const double logit = x.row(row)[i], t = target.row(row)[i];
      const bool squared = value.kind == ValueKind::MeanSquaredError;
      dx.row(row)[i] += g / size * (squared ? 2 * (logit - t) : 1 / (1 + std::exp(-logit)) - t);
      dtarget.row(row)[i] += g / size * (squared ? 2 * (t - logit) : -logit);
    }
  }
}

} // namespace gnnc
