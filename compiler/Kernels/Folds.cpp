//===- Folds.cpp - Folds along dimensions of fields -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/Folds.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

Values Folds::along(FieldType shape, unsigned dim, const Point &point, Identity identity, Step step, Merge merge) {
  if (isLast(shape, dim)) {
    assert(point.lanes == 0 && "a fold along the last dimension gives one element");
    return alongLast(shape, point, identity, step, merge);
  }
  Values state = points.constants(identity, point);
  auto stepAt = [&](ValueRange state, Index position) { return step(state, point.withCoord(dim, position), position); };
  Index size = function.extent(shape.getDim(dim));
  if (auto number = known(size); number && points.unrolled) {
    for (int64_t i = 0; i < *number; ++i)
      state = stepAt(state, b.constant(i));
    return state;
  }
  // A loop over a whole matrix that is unrolled for every edge would have the matrix in registers.
  if (function.machine().unrollsAll)
    size = function.hiddenExtent(shape.getDim(dim));
  return b.forLoop(b.constant(0), size, b.constant(1), state,
                   [&](Value iv, ValueRange carried) { return stepAt(carried, iv); });
}

Values Folds::alongLast(FieldType shape, const Point &point, Identity identity, Step step, Merge merge) {
  if (points.isDealt())
    return ofThreads(shape, point, identity, step, merge);
  return ofLanes(ofVectors(shape, point, identity, step, merge), points.lanes(shape), merge);
}

/// The order is the same whether the loops are unrolled or not: other kernels may have the same fold in other
/// loops.
Values Folds::ofVectors(FieldType shape, const Point &point, Identity identity, Step step, Merge merge) {
  unsigned count = points.lanes(shape);
  Index size = points.lastExtent(shape, point.coords);
  auto chunk = [&](ValueRange state, Index start) {
    Point inner{point.coords, count};
    inner.coords.push_back(start);
    Value laneMask = points.mask(shape, inner);
    return points.select(laneMask, step(state, inner, start), state);
  };
  auto wholeChunk = [&](ValueRange state, Index start) {
    points.setWholeAt(start);
    return chunk(state, start);
  };
  auto loop = [&](Index from, Index to, int64_t by, Values state, llvm::function_ref<Values(Index, ValueRange)> body) {
    if (!points.unrolled || !known(to))
      return b.forLoop(from, to, b.constant(by), state, body);
    for (int64_t start = *known(from); start < *known(to); start += by)
      state = body(b.constant(start), state);
    return state;
  };
  Values state = points.constants(identity, {{}, count});
  // Four states take turns, so that a vector does not wait for the one before it.
  constexpr unsigned turns = 4;
  // An open dimension of four whole vectors has one in each turn.
  auto number = points.bounds.most(lastDim(shape));
  if (number && (known(size) ? *number <= turns * count : *number < turns * count)) {
    for (int64_t start = 0; start < *number; start += count)
      state = chunk(state, b.constant(start));
    return state;
  }
  auto wholeNumber = [&](unsigned of) { return b.sub(size, b.rem(size, b.constant(of))); };
  Index wideEnd = wholeNumber(turns * count), whole = wholeNumber(count);
  Values all;
  for (unsigned turn = 0; turn < turns; ++turn)
    all.append(state);
  const unsigned components = state.size();
  all = loop(b.constant(0), wideEnd, turns * count, all, [&](Index start, ValueRange carried) {
    Values next;
    for (unsigned turn = 0; turn < turns; ++turn)
      next.append(wholeChunk(carried.slice(turn * components, components), b.add(start, b.constant(turn * count))));
    return next;
  });
  state = llvm::to_vector(ArrayRef(all).take_front(components));
  for (unsigned turn = 1; turn < turns; ++turn)
    state = merge(state, ArrayRef(all).slice(turn * components, components));
  state =
      loop(wideEnd, whole, count, state, [&](Index start, ValueRange carried) { return wholeChunk(carried, start); });
  Index rest = b.sub(size, whole);
  if (count == 1 || known(rest) == 0)
    return state;
  auto last = [&] { return chunk(state, whole); };
  if (known(rest) || points.unrolled)
    return last();
  Value any = b.at(b.scopeOf(rest), [&] { return b.differ(rest, b.constant(0)); });
  return b.branch(any, last, state);
}

Values Folds::ofLanes(Values state, unsigned lanes, Merge merge) {
  for (; lanes > 1; lanes /= 2) {
    Values low, high;
    auto lowLanes = llvm::to_vector(llvm::seq<int64_t>(0, lanes / 2));
    auto highLanes = llvm::to_vector(llvm::seq<int64_t>(lanes / 2, lanes));
    for (Value component : state) {
      low.push_back(b.create<vector::ShuffleOp>(component, component, lowLanes));
      high.push_back(b.create<vector::ShuffleOp>(component, component, highLanes));
    }
    state = merge(low, high);
  }
  for (Value &component : state)
    component = b.create<vector::ExtractOp>(component, 0);
  return state;
}

/// A fold along the last dimension: of the thread's vectors, of their lanes, then of the threads that share the run.
Values Folds::ofThreads(FieldType shape, const Point &point, Identity identity, Step step, Merge merge) {
  const Deal &deal = points.dealWith(shape);
  const unsigned lanes = points.lanes(shape);
  Values state = points.constants(identity, {{}, lanes});
  for (const Point &part : deal.points) {
    if (ArrayRef(part.coords).drop_back() != ArrayRef(point.coords))
      continue;
    state = points.select(part.isOwner, step(state, part, part.coords.back()), state);
  }
  state = ofLanes(state, lanes, merge);
  for (unsigned distance = deal.sharers / 2; distance > 0; distance /= 2)
    state = merge(state,
                  llvm::map_to_vector(state, [&](Value number) { return function.threads.shuffle(number, distance); }));
  return state;
}

Value Folds::sum(ArrayRef<DimExpr> dims, Type element, const Point &point,
                 llvm::function_ref<Value(ArrayRef<Index>)> term) {
  SmallVector<Index, 3> coords;
  std::function<Value(Value)> nest = [&](Value sum) -> Value {
    if (coords.size() == dims.size())
      return b.create<arith::AddFOp>(sum, term(coords));
    return b.forLoop(b.constant(0), function.extent(dims[coords.size()]), b.constant(1), sum,
                     [&](Value iv, ValueRange carried) -> Values {
                       coords.push_back(iv);
                       Value next = nest(carried[0]);
                       coords.pop_back();
                       return {next};
                     })[0];
  };
  return nest(points.number(0, element, point));
}

} // namespace gnnc
