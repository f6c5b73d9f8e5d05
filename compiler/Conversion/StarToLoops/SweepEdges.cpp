//===- SweepEdges.cpp - Loops over the edges of a row ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor takes one edge after the other, and looks ahead by itself. A thread of a device waits where it first uses
// what it loaded: edges come several at a time there, and all of them load before the first is folded. They are folded
// in their order, so that the bits are those of one at a time.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// Edges that load before the first of them is folded: what they carry lies in registers beside the states.
int64_t SweepEmitter::edgesAtOnce(unsigned numStates) {
  constexpr unsigned most = 4, maxOps = 24; // of a step that is worth repeating
  if (where == Where::Memory || llvm::range_size(kernel.getStep().front()) > maxOps)
    return 1;
  const unsigned threads = function.group().threads, registers = vectorsIn(8);
  // An end that goes through memory has all of a row in each thread, beside what is known of the edges.
  const bool endsWide = where == Where::Tiles && !endInTiles && layout.selectors.empty();
  const unsigned wanted = std::clamp(registers / std::max(numStates, 1u), 1u, endsWide ? 2u : most);
  return llvm::bit_floor(threads == 1 ? wanted : std::min(wanted, threads));
}

SmallVector<Value> SweepEmitter::foldEdges(Value from, Value to, ValueRange carried, const EdgeStep &step) {
  if (!function.machine().isDevice) {
    return b.forLoop(from, to, b.constant(1), carried, [&](Value edge, ValueRange state) {
      bindEdge(edge);
      prefetchEdgeInputs(edge);
      prefetchCols(edge);
      return step.fold(state);
    });
  }
  const ThreadGroup &group = function.group();
  const int64_t atOnce = edgesAtOnce(carried.size());
  if (group.threads == 1)
    return foldInBlocks(from, to, atOnce, carried, step, [&](Value edge) { bindEdge(edge); });
  // As many edges at a time as the group has threads. Those past the end of the row read its last edge.
  Index threads = b.constant(group.threads), lastOfRow = b.sub(to, b.constant(1));
  return b.forLoop(from, to, threads, carried, [&](Value first, ValueRange before) {
    Value count = b.create<arith::MinUIOp>(b.value(threads), b.value(b.sub(to, first)));
    Value mine = b.create<arith::MinUIOp>(b.value(b.add(first, group.thread)), b.value(lastOfRow));
    EdgeRun run(function, mine);
    llvm::SaveAndRestore<EdgeRun *> ofRun(fields.position.run, &run);
    return foldInBlocks(b.constant(0), count, atOnce, before, step, [&](Value place) {
      fields.position.placeInRun = place;
      bindEdge(b.value(b.add(first, place)));
    });
  });
}

/// Folds the edges from `from` to `to`, as `bind` counts them: in blocks of `atOnce`, a power of 2, then of half as
/// many each time; what is dealt out, which takes most registers, then one by one.
SmallVector<Value> SweepEmitter::foldInBlocks(Index from, Index to, int64_t atOnce, ValueRange carried,
                                              const EdgeStep &step, llvm::function_ref<void(Value)> bind) {
  SmallVector<Value> state = llvm::to_vector(carried);
  for (; atOnce > 1; atOnce /= fields.points.isDealt() ? atOnce : 2) {
    Index end = b.sub(to, b.rem(b.sub(to, from), b.constant(atOnce)));
    state = b.forLoop(from, end, b.constant(atOnce), state, [&](Value first, ValueRange before) {
      std::vector<FieldEmitter::Snapshot> edges;
      for (int64_t i = 0; i < atOnce; ++i) {
        fields.forget();
        bind(b.value(b.add(first, b.constant(i))));
        step.read();
        edges.push_back(fields.snapshot());
      }
      SmallVector<Value> folded = llvm::to_vector(before);
      for (FieldEmitter::Snapshot &edge : edges) {
        fields.restore(std::move(edge));
        folded = step.fold(folded);
      }
      return folded;
    });
    from = end;
  }
  return b.forLoop(from, to, b.constant(1), state, [&](Value edge, ValueRange before) {
    bind(edge);
    return step.fold(before);
  });
}

/// Asks for what the folds of the edge at hand need, where that does not depend on states. What is dealt out has no
/// branches between its edges: ptxas finds an order that takes fewer registers.
void SweepEmitter::readEdge(const Parts &parts) {
  if (fields.points.isDealt() || !kernel.getStep().front().getOps<star::OnlineSoftmaxOp>().empty())
    return;
  for (const Selector &selector : layout.selectors)
    fields.element(selector.by, {});
  for (ArrayRef<Part> list : {ArrayRef(parts.whole), ArrayRef(parts.selected)})
    for (const Part &part : list) {
      fields.element(contribute.getValues()[part.reduction], part.point);
      if (Value filter = contribute.getFilter(part.reduction))
        fields.element(filter, {});
    }
  for (Value value : contribute.getEdges())
    for (const Point &point : fields.points.all(fieldType(value)))
      fields.element(value, point);
}

} // namespace gnnc
