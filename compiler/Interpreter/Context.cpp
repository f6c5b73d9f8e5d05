//===- Context.cpp - A model bound to data --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents and canonical edge order, and the index arithmetic that values and their adjoints share.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Context.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>

namespace gnnc {

int64_t OracleField::rowSize() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
}

static std::optional<int64_t> lookUpDim(const CheckedModel &model, const OracleBindings &bindings,
                                        const std::string &name) {
  auto bound = bindings.dims.find(name);
  if (bound != bindings.dims.end())
    return bound->second;
  for (const Dimension &dim : model.dims) {
    if (dim.name != name)
      continue;
    if (dim.vertexType >= 0)
      return bindings.numVertices.at(dim.vertexType);
    if (dim.fixed >= 0)
      return dim.fixed;
    if (dim.fallback >= 0)
      return dim.fallback;
  }
  return std::nullopt;
}

std::optional<int64_t> evaluateDim(const CheckedModel &model, const OracleBindings &bindings, const DimExpr &dim) {
  int64_t sum = 0;
  for (const auto &[monomial, coefficient] : dim.terms()) {
    int64_t product = coefficient;
    for (const std::string &name : monomial) {
      std::optional<int64_t> factor = lookUpDim(model, bindings, name);
      if (!factor)
        return std::nullopt;
      product *= *factor;
    }
    sum += product;
  }
  return sum;
}

static OracleContext::EdgeRows groupEdges(const OracleGraph &graph, End end, int64_t numRows,
                                          llvm::function_ref<bool(int64_t edge)> isSeen) {
  const std::vector<int64_t> &rowOf = end == End::Destination ? graph.dst : graph.src;
  const std::vector<int64_t> &other = end == End::Destination ? graph.src : graph.dst;
  OracleContext::EdgeRows rows(numRows);
  for (size_t edge = 0; edge < rowOf.size(); ++edge)
    if (isSeen(edge))
      rows[rowOf[edge]].push_back(edge);
  for (std::vector<int64_t> &edges : rows)
    std::stable_sort(edges.begin(), edges.end(), [&](int64_t a, int64_t b) { return other[a] < other[b]; });
  return rows;
}

OracleContext::OracleContext(const CheckedModel &model, const OracleBindings &bindings)
    : model(model), bindings(bindings) {
  for (size_t i = 0; i < model.relations.size(); ++i) {
    const OracleGraph &graph = bindings.relations[i];
    auto group = [&](End end, unsigned rowType) {
      return groupEdges(graph, end, numVertices(rowType),
                        [&](int64_t edge) { return !bindings.isSeen || bindings.isSeen(i, end, edge); });
    };
    edgeRows.push_back({group(End::Destination, model.relations[i].destinationType),
                        group(End::Source, model.relations[i].sourceType)});
  }
}

int64_t OracleContext::numVertices(unsigned vertexType) const {
  const VertexType &type = model.vertexTypes[vertexType];
  return type.isColumns ? *evaluateDim(model, bindings, type.rows) : bindings.numVertices.at(vertexType);
}

std::vector<int64_t> OracleContext::verticesOf(const Value &total, int64_t count) const {
  if (auto some = bindings.totalVertices.find(unsigned(&total - model.values.data()));
      some != bindings.totalVertices.end())
    return some->second;
  std::vector<int64_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int64_t OracleContext::edgeType(unsigned index, int64_t edge) const {
  const int64_t type = relation(index).types[edge];
  const DimExpr &types = model.relations[index].types;
  return types == DimExpr(0) || type < *evaluateDim(model, bindings, types) ? type : -1;
}

OracleField OracleContext::zeros(const ValueType &type) const {
  OracleField field;
  field.kind = type.kind;
  if (type.kind == GraphKind::V)
    field.rows = numVertices(type.type);
  else if (type.kind != GraphKind::P)
    field.rows = relation(type.type).src.size();
  for (const DimExpr &dim : type.shape)
    field.shape.push_back(*evaluateDim(model, bindings, dim));
  field.data.assign(field.rows * field.rowSize(), 0.0);
  return field;
}

/// Equal numbers of a field are rounded alike where the bindings say so. Gradients decide nothing: each of them is
/// rounded by itself, as equal errors cancel where gradients are summed against numbers of both signs.
void OracleContext::round(size_t index, bool isGradient, std::vector<double> &numbers,
                          const std::vector<double> *magnitudes) const {
  if (bindings.rounding == 0)
    return;
  const uint64_t field = mix64(1000003 * bindings.roundingSeed + 2 * index + isGradient);
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint64_t drawn = i;
    if (!isGradient && bindings.roundsTiesAlike)
      std::memcpy(&drawn, &numbers[i], sizeof drawn);
    // From -1 to 1, or either: errors of equal size cancel too often.
    const double share = bindings.roundsTiesAlike ? (mix64(field ^ drawn) & 1 ? 1 : -1)
                                                  : double(int64_t(mix64(field ^ drawn))) * 0x1p-63;
    numbers[i] += share * bindings.rounding * std::fabs(magnitudes ? (*magnitudes)[i] : numbers[i]);
  }
}

double OracleContext::roundingOfMean(int64_t row, int64_t element) const {
  const uint64_t drawn = mix64(mix64(mix64(bindings.roundingSeed) ^ uint64_t(row)) ^ uint64_t(element));
  return 1 + double(int64_t(drawn)) * 0x1p-63 * bindings.rounding;
}

bool passesFilter(const Value &value, const OracleValues &values, int64_t edge) {
  return !value.filtered || values[value.operands.back()].row(edge)[0] != 0;
}

std::optional<int64_t> indexAt(const OracleField &index, int64_t row, int64_t count) {
  const double i = index.row(row)[0];
  if (i < 0 || i >= double(count))
    return std::nullopt;
  return int64_t(i);
}

std::vector<int64_t> broadcastSources(const Value &value, const OracleField &operand, const OracleField &result) {
  std::vector<int64_t> stride(result.shape.size(), 0);
  int64_t operandStride = 1;
  for (size_t i = operand.shape.size(); i-- > 0;) {
    stride[value.dims[i]] = operandStride;
    operandStride *= operand.shape[i];
  }
  std::vector<int64_t> sources(result.rowSize());
  for (size_t element = 0; element < sources.size(); ++element) {
    int64_t rest = element;
    for (size_t i = result.shape.size(); i-- > 0;) {
      sources[element] += rest % result.shape[i] * stride[i];
      rest /= result.shape[i];
    }
  }
  return sources;
}

std::vector<int64_t> transposeSources(const Value &value, const OracleField &operand) {
  std::vector<int64_t> sources(operand.rowSize());
  for (size_t element = 0; element < sources.size(); ++element) {
    int64_t rest = element;
    for (size_t i = value.dims.size(); i-- > 0;) {
      const Around dim = around(operand.shape, value.dims[i]);
      sources[element] += rest % dim.extent * dim.inner;
      rest /= dim.extent;
    }
  }
  return sources;
}

Around around(const std::vector<int64_t> &shape, unsigned dim) {
  Around result;
  for (size_t i = 0; i < shape.size(); ++i)
    (i < dim ? result.outer : i == dim ? result.extent : result.inner) *= shape[i];
  return result;
}

bool beats(Reduction reduction, double candidate, double best) {
  if (std::isnan(candidate) || std::isnan(best))
    return !std::isnan(best);
  return reduction == Reduction::Max ? candidate > best : candidate < best;
}

} // namespace gnnc
