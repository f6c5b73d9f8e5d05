//===- SweepPanels.cpp - Sweeps with products of panels of edges ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that edges multiply by parameters are gathered for a panel of edges, multiplied at once, and folded in the
// order of the edges, so that the bits are those of one edge at a time.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

bool dependsOn(Value field, Value other) {
  if (field == other)
    return true;
  Operation *op = field.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, other); });
}

/// Whether an element of `field` needs of `product` the element at the same place only.
static bool isElementwiseIn(Value field, Value product) {
  if (field == product || !dependsOn(field, product))
    return true;
  return isa<ElementwiseOpInterface>(field.getDefiningOp()) &&
         llvm::all_of(field.getDefiningOp()->getOperands(),
                      [&](Value operand) { return isElementwiseIn(operand, product); });
}

/// Whether edges do nothing with `product` but fold what they make of its elements.
bool SweepEmitter::foldsProduct(MatMulOp product) {
  Value field = product.getResult();
  if (fieldType(field).getRank() != 1 || !contribute.getEdges().empty())
    return false;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    Value filter = contribute.getFilter(index);
    if (reduction.selector || reduction.softmaxSum || kernel.getOnlineSoftmax(index) ||
        reduction.contributed.getDims() != fieldType(field).getDims() ||
        !isElementwiseIn(contribute.getValues()[index], field) || (filter && dependsOn(filter, field)))
      return false;
  }
  return true;
}

void SweepEmitter::planPanels() {
  ArrayRef<Value> buffers = stepPlan.buffers(Rate::Edge);
  llvm::DenseSet<Value> staged;
  for (Value field : buffers) {
    auto product = field.getDefiningOp<MatMulOp>();
    std::optional<SmallVector<Value>> needs = stepPlan.buffersFor(field, Rate::Edge);
    if (!product || !PanelProduct::isPossible(product) || !needs)
      continue;
    PanelStage &stage = panelStages.emplace_back(PanelStage{PanelProduct(fields, product), {}, {}, {}, true, false});
    for (Value need : *needs)
      if (staged.insert(need).second && need != field)
        stage.fills.push_back({need, {}});
    stage.copiesX = !staged.contains(product.getX());
  }
  if (!panelStages.empty())
    panelStages.back().isFolded = staged.size() == buffers.size() && foldsProduct(panelStages.back().product.getOp());
}

void SweepEmitter::packPanels() {
  for (PanelStage &stage : panelStages) {
    MatMulOp product = stage.product.getOp();
    auto allocate = [&](Value field) { return RegionPlan::allocate(fields, field, panelEdges)[0].memory; };
    for (Fill &fill : stage.fills)
      fill.memory = allocate(fill.field);
    stage.x = stage.copiesX ? allocate(product.getX()) : *stagedMemory(product.getX());
    if (!stage.isFolded)
      stage.result = allocate(product.getResult());
    stage.product.pack();
  }
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Where the panel has `field`, if any stage makes it.
std::optional<Memory> SweepEmitter::stagedMemory(Value field) const {
  for (const PanelStage &stage : panelStages) {
    if (stage.product.getOp().getResult() == field)
      return stage.result;
    for (const Fill &fill : stage.fills)
      if (fill.field == field)
        return fill.memory;
  }
  return std::nullopt;
}

/// The part of `memory`, of a panel, that is `edge`'s.
Memory SweepEmitter::ofEdge(const Memory &memory, FieldType type, Value edge) {
  Index position = b.sub(edge, panelStart);
  return {memory.memref, b.add(memory.base, b.mul(position, function.extent(type.getNumElements())))};
}

/// Binds what the first `numStages` stages have made for `edge`.
void SweepEmitter::bindPanelEdge(Value edge, unsigned numStages) {
  fields.forget();
  bindEdge(edge);
  for (const PanelStage &stage : ArrayRef(panelStages).take_front(numStages)) {
    for (const auto &[field, memory] : stage.fills)
      fields.bind(field, ofEdge(memory, fieldType(field), edge), b.top());
    Value result = stage.product.getOp().getResult();
    if (!stage.isFolded)
      fields.bind(result, ofEdge(stage.result, fieldType(result), edge), b.top());
  }
}

/// Makes what the product of stage `index` multiplies, and multiplies it.
void SweepEmitter::runStage(unsigned index, Value to) {
  PanelStage &stage = panelStages[index];
  Value x = stage.product.getOp().getX();
  FieldType type = fieldType(x);
  b.forLoop(panelStart, to, b.constant(1), [&](Value edge) {
    bindPanelEdge(edge, index);
    prefetchEdgeInputs(edge);
    prefetchCols(edge);
    SmallVector<Fill> fills;
    for (const auto &[field, memory] : stage.fills)
      fills.push_back({field, ofEdge(memory, fieldType(field), edge)});
    SmallVector<Sink> sinks;
    if (stage.copiesX) {
      Memory copy = ofEdge(stage.x, type, edge);
      auto put = [this, copy, type](const Point &point, Value value) { fields.memory.store(copy, type, point, value); };
      sinks.push_back({x, type, put, Value()});
    }
    stepPlan.emit(fields, fills, sinks);
  });
  if (stage.isFolded)
    return foldTiles(stage, to);
  Value edges = b.create<arith::SubIOp>(to, panelStart);
  stage.product.emit(stage.x, stage.result, b.mul(edges, function.extent(stage.product.rowsPerEdge())));
}

/// Folds the edges from `from` to `to`, or as many of them as a panel has.
void SweepEmitter::foldPanel(Value from, Value to) {
  panelStart = from;
  Value end = b.create<arith::MinSIOp>(b.create<arith::AddIOp>(from, b.value(b.constant(panelEdges))), to);
  for (unsigned index = 0; index < panelStages.size(); ++index)
    runStage(index, end);
  if (panelStages.back().isFolded)
    return;
  b.forLoop(from, end, b.constant(1), [&](Value edge) {
    bindPanelEdge(edge, panelStages.size());
    SmallVector<Value> rest;
    llvm::copy_if(stepPlan.buffers(Rate::Edge), std::back_inserter(rest),
                  [&](Value field) { return !stagedMemory(field); });
    stepPlan.emit(fields, RegionPlan::allocate(fields, rest), stepSinks());
  });
}

//===----------------------------------------------------------------------===//
// Products that are folded at once
//===----------------------------------------------------------------------===//

/// The states of a tile are in registers while the edges of the panel are folded into them.
void SweepEmitter::foldTiles(PanelStage &stage, Value to) {
  stage.product.forEachTile([&](const ColumnTile &tile) {
    SmallVector<Part> parts;
    SmallVector<Value> carried;
    SmallVector<Point> points = fields.points.tile(stage.product.columns(), tile.column, tile.vectors, tile.masked);
    for (unsigned reduction = 0; reduction < layout.reductions.size(); ++reduction)
      for (const Point &point : points) {
        parts.push_back({reduction, point});
        carried.append(states.load(segments, reduction, point));
      }
    Value edges = b.create<arith::SubIOp>(to, panelStart);
    stage.product.forEachRun(edges, tile, [&](Index from, Index to, unsigned rows) {
      carried = b.forLoop(from, to, b.constant(rows), carried, [&](Value row, ValueRange states) {
        return foldBlock(stage, parts, points, tile, row, rows, states);
      });
    });
    for (auto [index, part] : llvm::enumerate(parts))
      states.store(segments, part.reduction, part.point, stateOf(parts, index, carried));
  });
}

/// The states after the edges of a block, those from `start` on of the panel.
SmallVector<Value> SweepEmitter::foldBlock(PanelStage &stage, ArrayRef<Part> parts, ArrayRef<Point> points,
                                           const ColumnTile &tile, Value start, unsigned rows, ValueRange before) {
  SmallVector<Value> sums = stage.product.multiply(stage.x, start, rows, tile);
  SmallVector<Value> folded = llvm::to_vector(before);
  for (unsigned row = 0; row < rows; ++row) {
    bindPanelEdge(b.value(b.add(panelStart, b.add(start, b.constant(row)))), panelStages.size());
    fields.bind(stage.product.getOp().getResult(), points, ArrayRef(sums).slice(row * tile.vectors, tile.vectors));
    SmallVector<Value> next;
    for (auto [index, part] : llvm::enumerate(parts))
      next.append(stepState(part.reduction, part.point, stateOf(parts, index, folded)));
    folded = next;
  }
  return folded;
}

} // namespace gnnc
