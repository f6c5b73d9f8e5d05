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

/// Of ascending scores.
double areaOf(Span<const double> positives, Span<const double> negatives) {
  if (positives.empty() || negatives.empty())
    return 0.5;
  double wins = 0;
  for (double score : positives) {
    auto range = std::equal_range(negatives.begin(), negatives.end(), score);
    wins += double(range.first - negatives.begin()) + 0.5 * double(range.second - range.first);
  }
  return wins / (double(positives.size()) * double(negatives.size()));
}

/// Of ascending scores, from the highest on.
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
  return positives.empty() ? 0 : sum / double(positives.size());
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

/// Adds the means over the curves of classes, each against the others, if all of them are there. `ones`: rows that are
/// of each class; `isOne(target, curve)` and `scoreOf(row, output, curve)` are of a class.
template <class IsOne, class ScoreOf>
void addCurves(Scores &scores, const Rows &outputs, const Rows &targets, const std::vector<int64_t> &ones,
               CurveMemory memory, IsOne isOne, ScoreOf scoreOf) {
  const auto rows = size_t(targets.count), curves = ones.size();
  const bool areThere = std::all_of(ones.begin(), ones.end(), [&](int64_t n) { return n > 0 && n < targets.count; });
  if (curves == 0 || curves > size_t(mostClassesOfCurves) || !areThere)
    return;
  const size_t most = std::clamp<size_t>(memory.bytes / (rows * sizeof(double)), 1, curves);
  std::vector<double> numbers(most * rows); // [curve][those that are of it, then the others]
  double auc = 0, ap = 0;
  for (size_t begin = 0; begin < curves; begin += most) {
    const size_t end = std::min(begin + most, curves);
    std::vector<size_t> nextOne, nextOther;
    for (size_t k = begin; k < end; ++k) {
      nextOne.push_back((k - begin) * rows);
      nextOther.push_back((k - begin) * rows + size_t(ones[k]));
    }
    bool haveOrder = true;
    forEachRow(outputs, targets, [&](int64_t row, const double *output, const double *target) {
      for (size_t k = begin; k < end; ++k) {
        const double score = scoreOf(row, output, k);
        haveOrder &= !std::isnan(score);
        numbers[(isOne(target, k) ? nextOne : nextOther)[k - begin]++] = score;
      }
    });
    if (!haveOrder)
      return;
    for (size_t k = begin; k < end; ++k) {
      double *const first = numbers.data() + (k - begin) * rows, *const middle = first + ones[k];
      std::sort(first, middle);
      std::sort(middle, first + rows);
      const Span<const double> positives(first, size_t(ones[k])), negatives(middle, rows - size_t(ones[k]));
      auc += areaOf(positives, negatives) / double(curves);
      ap += precisionOf(positives, negatives) / double(curves);
    }
  }
  scores.values["auc"] = auc;
  scores.values["ap"] = ap;
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
    sum += found.f1();
    count += countsAbsent || found.isThere() ? 1 : 0;
  }
  scores.values["f1_macro"] = count > 0 ? sum / count : 0;
  scores.values["f1_micro"] = all.f1();
}

bool haveOrder(const std::vector<double> &scores) {
  return std::none_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); });
}

} // namespace

double areaUnderCurve(std::vector<double> positives, std::vector<double> negatives) {
  if (!haveOrder(positives) || !haveOrder(negatives))
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(negatives.begin(), negatives.end());
  return areaOf(positives, negatives);
}

double averagePrecision(std::vector<double> positives, std::vector<double> negatives) {
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
  if (labels.count == 0 || classes == 0)
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
  std::vector<int64_t> ones;
  for (size_t k = first; k < classes; ++k)
    ones.push_back(counts.labelled(k));
  addCurves(
      scores, logits, labels, ones, memory,
      [&](const double *label, size_t curve) { return size_t(*label) == first + curve; },
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
  bool areClasses = targets.count > 0;
  forEachRow(logits, targets, [&](int64_t, const double *row, const double *target) {
    for (size_t k = 0; k < width; ++k) {
      areClasses &= target[k] == 0 || target[k] == 1;
      counts[k].add(target[k] == 1, row[k] > 0);
    }
  });
  if (!areClasses)
    return scores;
  std::vector<int64_t> ones;
  std::vector<Found> found;
  for (const Counts &of : counts) {
    ones.push_back(of.labelled(1));
    found.push_back(of.classes[1]);
  }
  addCurves(
      scores, logits, targets, ones, memory, [](const double *target, size_t k) { return target[k] == 1; },
      [](int64_t, const double *row, size_t k) { return row[k]; });
  if (width > 1) {
    addF1(scores, found, /*countsAbsent=*/true);
    return scores;
  }
  scores.confusion = counts[0].confusion;
  scores.values["f1"] = found[0].f1();
  addF1(scores, counts[0].classes, /*countsAbsent=*/false);
  scores.values["accuracy"] = scores.values["f1_micro"];
  return scores;
}

Scores numberScores(const Rows &outputs, const Rows &targets) {
  Scores scores;
  const auto count = double(targets.count);
  const auto width = size_t(targets.width);
  if (targets.count == 0)
    return scores;
  struct Sums {
    double mean = 0, away = 0, squares = 0, spread = 0;
  };
  std::vector<Sums> sums(width);
  forEachRow({0, targets.count, [](int64_t, int64_t, double *) {}}, targets,
             [&](int64_t, const double *, const double *target) {
               for (size_t k = 0; k < width; ++k)
                 sums[k].mean += target[k] / count;
             });
  forEachRow(outputs, targets, [&](int64_t, const double *output, const double *target) {
    for (size_t k = 0; k < width; ++k) {
      Sums &of = sums[k];
      const double error = output[k] - target[k];
      of.away += std::abs(error) / count;
      of.squares += error * error / count;
      of.spread += (target[k] - of.mean) * (target[k] - of.mean) / count;
    }
  });
  for (const Sums &of : sums) {
    scores.values["mae"] += of.away / double(width);
    scores.values["rmse"] += std::sqrt(of.squares) / double(width);
    scores.values["r2"] += (of.spread > 0 ? 1 - of.squares / of.spread : of.squares > 0 ? 0 : 1) / double(width);
  }
  return scores;
}

} // namespace gnn::rt
