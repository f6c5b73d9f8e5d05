//===- Poison.cpp - Data that must not matter -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Poison.h"
#include "compiler/Interpreter/Context.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <limits>
#include <map>
#include <set>

namespace gnnc::verify {

namespace {

/// Tries rows one after the other: a forward pass of the oracle each.
class Poisoner {
public:
  Poisoner(const CheckedModel &model, const Scenario &scenario, Program program)
      : model(model), isStep(program == Program::Train), clean(scenario), expected(evaluate(model, scenario.bindings)) {
    for (unsigned relation = 0; relation < model.relations.size(); ++relation) {
      const OracleGraph &graph = clean.bindings.relations[relation];
      for (size_t edge = 0; edge < graph.src.size(); ++edge)
        if (isSeen(relation, int64_t(edge))) {
          readers[{relation, ValueKind::ReadSource}].insert(graph.src[edge]);
          readers[{relation, ValueKind::ReadDestination}].insert(graph.dst[edge]);
        }
    }
  }

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
        if (!mayBePoisoned(tried, value))
          continue;
        poisonRow(result, value, row, rowSize);
        ++found;
      }
    }
    const OracleValues together = evaluate(model, result.bindings);
    if (!(isStep ? keepsLoss(together) : keepsLoss(together) && keepsOutputs(together)))
      return clean; // rows that matter only together
    numRows += found;
    return result;
  }

private:
  /// Whether sums over the edges of either end have the edge: a sample may leave it out of one of the two.
  bool isSeen(unsigned relation, int64_t edge) const {
    const auto &seen = clean.bindings.isSeen;
    return !seen || (seen(relation, End::Source, edge) && seen(relation, End::Destination, edge));
  }

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

  bool mayBePoisoned(const Scenario &tried, const Value &value) const {
    const OracleValues values = evaluate(model, tried.bindings);
    if (!keepsLoss(values) || changesChoices(values))
      return false;
    if (keepsOutputs(values))
      return !isStep || !hasNaNForEdges(values, /*alsoWhereRead=*/false);
    return isStep && !isOfEdges(value) && !hasNaNForEdges(values, /*alsoWhereRead=*/true);
  }

  bool isSame(const OracleValues &values, unsigned value, int64_t from, int64_t count) const {
    return std::memcmp(values[value].data.data() + from, expected[value].data.data() + from,
                       size_t(count) * sizeof(double)) == 0;
  }
  bool isSame(const OracleValues &values, unsigned value) const {
    return isSame(values, value, 0, int64_t(expected[value].data.size()));
  }

  /// Whether the losses that count and the next states are those without NaN.
  bool keepsLoss(const OracleValues &values) const {
    for (int64_t row : clean.lossRows)
      if (!isSame(values, model.loss, row, 1))
        return false;
    return llvm::all_of(model.stateUpdates, [&](const StateUpdate &update) { return isSame(values, update.value); });
  }

  bool keepsOutputs(const OracleValues &values) const {
    return llvm::all_of(model.outputs, [&](const Output &output) { return isSame(values, output.value); });
  }

  /// Whether a condition has changed, or what a maximum, minimum or softmax is over. Where a condition chooses between
  /// numbers so small that they are lost in a sum, the loss is what it was, but gradients are not. Where the same
  /// number still wins, where all scores have moved by as much or equal numbers have one less, the result is what it
  /// was. But a step over a sample need not see the winner, and compiled code rounds.
  bool changesChoices(const OracleValues &values) const {
    const auto changes = [&](const Value &value) {
      const bool isReduction =
          value.kind == ValueKind::Aggregate || value.kind == ValueKind::Reduce || value.kind == ValueKind::Total;
      const bool isExtremum = value.reduction == Reduction::Max || value.reduction == Reduction::Min;
      return (value.kind == ValueKind::Softmax || (isReduction && isExtremum)) && changesCandidates(value, values);
    };
    return changesConditions(values) || llvm::any_of(model.values, changes);
  }

  /// A filter is a condition, too.
  bool changesConditions(const OracleValues &values) const {
    for (size_t i = 0; i < model.values.size(); ++i)
      if (model.values[i].type.element == ElementKind::Bool && !isSame(values, unsigned(i)))
        return true;
    return false;
  }

  /// `value` has the filter that it had.
  bool changesCandidates(const Value &value, const OracleValues &values) const {
    const unsigned operand = value.operands[0];
    const int64_t rowSize = values[operand].rowSize();
    for (int64_t row = 0; row < values[operand].rows; ++row)
      if (passesFilter(value, values, row) && !isSame(values, operand, row * rowSize, rowSize))
        return true;
    return false;
  }

  /// Whether a vertex has become NaN in what edges are computed from, although no edge reads it there; or, with
  /// `alsoWhereRead`, any vertex.
  bool hasNaNForEdges(const OracleValues &values, bool alsoWhereRead) const {
    for (const Value &value : model.values) {
      if (value.kind != ValueKind::ReadSource && value.kind != ValueKind::ReadDestination)
        continue;
      const unsigned operand = value.operands[0];
      const int64_t rowSize = values[operand].rowSize();
      const auto found = readers.find({value.type.type, value.kind});
      for (int64_t row = 0; row < values[operand].rows; ++row) {
        const bool isRead = found != readers.end() && found->second.count(row);
        if ((alsoWhereRead || !isRead) && !isSame(values, operand, row * rowSize, rowSize))
          return true;
      }
    }
    return false;
  }

  const CheckedModel &model;
  bool isStep;
  const Scenario &clean;
  OracleValues expected;
  /// The vertices that edges of a relation have at one end.
  std::map<std::pair<size_t, ValueKind>, std::set<int64_t>> readers;
};

} // namespace

Scenario poisoned(const CheckedModel &model, const Scenario &scenario, Program program, int64_t &numRows) {
  return Poisoner(model, scenario, program).run(numRows);
}

} // namespace gnnc::verify
