//===- Poison.cpp - Data that must not matter -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Poison.h"
#include "compiler/Interpreter/Context.h"
#include <cstring>
#include <limits>

namespace gnnc::verify {

namespace {

/// Tries rows one after the other: a forward pass of the oracle each.
class Poisoner {
public:
  Poisoner(const CheckedModel &model, const Scenario &scenario, Watched watched)
      : model(model), watched(watched), clean(scenario), expected(watchedNumbers(scenario)) {}

  Scenario run(int64_t &numRows) const {
    Scenario result = clean;
    int64_t found = 0;
    for (const Value &value : model.values) {
      const bool isData = value.kind == ValueKind::Input || value.kind == ValueKind::Target;
      if (!isData || value.type.element != ElementKind::Real || isSparse(value))
        continue;
      const int64_t rowSize = OracleContext(model, clean.bindings).zeros(value.type).rowSize();
      for (int64_t row = 0; row < numGiven(value, rowSize); ++row) {
        Scenario tried = clean;
        poisonRow(tried, value, row, rowSize);
        if (!isUnchanged(tried))
          continue;
        poisonRow(result, value, row, rowSize);
        ++found;
      }
    }
    if (!isUnchanged(result)) // rows that matter only together
      return clean;
    numRows += found;
    return result;
  }

private:
  bool isOfEdges(const Value &value) const { return value.type.kind == GraphKind::E; }
  bool isSparse(const Value &value) const { return isOfEdges(value) && model.relations[value.type.type].isSparseInput; }

  int64_t numGiven(const Value &value, int64_t rowSize) const {
    const std::vector<double> &numbers =
        isOfEdges(value) ? clean.givenEdgeInputs.at(value.name) : clean.bindings.inputs.at(value.name);
    return rowSize == 0 ? 0 : int64_t(numbers.size()) / rowSize;
  }

  void poisonRow(Scenario &scenario, const Value &value, int64_t row, int64_t rowSize) const {
    std::vector<double> &bound = scenario.bindings.inputs.at(value.name);
    std::vector<double> &numbers = isOfEdges(value) ? scenario.givenEdgeInputs.at(value.name) : bound;
    std::fill_n(numbers.begin() + row * rowSize, rowSize, std::numeric_limits<double>::quiet_NaN());
    if (isOfEdges(value))
      bound = extendEdges(scenario.bindings.relations[value.type.type], numbers, rowSize);
  }

  /// Empty where the model has no loss and only that is watched.
  std::vector<double> watchedNumbers(const Scenario &scenario) const {
    const OracleValues values = evaluate(model, scenario.bindings);
    std::vector<double> numbers;
    auto watch = [&](unsigned value) {
      numbers.insert(numbers.end(), values[value].data.begin(), values[value].data.end());
    };
    for (int64_t row : scenario.lossRows)
      numbers.push_back(values[model.loss].data[row]);
    for (const StateUpdate &update : model.stateUpdates)
      watch(update.value);
    if (watched == Watched::Results)
      for (const Output &output : model.outputs)
        watch(output.value);
    return numbers;
  }

  bool isUnchanged(const Scenario &scenario) const {
    const std::vector<double> numbers = watchedNumbers(scenario);
    return std::memcmp(numbers.data(), expected.data(), numbers.size() * sizeof(double)) == 0;
  }

  const CheckedModel &model;
  Watched watched;
  const Scenario &clean;
  std::vector<double> expected;
};

} // namespace

Scenario poisoned(const CheckedModel &model, const Scenario &scenario, Watched watched, int64_t &numRows) {
  return Poisoner(model, scenario, watched).run(numRows);
}

} // namespace gnnc::verify
