//===- InputTables.cpp - How a library reads inputs -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/InputTables.h"

#include "runtime/src/core/ExactIntegers.h"
#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

void TableForm::requireShape(const std::vector<int64_t> &found) const {
  const std::vector<int64_t> expected = shape();
  const bool isOfNumbers = found.size() == 1 && info.rank == 1 && expected.back() == 1 && found[0] == expected[0];
  if (found != expected && !isOfNumbers)
    fail(GNN_ERROR_MISMATCH, info.name, " in ", graph.where(), " has shape ", shapeText(found), ", but ",
         graph.library().name(), " over this graph needs ", shapeText(expected), " with ",
         graph.dimensions().describe());
}

Tensor TableForm::converted(Tensor rows) const {
  const uint32_t computed = computedElement();
  const std::string what = std::string(info.name) + " in " + graph.where();
  const bool isNormalized = info.flags & GNN_INPUT_ROW_NORMALIZED;
  const bool canDivide = rows.element() == GNN_F32 || rows.element() == GNN_F64;
  if (computed == GNN_F32)
    requireExactAsF32(rows, what);
  if (rows.element() != computed && !(isNormalized && canDivide))
    rows = rows.converted(computed, what);
  if (isNormalized)
    rows = rowNormalized(rows, computed);
  if (info.element != computed) // rounded once
    rows = rows.converted(info.element, what);
  return rows;
}

bool TableForm::hasForm(const Tensor &table) const {
  return info.role == GNN_ROLE_INPUT && info.domain != GNN_DOMAIN_EDGE && !graph.orderOf(info) &&
         !(info.flags & GNN_INPUT_ROW_NORMALIZED) && table.element() == info.element && table.shape() == shape();
}

Tensor TableForm::of(const Feature &feature) const {
  Tensor table = feature.table();
  if (table.device() >= 0 && hasForm(table))
    return table;
  table = table.onHost();
  if (info.domain == GNN_DOMAIN_EDGE && graph.edgeSet(info.type))
    table = graph.edgeSet(info.type)->extendEdgeTable(table, info.name);
  requireShape(table.shape());
  return graph.inLocalOrder(info, converted(table.shape() == shape() ? table : table.reshaped(shape())));
}

SparseInputs::SparseInputs(const BoundGraph &graph, const Features &features) {
  for (const gnn_tensor_info_t &info : graph.library().tensors()) {
    if (info.role != GNN_ROLE_WEIGHTS || matrices.count(uint32_t(info.source)))
      continue;
    const gnn_relation_t &relation = graph.library().relation(uint32_t(info.source));
    const int64_t rows = graph.rows(relation.destination_type), columns = graph.rows(relation.source_type);
    const Feature &feature = requireFeature(graph.library(), info, features, graph.where());
    SparseMatrix matrix =
        feature.sparse ? *feature.sparse : SparseMatrix::fromDense(feature.table().onHost(), relation.name);
    require(matrix.rows() == rows && matrix.columns() == columns, GNN_ERROR_MISMATCH, relation.name, " in ",
            graph.where(), " has shape ", shapeText({matrix.rows(), matrix.columns()}), ", but ",
            graph.library().name(), " over this graph needs ", shapeText({rows, columns}));
    matrices.emplace(uint32_t(info.source), std::move(matrix));
  }
}

Tensor SparseInputs::weights(const BoundGraph &graph, const gnn_tensor_info_t &info) const {
  const SparseMatrix &matrix = of(info);
  const bool normalize = info.flags & GNN_INPUT_ROW_NORMALIZED;
  return (normalize ? matrix.rowNormalized(TableForm(graph, info).computedElement()) : matrix)
      .convertedTo(info.element)
      .values();
}

bool SparseInputs::areRelationsOf(const BoundGraph &graph) const {
  return std::all_of(matrices.begin(), matrices.end(),
                     [&](const auto &matrix) { return matrix.second.isRelation(graph.relation(matrix.first)); });
}

bool PagedTables::leave(uint32_t tensor, const Feature &feature) {
  const gnn_tensor_info_t &input = info(tensor);
  const EdgeSet *edges = input.domain == GNN_DOMAIN_EDGE ? graph.edgeSet(input.type) : nullptr;
  if (!feature.file || (!edges && input.domain != GNN_DOMAIN_VERTEX))
    return false;
  form(tensor).requireShape(edges ? edges->extendedShape(feature.shape(), input.name) : feature.shape());
  files[tensor] = feature.file;
  return true;
}

bool PagedTables::isSameInFile(uint32_t tensor) const {
  const gnn_tensor_info_t &input = info(tensor);
  const NpyFile &file = *files[tensor];
  return input.domain == GNN_DOMAIN_VERTEX && file.isAsItIs() && file.element() == input.element &&
         !(input.flags & GNN_INPUT_ROW_NORMALIZED) && !graph.order(input.type);
}

Tensor PagedTables::rows(uint32_t tensor, int64_t begin, int64_t count) const {
  std::vector<int64_t> shape = form(tensor).shape();
  shape[0] = count;
  return form(tensor).converted(files[tensor]->rows(begin, count).reshaped(shape));
}

void PagedTables::forRows(uint32_t tensor, int64_t begin, int64_t end,
                          const std::function<void(int64_t row, int64_t count, const void *rows)> &body) const {
  const VertexOrder *vertices = graph.order(info(tensor).type);
  const size_t bytes = graph.rowBytes(tensor);
  const int64_t firstId = vertices ? 0 : begin, endId = vertices ? graph.leadingExtent(info(tensor)) : end,
                atOnce = files[tensor]->rowsIn(size_t(4) << 20);
  for (int64_t first = firstId; first < endId; first += atOnce) {
    const Tensor piece = rows(tensor, first, std::min(atOnce, endId - first));
    auto *from = static_cast<const char *>(piece.data());
    if (!vertices) {
      body(first, piece.dim(0), from);
      continue;
    }
    for (int64_t i = 0; i < piece.dim(0); ++i)
      if (const int64_t row = vertices->local[size_t(first + i)]; row >= begin && row < end)
        body(row, 1, from + size_t(i) * bytes);
  }
}

int64_t PagedTables::rowOfEdge(uint32_t tensor, int64_t id) const {
  const EdgeSet &set = *graph.edgeSet(info(tensor).type);
  return id < set.numGivenEdges() ? id : set.addedEdges()[size_t(id - set.numGivenEdges())];
}

Tensor PagedTables::rowOfLoop(uint32_t tensor) const {
  const uint32_t element = info(tensor).element;
  const Tensor one = Tensor::of<bool>({true}, {}).converted(element, info(tensor).name);
  Tensor row = Tensor::empty(element, {int64_t(graph.rowBytes(tensor) / one.bytes())});
  for (size_t at = 0; at < row.bytes(); at += one.bytes())
    std::memcpy(static_cast<char *>(row.mutableData()) + at, one.data(), one.bytes());
  return row;
}

Tensor PagedTables::take(uint32_t tensor) {
  if (info(tensor).domain == GNN_DOMAIN_VERTEX)
    return take(tensor, 0, graph.leadingExtent(info(tensor)));
  Tensor table = form(tensor).of({Tensor(), std::nullopt, files[tensor]});
  files[tensor] = nullptr;
  return table;
}

Tensor PagedTables::take(uint32_t tensor, int64_t begin, int64_t end) {
  Tensor table = Tensor::empty(info(tensor).element, form(tensor).shape());
  auto *to = static_cast<char *>(table.mutableData());
  const size_t bytes = graph.rowBytes(tensor);
  forRows(tensor, begin, end, [=](int64_t row, int64_t count, const void *rows) {
    std::memcpy(to + size_t(row) * bytes, rows, size_t(count) * bytes);
  });
  files[tensor] = nullptr;
  return table;
}

} // namespace gnn::rt
