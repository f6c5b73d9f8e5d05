//===- Summary.h - What a data set looks like ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts over a data set that the commands print.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_SUMMARY_H
#define GNN_TOOLS_DATA_SUMMARY_H

#include "gnn/gnn.hpp"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

struct DegreeSummary {
  int64_t least = 0, most = 0, none = 0; // `none`: vertices of degree 0
  double mean = 0;
};

/// A relation of a data set with a schema.
struct RelationSummary {
  std::string name, source, destination;
  int64_t edges = 0, types = 0;
};

/// A feature's information, with a name that outlives the data set.
struct FeatureSummary {
  std::string name;
  bool ofVertices = false, isSparse = false;
  uint32_t element = 0;
  int64_t columns = 0, nonzeros = 0;
};

/// Labels that are no classes: numbers for regression, or several labels of each vertex.
struct NumberLabels {
  uint32_t element = 0;
  std::vector<int64_t> shape;              // empty: there are none
  int64_t missing = 0;                     // not a number
  std::optional<double> least, mean, most; // of the others; none: all are missing
};

struct Summary {
  std::string name;
  std::vector<std::pair<std::string, int64_t>> vertexTypes; // with a schema; then degrees and edges below are not told
  std::vector<RelationSummary> relations;
  int64_t vertices = 0, edges = 0, edgeTypes = 0;
  DegreeSummary in, out;
  int64_t selfLoops = 0;
  int64_t duplicates = 0; // edges with the ends and the type of an earlier one
  bool symmetric = false; // with every edge its reverse
  std::vector<FeatureSummary> features;
  std::vector<int64_t> classSizes;
  int64_t unlabelled = 0;
  bool labelsEdges = false; // labels and splits are of edges, else of vertices
  NumberLabels numberLabels;
  std::vector<std::pair<std::string, int64_t>> splits; // those that exist, in the order train, val, test
  std::vector<std::pair<std::string, int64_t>> pairs;  // likewise
};

Summary summarize(const Dataset &data);

/// "f32", … of an element type.
const char *elementText(uint32_t element);
/// One line such as "x: sparse f32 [2708, 1433], 49216 nonzeros".
std::string featureText(const FeatureSummary &feature, const Summary &summary);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_SUMMARY_H
