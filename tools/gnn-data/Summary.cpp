//===- Summary.cpp - What a data set looks like ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prepared graph has sorted rows, so duplicates are neighbours and a symmetric graph has the same rows in both
// directions.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Summary.h"
#include <algorithm>
#include <cmath>
#include <sstream>

using namespace gnn::data_tool;

namespace {

DegreeSummary degreesOf(const gnn_block_t &block) {
  DegreeSummary degrees;
  if (block.num_rows == 0)
    return degrees;
  degrees.least = INT64_MAX;
  for (int64_t row = 0; row < block.num_rows; ++row) {
    int64_t degree = block.offsets[row + 1] - block.offsets[row];
    degrees.least = std::min(degrees.least, degree);
    degrees.most = std::max(degrees.most, degree);
    degrees.none += degree == 0;
  }
  degrees.mean = double(block.offsets[block.num_rows]) / double(block.num_rows);
  return degrees;
}

void countEdges(const gnn_block_t &block, Summary &summary) {
  for (int64_t row = 0; row < block.num_rows; ++row)
    for (int64_t i = block.offsets[row]; i < block.offsets[row + 1]; ++i) {
      summary.selfLoops += block.cols[i] == row;
      bool sameType = i > block.offsets[row] && (!block.edge_type || block.edge_type[i] == block.edge_type[i - 1]);
      summary.duplicates += sameType && block.cols[i] == block.cols[i - 1];
    }
}

bool sameRows(const gnn_block_t &a, const gnn_block_t &b) {
  int64_t edges = a.offsets[a.num_rows];
  return std::equal(a.offsets, a.offsets + a.num_rows + 1, b.offsets) && std::equal(a.cols, a.cols + edges, b.cols) &&
         (!a.edge_type || std::equal(a.edge_type, a.edge_type + edges, b.edge_type));
}

template <class T> void measure(const gnn::Tensor &labels, NumberLabels &summary) {
  const T *values = labels.data<T>();
  for (int64_t i = 0; i < labels.count(); ++i) {
    const double value = double(values[i]);
    if (std::isnan(value)) {
      ++summary.missing;
      continue;
    }
    summary.least = std::min(summary.least.value_or(value), value);
    summary.most = std::max(summary.most.value_or(value), value);
    const double mean = summary.mean.value_or(0);
    summary.mean = mean + (value - mean) / double(i + 1 - summary.missing);
  }
}

NumberLabels numberLabelsOf(const gnn::Tensor &labels) {
  NumberLabels summary;
  summary.element = labels.element();
  summary.shape = labels.shape();
  switch (labels.element()) {
  case GNN_F32:
    measure<float>(labels, summary);
    break;
  case GNN_F64:
    measure<double>(labels, summary);
    break;
  case GNN_I32:
    measure<int32_t>(labels, summary);
    break;
  case GNN_I64:
    measure<int64_t>(labels, summary);
    break;
  default:
    measure<bool>(labels, summary);
  }
  return summary;
}

/// Rows of a feature; with a schema its name is that of its type or relation, a point and its own.
int64_t rowsOf(const FeatureSummary &feature, const Summary &summary) {
  std::string owner = feature.name.substr(0, feature.name.find('.'));
  for (const auto &[type, count] : summary.vertexTypes)
    if (feature.ofVertices && type == owner)
      return count;
  for (const RelationSummary &relation : summary.relations)
    if (!feature.ofVertices && relation.name == owner)
      return relation.edges;
  return feature.ofVertices ? summary.vertices : summary.edges;
}

} // namespace

Summary gnn::data_tool::summarize(const Dataset &data) {
  Summary summary;
  summary.name = data.name();
  summary.vertices = data.numVertices();
  summary.edges = data.numEdges();
  summary.edgeTypes = data.numEdgeTypes();
  Graph graph = data.graph();
  std::vector<gnn_vertices_t> types = graph.vertexTypes();
  const bool isType =
      std::any_of(types.begin(), types.end(), [&](const auto &type) { return data.labelled() == type.name; });
  summary.labelsEdges = !isType && (data.labelled() == "edge" || data.labelled().find(':') != std::string::npos);
  std::vector<gnn_edges_t> relations = graph.relations();
  if (types.size() > 1 || relations.size() > 1) {
    for (const gnn_vertices_t &type : types)
      summary.vertexTypes.emplace_back(type.name, type.count);
    for (const gnn_edges_t &edges : relations)
      summary.relations.push_back({edges.name, types[edges.source].name, types[edges.destination].name, edges.num_edges,
                                   int64_t(edges.num_types)});
  } else {
    gnn_block_t toDestination = graph.block(GNN_TO_DESTINATION), toSource = graph.block(GNN_TO_SOURCE);
    summary.in = degreesOf(toDestination);
    summary.out = degreesOf(toSource);
    countEdges(toDestination, summary);
    summary.symmetric = sameRows(toDestination, toSource);
  }
  for (const gnn_feature_info_t &feature : data.features())
    summary.features.push_back({feature.name, feature.domain == GNN_FEATURE_VERTEX, feature.is_sparse != 0,
                                feature.element, feature.columns, feature.nonzeros});
  if (Tensor labels = data.find("labels"); labels && data.numClasses() == 0) {
    summary.numberLabels = numberLabelsOf(labels);
  } else if (labels) {
    summary.classSizes.resize(size_t(data.numClasses()));
    for (int64_t v = 0; v < labels.count(); ++v) {
      int64_t label = labels.data<int64_t>()[v];
      ++(label < 0 ? summary.unlabelled : summary.classSizes[size_t(label)]);
    }
  }
  for (const char *split : {"train", "val", "test"})
    if (Tensor ids = data.find(split))
      summary.splits.emplace_back(split, ids.count());
  for (const char *split : {"train_pairs", "val_pairs", "test_pairs"})
    if (Tensor pairs = data.find(split))
      summary.pairs.emplace_back(split, pairs.shape()[0]);
  return summary;
}

const char *gnn::data_tool::elementText(uint32_t element) {
  constexpr const char *names[] = {"f32", "f64", "i32", "i64", "bool"};
  return names[element];
}

std::string gnn::data_tool::featureText(const FeatureSummary &feature, const Summary &summary) {
  std::ostringstream text;
  text << feature.name << ": " << (feature.isSparse ? "sparse " : "") << elementText(feature.element) << " ["
       << rowsOf(feature, summary) << ", " << feature.columns << "]";
  if (feature.isSparse)
    text << ", " << feature.nonzeros << " nonzeros";
  return text.str();
}
