//===- Scores.cpp - What predictions are worth ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Scores.h"

#include "runtime/src/core/Span.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gnn::rt {

namespace {

/// Of ascending scores, at least one on each side.
double areaOf(Span<const double> positives, Span<const double> negatives) {
  double wins = 0;
  for (double score : positives) {
    auto range = std::equal_range(negatives.begin(), negatives.end(), score);
    wins += double(range.first - negatives.begin()) + 0.5 * double(range.second - range.first);
  }
  return wins / (double(positives.size()) * double(negatives.size()));
}

/// Of ascending scores, at least one positive, from the highest on.
double precisionOf(Span<const double> positives, Span<const double> negatives) {
  double sum = 0;
  size_t found = 0, wrong = 0;
  auto positive = [&] { return positives[positives.size() - 1 - found]; };
  while (found < positives.size()) {
    const double threshold = positive();
    const size_t before = found;
    while (found < positives.size() && positive() == threshold)
      ++found;
    while (wrong < negatives.size() && negatives[negatives.size() - 1 - wrong] >= threshold)
      ++wrong;
    sum += double(found - before) * double(found) / double(found + wrong);
  }
  return sum / double(positives.size());
}

/// Numbers of outputs and targets that are in memory at a time.
constexpr int64_t numbersAtATime = int64_t(1) << 17;

/// Calls `visit(row, output, target)` for each row, in order.
template <class Visit> void forEachRow(const Rows &outputs, const Rows &targets, Visit visit) {
  const int64_t most = std::max<int64_t>(numbersAtATime / std::max<int64_t>({outputs.width, targets.width, 1}), 1);
  std::vector<double> output, target;
  for (int64_t first = 0; first < targets.count; first += most) {
    const int64_t rows = std::min(most, targets.count - first);
    output.resize(size_t(rows * outputs.width));
    target.resize(size_t(rows * targets.width));
    outputs.read(first, rows, output.data());
    targets.read(first, rows, target.data());
    for (int64_t i = 0; i < rows; ++i)
      visit(first + i, output.data() + i * outputs.width, target.data() + i * targets.width);
  }
}

/// Rows that a curve is over, and those of them that are of its class.
struct CurveRows {
  size_t column;
  int64_t ones, count;
  bool hasBoth() const { return ones > 0 && ones < count; }
};

/// Adds the means over the curves, each of a class against the others; none unless each has rows on both sides.
/// `classOf(target, column)` is 1 for rows of the class, 0 for others, NaN for rows that have no label;
/// `scoreOf(row, output, column)` is higher for rows that are found to be of the class.
template <class ClassOf, class ScoreOf>
void addCurves(Scores &scores, const Rows &outputs, const Rows &targets, const std::vector<CurveRows> &curves,
               CurveMemory memory, ClassOf classOf, ScoreOf scoreOf) {
  if (curves.size() > size_t(mostClassesOfCurves))
    return;
  MetricValue &auc = scores.values["auc"], &ap = scores.values["ap"];
  if (curves.empty() || !std::all_of(curves.begin(), curves.end(), [](const CurveRows &c) { return c.hasBoth(); }))
    return;
  const auto rows = size_t(targets.count);
  const size_t most = std::clamp<size_t>(memory.bytes / (rows * sizeof(double)), 1, curves.size());
  std::vector<double> numbers(most * rows); // [curve][rows of the class, then the others]
  double areas = 0, precisions = 0;
  for (size_t begin = 0; begin < curves.size(); begin += most) {
    const size_t end = std::min(begin + most, curves.size());
    std::vector<double *> nextOne, nextOther;
    for (size_t k = begin; k < end; ++k) {
      nextOne.push_back(numbers.data() + (k - begin) * rows);
      nextOther.push_back(nextOne.back() + curves[k].ones);
    }
    bool haveOrder = true;
    forEachRow(outputs, targets, [&](int64_t row, const double *output, const double *target) {
      for (size_t k = begin; k < end; ++k) {
        const double ofClass = classOf(target, curves[k].column);
        if (std::isnan(ofClass))
          continue;
        const double score = scoreOf(row, output, curves[k].column);
        haveOrder &= !std::isnan(score);
        *(ofClass == 1 ? nextOne : nextOther)[k - begin]++ = score;
      }
    });
    if (!haveOrder) {
      auc = ap = NAN;
      return;
    }
    for (size_t k = begin; k < end; ++k) {
      double *const first = numbers.data() + (k - begin) * rows, *const middle = first + curves[k].ones;
      std::sort(first, middle);
      std::sort(middle, first + curves[k].count);
      const Span<const double> positives(first, size_t(curves[k].ones)),
          negatives(middle, size_t(curves[k].count - curves[k].ones));
      areas += areaOf(positives, negatives) / double(curves.size());
      precisions += precisionOf(positives, negatives) / double(curves.size());
    }
  }
  auc = areas;
  ap = precisions;
}

/// What was found of a class.
struct Found {
  double right = 0, wrong = 0, missed = 0;
  bool isThere() const { return right + wrong + missed > 0; }
  MetricValue f1() const { return isThere() ? MetricValue(2 * right / (2 * right + wrong + missed)) : std::nullopt; }
  void add(const Found &other) {
    right += other.right;
    wrong += other.wrong;
    missed += other.missed;
  }
};

/// Rows by the class of the label and the class found.
struct Counts {
  std::vector<Found> classes;
  std::vector<std::vector<int64_t>> confusion; // none of too many

  explicit Counts(int64_t width) : classes(size_t(width)) {
    if (width <= mostClassesOfCurves)
      confusion.assign(size_t(width), std::vector<int64_t>(size_t(width), 0));
  }
  void add(size_t label, size_t found) {
    if (!confusion.empty())
      ++confusion[label][found];
    if (label == found) {
      ++classes[label].right;
      return;
    }
    ++classes[found].wrong;
    ++classes[label].missed;
  }
  int64_t labelled(size_t label) const { return int64_t(classes[label].right + classes[label].missed); }
};

/// Classes that no row has or was given count where `countsAbsent`.
void addF1(Scores &scores, const std::vector<Found> &classes, bool countsAbsent) {
  Found all;
  double sum = 0, count = 0;
  for (const Found &found : classes) {
    all.add(found);
    sum += found.f1().value_or(0);
    count += countsAbsent || found.isThere() ? 1 : 0;
  }
  scores.values["f1_macro"] = count > 0 ? MetricValue(sum / count) : std::nullopt;
  scores.values["f1_micro"] = all.f1();
}

bool haveOrder(const std::vector<double> &scores) {
  return std::none_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); });
}

} // namespace

MetricValue areaUnderCurve(std::vector<double> positives, std::vector<double> negatives) {
  if (positives.empty() || negatives.empty())
    return std::nullopt;
  if (!haveOrder(positives) || !haveOrder(negatives))
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(negatives.begin(), negatives.end());
  return areaOf(positives, negatives);
}

MetricValue averagePrecision(std::vector<double> positives, std::vector<double> negatives) {
  if (positives.empty() || negatives.empty())
    return std::nullopt;
  if (!haveOrder(positives) || !haveOrder(negatives))
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(positives.begin(), positives.end());
  std::sort(negatives.begin(), negatives.end());
  return precisionOf(positives, negatives);
}

Rows Rows::of(int64_t width, std::vector<double> numbers) {
  const auto count = int64_t(numbers.size()) / width;
  return {width, count, [width, numbers = std::move(numbers)](int64_t first, int64_t rows, double *to) {
            std::copy_n(numbers.data() + first * width, rows * width, to);
          }};
}

Scores classScores(const Rows &logits, const Rows &labels, CurveMemory memory) {
  Scores scores;
  const auto classes = size_t(logits.width);
  if (classes == 0)
    return scores;
  struct Softmax {
    double largest, sum;
  };
  std::vector<Softmax> softmax(size_t(labels.count));
  Counts counts(logits.width);
  forEachRow(logits, labels, [&](int64_t i, const double *row, const double *label) {
    const double *best = std::max_element(row, row + classes);
    counts.add(size_t(*label), size_t(best - row));
    double sum = 0;
    for (size_t k = 0; k < classes; ++k)
      sum += std::exp(row[k] - *best);
    softmax[size_t(i)] = {*best, sum};
  });
  addF1(scores, counts.classes, /*countsAbsent=*/false);
  const size_t first = classes == 2 ? 1 : 0; // the class of the first curve
  std::vector<CurveRows> curves;
  for (size_t k = first; k < classes; ++k)
    curves.push_back({k, counts.labelled(k), labels.count});
  addCurves(
      scores, logits, labels, curves, memory,
      [](const double *label, size_t k) { return size_t(*label) == k ? 1.0 : 0.0; },
      [&](int64_t i, const double *row, size_t k) {
        if (classes == 2) // a difference has no ties by rounding that the share has
          return row[1] - row[0];
        return std::exp(row[k] - softmax[size_t(i)].largest) / softmax[size_t(i)].sum;
      });
  scores.confusion = std::move(counts.confusion);
  return scores;
}

Scores binaryScores(const Rows &logits, const Rows &targets, CurveMemory memory) {
  Scores scores;
  const auto width = size_t(targets.width);
  std::vector<Counts> counts(width, Counts(2));
  bool areClasses = true;
  forEachRow(logits, targets, [&](int64_t, const double *row, const double *target) {
    for (size_t k = 0; k < width; ++k) {
      if (std::isnan(target[k]))
        continue;
      areClasses &= target[k] == 0 || target[k] == 1;
      counts[k].add(target[k] == 1, row[k] > 0);
    }
  });
  if (!areClasses)
    return scores;
  std::vector<CurveRows> curves;
  std::vector<Found> found;
  for (size_t k = 0; k < width; ++k) {
    const int64_t ones = counts[k].labelled(1), count = ones + counts[k].labelled(0);
    if (count == 0)
      continue;
    curves.push_back({k, ones, count});
    found.push_back(counts[k].classes[1]);
  }
  addCurves(
      scores, logits, targets, curves, memory, [](const double *target, size_t k) { return target[k]; },
      [](int64_t, const double *row, size_t k) { return row[k]; });
  if (width > 1) {
    addF1(scores, found, /*countsAbsent=*/true);
    return scores;
  }
  scores.confusion = counts[0].confusion;
  scores.values["f1"] = counts[0].classes[1].f1();
  addF1(scores, counts[0].classes, /*countsAbsent=*/false);
  scores.values["accuracy"] = scores.values["f1_micro"];
  return scores;
}

namespace {

/// Sums over the rows of one column that have a label.
struct ColumnSums {
  double count = 0, targets = 0, away = 0, squares = 0, spread = 0;

  /// Of two rows or more. Of targets that are all the same it is 1 where all are met, else 0, as of scikit-learn.
  double r2() const {
    if (spread != 0)
      return 1 - squares / spread;
    return std::isnan(squares) ? squares : squares > 0 ? 0 : 1;
  }
};

/// The mean over the columns that have a value.
template <class Value> MetricValue meanOver(const std::vector<ColumnSums> &columns, double leastRows, Value valueOf) {
  double sum = 0, count = 0;
  for (const ColumnSums &column : columns)
    if (column.count >= leastRows) {
      sum += valueOf(column);
      ++count;
    }
  return count > 0 ? MetricValue(sum / count) : std::nullopt;
}

} // namespace

Scores numberScores(const Rows &outputs, const Rows &targets) {
  std::vector<ColumnSums> columns(size_t(targets.width));
  const auto forEachLabel = [&](const Rows &rows, auto visit) {
    forEachRow(rows, targets, [&](int64_t, const double *output, const double *target) {
      for (size_t k = 0; k < columns.size(); ++k)
        if (!std::isnan(target[k]))
          visit(columns[k], output + k, target[k]);
    });
  };
  forEachLabel(targets, [](ColumnSums &of, const double *, double target) {
    ++of.count;
    of.targets += target;
  });
  forEachLabel(outputs, [](ColumnSums &of, const double *output, double target) {
    const double error = *output - target, offset = target - of.targets / of.count;
    of.away += std::abs(error);
    of.squares += error * error;
    of.spread += offset * offset;
  });
  Scores scores;
  scores.values["mae"] = meanOver(columns, 1, [](const ColumnSums &of) { return of.away / of.count; });
  scores.values["rmse"] = meanOver(columns, 1, [](const ColumnSums &of) { return std::sqrt(of.squares / of.count); });
  scores.values["r2"] = meanOver(columns, 2, [](const ColumnSums &of) { return of.r2(); });
  return scores;
}

} // namespace gnn::rt
