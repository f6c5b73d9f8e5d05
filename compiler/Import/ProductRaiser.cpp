//===- ProductRaiser.cpp - Products, norms and reductions of features ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/OpRaiser.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc::pt2;

namespace {

/// Products with parameters, normalisations, and reductions over features.
class ProductRaiser : public OpRaiser {
public:
  using OpRaiser::OpRaiser;

  void linear(const Node &node);
  void matmul(const Node &node);
  void addmm(const Node &node);
  void batchNorm(const Node &node);
  void layerNorm(const Node &node);
  void softmax(const Node &node);
  void overFeatures(const Node &node);
  void overStack(const Node &node);
  void length(const Node &node);
  void deviation(const Node &node);

private:
  Meaning multiply(const Node &node, const Meaning &left, const Meaning &matrix);
  Meaning overAll(const Node &node, Meaning value);
  Meaning scaleAndShift(const Node &node, Meaning value);
};

} // namespace

/// `matrix` is a parameter [in, out]. Of extents 1 there is no dimension: the product is a dot product, or a multiple.
Meaning ProductRaiser::multiply(const Node &node, const Meaning &left, const Meaning &matrix) {
  const Term *weight = matrix.terms.empty() ? nullptr : matrix.terms[0];
  if (!weight || !matrix.pieces.empty() || matrix.axes.size() != 2 ||
      (weight->kind != Term::Kind::Parameter && weight->kind != Term::Kind::Transpose))
    refuse(node, "multiplies by a matrix that is no parameter, which cannot be expressed yet");
  if (left.axes.empty() || !left.axes.back().isLike(matrix.axes[0]) || left.axes.back().isOpen)
    refuse(node, "multiplies matrices that do not fit");
  Meaning product = left;
  product.axes.back() = matrix.axes[1];
  const bool hasIn = matrix.axes[0].dim >= 0, hasOut = matrix.axes[1].dim >= 0;
  if (hasIn && left.axes.back().dim < 0)
    refuse(node, "multiplies equal features by a matrix, which cannot be expressed");
  for (const Term *&term : product.terms)
    term = !hasIn   ? terms().function("*", {term, weight})
           : hasOut ? terms().product(term, weight)
                    : terms().dot(term, weight);
  return product;
}

static void transposeAxes(Meaning &matrix, TermBuilder &terms) {
  if (matrix.axes.size() != 2 || matrix.terms.size() != 1)
    return;
  std::swap(matrix.axes[0], matrix.axes[1]);
  if (matrix.terms[0]->shape.size() == 2 &&
      (matrix.terms[0]->kind == Term::Kind::Parameter || matrix.terms[0]->kind == Term::Kind::Transpose))
    matrix.terms[0] = terms.transpose(matrix.terms[0]);
}

void ProductRaiser::linear(const Node &node) {
  Meaning matrix = real(node, "weight");
  transposeAxes(matrix, terms());
  Meaning product = multiply(node, real(node, "input"), matrix);
  const Argument *bias = node.find("bias");
  set(node, bias && bias->kind != Argument::Kind::None ? apply(node, "+", {product, realOf(node, *bias)}) : product);
}

void ProductRaiser::matmul(const Node &node) {
  set(node, multiply(node, real(node, "self"), real(node, node.find("mat2") ? "mat2" : "other")));
}

void ProductRaiser::addmm(const Node &node) {
  if (number(node, "alpha", 1) != 1 || number(node, "beta", 1) != 1)
    refuse(node, "scales a product, which cannot be expressed yet");
  set(node, apply(node, "+", {multiply(node, real(node, "mat1"), real(node, "mat2")), real(node, "self")}));
}

/// `value * weight + bias`, as far as the node has them.
Meaning ProductRaiser::scaleAndShift(const Node &node, Meaning value) {
  for (auto [input, function] : {std::pair("weight", "*"), std::pair("bias", "+")})
    if (const Argument *argument = node.find(input); argument && argument->kind == Argument::Kind::Tensor)
      value = apply(node, function, {value, realOf(node, *argument)});
  return value;
}

/// (x - mean) / sqrt(variance + eps), then weight and bias if there are any.
void ProductRaiser::batchNorm(const Node &node) {
  Meaning value = real(node, "input");
  if (value.axes.size() != 2)
    refuse(node, "normalises tensors that are not [N, features]");
  Meaning scale =
      apply(node, "rsqrt", {apply(node, "+", {real(node, "running_var"), constant(number(node, "eps", 1e-5))})});
  value = apply(node, "*", {apply(node, "-", {value, real(node, "running_mean")}), scale});
  set(node, scaleAndShift(node, value));
}

void ProductRaiser::layerNorm(const Node &node) {
  Meaning value = real(node, "input");
  const Argument &shape = need(node, "normalized_shape");
  if (shape.items.size() != 1 || value.axes.size() < 2 || value.axes.back().dim < 0)
    refuse(node, "normalises over more than the last dimension, which cannot be expressed yet");
  auto mean = [&](Meaning of) {
    for (const Term *&term : of.terms)
      term = terms().reduce("mean", term);
    of.axes.back() = Axis();
    return of;
  };
  Meaning centred = apply(node, "-", {value, mean(value)});
  Meaning variance = mean(apply(node, "*", {centred, centred}));
  value = apply(node, "*",
                {centred, apply(node, "rsqrt", {apply(node, "+", {variance, constant(number(node, "eps", 1e-5))})})});
  set(node, scaleAndShift(node, value));
}

void ProductRaiser::softmax(const Node &node) {
  Meaning value = real(node, "self");
  if (value.axes.empty() || axisOf(node, integer(node, "dim", -1), value.axes.size()) + 1 != value.axes.size() ||
      value.axes.back().dim < 0)
    refuse(node, "normalises over a dimension other than the features");
  Meaning total = value;
  for (const Term *&term : total.terms)
    term = terms().reduce("logsumexp", term);
  total.axes.back() = Axis();
  Meaning logs = apply(node, "-", {value, total});
  set(node, opOf(node).contains("log_softmax") ? logs : apply(node, "exp", {logs}));
}

/// The mean over all vertices and features.
Meaning ProductRaiser::overAll(const Node &node, Meaning value) {
  if (!value.isVertexField() || value.axes.size() != 2 || !value.axes[0].isOpen || value.axes[1].dim < 0)
    refuse(node, "takes a mean over all elements of a tensor that is not [N, features]");
  return {Meaning::Kind::Real, {}, {}, {terms().reduce("mean", terms().total("mean", value.terms[0]))}, {}, {}, {}, {}};
}

/// The biased deviation, or variance, of all vertices and features.
void ProductRaiser::deviation(const Node &node) {
  const Argument *dims = node.find("dim");
  const bool isBiased = node.find("unbiased") ? integer(node, "unbiased", 1) == 0 : number(node, "correction", 1) == 0;
  if (!isBiased || (dims && dims->kind != Argument::Kind::None && !dims->items.empty()))
    refuse(node, "takes an unbiased deviation, or one over some dimensions, which cannot be expressed yet");
  const Meaning self = real(node, "self");
  const Meaning centred = apply(node, "-", {self, overAll(node, self)});
  const Meaning variance = overAll(node, apply(node, "*", {centred, centred}));
  set(node, opOf(node) == "var" ? variance : apply(node, "sqrt", {variance}));
}

/// The length of rows.
void ProductRaiser::length(const Node &node) {
  Meaning value = real(node, "self");
  const Argument *dims = node.find("dim");
  const bool isOfRows = dims && dims->items.size() == 1 && !value.axes.empty() && value.axes.back().dim >= 0 &&
                        axisOf(node, dims->items[0].integer, value.axes.size()) + 1 == value.axes.size();
  if (!isOfRows || number(node, "ord", 2) != 2)
    refuse(node, "takes a norm other than the Euclidean one of rows, which cannot be expressed yet");
  value = apply(node, "*", {value, value});
  for (const Term *&term : value.terms)
    term = terms().reduce("sum", term);
  value.axes.back() = Axis();
  if (!integer(node, "keepdim", 0))
    value.axes.pop_back();
  set(node, apply(node, "sqrt", {value}));
}

/// The greatest of stacked values.
void ProductRaiser::overStack(const Node &node) {
  const Meaning &value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Stack ||
      axisOf(node, integer(node, "dim", 0), value.stacked[0].axes.size() + 1) != value.stacked[0].axes.size())
    refuse(node, "takes a maximum with its places of something other than stacked tensors; use amax");
  Meaning greatest = value.stacked[0];
  for (const Meaning &other : llvm::drop_begin(value.stacked))
    greatest = apply(node, "maximum", {greatest, other});
  set(node, greatest);
}

/// A sum, mean or maximum over one dimension of the features, or a mean over all.
void ProductRaiser::overFeatures(const Node &node) {
  Meaning value = real(node, "self");
  const Argument *dims = node.find("dim");
  if (opOf(node) == "mean" && (!dims || dims->items.empty()))
    return set(node, overAll(node, value));
  if (!dims || dims->items.size() != 1 || value.axes.empty())
    refuse(node, "aggregates over several dimensions, which cannot be expressed yet");
  const size_t axis = axisOf(node, dims->items[0].integer, value.axes.size());
  const bool isOne = !value.axes[axis].isOpen && value.axes[axis].size == 1;
  if (!isOne && value.axes[axis].dim < 0)
    refuse(node, "aggregates over vertices, or over equal features, which cannot be expressed yet");
  const std::string name = opOf(node) == "amax" ? "max" : opOf(node) == "amin" ? "min" : opOf(node).str();
  unsigned fromEnd = 0;
  for (size_t i = axis + 1; i < value.axes.size(); ++i)
    fromEnd += value.axes[i].dim >= 0;
  if (!isOne)
    for (const Term *&term : value.terms)
      term = terms().reduce(name, term, fromEnd);
  if (integer(node, "keepdim", 0))
    value.axes[axis] = Axis();
  else
    value.axes.erase(value.axes.begin() + axis);
  set(node, value);
}

void gnnc::pt2::addProductOps(RaiseTable &table, RaiseContext &context) {
  RaiseTable::Family<ProductRaiser> family(table, context);
  family.add(&ProductRaiser::linear, {"aten.linear"});
  family.add(&ProductRaiser::matmul, {"aten.matmul", "aten.mm"});
  family.add(&ProductRaiser::addmm, {"aten.addmm"});
  family.add(&ProductRaiser::batchNorm, {"aten.batch_norm", "aten._native_batch_norm_legit_no_training"});
  family.add(&ProductRaiser::layerNorm, {"aten.layer_norm", "aten.native_layer_norm"});
  family.add(&ProductRaiser::softmax, {"aten.softmax", "aten._softmax", "aten.log_softmax", "aten._log_softmax"});
  family.add(&ProductRaiser::overStack, {"aten.max"});
  family.add(&ProductRaiser::length, {"aten.linalg_vector_norm"});
  family.add(&ProductRaiser::deviation, {"aten.std", "aten.var"});
  family.add(&ProductRaiser::overFeatures, {"aten.amax", "aten.amin", "aten.mean", "aten.sum"});
}
