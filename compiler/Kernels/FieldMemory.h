//===- FieldMemory.h - Fields in memory -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the elements of fields lie in memory: side by side, as bits, or as narrow floats.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_FIELDMEMORY_H
#define GNNC_KERNELS_FIELDMEMORY_H

#include "compiler/Kernels/Points.h"

namespace gnnc {

class FieldMemory {
public:
  explicit FieldMemory(Points &points) : points(points), function(points.function), b(points.b) {}

  mlir::Value load(const Memory &memory, mlir::Type element, gnn::FieldType shape, const Point &point);
  void store(const Memory &memory, gnn::FieldType shape, const Point &point, mlir::Value value) {
    storeLanes(memory, shape, point, points.mask(shape, point), value);
  }
  /// The same for a field of type `part` in the memory of one of type `shape`, in which it begins at `offset` of
  /// dimension `dim`. Elements of `shape` beside the part keep their values.
  void storePart(const Memory &memory, gnn::FieldType shape, unsigned dim, Index offset, gnn::FieldType part,
                 const Point &point, mlir::Value value);
  /// The bytes of a row of bools that are stored as bits.
  Index bytesInBits(gnn::FieldType shape);
  Index linear(gnn::FieldType shape, llvm::ArrayRef<Index> coords);
  /// The element of `memory` at `coords`, `more` elements on: a memref and the index in it.
  std::pair<mlir::Value, mlir::Value> address(const Memory &memory, gnn::FieldType shape, llvm::ArrayRef<Index> coords,
                                              int64_t more = 0);

private:
  void storeLanes(const Memory &memory, gnn::FieldType shape, const Point &point, mlir::Value laneMask,
                  mlir::Value value);
  Index bytesOfRun(Index size);
  Index byteOfBits(const Memory &memory, gnn::FieldType shape, const Point &point);
  mlir::Value shiftOfBits(const Point &point);
  mlir::Value gatherBits(const Memory &memory, gnn::FieldType shape, const Point &point);
  mlir::Value loadBits(const Memory &memory, gnn::FieldType shape, const Point &point);
  void storeBits(const Memory &memory, gnn::FieldType shape, const Point &point, mlir::Value value);

  bool isMultiple(Index index, unsigned lanes) const;
  bool isAligned(mlir::Value memref, Index index, unsigned lanes) const;
  mlir::Value chosen(const Memory &memory, mlir::Value memref, mlir::Value hot);

  Points &points;
  KernelFunction &function;
  LoopBuilder &b;
};

} // namespace gnnc

#endif // GNNC_KERNELS_FIELDMEMORY_H
