//===- GradientCheck.cpp - Reverse mode against central differences -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle's own check of its gradients. Entries whose difference crosses a kink are skipped and counted.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Interpreter.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

/// The loss, or the sum of all outputs where there is none.
static double objective(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  if (model.loss >= 0)
    return maskedLoss(model, bindings, values);
  double sum = 0;
  for (const Output &output : model.outputs)
    for (double x : values[output.value].data)
      sum += x;
  return sum;
}

static OracleGradients objectiveGradients(const CheckedModel &model, const OracleBindings &bindings,
                                          const OracleValues &values) {
  if (model.loss >= 0)
    return differentiateLoss(model, bindings, values);
  OracleGradients sum;
  for (const Output &output : model.outputs) {
    const std::vector<double> ones(values[output.value].data.size(), 1.0);
    for (const auto &[name, gradient] : differentiateValue(model, bindings, values, output.value, ones)) {
      std::vector<double> &total = sum.emplace(name, gradient.size()).first->second;
      for (size_t i = 0; i < gradient.size(); ++i)
        total[i] += gradient[i];
    }
  }
  return sum;
}

static GradientCheck checkArray(const CheckedModel &model, const OracleBindings &bindings, std::vector<double> &array,
                                const std::string &name, const std::vector<double> &gradient,
                                const OracleValues &values, int64_t limit, double epsilon) {
  const uint64_t decisions = findKinks(model, bindings, values).decisions;
  GradientCheck check;
  check.name = name;
  double largest = 0;
  for (double g : gradient)
    largest = std::max(largest, std::fabs(g));
  const size_t stride = std::max<size_t>(1, (array.size() + limit - 1) / limit);
  for (size_t i = 0; i < array.size(); i += stride) {
    const double original = array[i], step = epsilon * std::max(1.0, std::fabs(original));
    array[i] = original + step;
    const OracleValues above = evaluate(model, bindings, &values);
    const double plus = objective(model, bindings, above);
    const uint64_t decisionsAbove = findKinks(model, bindings, above).decisions;
    array[i] = original - step;
    const OracleValues below = evaluate(model, bindings, &values);
    const double minus = objective(model, bindings, below);
    const uint64_t decisionsBelow = findKinks(model, bindings, below).decisions;
    array[i] = original;
    if (decisionsAbove != decisions || decisionsBelow != decisions) {
      ++check.skipped;
      continue;
    }
    const double quotient = (plus - minus) / (2 * step);
    const double scale = std::max({std::fabs(quotient), std::fabs(gradient[i]), 1e-2 * largest, 1e-5});
    check.maxError = std::max(check.maxError, std::fabs(quotient - gradient[i]) / scale);
    ++check.entries;
  }
  return check;
}

/// The gradient of a row-normalised input is that of the normalised numbers, which differences cannot reach.
static bool isRowNormalized(const CheckedModel &model, const std::string &name) {
  return std::any_of(model.inputs.begin(), model.inputs.end(),
                     [&](const Input &input) { return input.name == name && input.rowNormalized; });
}

std::vector<GradientCheck> checkGradients(const CheckedModel &model, OracleBindings bindings, int64_t entriesPerArray,
                                          bool withInputs, double epsilon) {
  const OracleValues values = evaluate(model, bindings);
  const OracleGradients gradients = objectiveGradients(model, bindings, values);
  std::vector<GradientCheck> checks;
  for (const auto &[name, gradient] : gradients) {
    auto param = bindings.params.find(name);
    if (param == bindings.params.end() && (!withInputs || isRowNormalized(model, name)))
      continue;
    std::vector<double> &array = param != bindings.params.end() ? param->second : bindings.inputs.at(name);
    checks.push_back(checkArray(model, bindings, array, name, gradient, values, entriesPerArray, epsilon));
  }
  return checks;
}

} // namespace gnnc
