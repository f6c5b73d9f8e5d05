//===- Threads.cpp - The threads that share a row -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/Threads.h"
#include "gnn/program.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace gnnc {

Threads::Threads(LoopBuilder &builder, const Machine &machine, std::pair<Index, Index> callRows,
                 std::function<Index()> slotRows)
    : b(builder), ofRow{machine.threads, b.constant(0), b.constant(0), b.constant(1)}, callRows(callRows),
      slotRows(std::move(slotRows)) {
  if (machine.isDevice)
    findGroup();
}

static constexpr unsigned warp = 32;

/// Groups are numbered through the grid; a group lies in one warp.
void Threads::findGroup() {
  auto x = gpu::Dimension::x;
  Index thread = b.create<gpu::ThreadIdOp>(x).getResult(), block = b.create<gpu::BlockIdOp>(x).getResult();
  Index blockSize = b.create<gpu::BlockDimOp>(x).getResult();
  Index blocks = b.create<gpu::GridDimOp>(x).getResult();
  blockThread = thread, blockThreads = blockSize;
  Index size = b.constant(ofRow.threads);
  ofRow.thread = b.rem(thread, size);
  ofRow.id = b.div(b.add(b.mul(block, blockSize), thread), size);
  ofRow.count = b.div(b.mul(blocks, blockSize), size);
  Type i32 = b.i32();
  uint32_t ones = ofRow.threads == warp ? ~0u : (1u << ofRow.threads) - 1;
  Value bits = b.number32(ones);
  Index first = b.sub(b.rem(thread, b.constant(warp)), ofRow.thread);
  groupMask = b.create<arith::ShLIOp>(bits, b.create<arith::IndexCastOp>(i32, b.value(first)).getResult());
}

void Threads::sync() {
  if (ofRow.threads > 1)
    b.create<NVVM::SyncWarpOp>(groupMask);
}

void Threads::forEachOfBlock(Index count, llvm::function_ref<void(Value)> body) {
  b.forLoop(blockThread, count, blockThreads, body);
  b.create<NVVM::Barrier0Op>();
}

/// Within `among` threads side by side.
Value Threads::shuffle(Value number, Value by, NVVM::ShflKind kind, unsigned among) {
  auto segments = b.builder().getI32IntegerAttr(int32_t((warp - among) << 8 | (warp - 1)));
  return b.create<NVVM::ShflOp>(number.getType(), groupMask, number, by, b.create<arith::ConstantOp>(segments), kind,
                                UnitAttr());
}

Value Threads::shuffle(Value number, unsigned distance) {
  Value by = b.number32(distance);
  return shuffle(number, by, NVVM::ShflKind::bfly, 2 * distance);
}

Value Threads::shuffleFrom(Value number, Value thread) {
  Type i32 = b.i32(), type = number.getType();
  Value by = b.create<arith::IndexCastOp>(i32, thread);
  auto tell = [&](Value part) { return shuffle(part, by, NVVM::ShflKind::idx, ofRow.threads); };
  if (type.getIntOrFloatBitWidth() == 32)
    return tell(number);
  Value half = b.create<arith::ConstantOp>(IntegerAttr::get(type, 32));
  Value low = tell(b.create<arith::TruncIOp>(i32, number));
  Value high = tell(b.create<arith::TruncIOp>(i32, b.create<arith::ShRUIOp>(number, half)));
  return b.either(b.create<arith::ShLIOp>(b.create<arith::ExtUIOp>(type, high), half),
                  b.create<arith::ExtUIOp>(type, low));
}

void Threads::onFirstThread(llvm::function_ref<void()> body) {
  if (ofRow.threads == 1)
    return body();
  Value isFirst = b.at(0, [&] { return b.isEqual(ofRow.thread, b.constant(0)); });
  b.branch(isFirst, body);
}

void Threads::forEachRows(Rows rows, RowsBody body) {
  auto [begin, end] = callRows;
  if (!areMany())
    return body(begin, end, b.constant(1), b.constant(0));
  if (rows == Rows::All)
    return body(b.add(begin, ofRow.id), end, ofRow.count, b.constant(0));
  Index length = rows == Rows::InSlots ? b.constant(GNN_SLOT_ROWS) : slotRows();
  Index first = b.add(begin, b.mul(ofRow.id, length));
  b.forLoop(first, end, b.mul(ofRow.count, length), [&, begin = begin, end = end](Value from) {
    Value to = b.min(b.add(from, length), end);
    body(from, to, b.constant(1), b.div(b.sub(from, begin), length));
  });
}

} // namespace gnnc
