//===- Comparison.h - Compiled results against expected ones ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_COMPARISON_H
#define GNNC_TEST_VERIFY_COMPARISON_H

#include "test/Verify/Expected.h"
#include "llvm/ADT/STLExtras.h"
#include <sstream>

namespace gnnc::verify {

/// Compares arrays, and notes in a report what differs.
class Comparison {
public:
  Comparison(VerifyReport &report, double tolerance) : report(report), tolerance(tolerance) {}

  std::string where;
  /// If given, what each number may differ by, instead of the tolerance.
  const RoundingBound *bound = nullptr;
  VerifyReport &report;

  /// `floor` is the least scale: rounding of a sum that cancels is that of its terms.
  void compare(const std::string &what, const std::vector<double> &actual, const std::vector<double> &expected,
               double floor) {
    ++report.arrays;
    if (actual.size() != expected.size())
      return fail(what + " has " + std::to_string(actual.size()) + " numbers, expected " +
                  std::to_string(expected.size()));
    double scale = floor, error = 0;
    size_t worst = 0;
    for (double x : expected)
      scale = std::max(scale, std::isfinite(x) ? std::fabs(x) : 0);
    for (size_t i = 0; i < actual.size(); ++i) {
      const double difference = distance(actual[i], expected[i]) / (bound ? bound->of(what, i, expected[i]) : scale);
      if (difference > error) {
        error = difference;
        worst = i;
      }
    }
    report.largestError = std::max(report.largestError, error);
    if (error > (bound ? 1 : tolerance))
      fail(what + describe(worst, actual[worst], expected[worst], error));
  }

  void fail(const std::string &message) { report.failures.push_back(where + ": " + message); }

private:
  std::string describe(size_t element, double actual, double expected, double error) const {
    std::ostringstream text;
    text.precision(bound ? 17 : 9);
    text << "[" << element << "] is " << actual << ", expected " << expected << " (" << error
         << (bound ? " times the rounding error that the expression as written may have)" : " of the largest)");
    return text.str();
  }

  double tolerance;
};

// The same for what the oracle says of a scenario. `visitor` is a Comparison, or a RoundingBound that the differences
// widen.

template <typename Visitor>
void compareOutputs(Visitor &visitor, const CheckedModel &model, const OracleValues &expected,
                    const CompiledResults &actual) {
  for (const Output &output : model.outputs)
    visitor.compare("output `" + output.name + "`", actual.outputs.at(output.name), expected[output.value].data, 1e-6);
}

template <typename Visitor>
void compareGradients(Visitor &visitor, const CheckedModel &model, const OracleGradients &expected,
                      const CompiledResults &actual) {
  const auto isTrained = [](const Parameter &param) { return !param.isState; };
  double largest = 0; // of all parameters; the oracle's gradients of inputs have a scale of their own
  for (const Parameter &param : llvm::make_filter_range(model.params, isTrained))
    for (double x : expected.at(param.name))
      largest = std::max(largest, std::fabs(x));
  for (const Parameter &param : llvm::make_filter_range(model.params, isTrained)) {
    auto gradient = actual.gradients.find(param.name);
    if (gradient == actual.gradients.end())
      visitor.fail("there is no gradient of `" + param.name + "`");
    else
      visitor.compare("gradient of `" + param.name + "`", gradient->second, expected.at(param.name),
                      std::max(0.1 * largest, 1e-5));
  }
}

template <typename Visitor>
void compareStates(Visitor &visitor, const CheckedModel &model, const OracleValues &expected,
                   const CompiledResults &actual) {
  for (const StateUpdate &update : model.stateUpdates) {
    const std::string &name = model.params[update.state].name;
    auto state = actual.states.find(name);
    if (state == actual.states.end())
      visitor.fail("there is no next value of `" + name + "`");
    else
      visitor.compare("next value of `" + name + "`", state->second, expected[update.value].data, 1e-5);
  }
}

template <typename Visitor>
void compareStep(Visitor &visitor, const CheckedModel &model, const Step &expected, const CompiledResults &actual) {
  visitor.compare("loss", {actual.loss}, {expected.loss}, 1);
  compareGradients(visitor, model, expected.gradients, actual);
  compareStates(visitor, model, expected.values, actual);
}

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_COMPARISON_H
