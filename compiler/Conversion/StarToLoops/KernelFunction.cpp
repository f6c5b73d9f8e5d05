//===- KernelFunction.cpp - The function of a kernel ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/KernelFunction.h"

using namespace mlir;

namespace gnnc {

/// Buffers of known size are on the stack up to this many bytes a call.
static constexpr int64_t maxStackBytes = 16384;

Type storageType(Type element) { return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element; }
unsigned storageBytes(Type element) { return storageType(element).getIntOrFloatBitWidth() / 8; }

static func::FuncOp createFunction(ModuleOp module, Location loc, StringRef name, Isa isa) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  Type index = builder.getIndexType();
  auto function = builder.create<func::FuncOp>(loc, name, builder.getFunctionType({index, index}, {}));
  function->setAttr(KernelFunction::isaAttribute, builder.getStringAttr(isaName(isa)));
  function.addEntryBlock();
  return function;
}

KernelFunction::KernelFunction(ModuleOp module, Location loc, StringRef name, Isa isa, ExtentTable &extents)
    : function(createFunction(module, loc, name, isa)), builder(loc, &function.getBody().front()), extents(extents) {}

Value KernelFunction::argument(const Twine &source, Type type) {
  Value &known = arguments[source.str()];
  if (!known) {
    function.insertArgument(function.getNumArguments(), type, DictionaryAttr::get(type.getContext()), builder.loc());
    function.setArgAttr(function.getNumArguments() - 1, sourceAttribute, StringAttr::get(type.getContext(), source));
    known = function.getArguments().back();
  }
  return known;
}

Value KernelFunction::array(const Twine &source, Type element) {
  return argument(source, MemRefType::get({ShapedType::kDynamic}, storageType(element)));
}

Value KernelFunction::isGiven(const Twine &source) {
  return argument("given " + source, builder.builder().getI1Type());
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
  if (auto constant = expr.constant())
    return builder.constant(*constant);
  Index &known = loadedExtents[expr.str()];
  if (!known)
    known = builder.at(0, [&]() -> Index {
      Value table = array("extents", builder.builder().getI64Type());
      Value value = builder.create<memref::LoadOp>(table, builder.value(builder.constant(extents.insert(expr))));
      return builder.create<arith::IndexCastOp>(builder.builder().getIndexType(), value).getResult();
    });
  return known;
}

Memory KernelFunction::buffer(const DimExpr &count, Type element) {
  Type stored = storageType(element);
  return builder.at(0, [&]() -> Memory {
    std::optional<int64_t> number = count.constant();
    if (number && stackBytes + *number * storageBytes(element) <= maxStackBytes) {
      stackBytes += *number * storageBytes(element);
      auto type = MemRefType::get({std::max<int64_t>(*number, 1)}, stored);
      return {builder.create<memref::AllocaOp>(type, builder.builder().getI64IntegerAttr(64)), builder.constant(0)};
    }
    // Eight bytes an element, whatever its type, keep every buffer aligned.
    Value bytes = array("scratch", builder.builder().getIntegerType(8));
    Value offset = builder.value(extent(scratch));
    scratch = *scratch.add(*count.mul(DimExpr(8)));
    auto type = MemRefType::get({ShapedType::kDynamic}, stored);
    return {builder.create<memref::ViewOp>(type, bytes, offset, ValueRange{builder.value(extent(count))}),
            builder.constant(0)};
  });
}

void KernelFunction::finish() { builder.create<func::ReturnOp>(); }

} // namespace gnnc
