//===- DataBinding.cpp - A data set as the oracle's bindings --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-interp/DataBinding.h"
#include "compiler/Interpreter/Context.h"
#include "gnn/error.hpp"
#include <random>

using namespace gnn::rt;

namespace gnnc::interp {

std::vector<double> toDoubles(const Tensor &tensor) {
  const Tensor doubles = tensor.element() == GNN_F64 ? tensor : tensor.converted(GNN_F64, "array");
  return {doubles.data<double>(), doubles.data<double>() + doubles.count()};
}

/// A dimension whose extent the data says, if it is a single name that nothing has bound.
static void bindDim(const CheckedModel &model, const DimExpr &dim, int64_t extent, OracleBindings &bindings) {
  for (const Dimension &named : model.dims)
    if (named.fixed < 0 && dim == DimExpr::name(named.name))
      bindings.dims.insert({named.name, extent});
}

static void bindGraph(const CheckedModel &model, const Dataset &dataset, OracleBindings &bindings) {
  OracleGraph graph;
  const int64_t numEdges = dataset.numEdges();
  const int64_t *edges = dataset.edgeIndex.data<int64_t>();
  bindings.numVertices = {dataset.numVertices};
  graph.src.assign(edges, edges + numEdges);
  graph.dst.assign(edges + numEdges, edges + 2 * numEdges);
  for (const Relation &relation : model.relations)
    bindings.relations.push_back(
        relation.isSparseInput ? OracleGraph()
                               : transformGraph(graph, dataset.numVertices, relation.transforms));
}

static void bindSparseInput(const CheckedModel &model, const Input &input, const Dataset &dataset,
                            OracleBindings &bindings) {
  const SparseMatrix matrix = dataset.sparseVertexFeature(input.name);
  OracleGraph &incidence = bindings.relations[input.relation];
  incidence.src.assign(matrix.indices().begin(), matrix.indices().end());
  for (int64_t vertex = 0; vertex < matrix.rows(); ++vertex)
    incidence.dst.insert(incidence.dst.end(), matrix.indptr()[vertex + 1] - matrix.indptr()[vertex], vertex);
  bindings.inputs[input.name] = toDoubles(matrix.values());
  const DimExpr &columns = model.vertexTypes[model.relations[input.relation].sourceType].rows;
  bindDim(model, columns, matrix.columns(), bindings);
  const std::optional<int64_t> wanted = evaluateDim(model, bindings, columns);
  if (wanted && *wanted != matrix.columns())
    throw gnn::Error(GNN_ERROR_MISMATCH, "`" + input.name + "` has " + std::to_string(matrix.columns()) +
                                             " columns, expected " + std::to_string(*wanted));
}

static void bindDenseInput(const CheckedModel &model, const Input &input, const Dataset &dataset,
                           OracleBindings &bindings) {
  const bool ofEdges = input.type.kind == GraphKind::E;
  const bool isLabels = input.isTarget && !dataset.vertexFeatures.count(input.name) && dataset.labels;
  const Tensor table = isLabels  ? dataset.labels
                       : ofEdges ? dataset.edgeFeature(input.name)
                                 : dataset.denseVertexFeature(input.name);
  int64_t rowSize = 1;
  for (size_t i = 1; i < table.rank(); ++i)
    rowSize *= table.dim(i);
  for (size_t i = 0; i < input.type.shape.size() && i + 1 < table.rank(); ++i)
    bindDim(model, input.type.shape[i], table.dim(i + 1), bindings);
  std::vector<double> numbers = toDoubles(table);
  bindings.inputs[input.name] = ofEdges ? extendEdges(bindings.relations[input.type.type], numbers, rowSize) : numbers;
}

/// The classes of the data are those of the logits.
static void bindClasses(const CheckedModel &model, const Dataset &dataset, OracleBindings &bindings) {
  for (const Value &value : model.values)
    if (value.kind == ValueKind::CrossEntropy && dataset.numClasses > 0)
      bindDim(model, model.values[value.operands[0]].type.shape[0], dataset.numClasses, bindings);
}

void bindData(const CheckedModel &model, const Dataset &dataset, const std::string &split, OracleBindings &bindings) {
  bindGraph(model, dataset, bindings);
  for (const Input &input : model.inputs) {
    if (input.sparse)
      bindSparseInput(model, input, dataset, bindings);
    else
      bindDenseInput(model, input, dataset, bindings);
  }
  bindClasses(model, dataset, bindings);
  if (split.empty())
    return;
  bindings.mask.assign(dataset.numVertices, 0.0);
  for (int64_t vertex : dataset.split(split).values<int64_t>())
    bindings.mask[vertex] = 1;
}

void drawMissingParameters(const CheckedModel &model, uint64_t seed, OracleBindings &bindings) {
  std::mt19937_64 engine(seed);
  for (const Parameter &param : model.params) {
    int64_t size = 1;
    for (const DimExpr &dim : param.shape) {
      const std::optional<int64_t> extent = evaluateDim(model, bindings, dim);
      if (!extent)
        throw gnn::Error(GNN_ERROR_MISMATCH, "dimension '" + dim.str() + "' is not bound: give it with -D");
      size *= *extent;
    }
    std::vector<double> numbers(size);
    for (double &x : numbers)
      x = double(engine() >> 11) * 0x1p-53 - 0.5;
    bindings.params.insert({param.name, numbers});
  }
}

} // namespace gnnc::interp
