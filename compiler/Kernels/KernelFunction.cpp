//===- KernelFunction.cpp - The function of a kernel ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelFunction.h"
#include "gnn/program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace gnnc {

KernelFunction::KernelFunction(FunctionOpInterface function, const Machine &machine, ExtentTable &extents, bool poisons)
    : b(function.getLoc(), &function.getFunctionBody().front()),
      threads(b, machine, {function.getArgument(0), function.getArgument(1)}, [this] { return index("slot_rows"); }),
      function(function), target(machine), isPoisoning(poisons), extents(extents) {}

//===----------------------------------------------------------------------===//
// Arguments and memory
//===----------------------------------------------------------------------===//

Value KernelFunction::argument(const Twine &source, Type type) {
  Value &known = arguments[source.str()];
  if (!known) {
    unsigned number = function.getNumArguments();
    function.insertArgument(number, type, DictionaryAttr::get(type.getContext()), b.loc());
    function.setArgAttr(number, sourceAttribute, StringAttr::get(type.getContext(), source));
    known = function.getArgument(number);
  }
  return known;
}

Value KernelFunction::parameter(Operation *op, Type type) {
  auto *position = llvm::find(parameters, op);
  return position == parameters.end() ? Value() : argument("constant " + Twine(position - parameters.begin()), type);
}

MemRefType KernelFunction::memoryType(Type element) {
  Attribute space;
  if (threads.areMany())
    space = gpu::AddressSpaceAttr::get(element.getContext(), gpu::AddressSpace::Global);
  return MemRefType::get({ShapedType::kDynamic}, storageType(element), MemRefLayoutAttrInterface(), space);
}

bool KernelFunction::isShared(Value memref) const {
  return threads.group().threads > 1 && cast<MemRefType>(memref.getType()).getMemorySpace();
}

Value KernelFunction::isGiven(const Twine &source) {
  if (!threads.areMany())
    return argument("given " + source, b.i1());
  Value &known = numbers[("given " + source).str()];
  if (!known)
    known = b.at(0, [&]() -> Value {
      Value flag = argument("given " + source, b.i32());
      Value zero = b.number32(0);
      return b.differ(flag, zero);
    });
  return known;
}

Index KernelFunction::index(StringRef source) {
  Value &known = numbers[source.str()];
  if (!known)
    known = b.at(0, [&] { return b.toIndex(argument(source, b.i64())); });
  return known;
}

Index KernelFunction::extent(const DimExpr &expr) {
  auto constant = expr.constant();
  return constant ? b.constant(*constant) : hiddenExtent(expr);
}

Index KernelFunction::hiddenExtent(const DimExpr &expr) {
  Index &known = loadedExtents[expr.str()];
  if (!known)
    known = b.at(0, [&] { return readExtent(expr); });
  return known;
}

/// A processor's functions get extents as numbers: those that differ in them alone are one (SharedBodies.h).
Index KernelFunction::readExtent(const DimExpr &expr) {
  if (!threads.areMany())
    return index("extent " + std::to_string(extents.insert(expr)));
  Value table = array("extents", b.i64());
  Value value = b.load(table, b.constant(extents.insert(expr)));
  return b.toIndex(value);
}

std::optional<DimExpr> KernelFunction::extentOf(Value value) const {
  for (const auto &[expr, known] : loadedExtents)
    if (dyn_cast<Value>(known) == value)
      return DimExpr::parse(expr);
  return std::nullopt;
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
  Value memref = b.create<memref::AllocaOp>(type, b.builder().getI64IntegerAttr(64));
  if (isPoisoning)
    b.forLoop(b.constant(0), b.constant(count), b.constant(1), [&](Value i) {
      b.create<memref::StoreOp>(b.create<arith::ConstantOp>(meaningless(element)), memref, i);
    });
  return memref;
}

Memory KernelFunction::buffer(const DimExpr &count, Type element, bool ofThread) {
  return b.at(0, [&]() -> Memory {
    const std::optional<int64_t> number = count.constant();
    const int64_t stackBytes = number.value_or(INT32_MAX) * storageBytes(element);
    if ((ofThread || threads.group().threads == 1) && stackBytes <= target.stackBytes) {
      target.stackBytes -= stackBytes;
      return {stackBuffer(*number, storageType(element)), b.constant(0)};
    }
    // Eight bytes an element, whatever its type, keep every buffer aligned.
    Value bytes = array("scratch", b.i8());
    Value offset = b.value(extent(scratch));
    if (threads.areMany()) {
      if (!scratchOffset)
        scratchOffset = b.create<arith::ConstantOp>(b.builder().getIndexAttr(0));
      offset = b.addHere(scratchOffset.getResult(), offset);
    }
    scratch = *scratch.add(*count.mul(DimExpr(8))->add(DimExpr(target.padding)));
    Index size = b.add(extent(count), b.constant(target.padding / storageBytes(element)));
    Memory memory{b.create<memref::ViewOp>(memoryType(element), bytes, offset, ValueRange{b.value(size)}),
                  b.constant(0)};
    memory.hasRoom = target.padding > 0;
    return memory;
  });
}

Value KernelFunction::sharedBuffer(const DimExpr &count, Type element) {
  Type byte = b.i8();
  auto space = gpu::AddressSpaceAttr::get(element.getContext(), gpu::AddressSpace::Workgroup);
  auto typeOf = [&](Type of) {
    return MemRefType::get({ShapedType::kDynamic}, of, MemRefLayoutAttrInterface(), space);
  };
  if (!sharedMemory)
    sharedMemory = b.create<gpu::DynamicSharedMemoryOp>(typeOf(byte));
  Value offset = b.value(extent(shared));
  shared = *shared.add(*count.mul(DimExpr(storageBytes(element))));
  return b.create<memref::ViewOp>(typeOf(storageType(element)), sharedMemory, offset,
                                  ValueRange{b.value(extent(count))});
}

Value KernelFunction::ofAnySpace(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return b.create<memref::MemorySpaceCastOp>(MemRefType::get(type.getShape(), type.getElementType(), type.getLayout()),
                                             memref);
}

void KernelFunction::finish() {
  if (!threads.areMany()) {
    b.create<func::ReturnOp>();
    return;
  }
  b.create<gpu::ReturnOp>();
  if (!scratchOffset)
    return;
  b.builder().setInsertionPoint(scratchOffset);
  auto known = scratch.constant();
  Value bytes = b.value(known ? b.constant(*known) : readExtent(scratch));
  Value offset = b.mulHere(b.value(threads.group().id), bytes);
  scratchOffset.replaceAllUsesWith(offset);
  scratchOffset.erase();
}

} // namespace gnnc
