//===- SweepEntries.cpp - Reductions that are folded apart by an integer --===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their states have an entry for each value of the integer, and a spare one for edges that count nowhere.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The entry that the edge belongs to.
Value SweepEmitter::entryOf(unsigned selector) {
  const Selector &of = layout.selectors[selector];
  Value by = fields.element(of.by, {});
  Value spare = b.value(function.extent(of.entries));
  // As an unsigned number, one below 0 is past the end as well.
  return b.create<arith::MinUIOp>(b.create<arith::IndexCastOp>(b.builder().getIndexType(), by), spare);
}

/// Where in the state of `reduction` an edge of `entry` contributes at `point`.
Point SweepEmitter::stateAt(const Reduction &reduction, const Point &point, Index entry) {
  Point at = point;
  if (reduction.selector)
    at.coords.insert(at.coords.begin(), entry);
  return at;
}

void SweepEmitter::storeEntries(ArrayRef<Part> parts, ValueRange carried) {
  ValueRange entries = carried.take_back(layout.selectors.size());
  for (auto [index, part] : llvm::enumerate(parts)) {
    const Reduction &reduction = layout.reductions[part.reduction];
    states.store(segments, part.reduction, stateAt(reduction, part.point, entries[*reduction.selector]),
                 stateOf(parts, index, carried));
  }
}

/// Makes the entries of the edge those at hand. `carried`: the states of `parts`, then the entries.
void SweepEmitter::exchangeEntries(ArrayRef<Part> parts, SmallVector<Value> &carried) {
  if (parts.empty())
    return;
  SmallVector<Value> entries;
  Value differs;
  for (auto [selector, before] : llvm::enumerate(ValueRange(carried).take_back(layout.selectors.size()))) {
    entries.push_back(entryOf(selector));
    Value other = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, entries.back(), before);
    differs = differs ? b.create<arith::OrIOp>(differs, other) : other;
  }
  SmallVector<Value> exchanged = b.branch(
      differs, partTypes(parts),
      [&] {
        storeEntries(parts, carried);
        SmallVector<Value> loaded;
        for (const Part &part : parts) {
          const Reduction &reduction = layout.reductions[part.reduction];
          loaded.append(
              states.load(segments, part.reduction, stateAt(reduction, part.point, entries[*reduction.selector])));
        }
        return loaded;
      },
      [&] { return llvm::to_vector(ValueRange(carried).drop_back(layout.selectors.size())); });
  carried = exchanged;
  carried.append(entries);
}

/// Calls `body` for every entry of `parts`, with the reduction and where in its state.
void SweepEmitter::forEachEntry(ArrayRef<Part> parts, llvm::function_ref<void(unsigned, const Point &)> body) {
  for (const Part &part : parts) {
    const Reduction &reduction = layout.reductions[part.reduction];
    b.forLoop(b.constant(0), function.extent(layout.selectors[*reduction.selector].entries), b.constant(1),
              [&](Value entry) { body(part.reduction, stateAt(reduction, part.point, entry)); });
  }
}

} // namespace gnnc
