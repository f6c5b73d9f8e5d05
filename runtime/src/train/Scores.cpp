//===- Scores.cpp - What predictions are worth ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Scores.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gnn::rt {

double areaUnderCurve(const std::vector<double> &positives, const std::vector<double> &negatives) {
  if (positives.empty() || negatives.empty())
    return 0.5;
  std::vector<double> sorted = negatives;
  std::sort(sorted.begin(), sorted.end());
  double wins = 0;
  for (double score : positives) {
    auto range = std::equal_range(sorted.begin(), sorted.end(), score);
    wins += double(range.first - sorted.begin()) + 0.5 * double(range.second - range.first);
  }
  return wins / (double(positives.size()) * double(negatives.size()));
}

double averagePrecision(const std::vector<double> &positives, const std::vector<double> &negatives) {
  std::vector<double> true_(positives), false_(negatives);
  std::sort(true_.begin(), true_.end(), std::greater<>());
  std::sort(false_.begin(), false_.end(), std::greater<>());
  double sum = 0;
  size_t found = 0, wrong = 0;
  while (found < true_.size()) {
    const double threshold = true_[found];
    const size_t before = found;
    while (found < true_.size() && true_[found] == threshold)
      ++found;
    while (wrong < false_.size() && false_[wrong] >= threshold)
      ++wrong;
    sum += double(found - before) * double(found) / double(found + wrong);
  }
  return true_.empty() ? 0 : sum / double(true_.size());
}

namespace {

/// The curves' metrics of one class against the others; `isTrue` says whose it is.
struct Curves {
  double auc = 0, ap = 0;
  bool areThere = false;

  template <class IsTrue, class ScoreOf> Curves(int64_t rows, IsTrue isTrue, ScoreOf scoreOf) {
    std::vector<double> positives, negatives;
    for (int64_t i = 0; i < rows; ++i) {
      const double score = scoreOf(i);
      if (std::isnan(score)) // which no order has
        return;
      (isTrue(i) ? positives : negatives).push_back(score);
    }
    areThere = !positives.empty() && !negatives.empty();
    auc = areaUnderCurve(positives, negatives);
    ap = averagePrecision(positives, negatives);
  }
};

/// The means, if all of them are there.
void addCurves(Scores &scores, const std::vector<Curves> &curves) {
  double auc = 0, ap = 0;
  for (const Curves &curve : curves) {
    if (!curve.areThere)
      return;
    auc += curve.auc / double(curves.size());
    ap += curve.ap / double(curves.size());
  }
  if (!curves.empty()) {
    scores.values["auc"] = auc;
    scores.values["ap"] = ap;
  }
}

/// What was found of a class.
struct Found {
  double right = 0, wrong = 0, missed = 0;
  bool isThere() const { return right + wrong + missed > 0; }
  double f1() const { return isThere() ? 2 * right / (2 * right + wrong + missed) : 0; }
  void add(const Found &other) {
    right += other.right;
    wrong += other.wrong;
    missed += other.missed;
  }
};

std::vector<Found> foundIn(const std::vector<std::vector<int64_t>> &confusion) {
  std::vector<Found> found(confusion.size());
  for (size_t label = 0; label < confusion.size(); ++label)
    for (size_t given = 0; given < confusion.size(); ++given) {
      const auto rows = double(confusion[label][given]);
      if (label == given) {
        found[label].right += rows;
        continue;
      }
      found[given].wrong += rows;
      found[label].missed += rows;
    }
  return found;
}

/// Classes that no row has or was given count where `countsAbsent`.
void addF1(Scores &scores, const std::vector<Found> &classes, bool countsAbsent) {
  Found all;
  double sum = 0, count = 0;
  for (const Found &found : classes) {
    all.add(found);
    sum += found.f1();
    count += countsAbsent || found.isThere() ? 1 : 0;
  }
  scores.values["f1_macro"] = count > 0 ? sum / count : 0;
  scores.values["f1_micro"] = all.f1();
}

} // namespace

Scores classScores(const Rows &logits, const std::vector<int64_t> &labels) {
  Scores scores;
  const auto classes = size_t(logits.width);
  if (labels.empty() || classes == 0)
    return scores;
  scores.confusion.assign(classes, std::vector<int64_t>(classes, 0));
  std::vector<double> shares(logits.numbers.size());
  for (int64_t i = 0; i < logits.count(); ++i) {
    const double *row = logits.row(i);
    const double *best = std::max_element(row, row + classes);
    ++scores.confusion[size_t(labels[size_t(i)])][size_t(best - row)];
    double sum = 0;
    for (size_t k = 0; k < classes; ++k)
      sum += shares[size_t(i) * classes + k] = std::exp(row[k] - *best);
    for (size_t k = 0; k < classes; ++k)
      shares[size_t(i) * classes + k] /= sum;
  }
  addF1(scores, foundIn(scores.confusion), /*countsAbsent=*/false);
  std::vector<Curves> curves;
  for (size_t k = classes == 2 ? 1 : 0; k < classes; ++k)
    curves.emplace_back(
        logits.count(), [&](int64_t i) { return labels[size_t(i)] == int64_t(k); },
        [&](int64_t i) { // of two classes a difference has no ties by rounding that the share has
          return classes == 2 ? logits.row(i)[1] - logits.row(i)[0] : shares[size_t(i) * classes + k];
        });
  addCurves(scores, curves);
  return scores;
}

Scores binaryScores(const Rows &logits, const Rows &targets) {
  Scores scores;
  const auto isNoClass = [](double target) { return target != 0 && target != 1; };
  if (targets.count() == 0 || std::any_of(targets.numbers.begin(), targets.numbers.end(), isNoClass))
    return scores;
  std::vector<Found> ones(targets.width);
  std::vector<Curves> curves;
  std::vector<std::vector<int64_t>> confusion;
  for (int64_t k = 0; k < targets.width; ++k) {
    confusion.assign(2, std::vector<int64_t>(2, 0));
    for (int64_t i = 0; i < targets.count(); ++i)
      ++confusion[targets.row(i)[k] == 1][logits.row(i)[k] > 0];
    ones[size_t(k)] = foundIn(confusion)[1];
    curves.emplace_back(
        targets.count(), [&](int64_t i) { return targets.row(i)[k] == 1; },
        [&](int64_t i) { return logits.row(i)[k]; });
  }
  addCurves(scores, curves);
  if (targets.width > 1) {
    addF1(scores, ones, /*countsAbsent=*/true);
    return scores;
  }
  scores.confusion = confusion;
  scores.values["f1"] = ones[0].f1();
  addF1(scores, foundIn(confusion), /*countsAbsent=*/false);
  scores.values["accuracy"] = scores.values["f1_micro"];
  return scores;
}

Scores numberScores(const Rows &outputs, const Rows &targets) {
  Scores scores;
  const auto count = double(targets.count()), width = double(targets.width);
  if (targets.count() == 0)
    return scores;
  for (int64_t k = 0; k < targets.width; ++k) {
    double mean = 0, away = 0, squares = 0, spread = 0;
    for (int64_t i = 0; i < targets.count(); ++i)
      mean += targets.row(i)[k] / count;
    for (int64_t i = 0; i < targets.count(); ++i) {
      const double target = targets.row(i)[k], error = outputs.row(i)[k] - target;
      away += std::abs(error) / count;
      squares += error * error / count;
      spread += (target - mean) * (target - mean) / count;
    }
    scores.values["mae"] += away / width;
    scores.values["rmse"] += std::sqrt(squares) / width;
    scores.values["r2"] += (spread > 0 ? 1 - squares / spread : squares > 0 ? 0 : 1) / width;
  }
  return scores;
}

} // namespace gnn::rt
