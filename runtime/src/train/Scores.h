//===- Scores.h - What predictions are worth --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metrics of rows of a split, by the definitions of scikit-learn. Numbers are added in double in the order of the rows.
// Labels that are NaN are missing: no metric counts them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SCORES_H
#define GNN_TRAIN_SCORES_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

/// None where there is nothing to measure: no rows, no labels, a class without rows. NaN where an output is.
using MetricValue = std::optional<double>;

/// The probability that a positive has the higher score; a tie is half. None where one side is empty, NaN where a score
/// is.
MetricValue areaUnderCurve(std::vector<double> positives, std::vector<double> negatives);
/// The sum of precisions at each score, weighed by the recall that it adds (average_precision_score); none where one
/// side is empty, NaN where a score is.
MetricValue averagePrecision(std::vector<double> positives, std::vector<double> negatives);

struct Scores {
  std::map<std::string, MetricValue> values;
  std::vector<std::vector<int64_t>> confusion; // [class of the label][class found]; empty: no classes, or too many
};

/// With more classes there are no curves and no confusion matrix, whose memory grows with the square of the number.
constexpr int64_t mostClassesOfCurves = 1000;

/// Rows of `width` numbers, some of which are in memory at a time.
struct Rows {
  int64_t width = 1, count = 0;
  /// Writes rows [first, first + rows) to `to`; the same whenever it is asked for them.
  std::function<void(int64_t first, int64_t rows, double *to)> read;

  static Rows of(int64_t width, std::vector<double> numbers);
};

/// Memory for the numbers of curves: where it does not have those of all classes, `outputs` are read several times. It
/// has those of one class in any case, 8 bytes a row.
struct CurveMemory {
  size_t bytes = size_t(256) << 20;
};

/// Scores of classes by logits: f1_macro, f1_micro, auc and ap. With two classes, auc and ap are those of class 1; with
/// more, they are means over classes, each against all others, by softmax. Labels are one number per row, a class in
/// [0, width). Keeps 16 bytes per row, beside the curves.
Scores classScores(const Rows &logits, const Rows &labels, CurveMemory memory = {});

/// Scores of labels 0 or 1 by logits; a positive logit predicts 1. One label per row gives accuracy, f1 (of label 1),
/// f1_macro, f1_micro, auc and ap. Several give f1_micro, f1_macro, and the means of auc and ap over the labels that
/// occur. No scores if a target is neither 0 nor 1.
Scores binaryScores(const Rows &logits, const Rows &targets, CurveMemory memory = {});

/// Scores of numbers: mae, rmse, r2; with several numbers per row, means over those that have labels. r2 of a single
/// row is "none".
Scores numberScores(const Rows &outputs, const Rows &targets);

} // namespace gnn::rt

#endif // GNN_TRAIN_SCORES_H
