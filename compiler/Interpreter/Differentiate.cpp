//===- Differentiate.cpp - Reverse mode over the list of values -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the values backward and hands each, with its gradient, to the adjoint of its family.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Adjoints.h"
#include "llvm/ADT/STLExtras.h"

namespace gnnc {

static void passBack(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  if (isUnary(value.kind))
    return unaryAdjoint(state, value, result, gradient);
  if (isBinary(value.kind))
    return binaryAdjoint(state, value, result, gradient);
  switch (value.kind) {
  case ValueKind::Select:
    return selectAdjoint(state, value, gradient);
  case ValueKind::Broadcast:
    return broadcastAdjoint(state, value, gradient);
  case ValueKind::Reduce:
    return reduceAdjoint(state, value, result, gradient);
  case ValueKind::Index:
    return indexAdjoint(state, value, gradient);
  case ValueKind::TypedMatMul:
    return typedMatMulAdjoint(state, value, gradient);
  case ValueKind::MatMul:
    return matMulAdjoint(state, value, gradient);
  case ValueKind::Rows:
  case ValueKind::Reshape:
    return reshapeAdjoint(state, value, gradient);
  case ValueKind::Concat:
    return concatAdjoint(state, value, gradient);
  case ValueKind::Transpose:
    return transposeAdjoint(state, value, gradient);
  case ValueKind::Pad:
    return padAdjoint(state, value, gradient);
  case ValueKind::Slice:
    return sliceAdjoint(state, value, gradient);
  case ValueKind::ReadSource:
  case ValueKind::ReadDestination:
    return readAdjoint(state, value, gradient);
  case ValueKind::Aggregate:
    return aggregateAdjoint(state, value, result, gradient);
  case ValueKind::Softmax:
    return softmaxAdjoint(state, value, result, gradient);
  case ValueKind::Total:
    return totalAdjoint(state, value, gradient);
  case ValueKind::CrossEntropy:
  case ValueKind::BinaryCrossEntropy:
  case ValueKind::MeanSquaredError:
    return lossAdjoint(state, value, gradient);
  default:
    return; // leaves, degrees, masks, what stops gradients
  }
}

/// No gradient reaches what only conditions read, which may be infinite.
static bool isReached(const OracleField &gradient) {
  return llvm::any_of(gradient.data, [](double element) { return element != 0; });
}

/// Rounds the gradient that the cross entropy `index` passes to its logits. It is a probability less another: its error
/// is relative to 1, however near to each other the two are.
static void roundLogitGradient(AdjointState &state, size_t index) {
  const Value &value = state.context.model.values[index];
  if (value.kind != ValueKind::CrossEntropy && value.kind != ValueKind::BinaryCrossEntropy)
    return;
  OracleField &logits = state.adjoint(value, 0);
  const int64_t size = logits.rowSize();
  std::vector<double> scale(logits.data.size());
  for (size_t i = 0; i < scale.size(); ++i)
    scale[i] = state.adjoints[index].row(i / size)[0] / (value.kind == ValueKind::CrossEntropy ? 1 : size);
  state.context.round(index, /*isGradient=*/true, logits.data, &scale);
}

/// Reverse mode from the gradient `seed` of value `root`.
static OracleGradients differentiate(const OracleContext &context, const OracleValues &values, unsigned root,
                                     const std::vector<double> &seed) {
  AdjointState state{context, values, {}};
  for (const Value &value : context.model.values)
    state.adjoints.push_back(context.zeros(value.type));
  state.adjoints[root].data = seed;
  for (size_t i = root + 1; i-- > 0;) {
    context.round(i, /*isGradient=*/true, state.adjoints[i].data);
    if (!isReached(state.adjoints[i]))
      continue;
    passBack(state, context.model.values[i], values[i], state.adjoints[i]);
    roundLogitGradient(state, i);
  }

  OracleGradients gradients;
  for (size_t i = 0; i < context.model.values.size(); ++i) {
    const Value &value = context.model.values[i];
    if (value.kind != ValueKind::Param && (value.kind != ValueKind::Input || value.type.element != ElementKind::Real))
      continue;
    std::vector<double> &gradient = gradients.emplace(value.name, state.adjoints[i].data.size()).first->second;
    for (size_t k = 0; k < gradient.size(); ++k)
      gradient[k] += state.adjoints[i].data[k];
  }
  return gradients;
}

OracleGradients differentiateLoss(const CheckedModel &model, const OracleBindings &bindings,
                                  const OracleValues &values) {
  OracleContext context(model, bindings);
  std::vector<double> seed = lossWeights(model, bindings, values);
  double weight = 0;
  for (double mask : seed)
    weight += mask;
  for (double &mask : seed)
    mask = weight == 0 ? 0 : mask / weight;
  return differentiate(context, values, model.loss, seed);
}

OracleGradients differentiateValue(const CheckedModel &model, const OracleBindings &bindings,
                                   const OracleValues &values, unsigned value, const std::vector<double> &weights) {
  return differentiate(OracleContext(model, bindings), values, value, weights);
}

} // namespace gnnc
