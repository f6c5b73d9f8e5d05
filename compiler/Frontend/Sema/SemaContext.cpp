//===- SemaContext.cpp - What the parts of Sema share -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, scopes, and the types of operands.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SemaContext.h"
#include "compiler/Frontend/Sema/Wording.h"

using namespace gnnc;

bool gnnc::isFloat(ElementKind element) {
  return element == ElementKind::Real || element == ElementKind::F32 || element == ElementKind::F64;
}

bool gnnc::isInteger(ElementKind element) { return element == ElementKind::I32 || element == ElementKind::I64; }

Operand gnnc::fieldOperand(unsigned id, Shape shape, const EdgeSet *edges, llvm::SMRange range) {
  Operand operand;
  operand.tag = Operand::Tag::Field;
  operand.id = id;
  operand.shape = std::move(shape);
  operand.edges = edges;
  operand.range = range;
  return operand;
}

Operand gnnc::numberOperand(double number, bool isInteger, llvm::SMRange range) {
  Operand operand;
  operand.tag = Operand::Tag::Number;
  operand.number = number;
  operand.isInteger = isInteger;
  operand.range = range;
  return operand;
}

Operand gnnc::truthOperand(bool truth, llvm::SMRange range) {
  Operand operand;
  operand.tag = Operand::Tag::Truth;
  operand.truth = truth;
  operand.range = range;
  return operand;
}

Entity *Scope::find(llvm::StringRef name) {
  for (Scope *scope = this; scope; scope = scope->parent)
    if (auto it = scope->names.find(name); it != scope->names.end())
      return &it->second;
  return nullptr;
}

ElementKind Checker::element(const Operand &operand) const {
  if (operand.isTruth())
    return ElementKind::Bool;
  return operand.isField() || operand.isSparse() ? builder.type(operand.id).element : ElementKind::Real;
}

GraphKind Checker::kind(const Operand &operand) const {
  return operand.isField() || operand.isSparse() ? builder.type(operand.id).kind : GraphKind::P;
}

std::string Checker::describeType(const Operand &operand) const {
  if (operand.isNumber())
    return "a number";
  if (operand.isSparse())
    return "sparse real" + str(operand.shape);
  return spelling(element(operand)).str() + (operand.shape.empty() ? "" : str(operand.shape));
}
