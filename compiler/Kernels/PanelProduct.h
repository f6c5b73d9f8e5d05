//===- PanelProduct.h - Products of panels of rows --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of a parameter with many rows at a time: a block of rows times a tile of columns has its sums in
// registers, and the parameter is packed tile by tile, so that it is read in order from the first caches. Every sum
// runs over the contracted dimension in order, as it does element by element.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_PANELPRODUCT_H
#define GNNC_KERNELS_PANELPRODUCT_H

#include "compiler/Kernels/FieldEmitter.h"

namespace gnnc {

/// Columns of a product: `vectors` vectors from `column` on, which may reach over the end if `masked`.
struct ColumnTile {
  Index column;
  unsigned vectors;
  bool masked;
};

class PanelProduct {
public:
  PanelProduct(FieldEmitter &fields, gnn::MatMulOp op);

  gnn::MatMulOp getOp() const { return op; }
  /// The columns of the product, all its dimensions that are the parameter's in one.
  gnn::FieldType columns() const { return columnsType; }
  /// Rows of one edge: all dimensions of the product that are not the parameter's.
  const DimExpr &rowsPerEdge() const { return kept; }

  /// Packs the parameter, in the current scope.
  void pack();
  void forEachTile(llvm::function_ref<void(const ColumnTile &)> body);
  /// Calls `body` for runs of [0, `count`) and the rows of their blocks, which are fewer in each run than before.
  void forEachRun(Index count, const ColumnTile &tile,
                  llvm::function_ref<void(Index from, Index to, unsigned rows)> body);
  /// Sums of `rows` rows of `x` from `row` on: row by row, vector by vector.
  Values multiply(const Memory &x, Index row, unsigned rows, const ColumnTile &tile);
  /// Stores the products of rows [0, `count`) of `x` in `y`.
  void emit(const Memory &x, const Memory &y, Index count);

private:
  bool hasManyVectors() const { return fields.function.machine().maxVectors > 8; }
  unsigned blockRows(const ColumnTile &tile) const;
  unsigned tileLanes(const ColumnTile &tile) const { return tile.vectors * lanes; }
  void packColumns(const ColumnTile &tile);
  void packTransposed(const ColumnTile &tile);
  Index packedAt(const ColumnTile &tile, Index position, unsigned offset);

  FieldEmitter &fields;
  LoopBuilder &b;
  gnn::MatMulOp op;
  DimExpr kept, contracted;
  gnn::FieldType columnsType;
  unsigned lanes;
  Memory packed; // by tile, by position along the contracted dimension, by column
};

} // namespace gnnc

#endif // GNNC_KERNELS_PANELPRODUCT_H
