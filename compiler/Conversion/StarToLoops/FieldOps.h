//===- FieldOps.h - Elements of ops -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of ops in kernels: `setTraits` and `emitElement` of each op stand side by side.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_FIELDOPS_H
#define GNNC_CONVERSION_STARTOLOOPS_FIELDOPS_H

#include "compiler/Conversion/StarToLoops/KernelElements.h"

namespace gnnc {

inline void setParts(FieldParts &, mlir::Operation *) {}

/// Implements the interface by the functions `setTraits`, `setParts` and `emitElement` that take an `Op`.
template <typename Op> struct ElementModel : KernelElementInterface::ExternalModel<ElementModel<Op>, Op> {
  mlir::Value buildElement(mlir::Operation *op, FieldEmitter &fields, mlir::Value field, const Point &point) const {
    if constexpr (std::is_same_v<Op, star::OnlineSoftmaxOp>)
      return emitElement(fields, llvm::cast<Op>(op), field, point);
    else
      return emitElement(fields, llvm::cast<Op>(op), point);
  }
  ElementTraits getTraits(mlir::Operation *op) const {
    ElementTraits traits;
    setTraits(traits, llvm::cast<Op>(op));
    return traits;
  }
  FieldParts getParts(mlir::Operation *op) const {
    FieldParts all;
    setParts(all, llvm::cast<Op>(op));
    return all;
  }
};

template <typename... Ops> void attachElementModels(mlir::MLIRContext &context) {
  (Ops::template attachInterface<ElementModel<Ops>>(context), ...);
}

/// `pick` at the entry of `table` that the integer `field` names; 0 if it has no such entry.
mlir::Value whereInside(FieldEmitter &fields, mlir::Value field, gnn::FieldType table, const Point &point,
                        llvm::function_ref<mlir::Value(Index)> pick);
/// Whether `field` is an input of its region, not the result of a reduction.
bool isInput(mlir::Value field);

void attachShapeOps(mlir::MLIRContext &context);
void attachFoldOps(mlir::MLIRContext &context);
void attachIdOps(mlir::MLIRContext &context);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_FIELDOPS_H
