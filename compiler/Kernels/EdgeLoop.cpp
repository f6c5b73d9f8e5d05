//===- EdgeLoop.cpp - The loop over the edges of a row --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/EdgeLoop.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

void EdgeLoop::begin(Value flag, llvm::function_ref<Value()> liesApart) {
  prefetches = flag;
  loadHotCols();
  if (hasInput(kernel, star::Access::Edge) || hasInput(kernel, star::Access::Col)) {
    lastEdge = b.value(b.sub(of.edgeOf(b.sub(function.end(), b.constant(1)), "block.ends"), b.constant(1)));
    rowsLieApart = liesApart();
  }
}

Values EdgeLoop::fold(Value from, Value to, ValueRange carried, const EdgeStep &step) {
  if (plan.maxEdgesAtOnce == 0) {
    return b.forLoop(from, to, b.constant(1), carried, [&](Value edge, ValueRange state) {
      bindEdge(edge);
      prefetch(edge);
      return step.fold(state);
    });
  }
  const ThreadGroup &group = function.threads.group();
  const int64_t atOnce = edgesAtOnce(carried.size());
  if (group.threads == 1)
    return foldInBlocks(from, to, atOnce, carried, step, [&](Value edge) { bindEdge(edge); });
  // As many edges at a time as the group has threads. Those past the end of the row read its last edge.
  Index threads = b.constant(group.threads), lastOfRow = b.sub(to, b.constant(1));
  return b.forLoop(from, to, threads, carried, [&](Value first, ValueRange before) {
    Value count = b.minUnsigned(threads, b.sub(to, first));
    Value mine = b.minUnsigned(b.add(first, group.thread), lastOfRow);
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
Values EdgeLoop::foldInBlocks(Index from, Index to, int64_t atOnce, ValueRange carried, const EdgeStep &step,
                              llvm::function_ref<void(Value)> bind) {
  Values state = llvm::to_vector(carried);
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
      Values folded = llvm::to_vector(before);
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

/// Edges that load before the first of them is folded: what they carry lies in registers beside the states.
int64_t EdgeLoop::edgesAtOnce(unsigned numStates) {
  const unsigned threads = function.threads.group().threads, registers = fields.points.shape.vectorsIn(8);
  const unsigned wanted = std::clamp(registers / std::max(numStates, 1u), 1u, plan.maxEdgesAtOnce);
  return llvm::bit_floor(threads == 1 ? wanted : std::min(wanted, threads));
}

void EdgeLoop::bindEdge(Value edge) {
  fields.position.edge = edge;
  if (plan.readsCol) {
    Value cols = function.array(plan.hotCols ? "block.hot_cols" : "block.cols", b.i32());
    bindCol(fields.ids.ofEdge(EdgeRun::Number::Col, [&](Value at) { return b.load(cols, at); }));
  }
  if (hasInput(kernel, star::Access::Edge) || !kernel.getContribute().getEdges().empty())
    of.bindInputs(kernel.getStep(), star::Access::Edge, b.toIndex(fields.ids.edgeId()));
}

/// Binds what the edge reads of its other end, which is `number` in `colsArray`.
void EdgeLoop::bindCol(Value number) {
  Value col = b.toIndexUnsigned(number);
  if (plan.hotCols == 0) {
    fields.position.col = col;
    return of.bindInputs(kernel.getStep(), star::Access::Col, col);
  }
  Value limit = b.value(b.constant(plan.hotCols));
  Value isHot = b.isBelow(col, limit);
  Value cold = b.subHere(col, limit);
  Value place = b.select(isHot, col, cold);
  // The column itself, for its id: where it is not hot, the first hot one is read in vain.
  Value anyHot = b.select(isHot, col, b.constant(0));
  Value itself = b.load(function.array("block.hot", b.i32()), anyHot);
  fields.position.col = b.select(isHot, b.toIndexUnsigned(itself), cold);
  for (auto [i, input] : llvm::enumerate(inputsOf(kernel))) {
    Value field = kernel.getStep().getArgument(i);
    if (input.getAccess() != star::Access::Col || field.use_empty())
      continue;
    Memory memory = of.operand(i, input, place);
    memory.hot = hotRows[i];
    memory.isHot = isHot;
    fields.bind(field, memory, b.scopeOf(place));
  }
}

/// Fills the shared memory of the block: row after row of each input, vectors dealt out to the threads.
void EdgeLoop::loadHotCols() {
  if (plan.hotCols == 0)
    return;
  Value hot = function.array("block.hot", b.i32());
  Index count = b.toIndex(function.argument("hot", b.i64()));
  for (auto [i, input] : llvm::enumerate(inputsOf(kernel))) {
    hotRows.emplace_back();
    if (input.getAccess() != star::Access::Col)
      continue;
    FieldType type = input.getType();
    Type stored = storedElement(input);
    Value rows = hotRows.back() = function.sharedBuffer(*type.getNumElements().mul(DimExpr(plan.hotCols)), stored);
    const unsigned lanes = std::max(fields.points.lanes(type), 1u);
    auto vector = VectorType::get({lanes}, storageType(stored));
    Index vectors = b.div(function.extent(type.getNumElements()), b.constant(lanes));
    function.threads.forEachOfBlock(b.mul(count, vectors), [&, i = i, input = input](Value at) {
      Value col = b.load(hot, b.div(at, vectors));
      Memory row = of.operand(i, input, b.toIndexUnsigned(col));
      Index inRow = b.mul(b.rem(at, vectors), b.constant(lanes));
      auto load = b.create<vector::LoadOp>(vector, row.memref, b.value(b.add(row.base, inRow)));
      auto store = b.create<vector::StoreOp>(load, rows, b.value(b.mul(at, b.constant(lanes))));
      for (Operation *access : {load.getOperation(), store.getOperation()})
        access->setAttr(KernelFunction::alignedAttribute, b.builder().getUnitAttr());
    });
  }
}

/// The edge `distance` further on, or the last one: of the call, or of the row where other edges lie between rows.
Value EdgeLoop::edgeAhead(Value edge, Index distance) {
  Value lastOfRow = b.value(b.sub(endOfRow, b.constant(1)));
  Value last = b.select(rowsLieApart, lastOfRow, lastEdge);
  return b.min(b.addHere(edge, distance), last);
}

/// Where edges are not in their original order, as in every sweep towards sources, what they carry is all over memory:
/// it is asked for many edges ahead, further than the processor looks by itself.
void EdgeLoop::prefetchEdgeInputs(Value edge) {
  if (!hasInput(kernel, star::Access::Edge) || !plan.prefetches)
    return;
  constexpr int64_t distance = 64;
  Value row = b.toIndex(fields.ids.edgeIdAt(edgeAhead(edge, b.constant(distance))));
  for (auto [i, input] : llvm::enumerate(inputsOf(kernel))) {
    if (input.getAccess() != star::Access::Edge)
      continue;
    Memory memory = of.operand(i, input, row);
    b.prefetch(memory.memref, memory.base);
  }
}

/// Elements of a row that are worth asking for: as many as it can have, or where that is open as many as it has, and no
/// more than `most`.
Index EdgeLoop::elementsToPrefetch(FieldType type, int64_t most) {
  if (std::optional<uint64_t> bound = fields.points.bounds.numVectors(type, /*lanes=*/1))
    return b.constant(std::min<int64_t>(*bound, most));
  Index count = function.extent(type.getNumElements());
  return b.at(b.scopeOf(count), [&]() -> Index { return b.minUnsigned(count, b.constant(most)); });
}

/// Rows of the other end are all over memory as well. Where they outgrow the caches, as the executor says, the lines
/// that an edge reads are asked for so many edges ahead that some kilobytes are under way.
void EdgeLoop::prefetchCols(Value edge) {
  if (!plan.prefetches)
    return;
  constexpr int64_t line = 64, bytesAhead = 16384, minDistance = 4, maxDistance = 64, maxBytes = 1024;
  struct Run {
    unsigned input;
    star::OperandAttr operand;
    SmallVector<Index, 3> first;
    Index elements;
    int64_t lineElements;
  };
  std::vector<Run> runs;
  Index lines = b.constant(0);
  for (auto [i, input] : llvm::enumerate(inputsOf(kernel))) {
    if (input.getAccess() != star::Access::Col || input.getType().getElement().isInteger(1)) // bits are small
      continue;
    FieldType type = input.getType();
    const int64_t elementBytes = storageBytes(storedElement(input)), lineElements = line / elementBytes;
    const bool inTile = tile.type && type.getDims() == tile.type.getDims();
    Index elements = inTile ? b.constant(int64_t(tile.vectors) * fields.points.shape.maxLanes)
                            : elementsToPrefetch(type, maxBytes / elementBytes);
    runs.push_back({unsigned(i), input, inTile ? tile.coords : SmallVector<Index, 3>(type.getRank(), b.constant(0)),
                    elements, lineElements});
    lines = b.add(lines, b.div(b.add(elements, b.constant(lineElements - 1)), b.constant(lineElements)));
  }
  if (runs.empty())
    return;
  const int64_t chosen = kernel.getScheduleAttr() ? kernel.getScheduleAttr().getPrefetch() : 0;
  Index distance = b.constant(chosen);
  if (auto number = known(lines); number && !chosen)
    distance = b.constant(std::clamp(bytesAhead / line / *number, minDistance, maxDistance));
  else if (!chosen)
    distance = b.at(b.scopeOf(lines), [&]() -> Index {
      Value most = b.value(b.constant(maxDistance)), least = b.value(b.constant(minDistance));
      Value wanted = b.create<arith::DivUIOp>(b.value(b.constant(bytesAhead / line)), b.value(lines));
      return b.create<arith::MaxUIOp>(b.minUnsigned(wanted, most), least).getResult();
    });
  b.branch(prefetches, [&] {
    Value local = b.load(function.array("block.cols", b.i32()), edgeAhead(edge, distance));
    Value col = b.toIndexUnsigned(local);
    for (Run &run : runs) {
      Memory row = of.operand(run.input, run.operand, col);
      auto ask = [&](int64_t more) {
        auto [memref, index] = fields.memory.address(row, run.operand.getType(), run.first, more);
        b.prefetch(memref, index);
      };
      if (auto number = known(run.elements)) {
        for (int64_t at = 0; at < *number; at += run.lineElements)
          ask(at);
        continue;
      }
      auto askFrom = [&](Index begin, Index end, int64_t atOnce) {
        b.forLoop(begin, end, b.constant(atOnce * run.lineElements), [&](Value at) {
          run.first.back() = at;
          for (int64_t i = 0; i < atOnce; ++i)
            ask(i * run.lineElements);
        });
      };
      constexpr int64_t linesAtOnce = 4; // fewer jumps, of which the processor foresees only so many
      Index rest = b.rem(run.elements, b.constant(linesAtOnce * run.lineElements));
      Index whole = b.sub(run.elements, rest);
      askFrom(b.constant(0), whole, linesAtOnce);
      askFrom(whole, run.elements, 1);
    }
  });
}

} // namespace gnnc
