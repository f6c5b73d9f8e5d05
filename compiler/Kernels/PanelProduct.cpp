//===- PanelProduct.cpp - Products of panels of rows ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/PanelProduct.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

static DimExpr productOf(FieldType type, unsigned from, unsigned to) {
  DimExpr product(1);
  for (unsigned i = from; i < to; ++i)
    product = *product.mul(type.getDim(i));
  return product;
}

PanelProduct::PanelProduct(FieldEmitter &fields, MatMulOp op) : fields(fields), b(fields.b), op(op) {
  FieldType w = fieldType(op.getW()), result = fieldType(op.getResult());
  const bool transposed = op.getTransposeW();
  unsigned columnDims = transposed ? 1 : w.getRank() - 1;
  kept = productOf(result, 0, result.getRank() - columnDims);
  contracted = transposed ? productOf(w, 1, w.getRank()) : w.getDim(0);
  DimExpr columns = transposed ? w.getDim(0) : productOf(w, 1, w.getRank());
  columnsType = result.withDims(b.builder().getStringAttr(columns.str()));
  lanes = fields.points.lanes(columnsType);
}

/// Tiles as wide as the registers allow, then of two vectors, then of one.
void PanelProduct::forEachTile(llvm::function_ref<void(const ColumnTile &)> body) {
  Index size = fields.function.extent(columnsType.getDim(0));
  auto run = [&](Index from, Index to, unsigned vectors, bool masked) {
    int64_t step = vectors * lanes;
    if (auto first = known(from), last = known(to); first && last && *first + step >= *last) {
      if (*first < *last)
        body({from, vectors, masked});
      return;
    }
    b.forLoop(from, to, b.constant(step), [&](Value column) { body({column, vectors, masked}); });
  };
  const int64_t wide = (hasManyVectors() ? 4 : 2) * lanes, pair = 2 * lanes;
  Index wideEnd = b.mul(b.div(size, b.constant(wide)), b.constant(wide)), pairsEnd = wideEnd;
  run(b.constant(0), wideEnd, wide / lanes, false);
  if (wide > pair) {
    Index pairs = b.div(b.add(b.sub(size, wideEnd), b.constant(lanes - 1)), b.constant(pair));
    pairsEnd = b.add(wideEnd, b.mul(pairs, b.constant(pair)));
    run(wideEnd, pairsEnd, 2, true);
  }
  run(pairsEnd, size, 1, true);
}

/// So many that the sums, the vectors of the parameter and what multiplies them fit the registers.
unsigned PanelProduct::blockRows(const ColumnTile &tile) const {
  if (hasManyVectors())
    return tile.vectors == 4 ? 6 : 8;
  // Where no instruction multiplies and adds, products need a register of their own.
  return tile.vectors == 1 ? 8 : fields.function.machine().hasFma ? 6 : 4;
}

void PanelProduct::forEachRun(Index count, const ColumnTile &tile,
                              llvm::function_ref<void(Index, Index, unsigned)> body) {
  const unsigned most = blockRows(tile);
  Index from = b.constant(0);
  for (unsigned rows : {most, most / 2, 1u}) {
    Value left = b.value(b.sub(count, from));
    Index to = b.sub(count, b.create<arith::RemUIOp>(left, b.value(b.constant(rows))).getResult());
    body(from, to, rows);
    from = to;
  }
}

Index PanelProduct::packedAt(const ColumnTile &tile, Index position, unsigned offset) {
  Index start = b.add(packed.base, b.mul(tile.column, fields.function.extent(contracted)));
  return b.add(b.add(start, b.mul(position, b.constant(tileLanes(tile)))), b.constant(offset));
}

void PanelProduct::packColumns(const ColumnTile &tile) {
  Index size = fields.function.extent(columnsType.getDim(0));
  Memory w = *fields.memoryOf(op.getW());
  b.forLoop(b.constant(0), fields.function.extent(contracted), b.constant(1), [&](Value position) {
    Memory row{w.memref, b.add(w.base, b.mul(position, size))};
    for (auto [i, point] : llvm::enumerate(fields.points.tile(columnsType, tile.column, tile.vectors, tile.masked)))
      b.create<vector::StoreOp>(fields.memory.load(row, columnsType.getElement(), columnsType, point), packed.memref,
                                b.value(packedAt(tile, position, i * lanes)));
  });
}

void PanelProduct::packTransposed(const ColumnTile &tile) {
  Index size = fields.function.extent(columnsType.getDim(0)), length = fields.function.extent(contracted);
  Memory w = *fields.memoryOf(op.getW());
  if (tile.masked)
    b.forLoop(b.constant(0), length, b.constant(1), [&](Value position) {
      for (unsigned i = 0; i < tile.vectors; ++i)
        b.create<vector::StoreOp>(
            fields.points.constant(fields.function.meaningless(columnsType.getElement()), {{}, lanes}), packed.memref,
            b.value(packedAt(tile, position, i * lanes)));
    });
  Value end = b.value(b.add(tile.column, b.constant(tileLanes(tile))));
  if (tile.masked)
    end = b.min(end, size);
  b.forLoop(tile.column, end, b.constant(1), [&](Value column) {
    b.forLoop(b.constant(0), length, b.constant(1), [&](Value position) {
      Value number = b.load(w.memref, b.add(w.base, b.add(b.mul(column, length), position)));
      Index at = b.add(packedAt(tile, position, 0), b.sub(column, tile.column));
      b.create<memref::StoreOp>(number, packed.memref, b.value(at));
    });
  });
}

void PanelProduct::pack() {
  DimExpr columns = columnsType.getDim(0);
  // The last tile may reach over the end.
  if (auto count = columns.constant())
    columns = DimExpr(llvm::alignTo(*count, lanes * 2));
  else
    columns = *columns.add(DimExpr(lanes * 2));
  packed = fields.function.buffer(*contracted.mul(columns), columnsType.getElement());
  forEachTile([&](const ColumnTile &tile) { op.getTransposeW() ? packTransposed(tile) : packColumns(tile); });
}

Values PanelProduct::multiply(const Memory &x, Index row, unsigned rows, const ColumnTile &tile) {
  Index length = fields.function.extent(contracted);
  Point vector{{}, lanes};
  auto type = VectorType::get({lanes}, columnsType.getElement());
  const bool hasFma = fields.function.machine().hasFma; // fused by name: a row has the same bits in a block of any size
  SmallVector<Index> starts;
  for (unsigned i = 0; i < rows; ++i)
    starts.push_back(b.add(x.base, b.mul(b.add(row, b.constant(i)), length)));
  Values zeros(rows * tile.vectors, fields.points.number(0, columnsType.getElement(), vector));
  return b.forLoop(b.constant(0), length, b.constant(1), zeros, [&](Value position, ValueRange sums) {
    Values next = llvm::to_vector(sums), ofW;
    for (unsigned i = 0; i < tile.vectors; ++i)
      ofW.push_back(b.create<vector::LoadOp>(type, packed.memref, b.value(packedAt(tile, position, i * lanes))));
    for (unsigned i = 0; i < rows; ++i) {
      Value number = b.load(x.memref, b.add(starts[i], position));
      Value factor = fields.points.splat(number, vector);
      for (auto [sum, w] : llvm::zip_equal(MutableArrayRef(next).slice(i * tile.vectors, tile.vectors), ofW))
        sum = hasFma ? Value(b.create<math::FmaOp>(factor, w, sum))
                     : Value(b.create<arith::AddFOp>(sum, b.create<arith::MulFOp>(factor, w)));
    }
    return next;
  });
}

void PanelProduct::emit(const Memory &x, const Memory &y, Index count) {
  Index size = fields.function.extent(columnsType.getDim(0));
  forEachTile([&](const ColumnTile &tile) {
    SmallVector<Point> points = fields.points.tile(columnsType, tile.column, tile.vectors, tile.masked);
    forEachRun(count, tile, [&](Index from, Index to, unsigned rows) {
      b.forLoop(from, to, b.constant(rows), [&](Value row) {
        for (auto [i, sum] : llvm::enumerate(multiply(x, row, rows, tile))) {
          Memory to{y.memref, b.add(y.base, b.mul(b.add(row, b.constant(i / tile.vectors)), size))};
          fields.memory.store(to, columnsType, points[i % tile.vectors], sum);
        }
      });
    });
  });
}

} // namespace gnnc
