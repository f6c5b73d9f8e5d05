//===- FieldEmitter.h - Elements of fields ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes elements of the fields of a kernel's regions on demand: an element of a field that is in memory is loaded,
// any other is computed from elements of the op's operands. Each is computed once in the outermost scope that has what
// it needs.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_FIELDEMITTER_H
#define GNNC_KERNELS_FIELDEMITTER_H

#include "compiler/Kernels/FieldIds.h"
#include "compiler/Kernels/FieldMemory.h"
#include "compiler/Kernels/Folds.h"

namespace gnnc {

class FieldEmitter {
public:
  FieldEmitter(KernelFunction &function, const VectorShape &shape)
      : function(function), b(function.loops()), points(function, shape), memory(points), folds(points),
        ids(function, position, computed) {}

  KernelFunction &function;
  LoopBuilder &b;
  Points points;
  FieldMemory memory;
  Folds folds;
  Position position;
  ComputedValues computed;
  Ids ids;
  /// The largest score of the edges of the row so far, as reduction `reduction` has it.
  std::function<mlir::Value(unsigned reduction, const Point &point)> runningMax;
  /// Nothing is computed in scopes around this one: what they have may be there for other code alone.
  unsigned outermost = 0;

  /// `field` is in `memory`, from `scope` inwards.
  void bind(mlir::Value field, Memory memory, unsigned scope) { bound[field] = {memory, {}, {}, b.block(scope)}; }
  /// The elements of `field` at `points` are `values`, computed in the current scope.
  void bind(mlir::Value field, llvm::ArrayRef<Point> points, mlir::ValueRange values) {
    bound[field] = {std::nullopt, llvm::to_vector(points), llvm::to_vector(values), b.block(b.top())};
  }
  bool isBound(mlir::Value field) const { return boundTo(field); }
  /// The memory of `field`, if it has some.
  std::optional<Memory> memoryOf(mlir::Value field);
  /// Forgets what was computed in the current scope: the position is about to be another.
  void forget() { computed.forget(b.block(b.top())); }
  /// The position, what is bound and what was computed, to go on with later in the same scope.
  struct Snapshot;
  Snapshot snapshot() const;
  void restore(Snapshot snapshot);

  /// The element or vector of `field` at `point`. It depends on neither the owner of the point nor who else has asked
  /// for it. Lanes that `mask` leaves out have numbers that mean nothing.
  mlir::Value element(mlir::Value field, const Point &point);
  /// `value` with NaN in the lanes that `field` does not have, if the function poisons.
  mlir::Value poisoned(mlir::Value field, const Point &point, mlir::Value value);
  /// The one element of `point`, from the vector that it is in.
  mlir::Value extractLane(mlir::Value field, const Point &point);
  /// The vector of `field` at `point`, lane by lane.
  mlir::Value assemble(mlir::Value field, const Point &point,
                       llvm::function_ref<mlir::Value(llvm::ArrayRef<int64_t> coords)> laneValue);

private:
  struct Bound {
    std::optional<Memory> memory;
    llvm::SmallVector<Point> points;
    Values values;      // at `points`
    mlir::Block *block; // of the scope from which inwards it holds
  };
  using BoundFields = llvm::DenseMap<mlir::Value, Bound>;

  /// The value that `field` is bound to; null if it was bound in a scope that is closed.
  const Bound *boundTo(mlir::Value field) const;
  /// The innermost scope of those that elements of `field` need.
  unsigned scopeOf(mlir::Value field);
  /// The one that `field` needs by itself; none where it is computed from its operands.
  std::optional<unsigned> ownScopeOf(mlir::Value field);
  mlir::Value compute(mlir::Value field, const Point &point);
  mlir::Value boundElement(mlir::Value field, const Bound &bound, const Point &point);

  BoundFields bound;
  unsigned depth = 0;                           // of calls of `element` in each other
  llvm::DenseMap<mlir::Value, unsigned> scopes; // what `scopeOf` has found since the outermost of them began
};

struct FieldEmitter::Snapshot {
  Position position;
  BoundFields bound;
  ComputedValues computed;
};

} // namespace gnnc

#endif // GNNC_KERNELS_FIELDEMITTER_H
