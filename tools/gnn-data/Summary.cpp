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

} // namespace

Summary gnn::data_tool::summarize(const Dataset &data) {
  Summary summary;
  summary.name = data.name();
  summary.vertices = data.numVertices();
  summary.edges = data.numEdges();
  summary.edgeTypes = data.numEdgeTypes();
  Graph graph = data.graph();
  gnn_block_t toDestination = graph.block(GNN_TO_DESTINATION), toSource = graph.block(GNN_TO_SOURCE);
  summary.in = degreesOf(toDestination);
  summary.out = degreesOf(toSource);
  countEdges(toDestination, summary);
  summary.symmetric = sameRows(toDestination, toSource);
  summary.features = data.features();
  if (data.numClasses() > 0) {
    summary.classSizes.resize(size_t(data.numClasses()));
    Tensor labels = data.tensor("labels");
    for (int64_t v = 0; v < labels.count(); ++v) {
      int64_t label = labels.data<int64_t>()[v];
      ++(label < 0 ? summary.unlabelled : summary.classSizes[size_t(label)]);
    }
  }
  for (const char *split : {"train", "val", "test"})
    if (Tensor ids = data.find(split))
      summary.splits.emplace_back(split, ids.count());
  return summary;
}

const char *gnn::data_tool::elementText(uint32_t element) {
  constexpr const char *names[] = {"f32", "f64", "i32", "i64", "bool"};
  return names[element];
}

std::string gnn::data_tool::featureText(const gnn_feature_info_t &feature, const Summary &summary) {
  std::ostringstream text;
  bool ofVertices = feature.domain == GNN_FEATURE_VERTEX;
  text << feature.name << ": " << (feature.is_sparse ? "sparse " : "") << elementText(feature.element) << " ["
       << (ofVertices ? summary.vertices : summary.edges) << ", " << feature.columns << "]";
  if (feature.is_sparse)
    text << ", " << feature.nonzeros << " nonzeros";
  return text.str();
}
