//===- SweepState.cpp - States of a sweep's reductions --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/SweepState.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

Value entryOf(FieldEmitter &fields, const Selector &selector) {
  LoopBuilder &b = fields.b;
  Value by = fields.element(selector.by, {});
  Value spare = b.value(fields.function.extent(selector.entries));
  // As an unsigned number, one below 0 is past the end as well.
  return b.minUnsigned(b.toIndex(by), spare);
}

StateMemory StateEmitter::allocate(llvm::function_ref<bool(const Reduction &)> isWanted, bool spare) {
  StateMemory memory;
  for (const Reduction &reduction : layout.reductions) {
    memory.emplace_back();
    if (!isWanted(reduction))
      continue;
    DimExpr count = reduction.type.getNumElements();
    if (spare && reduction.selector)
      count = *count.add(reduction.contributed.getNumElements());
    for (Type component : reduction.componentTypes)
      memory.back().push_back(fields.function.buffer(count, component, /*ofThread=*/reduction.type.getRank() == 0));
  }
  return memory;
}

/// `bytes` of the layout in this call.
Index StateEmitter::spilledBytes(const DimExpr &bytes) {
  Index number = fields.function.extent(bytes);
  return layout.inPasses ? b.mul(number, b.sub(fields.function.index("pass_end"), fields.function.index("pass_begin")))
                         : number;
}

StateMemory StateEmitter::spilled(llvm::StringRef source, Index row, SmallVector<DimExpr> Reduction::*offsets) {
  Value bytes = fields.function.array(source, b.i8());
  Index start = b.mul(row, spilledBytes(layout.bytes));
  Index base = layout.inPasses ? b.sub(b.constant(0), fields.function.index("pass_begin")) : b.constant(0);
  StateMemory memory;
  for (const Reduction &reduction : layout.reductions) {
    memory.emplace_back();
    for (auto [component, offset] : llvm::zip_equal(reduction.componentTypes, reduction.*offsets)) {
      Value at = b.value(b.add(start, spilledBytes(offset)));
      Value count = b.value(fields.function.extent(reduction.type.getNumElements()));
      MemRefType type = fields.function.memoryType(component);
      memory.back().push_back({b.create<memref::ViewOp>(type, bytes, at, ValueRange{count}), base});
    }
  }
  return memory;
}

Values StateEmitter::load(const StateMemory &memory, unsigned reduction, const Point &point) {
  const Reduction &of = layout.reductions[reduction];
  if (point.isOwner && !fields.points.isDealt()) {
    Point owned = point;
    owned.isOwner = {};
    Values none = identity(of, point);
    return b.branch(
        point.isOwner, [&] { return load(memory, reduction, owned); }, none);
  }
  Values state;
  for (auto [component, at] : llvm::zip_equal(of.componentTypes, memory[reduction]))
    state.push_back(fields.memory.load(at, component, of.type, point));
  return state;
}

void StateEmitter::store(const StateMemory &memory, unsigned reduction, const Point &point, ValueRange state) {
  for (auto [at, value] : llvm::zip_equal(memory[reduction], state))
    fields.memory.store(at, layout.reductions[reduction].type, point, value);
}

/// Memory of a size that is not part of its type: a segment has room for entries that a total has not.
static Value ofAnySize(LoopBuilder &b, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape())
    return memref;
  auto any = MemRefType::get({ShapedType::kDynamic}, type.getElementType(), type.getLayout(), type.getMemorySpace());
  return b.create<memref::CastOp>(any, memref);
}

StateMemory StateEmitter::choose(Value condition, const StateMemory &then, StateMemory otherwise,
                                 llvm::function_ref<bool(const Reduction &)> isWanted) {
  for (auto [reduction, others, chosen] : llvm::zip_equal(layout.reductions, otherwise, then)) {
    if (!isWanted(reduction))
      continue;
    for (auto [memory, other] : llvm::zip_equal(others, chosen)) {
      Value there = ofAnySize(b, other.memref);
      memory.memref = b.select(condition, there, ofAnySize(b, memory.memref));
    }
  }
  return otherwise;
}

Point StateEmitter::normaliserPoint(const Reduction &reduction, const Point &point) const {
  Point inner;
  for (int64_t dim : reduction.softmaxSum.getDims()) {
    inner.coords.push_back(point.coords[dim]);
    if (dim + 1 == int64_t(point.coords.size()))
      inner.lanes = point.lanes;
  }
  return inner;
}

Values StateEmitter::merge(unsigned index, const Point &point, StateAt left, StateAt right) {
  const Reduction &reduction = layout.reductions[index];
  Values ofLeft = left(index, point), ofRight = right(index, point);
  if (reduction.softmaxSum) {
    Point inner = normaliserPoint(reduction, point);
    unsigned normaliser = reduction.softmaxSum.getNormaliser();
    auto [leftFactor, rightFactor] = star::SoftmaxSumAttr::buildFactors(
        b.builder(), b.loc(), left(normaliser, inner)[0], right(normaliser, inner)[0]);
    ofLeft.push_back(spread(reduction, leftFactor, point));
    ofRight.push_back(spread(reduction, rightFactor, point));
  }
  return reduction.aggregator.buildMerge(b.builder(), b.loc(), ofLeft, ofRight);
}

Values StateEmitter::finish(unsigned index, const Point &point, StateAt state) {
  const Reduction &reduction = layout.reductions[index];
  Values of = state(index, point);
  if (reduction.softmaxSum) {
    for (Value number : state(reduction.softmaxSum.getNormaliser(), normaliserPoint(reduction, point)))
      of.push_back(spread(reduction, number, point));
  }
  Values values = {reduction.aggregator.buildFinish(b.builder(), b.loc(), of)};
  if (reduction.keepsArg)
    values.push_back(of[1]);
  return values;
}

} // namespace gnnc
