//===- PredictionTable.h - Predictions for people to read -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PREDICTIONTABLE_H
#define GNN_TOOLS_TRAIN_PREDICTIONTABLE_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/data/Dataset.h"
#include <string>
#include <vector>

namespace gnn::train_tool {

/// Writes `rows` [vertices, ...] as CSV: the id of each vertex, where there is a column for each class the best one,
/// and the numbers. `type` is the data set's type of the vertices, empty without a schema; `vertices` are those of the
/// rows, or empty: all, in their order. Throws a data error if the file of ids has not a line for each vertex.
void writePredictionTable(const std::string &path, const rt::Dataset &data, const std::string &type,
                          const std::string &output, const rt::Tensor &rows, const std::vector<int64_t> &vertices);

/// Writes `rows` [edges, ...] as CSV, in the order of `edges`: the ids of both ends, and what a table of vertices has.
/// `edges` is a relation of the data set, or without a schema has all edges. Throws a mismatch unless there is a row
/// for each.
void writeEdgeTable(const std::string &path, const rt::Dataset &data, const rt::EdgeTable &edges,
                    const std::string &output, const rt::Tensor &rows);

/// Writes scores of pairs as CSV: the ids of both ends, the type if pairs have one, and the score. Types of the ends
/// are empty without a schema; `types` are names of the pairs' types, or empty: they are numbers.
void writePairTable(const std::string &path, const rt::Dataset &data, const std::string &sourceType,
                    const std::string &destinationType, const std::vector<std::string> &types, const rt::Pairs &pairs,
                    const std::vector<double> &scores);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PREDICTIONTABLE_H
