//===- PredictionTable.h - Predictions for people to read -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PREDICTIONTABLE_H
#define GNN_TOOLS_TRAIN_PREDICTIONTABLE_H

#include "runtime/src/data/Dataset.h"
#include <string>
#include <vector>

namespace gnn::train_tool {

/// Writes `rows` [vertices, ...] as CSV: the id of each vertex, where there is a column for each class the best one,
/// and the numbers. `type` is the data set's type of the vertices, empty without a schema; `vertices` are those of the
/// rows, or empty: all, in their order. Throws a data error if the file of ids has not a line for each vertex.
void writePredictionTable(const std::string &path, const rt::Dataset &data, const std::string &type,
                          const std::string &output, const rt::Tensor &rows, const std::vector<int64_t> &vertices);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PREDICTIONTABLE_H
