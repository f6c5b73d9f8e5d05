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
    for (int64_t i = 0; i < gradient.rowSize() && vertexOf[edge] != OracleGraph::leftOut; ++i)
      dx.row(vertexOf[edge])[i] += gradient.row(edge)[i];
}

void aggregateAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  if (value.reduction == Reduction::Count)
    return;
  const OracleField &x = state.operand(value, 0);
  OracleField &dx = state.adjoint(value, 0);
  for (int64_t row = 0; row < result.rows; ++row) {
    const std::vector<int64_t> edges = participatingEdges(state.context, value, state.values, row);
    for (int64_t i = 0; i < result.rowSize() && !edges.empty(); ++i) {
      const double g = gradient.row(row)[i];
      if (value.reduction == Reduction::Max || value.reduction == Reduction::Min) {
        dx.row(selectEdge(value.reduction, x, edges, i))[i] += g;
        continue;
      }
      for (int64_t edge : edges) {
        double share = value.reduction == Reduction::Mean        ? 1.0 / edges.size()
                       : value.reduction == Reduction::LogSumExp ? std::exp(x.row(edge)[i] - result.row(row)[i])
                                                                 : 1.0;
        dx.row(edge)[i] += g * share;
      }
    }
  }
}

void softmaxAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  OracleField &dx = state.adjoint(value, 0);
  const int64_t numRows = state.context.rows(value.relation, value.toward).size();
  for (int64_t row = 0; row < numRows; ++row) {
    const std::vector<int64_t> edges = participatingEdges(state.context, value, state.values, row);
    for (int64_t i = 0; i < result.rowSize(); ++i) {
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
