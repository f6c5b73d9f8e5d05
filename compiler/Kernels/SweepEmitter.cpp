//===- SweepEmitter.cpp - Sweeps over edges -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, segments and edges, wherever the states are.
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/StateHomes.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

namespace {

class SweepEmitter : SweepPart {
public:
  explicit SweepEmitter(Sweep &sweep)
      : SweepPart(sweep), values(sweep), memory(values, sweep), registers(values, memory, sweep),
        tiles(values, memory, registers, sweep), panels(values, sweep) {}

  void emit();

private:
  Value endsRow(Value place);
  void emitRow(Value rowOfBlock);
  Values placeOfRow();
  void startRow();

  StateValues values;
  MemoryStates memory;
  RegisterStates registers;
  TileStates tiles;
  PanelStates panels;
};

} // namespace

void SweepEmitter::emit() {
  if (plan.deal)
    fields.points.dealOut(plan.deal->widest, plan.deal->parts);
  fields.points.unrolled = plan.states == StatePlace::Registers;

  Value flags = function.argument("flags", b.i32());
  auto flag = [&](int32_t bit) {
    Value mask = b.number32(bit), zero = b.number32(0);
    return b.differ(b.both(flags, mask), zero);
  };
  call.isFirst = flag(GNN_SWEEP_FIRST);
  call.isLast = flag(GNN_SWEEP_LAST);
  call.prefetches = flag(GNN_SWEEP_PREFETCH);
  call.hasEveryTotal = b.isNot(flag(GNN_SWEEP_IN_ORDER));
  if (plan.hasShortRows) {
    Value areWhole = b.isNot(function.isGiven("block.row_pos"));
    call.hasWholeRows = b.both(areWhole, b.both(call.isFirst, call.isLast));
  }
  sweep.allocate();
  sweep.bindInputs(kernel.getStep(), star::Access::Whole, b.constant(0));
  sweep.bindInputs(kernel.getEnd(), star::Access::Whole, b.constant(0));
  sweep.stepPlan.emit(fields, Rate::Call, {});
  auto emitCall = [&] { sweep.endPlan.emit(fields, Rate::Call, {}); };
  plan.end == EndPlace::Registers ? emitCall() : fields.points.inMemory(emitCall);
  panels.pack();
  sweep.edges.begin(call.prefetches, [&] { return flag(GNN_SWEEP_ROWS_APART); });
  function.threads.forEachRows(Threads::Rows::All, [&](Index from, Index to, Index step, Index) {
    b.forLoop(from, to, step, [&](Value place) { emitRow(place); });
  });
}

/// Whether this is the last of the calls that fold the row: of a device's, none is that of pieces.
Value SweepEmitter::endsRow(Value place) {
  if (!plan.hasPieces)
    return call.isLast;
  Value isWhole = b.compare(arith::CmpIPredicate::uge, place, function.index("pieces"));
  return b.both(call.isLast, isWhole);
}

void SweepEmitter::emitRow(Value rowOfBlock) {
  row.blockRow = rowOfBlock;
  row.isLast = endsRow(row.blockRow);
  Value itself = fields.position.row = sweep.tableRow(row.blockRow);
  if (plan.end == EndPlace::Memory)
    function.threads.sync(); // other threads may still read what the row before left
  sweep.bindInputs(kernel.getStep(), star::Access::Row, itself);
  sweep.bindInputs(kernel.getEnd(), star::Access::Row, itself);
  row.firstEdge = sweep.edgeOf(row.blockRow, "block.offsets");
  row.endEdge = sweep.edges.endOfRow = sweep.edgeOf(row.blockRow, "block.ends");
  Value isEmpty = b.isEqual(row.firstEdge, row.endEdge);
  Value isBetween = b.isNot(b.either(call.isFirst, row.isLast));
  // A row that this block has no edges of stays as it is.
  b.branch(
      b.both(isEmpty, isBetween), [] {},
      [&] {
        startRow();
        switch (plan.states) {
        case StatePlace::Registers:
          return registers.sweepRow();
        case StatePlace::Tiles:
          return plan.foldsBySegment ? sweep.sweepRow(tiles) : tiles.sweepThreadTiles();
        case StatePlace::Panels:
          return sweep.sweepRow(panels);
        case StatePlace::Memory:
          return sweep.sweepRow(memory);
        }
      });
}

/// Where the row is in its segments: where the one of its first edge starts, whether it comes with a total, and whether
/// it has one after its edges.
Values SweepEmitter::placeOfRow() {
  Value position = sweep.positionInRow(row.blockRow);
  Value length = b.value(b.constant(GNN_SEGMENT_LENGTH));
  Value endedSegments = b.compare(arith::CmpIPredicate::uge, position, length);
  Value isNoStart = b.isNot(call.isFirst);
  Value comesWithTotal = b.both(isNoStart, b.either(endedSegments, call.hasEveryTotal));
  Value intoSegment = b.both(position, b.value(b.constant(GNN_SEGMENT_LENGTH - 1)));
  Value start = b.subHere(row.firstEdge, intoSegment);
  Value next = b.addHere(start, length);
  Value endsSegment = b.compare(arith::CmpIPredicate::sle, next, row.endEdge);
  return {start, comesWithTotal, b.either(comesWithTotal, endsSegment)};
}

/// Emits the code before the edges of a row. On a CPU, almost every row has all of its edges in one call, and fewer
/// than a segment.
void SweepEmitter::startRow() {
  Values place;
  if (!plan.hasShortRows) {
    place = placeOfRow();
  } else {
    Value isShort = b.isBelow(b.subHere(row.endEdge, row.firstEdge), b.constant(GNN_SEGMENT_LENGTH));
    Type flag = b.i1();
    place = b.branch(
        b.both(call.hasWholeRows, isShort), {b.indexType(), flag, flag},
        [&]() -> Values {
          Value no = b.truth(false);
          return {b.value(row.firstEdge), no, no};
        },
        [&] { return placeOfRow(); });
  }
  row.firstStart = place[0];
  row.startsWithTotal = place[1];
  row.hasTotal = place[2];
  if (plan.closesInLoop) // on a device it would be one more register of a loop
    row.closesTotal = b.both(row.isLast, row.hasTotal);
  sweep.stepPlan.emit(fields, Rate::Row, {});
  memory.start();
}

void emitSweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function) {
  Sweep sweep(kernel, layout, function);
  SweepEmitter(sweep).emit();
}

} // namespace gnnc
