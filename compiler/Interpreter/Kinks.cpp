//===- Kinks.cpp - Where a model is not smooth ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds how close an evaluation came to a kink, so that comparisons of gradients can tell a wrong one from one taken on
// the other side.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Evaluate.h"
#include "compiler/Interpreter/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace gnnc {

/// Collects the decisions of one evaluation.
struct KinkCollector {
  KinkReport report{std::numeric_limits<double>::infinity(), 0, 0, {}, {}, {}};

  /// A decision between two numbers.
  void compare(double a, double b) {
    const double scale = std::max({1.0, std::fabs(a), std::fabs(b)});
    const double distance = std::fabs(a - b) / scale;
    if (distance == 0)
      ++report.ties;
    else if (!std::isnan(distance))
      report.margin = std::min(report.margin, distance);
    report.distances.push_back(a - b);
    decide(a < b ? 1 : a > b ? 2 : 3);
  }

  void decide(uint64_t side) { report.decisions = (report.decisions ^ side) * 0x100000001b3; }

  /// Adds the shares that a softmax gives `scores`.
  void share(const std::vector<double> &scores) {
    if (scores.empty())
      return;
    const double shift = shiftOf(*std::max_element(scores.begin(), scores.end()));
    double sum = 0;
    for (double score : scores)
      sum += std::exp(score - shift);
    for (double score : scores)
      report.shares.push_back(std::exp(score - shift) / sum);
  }

  /// A reduction that shares among `candidates`, or chooses one.
  void reduce(Reduction reduction, const std::vector<double> &candidates) {
    if (reduction == Reduction::LogSumExp)
      share(candidates);
    else
      choose(reduction, candidates);
  }

  /// The choice of one of `candidates`: the distance is that of the two best.
  void choose(Reduction reduction, const std::vector<double> &candidates) {
    if (candidates.empty())
      return;
    size_t best = 0;
    for (size_t i = 1; i < candidates.size(); ++i)
      if (beats(reduction, candidates[i], candidates[best]))
        best = i;
    decide(best);
    for (size_t i = 0; i < candidates.size(); ++i)
      if (i != best)
        compare(candidates[i], candidates[best]);
  }
};

static void collectUnary(KinkCollector &kinks, UnaryFunction function, const Value &value, const OracleValues &values,
                         const OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  if (isPeriodic(function))
    llvm::append_range(kinks.report.angles, x.data);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i)
      if (std::optional<double> kink = kinkOf(function, x.row(row)[i]))
        kinks.compare(x.row(row)[i], *kink);
}

/// A function of two operands, or a comparison.
static void collectBinary(KinkCollector &kinks, const Value &value, const OracleValues &values,
                          const OracleField &result) {
  const std::optional<BinaryFunction> function = binaryFunctionOf(value.kind);
  const OracleField &x = values[value.operands[0]], &y = values[value.operands[1]];
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i) {
      const double a = x.row(row)[i], b = y.row(row)[i];
      if (std::optional<std::pair<double, double>> kink = function ? kinkOf(*function, a, b) : std::pair(a, b))
        kinks.compare(kink->first, kink->second);
    }
}

static void collectReduce(KinkCollector &kinks, const Value &value, const OracleValues &values,
                          const OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  const Around dims = around(x.shape, value.dims[0]);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t outer = 0; outer < dims.outer; ++outer)
      for (int64_t inner = 0; inner < dims.inner; ++inner) {
        std::vector<double> candidates;
        for (int64_t i = 0; i < dims.extent; ++i)
          candidates.push_back(x.row(row)[(outer * dims.extent + i) * dims.inner + inner]);
        kinks.reduce(value.reduction, candidates);
      }
}

static void collectAggregate(KinkCollector &kinks, const OracleContext &context, const Value &value,
                             const OracleValues &values, const OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  for (int64_t row = 0; row < result.rows; ++row)
    for (const EdgeGroup &group : edgeGroups(context, value, values, result, row))
      for (int64_t i = 0; i < x.rowSize(); ++i) {
        std::vector<double> candidates;
        for (int64_t edge : group.edges)
          candidates.push_back(x.row(edge)[i]);
        kinks.reduce(value.reduction, candidates);
      }
}

static void collectTotal(KinkCollector &kinks, const OracleContext &context, const Value &value,
                         const OracleValues &values) {
  const OracleField &x = values[value.operands[0]];
  for (int64_t i = 0; i < x.rowSize(); ++i) {
    std::vector<double> candidates;
    for (int64_t vertex : context.verticesOf(value, x.rows))
      candidates.push_back(x.row(vertex)[i]);
    kinks.reduce(value.reduction, candidates);
  }
}

/// A cross entropy's gradient is the softmax of its scores, less the label.
static void collectCrossEntropy(KinkCollector &kinks, const OracleContext &context, const Value &value,
                                const OracleValues &values) {
  const OracleField &scores = values[value.operands[0]];
  const std::vector<double> weights = lossWeights(context.model, context.bindings, values);
  for (int64_t row = 0; row < scores.rows; ++row)
    if (weights[row] != 0)
      kinks.share({scores.row(row), scores.row(row) + scores.rowSize()});
}

KinkReport findKinks(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  OracleContext context(model, bindings);
  KinkCollector kinks;
  for (size_t i = 0; i < model.values.size(); ++i) {
    const Value &value = model.values[i];
    const bool selects = value.reduction == Reduction::Max || value.reduction == Reduction::Min ||
                         value.reduction == Reduction::LogSumExp;
    const bool ofReals = !value.operands.empty() && model.values[value.operands[0]].type.element == ElementKind::Real;
    if (values[i].data.empty())
      continue;
    if (std::optional<UnaryFunction> function = unaryFunctionOf(value.kind))
      collectUnary(kinks, *function, value, values, values[i]);
    else if (binaryFunctionOf(value.kind) || (isComparison(value.kind) && ofReals))
      collectBinary(kinks, value, values, values[i]);
    else if (value.kind == ValueKind::Reduce && selects)
      collectReduce(kinks, value, values, values[i]);
    else if (value.kind == ValueKind::Aggregate && selects)
      collectAggregate(kinks, context, value, values, values[i]);
    else if (value.kind == ValueKind::Total && selects)
      collectTotal(kinks, context, value, values);
    else if (value.kind == ValueKind::Softmax)
      llvm::append_range(kinks.report.shares, values[i].data);
    else if (value.kind == ValueKind::CrossEntropy)
      collectCrossEntropy(kinks, context, value, values);
  }
  return kinks.report;
}

} // namespace gnnc
