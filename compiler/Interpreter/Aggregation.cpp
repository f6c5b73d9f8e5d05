//===- Aggregation.cpp - Values that look along edges ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of neighbours, aggregations and softmax over the edges of a vertex, totals over vertices. Law 9: over nothing
// everything is 0 but a product, which is 1.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Evaluate.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

void evaluateRead(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const OracleGraph &graph = context.relation(value.relation);
  const std::vector<int64_t> &vertexOf = value.kind == ValueKind::ReadSource ? graph.src : graph.dst;
  for (int64_t edge = 0; edge < result.rows; ++edge)
    std::copy_n(x.row(vertexOf[edge]), result.rowSize(), result.row(edge));
}

std::vector<int64_t> participatingEdges(const OracleContext &context, const Value &value, const OracleValues &values,
                                        int64_t row) {
  std::vector<int64_t> edges;
  for (int64_t edge : context.rows(value.relation, value.toward)[row])
    if (passesFilter(value, values, edge))
      edges.push_back(edge);
  return edges;
}

int64_t selectEdge(Reduction reduction, const OracleField &field, const std::vector<int64_t> &edges, int64_t element) {
  int64_t selected = edges.front();
  for (int64_t edge : edges)
    if (beats(reduction, field.row(edge)[element], field.row(selected)[element]))
      selected = edge;
  return selected;
}

std::vector<EdgeGroup> edgeGroups(const OracleContext &context, const Value &value, const OracleValues &values,
                                  const OracleField &result, int64_t row) {
  const std::vector<int64_t> edges = participatingEdges(context, value, values, row);
  if (!value.byType)
    return {{0, edges}};
  const Around types = around(result.shape, 0);
  std::vector<EdgeGroup> groups;
  for (int64_t type = 0; type < types.extent; ++type)
    groups.push_back({type * types.inner, {}});
  for (int64_t edge : edges)
    if (int64_t type = context.edgeType(value.relation, edge); type >= 0)
      groups[type].edges.push_back(edge);
  return groups;
}

double shiftOf(double largest) { return std::isinf(largest) && largest < 0 ? 0 : largest; }

static double meanSquaredDeviation(const OracleField &field, const std::vector<int64_t> &edges, int64_t element,
                                   double mean) {
  double sum = 0;
  for (int64_t edge : edges)
    sum += (field.row(edge)[element] - mean) * (field.row(edge)[element] - mean);
  return sum / edges.size();
}

/// Reduces element `element` of `field` over `edges`, which may also be numbers of vertices.
static double aggregateElement(Reduction reduction, const OracleField &field, const std::vector<int64_t> &edges,
                               int64_t element) {
  if (reduction == Reduction::Prod) {
    double product = 1;
    bool hasZero = false; // which makes the product 0, also of what overflows, but for NaN
    for (int64_t edge : edges) {
      const double factor = field.row(edge)[element];
      hasZero |= factor == 0;
      product *= factor != 0 ? factor : 1;
    }
    return hasZero && !std::isnan(product) ? 0 : product;
  }
  if (edges.empty())
    return 0;
  if (reduction == Reduction::Max || reduction == Reduction::Min)
    return field.row(selectEdge(reduction, field, edges, element))[element];
  const double largest = field.row(selectEdge(Reduction::Max, field, edges, element))[element];
  if (reduction == Reduction::LogSumExp && std::isinf(largest) && largest < 0)
    return 0; // such edges count as none
  const double shift = shiftOf(largest);
  double sum = 0;
  for (int64_t edge : edges) {
    double x = field.row(edge)[element];
    sum += reduction == Reduction::LogSumExp ? std::exp(x - shift) : x;
  }
  if (reduction == Reduction::LogSumExp)
    return shift + std::log(sum);
  if (reduction == Reduction::Var)
    return meanSquaredDeviation(field, edges, element, sum / edges.size());
  return reduction == Reduction::Mean ? sum / edges.size() : sum;
}

void evaluateAggregate(const OracleContext &context, const Value &value, const OracleValues &values,
                       OracleField &result) {
  const int64_t size = value.byType ? around(result.shape, 0).inner : result.rowSize();
  for (int64_t row = 0; row < result.rows; ++row)
    for (const EdgeGroup &group : edgeGroups(context, value, values, result, row))
      for (int64_t i = 0; i < size; ++i)
        result.row(row)[group.offset + i] =
            value.reduction == Reduction::Count
                ? double(group.edges.size())
                : aggregateElement(value.reduction, values[value.operands[0]], group.edges, i);
}

void evaluateTotal(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const std::vector<int64_t> vertices = context.verticesOf(value, x.rows);
  for (int64_t i = 0; i < result.rowSize(); ++i)
    result.data[i] = aggregateElement(value.reduction, x, vertices, i);
}

void evaluateSoftmax(const OracleContext &context, const Value &value, const OracleValues &values,
                     OracleField &result) {
  const OracleField &scores = values[value.operands[0]];
  const int64_t numRows = context.rows(value.relation, value.toward).size();
  for (int64_t row = 0; row < numRows; ++row) {
    const std::vector<int64_t> edges = participatingEdges(context, value, values, row);
    for (int64_t i = 0; i < result.rowSize() && !edges.empty(); ++i) {
      const double shift = shiftOf(scores.row(selectEdge(Reduction::Max, scores, edges, i))[i]);
      double sum = 0;
      for (int64_t edge : edges)
        sum += result.row(edge)[i] = std::exp(scores.row(edge)[i] - shift);
      for (int64_t edge : edges)
        result.row(edge)[i] /= sum == 0 ? 1 : sum; // scores of -inf count as none
    }
  }
}

} // namespace gnnc
