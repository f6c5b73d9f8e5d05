//===- SweepMemory.cpp - Sweeps with states in memory ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States in buffers, updated by nests of loops inside the loop over edges.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// States in memory
//===----------------------------------------------------------------------===//

void SweepEmitter::forEachState(bool scalar, llvm::function_ref<void(unsigned, const Point &)> body) {
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    fields.forEachPoint(reduction.type, scalar, [&, index = index](const Point &point) { body(index, point); });
}

void SweepEmitter::storeFinished(unsigned reduction, const Point &point, ValueRange state) {
  SmallVector<Value> values = states.finish(layout.reductions[reduction], state);
  for (auto [memory, value] : llvm::zip_equal(finished[reduction], values))
    fields.store(memory, layout.reductions[reduction].type, point, value);
}

void SweepEmitter::bindFinished() {
  for (auto [reduction, memories] : llvm::zip_equal(layout.reductions, finished))
    for (auto [index, memory] : llvm::enumerate(memories))
      fields.bind(kernel.getEnd().getArgument(cast<BlockArgument>(reduction.result).getArgNumber() + index), memory,
                  b.top());
}

void SweepEmitter::sweepInMemory() {
  // What only rows of several segments or several blocks need goes element by element: less code, the same bits.
  auto copy = [&](const StateMemory &from, const StateMemory &to) {
    forEachState(/*scalar=*/true, [&](unsigned index, const Point &point) {
      states.store(to, index, point, states.load(from, index, point));
    });
  };
  auto reset = [&](const StateMemory &memory, bool scalar) {
    forEachState(scalar, [&](unsigned index, const Point &point) {
      states.store(memory, index, point, states.identity(layout.reductions[index], point));
    });
  };
  auto merged = [&](unsigned index, const Point &point) {
    return states.merge(layout.reductions[index], states.load(totals, index, point),
                        states.load(segments, index, point));
  };
  Value row = fields.position.row;
  b.branch(
      isFirst, [&] { reset(segments, false); },
      [&] {
        copy(states.spilledTotal("state", row), totals);
        copy(states.spilledSegment("state", row), segments);
      });
  SmallVector<Value> nothing;
  Value hasTotal = stepSegments(
      nothing,
      [&](ValueRange) {
        SmallVector<Sink> sinks = edgeSinks();
        for (auto [index, reduction] : llvm::enumerate(layout.reductions))
          sinks.push_back({contribute.getValues()[index], reduction.type,
                           [&, index = index](const Point &point, Value) {
                             states.store(segments, index, point,
                                          stepState(index, point, states.load(segments, index, point)));
                           },
                           Value()});
        stepPlan.emit(fields, Rate::Edge, sinks);
        return SmallVector<Value>();
      },
      [&](ValueRange, Value hadTotal) {
        b.branch(
            hadTotal,
            [&] {
              forEachState(true, [&](unsigned index, const Point &point) {
                states.store(totals, index, point, merged(index, point));
              });
            },
            [&] { copy(segments, totals); });
        reset(segments, true);
        return SmallVector<Value>();
      });
  b.branch(
      isLast,
      [&] {
        b.branch(
            hasTotal,
            [&] {
              forEachState(
                  true, [&](unsigned index, const Point &point) { storeFinished(index, point, merged(index, point)); });
            },
            [&] {
              forEachState(false, [&](unsigned index, const Point &point) {
                storeFinished(index, point, states.load(segments, index, point));
              });
            });
        bindFinished();
        emitEnd(/*small=*/false);
      },
      [&] {
        copy(segments, states.spilledSegment("state", row));
        b.branch(
            hasTotal, [&] { copy(totals, states.spilledTotal("state", row)); },
            [&] { reset(states.spilledTotal("state", row), true); });
      });
}

} // namespace gnnc
