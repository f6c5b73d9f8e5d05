//===- SweepThreads.cpp - Sweeps whose threads have tiles of a row --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a group walk the edges of a row together, each with the states of vectors of its own in registers
// (Wu et al. 2021, section 6.3: feature-adaptive groups, vertex-parallel and edge-sequential). An element is folded by
// one thread in the order of the edges: its bits are those that a CPU gives.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// One walk along the edges, each thread with `parts` vectors of its own from `first` on. Where the row ends among them
/// (`count`, its vectors; null: it does not) all threads walk: one that has none left has the last one again, which it
/// does not store.
void SweepEmitter::walkVectors(Index first, int64_t parts, Index count) {
  FieldType type = layout.reductions[0].contributed;
  const ThreadGroup &group = function.group();
  SmallVector<Point> points;
  for (int64_t part = 0; part < parts; ++part) {
    Index before = b.constant(part * group.threads), number = b.add(b.add(first, group.thread), before);
    Value isThere;
    if (count && known(b.sub(count, b.add(first, before))).value_or(0) < group.threads)
      b.at(b.scopeOf(number), [&] {
        isThere = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, b.value(number), b.value(count));
        number = b.create<arith::MinUIOp>(b.value(number), b.value(b.sub(count, b.constant(1)))).getResult();
        return number;
      });
    points.push_back(fields.points.vectorAt(type, /*scalar=*/false, number));
    points.back().isOwner = isThere;
  }
  sweepTile(points);
}

/// Walks of up to `maxParts` vectors of each thread.
void SweepEmitter::walkTiles(int64_t maxParts) {
  const int64_t threads = function.group().threads, wide = maxParts * threads;
  Index count = fields.points.numVectors(layout.reductions[0].contributed, /*scalar=*/false);
  Index wideEnd = b.mul(b.div(count, b.constant(wide)), b.constant(wide));
  if (known(wideEnd) == wide)
    walkVectors(b.constant(0), maxParts, Index());
  else if (known(wideEnd) != 0)
    b.forLoop(b.constant(0), wideEnd, b.constant(wide), [&](Value first) { walkVectors(first, maxParts, Index()); });
  if (auto number = known(count)) {
    if (const int64_t rest = *number % wide)
      walkVectors(wideEnd, llvm::divideCeil(rest, threads), count);
  } else {
    b.forLoop(wideEnd, count, b.constant(threads), [&](Value first) { walkVectors(first, 1, count); });
  }
}

/// Rows of an open width are aligned for whole vectors or not, which is known when the kernel runs: there is code for
/// either. Folds along a dimension do not know how many vectors it has, and take number by number.
void SweepEmitter::sweepThreadTiles() {
  const int64_t maxParts = vectorsIn(4), maxOpenParts = vectorsIn(2); // open widths take several loops over edges
  FieldType type = layout.reductions[0].contributed;
  DimExpr last = type.getDim(type.getRank() - 1);
  bool folds = llvm::any_of(kernel.getStep().front(), [](Operation &op) {
    return isa<gnn::ReduceOp, ArgReduceOp, MatMulOp, MatMulTNOp, TypedMatMulOp>(op);
  });
  if (last.constant() || folds) {
    walkTiles(last.constant() ? maxParts : maxOpenParts);
    return endTiles();
  }
  Index rest = b.rem(function.extent(last), b.constant(fields.points.getMaxLanes()));
  Value isAligned = b.at(0, [&]() -> Value {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, b.value(rest), b.value(b.constant(0)));
  });
  b.branch(
      isAligned,
      [&] {
        llvm::SaveAndRestore<std::optional<DimExpr>> wide(fields.points.wideDim, last);
        walkTiles(maxOpenParts);
      },
      [&] { walkTiles(maxOpenParts); });
  endTiles();
}

} // namespace gnnc
