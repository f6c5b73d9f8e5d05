//===- PanelStates.cpp - States of panels of edges ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/StateHomes.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

void PanelStates::pack() {
  auto allocate = [&](Value field) { return RegionPlan::allocate(fields, field, panelEdges)[0].memory; };
  for (PanelPlan panel : plan.panels) {
    PanelStage &stage =
        stages.emplace_back(PanelStage{PanelProduct(fields, panel.product), {}, {}, {}, panel.copiesX, panel.isFolded});
    for (Value field : panel.fills)
      stage.fills.push_back({field, allocate(field)});
    stage.x = stage.copiesX ? allocate(panel.product.getX()) : *stagedMemory(panel.product.getX());
    if (!stage.isFolded)
      stage.result = allocate(panel.product.getResult());
    stage.product.pack();
  }
}

/// Where the panel has `field`, if any stage makes it.
std::optional<Memory> PanelStates::stagedMemory(Value field) const {
  for (const PanelStage &stage : stages) {
    if (stage.product.getOp().getResult() == field)
      return stage.result;
    for (const Fill &fill : stage.fills)
      if (fill.field == field)
        return fill.memory;
  }
  return std::nullopt;
}

/// The part of `memory`, of a panel, that is `edge`'s.
Memory PanelStates::ofEdge(const Memory &memory, FieldType type, Value edge) {
  Index position = b.sub(edge, panelStart);
  return {memory.memref, b.add(memory.base, b.mul(position, function.extent(type.getNumElements())))};
}

/// Binds what the first `numStages` stages have made for `edge`.
void PanelStates::bindPanelEdge(Value edge, unsigned numStages) {
  fields.forget();
  sweep.edges.bindEdge(edge);
  for (const PanelStage &stage : ArrayRef(stages).take_front(numStages)) {
    for (const auto &[field, memory] : stage.fills)
      fields.bind(field, ofEdge(memory, fieldType(field), edge), b.top());
    Value result = stage.product.getOp().getResult();
    if (!stage.isFolded)
      fields.bind(result, ofEdge(stage.result, fieldType(result), edge), b.top());
  }
}

/// Makes what the product of stage `index` multiplies, and multiplies it.
void PanelStates::runStage(unsigned index, Value to) {
  PanelStage &stage = stages[index];
  Value x = stage.product.getOp().getX();
  FieldType type = fieldType(x);
  b.forLoop(panelStart, to, b.constant(1), [&](Value edge) {
    bindPanelEdge(edge, index);
    sweep.edges.prefetch(edge);
    SmallVector<Fill> fills;
    for (const auto &[field, memory] : stage.fills)
      fills.push_back({field, ofEdge(memory, fieldType(field), edge)});
    SmallVector<Sink> sinks;
    if (stage.copiesX)
      sinks.push_back(Sink::store(fields, x, type, ofEdge(stage.x, type, edge)));
    sweep.stepPlan.emit(fields, fills, sinks);
  });
  if (stage.isFolded)
    return foldTiles(stage, to);
  Value edges = b.subHere(to, panelStart);
  stage.product.emit(stage.x, stage.result, b.mul(edges, function.extent(stage.product.rowsPerEdge())));
}

Values PanelStates::fold(Value, Value from, Value to, ValueRange) {
  b.forLoop(from, to, b.constant(panelEdges), [&](Value start) {
    panelStart = start;
    Value end = b.min(b.addHere(start, b.constant(panelEdges)), to);
    for (unsigned index = 0; index < stages.size(); ++index)
      runStage(index, end);
    if (stages.back().isFolded)
      return;
    b.forLoop(start, end, b.constant(1), [&](Value edge) {
      bindPanelEdge(edge, stages.size());
      Values rest;
      llvm::copy_if(sweep.stepPlan.buffers(Rate::Edge), std::back_inserter(rest),
                    [&](Value field) { return !stagedMemory(field); });
      sweep.stepPlan.emit(fields, RegionPlan::allocate(fields, rest), stepSinks());
    });
  });
  return {};
}

/// The states of a tile are in registers while the edges of the panel are folded into them.
void PanelStates::foldTiles(PanelStage &stage, Value to) {
  stage.product.forEachTile([&](const ColumnTile &tile) {
    SmallVector<Part> parts;
    SmallVector<Point> points = fields.points.tile(stage.product.columns(), tile.column, tile.vectors, tile.masked);
    for (unsigned reduction = 0; reduction < layout.reductions.size(); ++reduction)
      for (const Point &point : points)
        parts.push_back({reduction, point});
    Values carried = values.load(sweep.segments, parts);
    Value edges = b.subHere(to, panelStart);
    stage.product.forEachRun(edges, tile, [&](Index from, Index to, unsigned rows) {
      carried = b.forLoop(from, to, b.constant(rows), carried, [&](Value row, ValueRange states) {
        return foldBlock(stage, parts, points, tile, row, rows, states);
      });
    });
    values.store(sweep.segments, parts, carried);
  });
}

/// The states after the edges of a block, those from `start` on of the panel.
Values PanelStates::foldBlock(PanelStage &stage, ArrayRef<Part> parts, ArrayRef<Point> points, const ColumnTile &tile,
                              Value start, unsigned rows, ValueRange before) {
  Values sums = stage.product.multiply(stage.x, start, rows, tile);
  Values folded = llvm::to_vector(before);
  for (unsigned row = 0; row < rows; ++row) {
    bindPanelEdge(b.value(b.add(panelStart, b.add(start, b.constant(row)))), stages.size());
    fields.bind(stage.product.getOp().getResult(), points, ArrayRef(sums).slice(row * tile.vectors, tile.vectors));
    folded = values.stepEach(parts, folded);
  }
  return folded;
}

} // namespace gnnc
