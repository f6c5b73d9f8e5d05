//===- Threads.cpp - The threads that share a row -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/Threads.h"
#include "gnn/program.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace gnnc {

Threads::Threads(LoopBuilder &builder, const Machine &machine, std::pair<Index, Index> callRows,
                 std::function<Index()> slotRows)
    : builder(builder), ofRow{machine.threads, builder.constant(0), builder.constant(0), builder.constant(1)},
      callRows(callRows), slotRows(std::move(slotRows)) {
  if (machine.isDevice)
    findGroup();
}

/// Groups are numbered through the grid; a group lies in one warp.
void Threads::findGroup() {
  constexpr unsigned warp = 32;
  auto x = gpu::Dimension::x;
  Index thread = builder.create<gpu::ThreadIdOp>(x).getResult(), block = builder.create<gpu::BlockIdOp>(x).getResult();
  Index blockSize = builder.create<gpu::BlockDimOp>(x).getResult();
  Index blocks = builder.create<gpu::GridDimOp>(x).getResult();
  blockThread = thread, blockThreads = blockSize;
  Index size = builder.constant(ofRow.threads);
  ofRow.thread = builder.rem(thread, size);
  ofRow.id = builder.div(builder.add(builder.mul(block, blockSize), thread), size);
  ofRow.count = builder.div(builder.mul(blocks, blockSize), size);
  Type i32 = builder.i32();
  uint32_t ones = ofRow.threads == warp ? ~0u : (1u << ofRow.threads) - 1;
  Value bits = builder.create<arith::ConstantOp>(builder.builder().getI32IntegerAttr(static_cast<int32_t>(ones)));
  Index first = builder.sub(builder.rem(thread, builder.constant(warp)), ofRow.thread);
  groupMask =
      builder.create<arith::ShLIOp>(bits, builder.create<arith::IndexCastOp>(i32, builder.value(first)).getResult());
}

void Threads::sync() {
  if (ofRow.threads > 1)
    builder.create<NVVM::SyncWarpOp>(groupMask);
}

void Threads::forEachOfBlock(Index count, llvm::function_ref<void(Value)> body) {
  builder.forLoop(blockThread, count, blockThreads, body);
  builder.create<NVVM::Barrier0Op>();
}

/// Within `among` threads side by side.
Value Threads::shuffle(Value number, Value by, NVVM::ShflKind kind, unsigned among) {
  constexpr unsigned warp = 32;
  auto segments = builder.builder().getI32IntegerAttr(int32_t((warp - among) << 8 | (warp - 1)));
  return builder.create<NVVM::ShflOp>(number.getType(), groupMask, number, by,
                                      builder.create<arith::ConstantOp>(segments), kind, UnitAttr());
}

Value Threads::shuffle(Value number, unsigned distance) {
  Value by = builder.create<arith::ConstantOp>(builder.builder().getI32IntegerAttr(int32_t(distance)));
  return shuffle(number, by, NVVM::ShflKind::bfly, 2 * distance);
}

Value Threads::shuffleFrom(Value number, Value thread) {
  Type i32 = builder.i32(), type = number.getType();
  Value by = builder.create<arith::IndexCastOp>(i32, thread);
  auto tell = [&](Value part) { return shuffle(part, by, NVVM::ShflKind::idx, ofRow.threads); };
  if (type.getIntOrFloatBitWidth() == 32)
    return tell(number);
  Value half = builder.create<arith::ConstantOp>(IntegerAttr::get(type, 32));
  Value low = tell(builder.create<arith::TruncIOp>(i32, number));
  Value high = tell(builder.create<arith::TruncIOp>(i32, builder.create<arith::ShRUIOp>(number, half)));
  return builder.create<arith::OrIOp>(builder.create<arith::ShLIOp>(builder.create<arith::ExtUIOp>(type, high), half),
                                      builder.create<arith::ExtUIOp>(type, low));
}

void Threads::onFirstThread(llvm::function_ref<void()> body) {
  if (ofRow.threads == 1)
    return body();
  Value isFirst =
      builder.at(0, [&] { return builder.compare(arith::CmpIPredicate::eq, ofRow.thread, builder.constant(0)); });
  builder.branch(isFirst, body);
}

void Threads::forEachRows(Rows rows, RowsBody body) {
  auto [begin, end] = callRows;
  if (!areMany())
    return body(begin, end, builder.constant(1), builder.constant(0));
  if (rows == Rows::All)
    return body(builder.add(begin, ofRow.id), end, ofRow.count, builder.constant(0));
  Index length = rows == Rows::InSlots ? builder.constant(GNN_SLOT_ROWS) : slotRows();
  Index first = builder.add(begin, builder.mul(ofRow.id, length));
  builder.forLoop(first, end, builder.mul(ofRow.count, length), [&, begin = begin, end = end](Value from) {
    Value to = builder.min(builder.add(from, length), end);
    body(from, to, builder.constant(1), builder.div(builder.sub(from, begin), length));
  });
}

} // namespace gnnc
