//===- TypeRules.h - Types of results of gnn ops ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules by which kinds join and shapes combine. Type inference and verifiers share them; each failure says at the
// location what does not fit.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_TYPERULES_H
#define GNNC_DIALECTS_GNN_IR_TYPERULES_H

#include "dialects/Gnn/IR/Gnn.h"
#include <optional>

namespace gnnc::gnn {

inline FieldType fieldOf(mlir::Value value) { return llvm::cast<FieldType>(value.getType()); }

/// Seastar's rules (section 5.1, listed in GnnDialect.td): the kind and id of an op that works on each vertex or edge
/// alone. Shape and element of the result are those of the first type. `loc` may be absent: no message then.
mlir::FailureOr<FieldType> joinKinds(std::optional<mlir::Location> loc, llvm::ArrayRef<FieldType> types);

/// `joinKinds`, for operands whose shapes and elements must be equal.
mlir::FailureOr<FieldType> joinOperands(std::optional<mlir::Location> loc, mlir::TypeRange types);

/// The type without dimension `dim`.
FieldType withoutDim(FieldType type, unsigned dim);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_TYPERULES_H
