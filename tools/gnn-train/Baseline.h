//===- Baseline.h - What metrics are compared with --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_BASELINE_H
#define GNN_TOOLS_TRAIN_BASELINE_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/train/Evaluator.h"

namespace gnn::train_tool {

/// Adds to the metrics of splits, measured in full, those of an answer that is the same for every row: of classes the
/// most frequent one of the split `train`, `baseline_accuracy`; of numbers its mean, `baseline_mae` and
/// `baseline_rmse`. Two classes get `precision`, `recall` and `f1` of the second one.
void addBaselines(std::map<std::string, rt::Metrics> &splits, const rt::Dataset &data);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_BASELINE_H
