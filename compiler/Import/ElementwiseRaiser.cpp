//===- ElementwiseRaiser.cpp - Work on each element ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/OpRaiser.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc::pt2;

namespace {

/// Functions of one or more elements, copies and dropout.
class ElementwiseRaiser : public OpRaiser {
public:
  using OpRaiser::OpRaiser;

  void unary(const Node &node);
  void binary(const Node &node);
  void addScaled(const Node &node);
  void compare(const Node &node);
  void negate(const Node &node);
  void clamp(const Node &node);
  void leakyRelu(const Node &node);
  void where(const Node &node);
  void maskedFill(const Node &node);
  void same(const Node &node);
  void dropout(const Node &node);
};

} // namespace

void ElementwiseRaiser::unary(const Node &node) {
  llvm::StringRef op = opOf(node);
  Meaning self = real(node, "self");
  if (op == "square")
    return set(node, apply(node, "*", {self, self}));
  if (op == "reciprocal")
    return set(node, apply(node, "/", {constant(1), self}));
  set(node, apply(node, op.str(), {self}));
}

void ElementwiseRaiser::binary(const Node &node) {
  llvm::StringRef op = opOf(node);
  const bool hasExponent = node.find("exponent") != nullptr;
  Meaning left = real(node, "self"), right = real(node, hasExponent ? "exponent" : "other");
  const std::string name = op == "mul" ? "*" : op == "div" ? "/" : op.str();
  set(node, apply(node, name, {left, right}));
}

/// self + alpha * other
void ElementwiseRaiser::addScaled(const Node &node) {
  Meaning other = real(node, "other");
  if (double alpha = number(node, "alpha", 1); alpha != 1)
    other = apply(node, "*", {constant(alpha), other});
  const std::string name = opOf(node) == "add" ? "+" : "-";
  Meaning self = real(node, "self");
  if (opOf(node) == "rsub")
    std::swap(self, other);
  set(node, apply(node, name, {self, other}));
}

void ElementwiseRaiser::compare(const Node &node) {
  static const std::map<llvm::StringRef, std::string> names = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                                                               {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
  const std::string &name = names.at(opOf(node));
  const Argument &left = need(node, "self"), &right = need(node, "other");
  const bool areIndices = !left.isNumber() && !right.isNumber() && meaning(node, left).kind == Meaning::Kind::Index &&
                          meaning(node, right).kind == Meaning::Kind::Index;
  if (!areIndices)
    return set(node, apply(node, name, {realOf(node, left), realOf(node, right)}));
  const Meaning &from = index(node, left), &to = index(node, right);
  const bool asksForLoops = (name == "==" || name == "!=") && from.pieces == std::vector<Piece>{edges} &&
                            to.pieces == from.pieces && from.ends[0] != to.ends[0] && from.axes.size() == 1 &&
                            to.axes.size() == 1;
  if (!asksForLoops)
    refuse(node, "compares vertices in a way that cannot be expressed; the two ends of the edges can be compared");
  Meaning mask{Meaning::Kind::EdgeMask, {edges}, {{0, true, -1}}, {}, {}, {}, {}, {}};
  mask.mask = name == "==" ? EdgeFilter::Loops : EdgeFilter::NoLoops;
  set(node, mask);
}

/// Edges that are loops become those that are none, and the other way round.
void ElementwiseRaiser::negate(const Node &node) {
  Meaning mask = meaning(node, need(node, "self"));
  if (mask.kind != Meaning::Kind::EdgeMask)
    refuse(node, "negates a value that is not a comparison of the ends of edges, which cannot be expressed yet");
  mask.mask = mask.mask == EdgeFilter::Loops ? EdgeFilter::NoLoops : EdgeFilter::Loops;
  set(node, mask);
}

void ElementwiseRaiser::clamp(const Node &node) {
  Meaning value = real(node, "self");
  for (auto [bound, function] : {std::pair("min", "maximum"), std::pair("max", "minimum")})
    if (const Argument *argument = node.find(bound); argument && argument->kind != Argument::Kind::None)
      value = apply(node, function, {value, realOf(node, *argument)});
  set(node, value);
}

void ElementwiseRaiser::leakyRelu(const Node &node) {
  set(node, apply(node, "leaky_relu", {real(node, "self"), constant(number(node, "negative_slope", 0.01))}));
}

void ElementwiseRaiser::where(const Node &node) {
  set(node, apply(node, "select", {real(node, "condition"), real(node, "self"), real(node, "other")}));
}

void ElementwiseRaiser::maskedFill(const Node &node) {
  set(node, apply(node, "select", {real(node, "mask"), real(node, "value"), real(node, "self")}));
}

/// Ops that change nothing, once views are values.
void ElementwiseRaiser::same(const Node &node) { set(node, meaning(node, first(node))); }

void ElementwiseRaiser::dropout(const Node &node) {
  Meaning value = realOf(node, first(node));
  for (const Term *&term : value.terms)
    term = terms().dropout(term, number(node, "p", 0.5));
  set(node, value);
}

void gnnc::pt2::addElementwiseOps(RaiseTable &table, RaiseContext &context) {
  RaiseTable::Family<ElementwiseRaiser> family(table, context);
  family.add(&ElementwiseRaiser::unary,
             {"aten.relu", "aten.elu", "aten.sigmoid", "aten.tanh", "aten.exp", "aten.log", "aten.sqrt", "aten.rsqrt",
              "aten.abs", "aten.silu", "aten.square", "aten.reciprocal"});
  family.add(&ElementwiseRaiser::binary, {"aten.mul", "aten.div", "aten.pow", "aten.maximum", "aten.minimum"});
  family.add(&ElementwiseRaiser::addScaled, {"aten.add", "aten.sub", "aten.rsub"});
  family.add(&ElementwiseRaiser::compare, {"aten.eq", "aten.ne", "aten.lt", "aten.le", "aten.gt", "aten.ge"});
  family.add(&ElementwiseRaiser::negate, {"aten.bitwise_not", "aten.logical_not"});
  family.add(&ElementwiseRaiser::clamp, {"aten.clamp", "aten.clamp_min"});
  family.add(&ElementwiseRaiser::leakyRelu, {"aten.leaky_relu"});
  family.add(&ElementwiseRaiser::where, {"aten.where"});
  family.add(&ElementwiseRaiser::maskedFill, {"aten.masked_fill"});
  family.add(&ElementwiseRaiser::same, {"aten.alias", "aten.clone", "aten.contiguous", "aten.detach", "aten.to",
                                        "aten._to_copy", "aten.lift_fresh_copy"});
  family.add(&ElementwiseRaiser::dropout, {"aten.dropout", "aten.native_dropout"});
}
