//===- Scores.h - What predictions are worth --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metrics of rows of a split, by the definitions of scikit-learn. Numbers are added in double in the order of the rows.
// A metric that has no value, such as the area under a curve where a class has no row, is left out.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SCORES_H
#define GNN_TRAIN_SCORES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gnn::rt {

/// The probability that a positive has the higher score; a tie is half. Throws nothing; 0.5 where one side is empty.
double areaUnderCurve(const std::vector<double> &positives, const std::vector<double> &negatives);
/// The sum of precisions at each score, weighed by the recall that it adds (average_precision_score); 0 without
/// positives.
double averagePrecision(const std::vector<double> &positives, const std::vector<double> &negatives);

struct Scores {
  std::map<std::string, double> values;
  std::vector<std::vector<int64_t>> confusion; // [class of the label][class found]; empty: no classes
};

/// Rows of `width` numbers.
struct Rows {
  int64_t width = 1;
  std::vector<double> numbers;

  int64_t count() const { return width ? int64_t(numbers.size()) / width : 0; }
  const double *row(int64_t i) const { return numbers.data() + i * width; }
};

/// Of classes by logits: f1_macro, f1_micro, and auc and ap: of class 1 where there are two, else the means over the
/// classes, each against all others, by softmax. Labels are classes, in [0, width).
Scores classScores(const Rows &logits, const std::vector<int64_t> &labels);

/// Of numbers 0 or 1 by logits, which find a 1 where they are positive. Of one number a row: accuracy, f1 (of the 1),
/// f1_macro, f1_micro, auc, ap. Of several: f1_micro, f1_macro, and the means of auc and ap. Nothing where a target is
/// neither 0 nor 1.
Scores binaryScores(const Rows &logits, const Rows &targets);

/// Of numbers: mae, rmse, r2; of several a row, the means of each.
Scores numberScores(const Rows &outputs, const Rows &targets);

} // namespace gnn::rt

#endif // GNN_TRAIN_SCORES_H
