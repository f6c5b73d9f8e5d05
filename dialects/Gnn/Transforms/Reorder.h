//===- Reorder.h - Orders of sums and products ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of other passes about the order that gnn-reorder chooses.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_TRANSFORMS_REORDER_H
#define GNNC_DIALECTS_GNN_TRANSFORMS_REORDER_H

#include "dialects/Gnn/IR/Gnn.h"

namespace gnnc::gnn {

/// That of sums over edges and products with parameters, where fields have `from` elements before the product and `to`
/// after it.
struct SumOrder {
  DimExpr from, to;
  bool isSumFirst = false; // as gnn-reorder chooses by sizes

  /// In `gnn.orders`.
  std::string name() const { return from.str() + " -> " + to.str(); }
  bool operator==(const SumOrder &other) const { return from == other.from && to == other.to; }
};

/// The orders in `program`, each once, as they come.
llvm::SmallVector<SumOrder> findOrders(ProgramOp program);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_TRANSFORMS_REORDER_H
