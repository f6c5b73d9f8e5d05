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

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

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
    b.forLoop(b.add(wideEnd, group.thread), count, b.constant(group.threads),
              [&](Value first) { sweepFrom(first, 1); });
  }
  if (!endInTiles)
    function.syncGroup();
  endTiles();
}

} // namespace gnnc
