//===- ElementwiseChecker.h - Elementwise operands --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alignment of operands by the names of their dimensions, their element types and the edges that they are fields of.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_ELEMENTWISECHECKER_H
#define GNNC_FRONTEND_SEMA_ELEMENTWISECHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;

/// The product of dimensions; none if it is too large.
std::optional<DimExpr> numElements(llvm::ArrayRef<DimExpr> shape);
/// The shape of an elementwise result; none if the two do not align.
std::optional<Shape> alignedShape(const Shape &a, const Shape &b);
/// Whether every edge of `inner` is an edge of `outer`.
bool isWithin(const EdgeSet &inner, const EdgeSet &outer);

/// Makes operands fit each other, or reports why they do not, and appends what is computed of them to the model.
class ElementwiseChecker : Checker {
public:
  ElementwiseChecker(SemaContext &sema, DimChecker &dims) : Checker(sema), model(sema.model), dims(dims) {}

  bool checkSameEdges(llvm::ArrayRef<Operand> operands, llvm::SMRange range);
  bool alignShapes(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range, llvm::StringRef what);
  Operand broadcast(const Operand &operand, const Shape &shape, llvm::ArrayRef<unsigned> positions);
  bool unifyElements(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range);
  Operand materialize(const Operand &number, ElementKind element);
  bool requireFloat(Operand &operand, llvm::SMRange range, llvm::StringRef what);
  bool requireConstant(const Operand &operand, llvm::StringRef what);
  /// True or false as a value: a comparison of constants.
  Operand materializeTruth(const Operand &truth);
  bool requireTruth(const Operand &operand, llvm::StringRef what);
  Operand apply(ValueKind kind, llvm::ArrayRef<Operand> operands, Shape shape, ElementKind element, llvm::SMRange range,
                llvm::function_ref<void(Value &)> details = {});
  Operand sparseElsewhere(const Operand &sparse, llvm::SMRange range, llvm::StringRef what);

private:
  std::string conversion(const Operand &a, const Operand &b) const;

  CheckedModel &model;
  DimChecker &dims;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_ELEMENTWISECHECKER_H
