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

/// Edges whose rows are asked for before the first of them is used: what they carry lies in registers beside the
/// states.
unsigned SweepEmitter::edgesInFlight(unsigned numStates) {
  constexpr unsigned most = 4, registers = 8, maxOps = 24; // of vectors; of a step that is worth repeating
  if (where == Where::Memory || llvm::range_size(kernel.getStep().front()) > maxOps)
    return 1;
  return llvm::bit_floor(std::clamp(registers / std::max(numStates, 1u), 1u, std::min(most, function.group().threads)));
}

/// As many edges at a time as the group has threads: each reads the neighbour of one of them, all at once, and tells
/// the others in its turn. Of whole runs the number is known: several edges are one block of code, whose loads nothing
/// keeps apart.
SmallVector<Value> SweepEmitter::foldEdgesTogether(Value from, Value to, ValueRange carried, LoopBuilder::Body fold) {
  const ThreadGroup &group = function.group();
  Value cols = function.array(colsArray(), b.builder().getI32Type());
  Index threads = b.constant(group.threads), one = b.constant(1);
  auto foldRun = [&](Value first, Index count, int64_t atOnce, ValueRange before) {
    Value last = b.value(b.sub(b.add(first, count), one));
    Value mine = b.create<arith::MinUIOp>(b.value(b.add(first, group.thread)), last);
    Value local = b.create<memref::LoadOp>(cols, mine);
    return b.forLoop(b.constant(0), count, b.constant(atOnce), before, [&](Value turn, ValueRange state) {
      SmallVector<Value> folded = llvm::to_vector(state);
      for (int64_t i = 0; i < atOnce; ++i) {
        fields.forget();
        Value of = b.value(b.add(turn, b.constant(i)));
        llvm::SaveAndRestore<Value> known(neighbour, function.shuffleFrom(local, of));
        folded = fold(b.value(b.add(first, of)), folded);
      }
      return folded;
    });
  };
  Value whole = b.value(b.sub(to, b.rem(b.sub(to, from), threads)));
  const unsigned inFlight = edgesInFlight(carried.size());
  SmallVector<Value> folded = b.forLoop(from, whole, threads, carried, [&](Value first, ValueRange state) {
    return foldRun(first, threads, inFlight, state);
  });
  return b.forLoop(whole, to, threads, folded,
                   [&](Value first, ValueRange state) { return foldRun(first, b.sub(to, first), 1, state); });
}

void SweepEmitter::sweepThreadTiles() {
  constexpr int64_t maxParts = 4; // vectors of a thread in one pass over the edges
  FieldType type = layout.reductions[0].contributed;
  const ThreadGroup &group = function.group();
  auto sweepFrom = [&](Index first, int64_t parts) {
    SmallVector<Point> points;
    for (int64_t part = 0; part < parts; ++part)
      points.push_back(fields.vectorAt(type, /*scalar=*/false, b.add(first, b.constant(part * group.threads))));
    sweepTile(points);
  };
  Index count = fields.numVectors(type, /*scalar=*/false), wide = b.constant(maxParts * group.threads);
  auto number = known(count);
  if (number && *number % group.threads == 0 && *number <= *known(wide)) {
    sweepFrom(group.thread, *number / group.threads);
  } else {
    Index wideEnd = b.mul(b.div(count, wide), wide);
    if (known(wideEnd) != 0)
      b.forLoop(b.constant(0), wideEnd, wide, [&](Value first) { sweepFrom(b.add(first, group.thread), maxParts); });
    llvm::SaveAndRestore<bool> together(isTogether, false); // some threads have a vector less
    b.forLoop(b.add(wideEnd, group.thread), count, b.constant(group.threads),
              [&](Value first) { sweepFrom(first, 1); });
  }
  endTiles();
}

} // namespace gnnc
