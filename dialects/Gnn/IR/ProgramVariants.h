//===- ProgramVariants.h - Programs of one kind -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module may have a program several times: `@infer`, `@infer.2` and `@infer.3` give the same results, and sums over
// edges and products come in other orders. The attribute `gnn.orders` of each says in which: `"in -> hidden" = true`
// where fields of `in` elements are summed first and then multiplied.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_PROGRAMVARIANTS_H
#define GNNC_DIALECTS_GNN_IR_PROGRAMVARIANTS_H

#include "dialects/Gnn/IR/Gnn.h"

namespace gnnc::gnn {

constexpr llvm::StringLiteral ordersName = "gnn.orders";

/// `infer` of `@infer.2`.
llvm::StringRef programKind(llvm::StringRef name);
/// Whether it is one of those that gnn-derive-programs makes.
bool isOfInference(llvm::StringRef name);
/// `@train.2` for `train`, of `@forward.2`.
std::string variantName(llvm::StringRef kind, llvm::StringRef other);

/// Those of a gnn or star program; null: what sizes say alone.
mlir::DictionaryAttr ordersOf(mlir::Operation *program);
/// `in -> hidden: sum first; hidden -> classes: product first`.
std::string ordersText(mlir::DictionaryAttr orders);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_PROGRAMVARIANTS_H
