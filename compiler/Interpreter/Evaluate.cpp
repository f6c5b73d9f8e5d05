//===- Evaluate.cpp - Values in order -------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the list of values and hands each to the evaluator of its family; leaves are filled here.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Evaluate.h"
#include <algorithm>
#include <cassert>

namespace gnnc {

/// Divides each vertex's numbers by their sum; rows that sum to zero stay.
static void normalizeRows(std::vector<double> &numbers, const std::vector<int64_t> &vertexOf, int64_t numVertices) {
  std::vector<double> sums(numVertices, 0.0);
  for (size_t i = 0; i < numbers.size(); ++i)
    sums[vertexOf[i]] += numbers[i];
  for (size_t i = 0; i < numbers.size(); ++i)
    if (sums[vertexOf[i]] != 0)
      numbers[i] /= sums[vertexOf[i]];
}

static void evaluateInput(const OracleContext &context, const Value &value, OracleField &result) {
  result.data = context.bindings.inputs.at(value.name);
  for (const Input &input : context.model.inputs) {
    if (input.name != value.name || !input.rowNormalized)
      continue;
    if (input.sparse) {
      normalizeRows(result.data, context.relation(input.relation).dst,
                    context.numVertices(context.model.relations[input.relation].destinationType));
      continue;
    }
    std::vector<int64_t> rowOf(result.data.size());
    for (size_t i = 0; i < rowOf.size(); ++i)
      rowOf[i] = i / result.rowSize();
    normalizeRows(result.data, rowOf, result.rows);
  }
}

static void evaluateDegree(const OracleContext &context, const Value &value, OracleField &result) {
  const OracleGraph &graph = context.relation(value.relation);
  const std::vector<int64_t> &rowOf = value.kind == ValueKind::InDegree ? graph.dst : graph.src;
  for (size_t edge = 0; edge < rowOf.size(); ++edge) {
    const int64_t element = result.shape.empty() ? 0 : context.edgeType(value.relation, edge);
    if (element >= 0)
      ++result.row(rowOf[edge])[element];
  }
}

static void evaluateEdgeType(const OracleContext &context, const Value &value, OracleField &result) {
  for (int64_t edge = 0; edge < result.rows; ++edge)
    result.data[edge] = context.edgeType(value.relation, edge);
}

static void evaluateVertexId(OracleField &result) {
  for (int64_t row = 0; row < result.rows; ++row)
    result.data[row] = row;
}

static void evaluateLeaf(const OracleContext &context, const Value &value, const OracleValues &values,
                         OracleField &result) {
  switch (value.kind) {
  case ValueKind::Input:
  case ValueKind::Target:
    return evaluateInput(context, value, result);
  case ValueKind::Param:
  case ValueKind::State:
    result.data = context.bindings.params.at(value.name);
    return;
  case ValueKind::Constant:
    std::fill(result.data.begin(), result.data.end(), value.number);
    return;
  case ValueKind::InDegree:
  case ValueKind::OutDegree:
    return evaluateDegree(context, value, result);
  case ValueKind::Training:
    result.data[0] = context.bindings.training;
    return;
  case ValueKind::EdgeType:
    return evaluateEdgeType(context, value, result);
  case ValueKind::VertexId:
    return evaluateVertexId(result);
  case ValueKind::Rows:
  case ValueKind::StopGradient:
    result.data = values[value.operands[0]].data;
    return;
  default:
    assert(value.kind == ValueKind::DropoutMask && "every kind of value has an evaluator");
    result = drawDropoutMask(context, value);
  }
}

static OracleField evaluateValue(const OracleContext &context, const Value &value, const OracleValues &values) {
  OracleField result = context.zeros(value.type);
  if (isUnary(value.kind))
    evaluateUnary(value, values, result);
  else if (isBinary(value.kind))
    evaluateBinary(value, values, result);
  else
    switch (value.kind) {
    case ValueKind::Select:
      evaluateSelect(value, values, result);
      break;
    case ValueKind::Broadcast:
      evaluateBroadcast(value, values, result);
      break;
    case ValueKind::Reduce:
      evaluateReduce(value, values, result);
      break;
    case ValueKind::Index:
      evaluateIndex(value, values, result);
      break;
    case ValueKind::TypedMatMul:
      evaluateTypedMatMul(value, values, result);
      break;
    case ValueKind::MatMul:
      evaluateMatMul(value, values, result);
      break;
    case ValueKind::Reshape:
      evaluateReshape(value, values, result);
      break;
    case ValueKind::Concat:
      evaluateConcat(value, values, result);
      break;
    case ValueKind::Transpose:
      evaluateTranspose(value, values, result);
      break;
    case ValueKind::Pad:
      evaluatePad(value, values, result);
      break;
    case ValueKind::Slice:
      evaluateSlice(context, value, values, result);
      break;
    case ValueKind::ReadSource:
    case ValueKind::ReadDestination:
      evaluateRead(context, value, values, result);
      break;
    case ValueKind::Aggregate:
      evaluateAggregate(context, value, values, result);
      break;
    case ValueKind::Softmax:
      evaluateSoftmax(context, value, values, result);
      break;
    case ValueKind::Total:
      evaluateTotal(context, value, values, result);
      break;
    case ValueKind::CrossEntropy:
    case ValueKind::BinaryCrossEntropy:
    case ValueKind::MeanSquaredError:
      evaluateLoss(value, values, result);
      break;
    default:
      evaluateLeaf(context, value, values, result);
    }
  return result;
}

/// Whether numbers are rounded in a value, and not only chosen, moved or repeated.
static bool isComputedWith(const Value &value) {
  switch (value.kind) {
  case ValueKind::Reduce:
  case ValueKind::Aggregate:
  case ValueKind::Total:
    return value.reduction != Reduction::Max && value.reduction != Reduction::Min;
  case ValueKind::MatMul:
  case ValueKind::TypedMatMul:
  case ValueKind::Softmax:
  case ValueKind::CrossEntropy:
  case ValueKind::BinaryCrossEntropy:
  case ValueKind::MeanSquaredError:
    return true;
  default:
    return isUnary(value.kind) || isBinary(value.kind);
  }
}

namespace {
/// Puts the magnitudes of real operands in the place of the operands as long as it lives.
class OperandMagnitudes {
public:
  OperandMagnitudes(const CheckedModel &model, const Value &value, OracleValues &values) : values(values) {
    for (unsigned operand : value.operands)
      if (model.values[operand].type.element == ElementKind::Real &&
          saved.emplace(operand, values[operand].data).second)
        for (double &number : values[operand].data)
          number = std::fabs(number);
  }
  ~OperandMagnitudes() {
    for (auto &[operand, numbers] : saved)
      values[operand].data = std::move(numbers);
  }
  OperandMagnitudes(const OperandMagnitudes &) = delete;
  OperandMagnitudes &operator=(const OperandMagnitudes &) = delete;

private:
  OracleValues &values;
  std::map<unsigned, std::vector<double>> saved;
};
} // namespace

/// The magnitudes that the rounding errors of the numbers of `value`, just computed, are relative to. A sum's error is
/// relative to the sum of its terms' magnitudes. A logarithm of a sum that is near 1 is as wrong as the sum.
static std::vector<double> roundingScale(const OracleContext &context, const Value &value, OracleValues &values,
                                         const OracleField &result) {
  std::vector<double> scale = result.data;
  const bool reduces =
      value.kind == ValueKind::Reduce || value.kind == ValueKind::Aggregate || value.kind == ValueKind::Total;
  const bool isLogSumExp = reduces && value.reduction == Reduction::LogSumExp;
  const bool isSum = reduces && (value.reduction == Reduction::Sum || value.reduction == Reduction::Mean);
  if (isSum || isLogSumExp || value.kind == ValueKind::MatMul || value.kind == ValueKind::TypedMatMul) {
    const OperandMagnitudes magnitudes(context.model, value, values);
    scale = evaluateValue(context, value, values).data;
  }
  // The largest score and the exponentials may each round the scores again.
  if (value.kind == ValueKind::Softmax)
    for (size_t i = 0; i < scale.size(); ++i)
      scale[i] *= 1 + std::fabs(values[value.operands[0]].row(i / result.rowSize())[i % result.rowSize()]);
  if (isLogSumExp || value.kind == ValueKind::CrossEntropy || value.kind == ValueKind::BinaryCrossEntropy)
    for (double &number : scale)
      number = std::fabs(number) + 1;
  return scale;
}

OracleValues evaluate(const CheckedModel &model, const OracleBindings &bindings, const OracleValues *stopped) {
  OracleContext context(model, bindings);
  OracleValues values(model.values.size());
  std::vector<bool> known(model.values.size(), false);
  for (size_t i = 0; i < model.values.size(); ++i) {
    const Value &value = model.values[i];
    known[i] = value.kind != ValueKind::Target || bindings.inputs.count(value.name);
    for (unsigned operand : value.operands)
      known[i] = known[i] && known[operand];
    if (!known[i])
      continue;
    values[i] =
        stopped && value.kind == ValueKind::StopGradient ? (*stopped)[i] : evaluateValue(context, value, values);
    if (value.type.element == ElementKind::Real && isComputedWith(value))
      if (bindings.rounding != 0) {
        const std::vector<double> scale = roundingScale(context, value, values, values[i]);
        context.round(i, /*isGradient=*/false, values[i].data, &scale);
      }
  }
  return values;
}

const OracleField *findOutput(const CheckedModel &model, const OracleValues &values, llvm::StringRef name) {
  for (const Output &output : model.outputs)
    if (name == output.name)
      return &values[output.value];
  return nullptr;
}

std::vector<double> lossWeights(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  return bindings.mask.empty() ? std::vector<double>(values[model.loss].rows, 1.0) : bindings.mask;
}

double maskedLoss(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  const std::vector<double> weights = lossWeights(model, bindings, values);
  double sum = 0, total = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0)
      sum += weights[i] * values[model.loss].data[i];
    total += weights[i];
  }
  return total == 0 ? 0 : sum / total;
}

} // namespace gnnc
