//===- ProgramVariants.h - Programs of one kind -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module may have a program several times: `@infer`, `@infer.2` and `@infer.3` give the same results, and sums over
// edges and products come in other orders. The attribute `gnn.orders` of each says in which: `"in -> hidden" = true`
// where fields of `in` elements are summed first and then multiplied. Programs that read an input as a table and as
// nonzeros have the attribute `gnn.inputs`: `"x" = "dense"` or `"x" = "sparse"`. The tables list such an input twice,
// in the form that the source has and, after all others, in the other one.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_PROGRAMVARIANTS_H
#define GNNC_DIALECTS_GNN_IR_PROGRAMVARIANTS_H

#include "dialects/Gnn/IR/Gnn.h"

namespace gnnc::gnn {

constexpr llvm::StringLiteral ordersName = "gnn.orders", inputsName = "gnn.inputs";

/// `infer` of `@infer.2`.
llvm::StringRef programKind(llvm::StringRef name);
/// Whether it is one of those that gnn-derive-programs makes.
bool isOfInference(llvm::StringRef name);
/// Whether it is one of those that gnn-differentiate makes.
bool hasGradients(llvm::StringRef name);
/// Whether it is one of those with cotangents: `@vjp` and `@vjp_train`.
bool isPullback(llvm::StringRef name);
/// `@train.2` for `train`, of `@forward.2`.
std::string variantName(llvm::StringRef kind, llvm::StringRef other);

/// Those of a gnn or star program; null: what sizes say alone.
mlir::DictionaryAttr ordersOf(mlir::Operation *program);
/// Forms of inputs of such a program; null: those that the source says.
mlir::DictionaryAttr inputsOf(mlir::Operation *program);
/// `in -> hidden: sum first; hidden -> classes: product first`.
std::string ordersText(mlir::DictionaryAttr orders);
/// The inputs of a model, each once: as the source has it.
llvm::SmallVector<InputAttr> declaredInputs(ModelAttr model);
/// Gives a program what another one has of both.
void copyVariant(mlir::Operation *from, mlir::Operation *to);
/// `x: dense; in -> hidden: sum first`; empty for the only program of its kind.
std::string variantText(mlir::Operation *program);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_PROGRAMVARIANTS_H
