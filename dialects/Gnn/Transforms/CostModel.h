//===- CostModel.h - Estimated widths of fields -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of a program before any graph or dimension is bound, for passes that choose by cost.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_TRANSFORMS_COSTMODEL_H
#define GNNC_DIALECTS_GNN_TRANSFORMS_COSTMODEL_H

#include "dialects/Gnn/IR/Gnn.h"
#include "llvm/ADT/StringSet.h"

namespace gnnc::gnn {

class CostModel {
public:
  explicit CostModel(ModelAttr model);
  explicit CostModel(ProgramOp program) : CostModel(ModelAttr::of(program)) {}

  /// The number of elements of a field for one vertex or edge. An open dimension counts as its default; without one as
  /// 512 where it sizes an input, else as 16.
  int64_t width(FieldType type) const;

  /// Bytes of a field for one vertex or edge, bools a byte each.
  int64_t bytes(FieldType type) const;
  /// Bytes of a field of a vertex that steps keep for each other: of several bools, their bits.
  int64_t keptBytes(FieldType type) const;

  /// The value that a dimension counts as.
  int64_t dimension(llvm::StringRef name) const;

private:
  ModelAttr model;
  llvm::StringSet<> inputDims;
};

/// Whether a gradient is asked for `value`: it depends on a parameter.
bool dependsOnParameter(mlir::Value value);

/// Whether `op` is a sum apart for each number of an integer of edges, of which totals over vertices alone are asked:
/// the gradient of a table that edges index. Then edges are folded into the totals, and no vertex stores a table. Of
/// few numbers, as the compiler knows, vertices store the sums, which one sweep then makes along with others; not of
/// one, which the gradients of products on edges are.
bool isSummedIntoTable(AggregateOp op);

/// Whether `value` is computed from a gradient: it depends on the weights of the loss.
bool dependsOnLoss(mlir::Value value);

/// Whether training steps over the same data give `value` other numbers: it depends on parameters or on what is drawn.
bool changesBetweenSteps(mlir::Value value);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_TRANSFORMS_COSTMODEL_H
