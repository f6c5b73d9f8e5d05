//===- EdgeList.cpp - Edges as they are imported --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/EdgeList.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/TextTable.h"
#include <algorithm>
#include <array>

using namespace gnn::data_tool;
using gnn::rt::Tensor;

namespace {

Tensor withRows(const Tensor &table, const std::vector<int64_t> &rows) {
  const Tensor added = table.rowsAt({rows.data(), rows.size()});
  std::vector<int64_t> shape = table.shape();
  shape[0] += int64_t(rows.size());
  Tensor result = Tensor::empty(table.element(), std::move(shape));
  char *to = static_cast<char *>(result.mutableData());
  std::copy_n(static_cast<const char *>(table.data()), table.bytes(), to);
  std::copy_n(static_cast<const char *>(added.data()), added.bytes(), to + table.bytes());
  return result;
}

/// How many of the edges `rows` have a counterpart of the same type among them, from their target to their source.
int64_t numInBothDirections(const gnn::rt::Dataset &data, const std::vector<int64_t> &rows) {
  const int64_t *sources = data.edgeIndex.data<int64_t>(), *targets = sources + data.edgeIndex.dim(1);
  std::vector<std::array<int64_t, 3>> edges;
  for (int64_t row : rows)
    edges.push_back({data.edgeType ? data.edgeType.data<int64_t>()[row] : 0, sources[row], targets[row]});
  std::sort(edges.begin(), edges.end());
  return std::count_if(edges.begin(), edges.end(), [&](const auto &edge) {
    return std::binary_search(edges.begin(), edges.end(), std::array<int64_t, 3>{edge[0], edge[2], edge[1]});
  });
}

} // namespace

Tensor gnn::data_tool::edgeIndexOf(const std::vector<int64_t> &ends) {
  const int64_t edges = int64_t(ends.size()) / 2;
  Tensor index = Tensor::empty(GNN_I64, {2, edges});
  int64_t *sources = index.mutableData<int64_t>(), *targets = sources + edges;
  for (int64_t edge = 0; edge < edges; ++edge) {
    sources[edge] = ends[size_t(2 * edge)];
    targets[edge] = ends[size_t(2 * edge) + 1];
  }
  return index;
}

Tensor gnn::data_tool::readEdgeTable(const std::string &path) {
  TextTable table(path, plainForm(','));
  rt::require(table.columns().size() >= 2, GNN_ERROR_DATA, path,
              ": one column, expected source and target of each edge");
  std::vector<int64_t> ends;
  while (table.next())
    for (size_t column : {0, 1}) {
      const std::optional<int64_t> end = integerIn(table.cell(column));
      if (!end)
        table.fail("expected two vertices");
      ends.push_back(*end);
    }
  return edgeIndexOf(ends);
}

std::vector<int64_t> gnn::data_tool::addReverseEdges(rt::Dataset &data, std::vector<std::string> &notes,
                                                     const std::vector<bool> &isUndirected) {
  const int64_t given = data.edgeIndex.dim(1);
  const int64_t *sources = data.edgeIndex.data<int64_t>(), *targets = sources + given;
  std::vector<int64_t> rows;
  for (int64_t edge = 0; edge < given; ++edge)
    if (sources[edge] != targets[edge] && (isUndirected.empty() || isUndirected[size_t(edge)]))
      rows.push_back(edge);
  if (const int64_t count = numInBothDirections(data, rows); count > 0)
    notes.push_back(std::to_string(count) + " of the " + std::to_string(given) +
                    " edges were there in both directions already, and are there twice now");
  const int64_t edges = given + int64_t(rows.size());
  Tensor index = Tensor::empty(GNN_I64, {2, edges});
  int64_t *newSources = std::copy_n(sources, given, index.mutableData<int64_t>());
  int64_t *newTargets = std::copy_n(targets, given, index.mutableData<int64_t>() + edges);
  for (int64_t row : rows) {
    *newSources++ = targets[row];
    *newTargets++ = sources[row];
  }
  data.edgeIndex = index;
  if (data.edgeType)
    data.edgeType = withRows(data.edgeType, rows);
  for (auto &[name, feature] : data.edgeFeatures)
    feature.dense = withRows(feature.dense, rows);
  return rows;
}
