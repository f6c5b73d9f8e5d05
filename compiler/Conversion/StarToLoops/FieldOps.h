//===- FieldOps.h - Elements of ops -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds an element of an op's result from elements of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_FIELDOPS_H
#define GNNC_CONVERSION_STARTOLOOPS_FIELDOPS_H

#include "compiler/Conversion/StarToLoops/FieldEmitter.h"

namespace gnnc {

/// The element or vector at `point` of `field`, which is the result of an op.
mlir::Value buildElement(FieldEmitter &fields, mlir::Value field, const Point &point);
mlir::Value buildElement(FieldEmitter &fields, gnn::OneHotOp op, const Point &point);
mlir::Value buildElement(FieldEmitter &fields, gnn::IndexOp op, const Point &point);
mlir::Value buildElement(FieldEmitter &fields, gnn::DropoutMaskOp op, const Point &point);
/// `pick` at the entry of `table` that the integer `field` names; 0 if it has no such entry.
mlir::Value whereInside(FieldEmitter &fields, mlir::Value field, gnn::FieldType table, const Point &point,
                        llvm::function_ref<mlir::Value(Index)> pick);
/// The type (i32) of the edge of the position.
mlir::Value emitEdgeType(FieldEmitter &fields);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_FIELDOPS_H
