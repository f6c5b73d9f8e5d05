//===- OpRaiser.cpp - Arguments and broadcasting of ops -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/OpRaiser.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc::pt2;

const Argument &OpRaiser::need(const Node &node, llvm::StringRef input) {
  if (const Argument *argument = node.find(input))
    return *argument;
  refuse(node, "has no argument " + input.str());
}

const Argument &OpRaiser::first(const Node &node) {
  if (node.inputs.empty())
    refuse(node, "has no arguments");
  return node.inputs.front().second;
}

const Meaning &OpRaiser::meaning(const Node &node, const Argument &argument) {
  auto found = context.meanings.find(argument.text);
  if (found == context.meanings.end() || found->second.kind == Meaning::Kind::Nothing)
    refuse(node, "reads " + argument.text + ", which cannot be expressed");
  return found->second;
}

Meaning OpRaiser::realOf(const Node &node, const Argument &argument) {
  if (argument.isNumber())
    return constant(argument.kind == Argument::Kind::Float ? argument.real : double(argument.integer));
  const Meaning &value = meaning(node, argument);
  if (value.kind != Meaning::Kind::Real)
    refuse(node, value.kind == Meaning::Kind::Stack
                     ? "reads stacked tensors, of which only the maximum can be expressed yet"
                     : "computes with the indices " + argument.text + "; indices can only gather and scatter");
  return value;
}

Meaning OpRaiser::real(const Node &node, llvm::StringRef input) { return realOf(node, need(node, input)); }

const Meaning &OpRaiser::index(const Node &node, const Argument &argument) {
  const Meaning &value = meaning(node, argument);
  if (value.kind != Meaning::Kind::Index)
    refuse(node, argument.text + " is not a list of vertices that the edges give");
  return value;
}

double OpRaiser::number(const Node &node, llvm::StringRef input, double otherwise) {
  const Argument *argument = node.find(input);
  if (!argument || argument->kind == Argument::Kind::None)
    return otherwise;
  if (!argument->isNumber())
    refuse(node, "has an argument " + input.str() + " that is no number");
  return argument->kind == Argument::Kind::Float ? argument->real : double(argument->integer);
}

int64_t OpRaiser::integer(const Node &node, llvm::StringRef input, int64_t otherwise) {
  const Argument *argument = node.find(input);
  if (!argument || argument->kind == Argument::Kind::None)
    return otherwise;
  if (argument->kind != Argument::Kind::Int && argument->kind != Argument::Kind::Bool)
    refuse(node, "has an argument " + input.str() + " that is no integer");
  return argument->integer;
}

size_t OpRaiser::axisOf(const Node &node, int64_t axis, size_t rank) {
  if (axis < 0)
    axis += int64_t(rank);
  if (axis < 0 || axis >= int64_t(rank))
    refuse(node, "names a dimension that its operand does not have");
  return size_t(axis);
}

std::vector<Axis> OpRaiser::axesOf(const Node &node, const Argument &sizes, std::vector<Piece> &pieces) {
  std::vector<Axis> axes;
  for (const Argument &item : sizes.items) {
    if (item.kind == Argument::Kind::Int) {
      axes.push_back({item.integer, false, -1});
      continue;
    }
    const Meaning &size = meaning(node, item);
    if (size.kind != Meaning::Kind::Size || !pieces.empty())
      refuse(node, "has a shape with more than one open dimension");
    pieces = size.pieces;
    axes.push_back({0, true, -1});
  }
  return axes;
}

void OpRaiser::set(const Node &node, Meaning meaning, size_t output) {
  if (output < node.outputs.size())
    context.meanings[node.outputs[output]] = std::move(meaning);
}

/// Broadcasting as PyTorch does it, from the last axis on. Terms align from their last dimension, so that must give the
/// same pairs.
Meaning OpRaiser::apply(const Node &node, const std::string &function, const std::vector<Meaning> &operands) {
  Meaning all{Meaning::Kind::Real, {}, {}, {}, {}, {}, {}, {}};
  for (const Meaning &operand : operands) {
    if (!operand.pieces.empty() && all.pieces.empty())
      all.pieces = operand.pieces;
    if (!operand.pieces.empty() && operand.pieces != all.pieces)
      refuse(node, "combines values of vertices with values of edges, or of different edges");
    if (operand.axes.size() > all.axes.size())
      all.axes.insert(all.axes.begin(), operand.axes.size() - all.axes.size(), Axis());
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      Axis &axis = all.axes[all.axes.size() - 1 - i];
      const Axis &other = operand.axes[operand.axes.size() - 1 - i];
      const bool isOne = !axis.isOpen && axis.size == 1, isOtherOne = !other.isOpen && other.size == 1;
      if (!isOne && !isOtherOne && !axis.isLike(other))
        refuse(node, "combines shapes that do not fit");
      if (isOne || (axis.dim < 0 && !isOtherOne))
        axis = isOtherOne ? axis : other;
    }
  }
  for (size_t piece = 0; piece < std::max<size_t>(all.pieces.size(), 1); ++piece) {
    std::vector<const Term *> arguments;
    for (const Meaning &operand : operands)
      arguments.push_back(aligned(operand, operand.terms[operand.pieces.empty() ? 0 : piece], all.axes));
    all.terms.push_back(terms().function(function, arguments));
  }
  return all;
}

const Term *OpRaiser::aligned(const Meaning &operand, const Term *term, const std::vector<Axis> &axes) {
  std::vector<int> shape;
  bool isSpread = false; // a dimension of the result is missing between, or behind, those of the operand
  size_t hasLeft = term->shape.size();
  for (size_t i = 0; i < operand.axes.size() && hasLeft; ++i) {
    const Axis &own = operand.axes[operand.axes.size() - 1 - i], &other = axes[axes.size() - 1 - i];
    if (own.dim >= 0)
      shape.insert(shape.begin(), term->shape[--hasLeft]);
    else if (other.dim >= 0)
      shape.insert(shape.begin(), other.dim), isSpread = true;
  }
  return isSpread ? terms().spread(term, shape) : term;
}
