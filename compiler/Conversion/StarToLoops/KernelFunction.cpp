//===- KernelFunction.cpp - The function of a kernel ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/KernelFunction.h"
#include "gnn/program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace gnnc {

/// Buffers of known size are on the stack up to this many bytes a call. A thread of a device has registers only.
static constexpr int64_t maxStackBytes = 16384, maxThreadBytes = 256;

Type storageType(Type element) { return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element; }
unsigned storageBytes(Type element) { return storageType(element).getIntOrFloatBitWidth() / 8; }

KernelFunction::KernelFunction(FunctionOpInterface function, const Machine &machine, ExtentTable &extents, bool poisons)
    : function(function), target(machine), isPoisoning(poisons),
      builder(function.getLoc(), &function.getFunctionBody().front()),
      extents(extents), threads{machine.threads, builder.constant(0), builder.constant(0), builder.constant(1)} {
  if (machine.isDevice)
    findGroup();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Groups are numbered through the grid; a group lies in one warp.
void KernelFunction::findGroup() {
  constexpr unsigned warp = 32;
  auto x = gpu::Dimension::x;
  Index thread = builder.create<gpu::ThreadIdOp>(x).getResult(), block = builder.create<gpu::BlockIdOp>(x).getResult();
  Index blockSize = builder.create<gpu::BlockDimOp>(x).getResult();
  Index blocks = builder.create<gpu::GridDimOp>(x).getResult();
  blockThread = thread, blockThreads = blockSize;
  Index size = builder.constant(threads.threads);
  threads.thread = builder.rem(thread, size);
  threads.id = builder.div(builder.add(builder.mul(block, blockSize), thread), size);
  threads.count = builder.div(builder.mul(blocks, blockSize), size);
  Type i32 = builder.builder().getI32Type();
  uint32_t ones = threads.threads == warp ? ~0u : (1u << threads.threads) - 1;
  Value bits = builder.create<arith::ConstantOp>(builder.builder().getI32IntegerAttr(static_cast<int32_t>(ones)));
  Index first = builder.sub(builder.rem(thread, builder.constant(warp)), threads.thread);
  groupMask =
      builder.create<arith::ShLIOp>(bits, builder.create<arith::IndexCastOp>(i32, builder.value(first)).getResult());
}

void KernelFunction::syncGroup() {
  if (threads.threads > 1)
    builder.create<NVVM::SyncWarpOp>(groupMask);
}

void KernelFunction::forEachOfBlock(Index count, llvm::function_ref<void(Value)> body) {
  builder.forLoop(blockThread, count, blockThreads, body);
  builder.create<NVVM::Barrier0Op>();
}

/// Within `among` threads side by side.
Value KernelFunction::shuffle(Value number, Value by, NVVM::ShflKind kind, unsigned among) {
  constexpr unsigned warp = 32;
  auto segments = builder.builder().getI32IntegerAttr(int32_t((warp - among) << 8 | (warp - 1)));
  return builder.create<NVVM::ShflOp>(number.getType(), groupMask, number, by,
                                      builder.create<arith::ConstantOp>(segments), kind, UnitAttr());
}

Value KernelFunction::shuffle(Value number, unsigned distance) {
  Value by = builder.create<arith::ConstantOp>(builder.builder().getI32IntegerAttr(int32_t(distance)));
  return shuffle(number, by, NVVM::ShflKind::bfly, 2 * distance);
}

Value KernelFunction::shuffleFrom(Value number, Value thread) {
  Type i32 = builder.builder().getI32Type(), type = number.getType();
  Value by = builder.create<arith::IndexCastOp>(i32, thread);
  auto tell = [&](Value part) { return shuffle(part, by, NVVM::ShflKind::idx, threads.threads); };
  if (type.getIntOrFloatBitWidth() == 32)
    return tell(number);
  Value half = builder.create<arith::ConstantOp>(IntegerAttr::get(type, 32));
  Value low = tell(builder.create<arith::TruncIOp>(i32, number));
  Value high = tell(builder.create<arith::TruncIOp>(i32, builder.create<arith::ShRUIOp>(number, half)));
  return builder.create<arith::OrIOp>(builder.create<arith::ShLIOp>(builder.create<arith::ExtUIOp>(type, high), half),
                                      builder.create<arith::ExtUIOp>(type, low));
}

void KernelFunction::onFirstThread(llvm::function_ref<void()> body) {
  if (threads.threads == 1)
    return body();
  Value isFirst = builder.at(0, [&]() -> Value {
    return builder.create<arith::CmpIOp>(arith::CmpIPredicate::eq, builder.value(threads.thread),
                                         builder.value(builder.constant(0)));
  });
  builder.branch(isFirst, body, [] {});
}

void KernelFunction::forEachRows(bool inSlots, RowsBody body) {
  if (!target.isDevice)
    return body(begin(), end(), builder.constant(1), builder.constant(0));
  if (!inSlots)
    return body(builder.add(begin(), threads.id), end(), threads.count, builder.constant(0));
  forEachSlot(builder.constant(GNN_SLOT_ROWS), body);
}

void KernelFunction::forEachSlot(Index length, RowsBody body) {
  if (!target.isDevice)
    return body(begin(), end(), builder.constant(1), builder.constant(0));
  Index first = builder.add(begin(), builder.mul(threads.id, length));
  builder.forLoop(first, end(), builder.mul(threads.count, length), [&](Value from) {
    Value to = builder.create<arith::MinSIOp>(builder.value(builder.add(from, length)), builder.value(end()));
    body(from, to, builder.constant(1), builder.div(builder.sub(from, begin()), length));
  });
}

//===----------------------------------------------------------------------===//
// Arguments and memory
//===----------------------------------------------------------------------===//

Value KernelFunction::argument(const Twine &source, Type type) {
  Value &known = arguments[source.str()];
  if (!known) {
    unsigned number = function.getNumArguments();
    function.insertArgument(number, type, DictionaryAttr::get(type.getContext()), builder.loc());
    function.setArgAttr(number, sourceAttribute, StringAttr::get(type.getContext(), source));
    known = function.getArgument(number);
  }
  return known;
}

Value KernelFunction::array(const Twine &source, Type element) { return argument(source, memoryType(element)); }

void KernelFunction::setParameters(ArrayRef<Operation *> ops) {
  for (auto [position, op] : llvm::enumerate(ops))
    parameters[op] = position;
}

Value KernelFunction::parameter(Operation *op, Type type) {
  auto position = parameters.find(op);
  return position == parameters.end() ? Value() : argument("constant " + Twine(position->second), type);
}

MemRefType KernelFunction::memoryType(Type element) {
  Attribute space;
  if (target.isDevice)
    space = gpu::AddressSpaceAttr::get(element.getContext(), gpu::AddressSpace::Global);
  return MemRefType::get({ShapedType::kDynamic}, storageType(element), MemRefLayoutAttrInterface(), space);
}

bool KernelFunction::isShared(Value memref) const {
  return threads.threads > 1 && cast<MemRefType>(memref.getType()).getMemorySpace();
}

Value KernelFunction::isGiven(const Twine &source) {
  if (!target.isDevice)
    return argument("given " + source, builder.builder().getI1Type());
  Value &known = givenFlags[source.str()];
  if (!known)
    known = builder.at(0, [&]() -> Value {
      Value flag = argument("given " + source, builder.builder().getI32Type());
      Value zero = builder.create<arith::ConstantOp>(builder.builder().getI32IntegerAttr(0));
      return builder.create<arith::CmpIOp>(arith::CmpIPredicate::ne, flag, zero);
    });
  return known;
}

Index KernelFunction::index(StringRef source) {
  Index &known = indices[source.str()];
  if (!known)
    known = builder.at(0, [&]() -> Index {
      Value number = argument(source, builder.builder().getI64Type());
      return builder.create<arith::IndexCastOp>(builder.builder().getIndexType(), number).getResult();
    });
  return known;
}

Index KernelFunction::extent(const DimExpr &expr) {
  auto constant = expr.constant();
  return constant ? builder.constant(*constant) : hiddenExtent(expr);
}

Index KernelFunction::hiddenExtent(const DimExpr &expr) {
  Index &known = loadedExtents[expr.str()];
  if (!known)
    known = builder.at(0, [&] { return readExtent(expr); });
  return known;
}

/// A processor's functions get extents as numbers: those that differ in them alone are one (SharedBodies.h).
Index KernelFunction::readExtent(const DimExpr &expr) {
  if (!target.isDevice)
    return index("extent " + std::to_string(extents.insert(expr)));
  Value table = array("extents", builder.builder().getI64Type());
  Value value = builder.create<memref::LoadOp>(table, builder.value(builder.constant(extents.insert(expr))));
  return builder.create<arith::IndexCastOp>(builder.builder().getIndexType(), value).getResult();
}

std::optional<DimExpr> KernelFunction::extentOf(Value value) const {
  for (const auto &[expr, known] : loadedExtents)
    if (dyn_cast<Value>(known) == value)
      return DimExpr::parse(expr);
  return std::nullopt;
}

bool KernelFunction::fitsStack(const DimExpr &count, Type element) const {
  std::optional<int64_t> number = count.constant();
  return number && stackBytes + *number * storageBytes(element) <= (target.isDevice ? maxThreadBytes : maxStackBytes);
}

/// Where the scratch memory of this group starts: known when all of it is.
Value KernelFunction::groupScratch() {
  if (!scratchOffset)
    scratchOffset = builder.create<arith::ConstantOp>(builder.builder().getIndexAttr(0));
  return scratchOffset;
}

TypedAttr KernelFunction::meaningless(Type element) const {
  if (!isPoisoning)
    return cast<TypedAttr>(Builder(element.getContext()).getZeroAttr(element));
  if (auto real = dyn_cast<FloatType>(element))
    return FloatAttr::get(real, llvm::APFloat::getNaN(real.getFloatSemantics()));
  return IntegerAttr::get(element, -1);
}

Value KernelFunction::stackBuffer(int64_t count, Type element) {
  auto type = MemRefType::get({std::max<int64_t>(count, 1)}, element);
  Value memref = builder.create<memref::AllocaOp>(type, builder.builder().getI64IntegerAttr(64));
  if (isPoisoning)
    builder.forLoop(builder.constant(0), builder.constant(count), builder.constant(1), [&](Value i) {
      builder.create<memref::StoreOp>(builder.create<arith::ConstantOp>(meaningless(element)), memref, i);
    });
  return memref;
}

Memory KernelFunction::buffer(const DimExpr &count, Type element, bool ofThread) {
  return builder.at(0, [&]() -> Memory {
    if ((ofThread || threads.threads == 1) && fitsStack(count, element)) {
      int64_t number = *count.constant();
      stackBytes += number * storageBytes(element);
      return {stackBuffer(number, storageType(element)), builder.constant(0)};
    }
    // Eight bytes an element, whatever its type, keep every buffer aligned.
    Value bytes = array("scratch", builder.builder().getIntegerType(8));
    Value offset = builder.value(extent(scratch));
    if (target.isDevice)
      offset = builder.create<arith::AddIOp>(groupScratch(), offset);
    const int64_t room = target.isDevice ? 0 : target.vectorBits / 8;
    scratch = *scratch.add(*count.mul(DimExpr(8))->add(DimExpr(room)));
    Index size = builder.add(extent(count), builder.constant(room / storageBytes(element)));
    Memory memory{builder.create<memref::ViewOp>(memoryType(element), bytes, offset, ValueRange{builder.value(size)}),
                  builder.constant(0)};
    memory.hasRoom = room > 0;
    return memory;
  });
}

Value KernelFunction::sharedBuffer(const DimExpr &count, Type element) {
  Type byte = builder.builder().getIntegerType(8);
  auto space = gpu::AddressSpaceAttr::get(element.getContext(), gpu::AddressSpace::Workgroup);
  auto typeOf = [&](Type of) {
    return MemRefType::get({ShapedType::kDynamic}, of, MemRefLayoutAttrInterface(), space);
  };
  if (!sharedMemory)
    sharedMemory = builder.create<gpu::DynamicSharedMemoryOp>(typeOf(byte));
  Value offset = builder.value(extent(shared));
  shared = *shared.add(*count.mul(DimExpr(storageBytes(element))));
  return builder.create<memref::ViewOp>(typeOf(storageType(element)), sharedMemory, offset,
                                        ValueRange{builder.value(extent(count))});
}

Value KernelFunction::ofAnySpace(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return builder.create<memref::MemorySpaceCastOp>(
      MemRefType::get(type.getShape(), type.getElementType(), type.getLayout()), memref);
}

void KernelFunction::finish() {
  if (!target.isDevice) {
    builder.create<func::ReturnOp>();
    return;
  }
  builder.create<gpu::ReturnOp>();
  if (!scratchOffset)
    return;
  builder.builder().setInsertionPoint(scratchOffset);
  auto known = scratch.constant();
  Value bytes = builder.value(known ? builder.constant(*known) : readExtent(scratch));
  Value offset = builder.create<arith::MulIOp>(builder.value(threads.id), bytes);
  scratchOffset.replaceAllUsesWith(offset);
  scratchOffset.erase();
}

} // namespace gnnc
