//===- SweepState.h - States of a sweep's reductions ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reductions of a kernel, the layout of their spilled state, and how a state is read, written and merged at one
// point.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_SWEEPSTATE_H
#define GNNC_KERNELS_SWEEPSTATE_H

#include "compiler/Kernels/FieldEmitter.h"
#include "dialects/Star/IR/Star.h"

namespace gnnc {

using star::argOf, star::Reduction, star::Selector, star::StateLayout;

/// The entry of `selector` that the edge at hand belongs to; one past the last if there is none.
mlir::Value entryOf(FieldEmitter &fields, const Selector &selector);

/// A reduction at a point.
struct Part {
  unsigned reduction;
  Point point;
};

/// The state of a reduction at a point, wherever it is.
using StateAt = llvm::function_ref<Values(unsigned reduction, const Point &point)>;

/// Memory of the states of reductions: by reduction (nothing for those whose state is elsewhere), by component.
using StateMemory = llvm::SmallVector<llvm::SmallVector<Memory>>;

/// Reads, writes and merges states.
class StateEmitter {
public:
  StateEmitter(FieldEmitter &fields, const StateLayout &layout) : fields(fields), b(fields.b), layout(layout) {}

  /// Memory of the call's own. With `spare`, reductions with a selector have one more entry, for edges that count
  /// nowhere.
  StateMemory allocate(llvm::function_ref<bool(const Reduction &)> isWanted, bool spare);
  /// Views of the spilled state of `row` in the array `source`.
  StateMemory spilledTotal(llvm::StringRef source, Index row) { return spilled(source, row, &Reduction::totalOffset); }
  StateMemory spilledSegment(llvm::StringRef source, Index row) {
    return spilled(source, row, &Reduction::segmentOffset);
  }

  Values identity(const Reduction &reduction, const Point &point) {
    return fields.points.constants(reduction.identity, point);
  }
  Values load(const StateMemory &memory, unsigned reduction, const Point &point);
  void store(const StateMemory &memory, unsigned reduction, const Point &point, mlir::ValueRange state);
  /// The states in `memory`, which must live as long as the function that this returns.
  auto in(const StateMemory &memory) {
    return [this, &memory](unsigned reduction, const Point &point) { return load(memory, reduction, point); };
  }
  /// `otherwise`, but `then` where `condition` holds of those that `isWanted` says.
  StateMemory choose(mlir::Value condition, const StateMemory &then, StateMemory otherwise,
                     llvm::function_ref<bool(const Reduction &)> isWanted);
  void copy(const StateMemory &from, const StateMemory &to, unsigned reduction, const Point &point) {
    store(to, reduction, point, load(from, reduction, point));
  }
  void reset(const StateMemory &memory, unsigned reduction, const Point &point) {
    store(memory, reduction, point, identity(layout.reductions[reduction], point));
  }
  Values merge(unsigned reduction, const Point &point, StateAt left, StateAt right);
  /// The value of a reduction and, where it is tracked, its arg.
  Values finish(unsigned reduction, const Point &point, StateAt state);
  /// The point of the normaliser of a softmax sum that belongs to `point`.
  Point normaliserPoint(const Reduction &reduction, const Point &point) const;
  /// A number of the normaliser, at its point, in every lane of `point`.
  mlir::Value spread(const Reduction &reduction, mlir::Value number, const Point &point) {
    return normaliserPoint(reduction, point).lanes ? number : fields.points.splat(number, point);
  }

private:
  StateMemory spilled(llvm::StringRef source, Index row, llvm::SmallVector<DimExpr> Reduction::*offsets);
  Index spilledBytes(const DimExpr &bytes);

  FieldEmitter &fields;
  LoopBuilder &b;
  const StateLayout &layout;
};

} // namespace gnnc

#endif // GNNC_KERNELS_SWEEPSTATE_H
