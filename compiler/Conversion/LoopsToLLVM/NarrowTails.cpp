//===- NarrowTails.cpp - Masked vectors of 16-bit numbers -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVX2 masks elements of 32 bits, and LLVM loads and stores masked ones of 16 bits one by one. The first of a vector,
// which is what masks of kernels are, go in pairs here, and the last, which may have no other, once more by itself.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopPatterns.h"
#include "compiler/Kernels/KernelFunction.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace gnnc {

namespace {

constexpr unsigned narrowBits = 16, beforeOthers = 3; // benefit

/// Whether the function is for an instruction set with masks, but none for so small elements.
bool goesInPairs(Operation *op, VectorType type) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto name = function ? function->getAttrOfType<StringAttr>(KernelFunction::isaAttribute) : StringAttr();
  return name && parseIsa(name) == Isa::X86_64_V3 && type.getElementTypeBitWidth() == narrowBits &&
         type.getNumElements() > 1;
}

/// Derives masks of pairs of lanes and of the last lane from a mask of the first lanes.
class Tail {
public:
  Tail(OpBuilder &builder, Location loc, VectorType type, Value mask)
      : builder(builder), loc(loc), type(type), mask(mask) {}

  VectorType pairsType() const { return VectorType::get({type.getNumElements() / 2}, builder.getI32Type()); }
  VectorType singleType() const { return VectorType::get({1}, type.getElementType()); }
  /// The pairs whose second lane is there, and so the first.
  Value pairs() {
    SmallVector<int32_t> seconds;
    for (int32_t lane = 1; lane < type.getNumElements(); lane += 2)
      seconds.push_back(lane);
    return make<LLVM::ShuffleVectorOp>(mask, mask, seconds);
  }
  /// How many lanes are there, less one.
  Value last() {
    Type bits = builder.getIntegerType(type.getNumElements()), i64 = builder.getI64Type();
    Value count = make<LLVM::CtPopOp>(i64, make<LLVM::ZExtOp>(i64, make<LLVM::BitcastOp>(bits, mask)));
    return make<LLVM::SubOp>(count, make<LLVM::ConstantOp>(i64, builder.getI64IntegerAttr(1)));
  }
  /// The last of the lanes that are there.
  Value isLast() {
    const auto lanes = int32_t(type.getNumElements());
    SmallVector<int32_t> next;
    for (int32_t lane = 1; lane <= lanes; ++lane)
      next.push_back(lane); // after the last lane of the mask a zero
    Value zeros = make<LLVM::ZeroOp>(mask.getType()), ones = make<LLVM::ConstantOp>(mask.getType(), allOnes());
    Value follows = make<LLVM::ShuffleVectorOp>(mask, zeros, next);
    return make<LLVM::AndOp>(mask, make<LLVM::XOrOp>(follows, ones));
  }
  /// Whether there is any, as a mask of one lane.
  Value any() { return make<LLVM::ShuffleVectorOp>(mask, mask, SmallVector<int32_t>{0}); }
  Value address(Value base, Value index) {
    return make<LLVM::GEPOp>(base.getType(), type.getElementType(), base, ArrayRef<LLVM::GEPArg>{index});
  }
  template <typename Op, typename... Args> Value make(Args &&...args) {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }

private:
  DenseElementsAttr allOnes() { return DenseElementsAttr::get(cast<ShapedType>(mask.getType()), true); }

  OpBuilder &builder;
  Location loc;
  VectorType type;
  Value mask;
};

constexpr unsigned elementBytes = narrowBits / 8;

/// Lanes that are not there are 0, as those of all masked loads of reals.
struct LoadPattern : OpConversionPattern<vector::MaskedLoadOp> {
  LoadPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, beforeOthers) {}
  LogicalResult matchAndRewrite(vector::MaskedLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!goesInPairs(op, type))
      return rewriter.notifyMatchFailure(op, "has masks of its own, or none");
    Tail tail(rewriter, op.getLoc(), type, adaptor.getMask());
    Value first = tail.address(adaptor.getBase(), adaptor.getIndices()[0]);
    Value none = tail.make<LLVM::ZeroOp>(tail.pairsType()), noSingle = tail.make<LLVM::ZeroOp>(tail.singleType());
    Value pairs = tail.make<LLVM::MaskedLoadOp>(tail.pairsType(), first, tail.pairs(), none, elementBytes);
    Value single = tail.make<LLVM::MaskedLoadOp>(tail.singleType(), tail.address(first, tail.last()), tail.any(),
                                                 noSingle, elementBytes);
    Value spread = tail.make<LLVM::ShuffleVectorOp>(single, single, SmallVector<int32_t>(type.getNumElements(), 0));
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, tail.isLast(), spread, tail.make<LLVM::BitcastOp>(type, pairs));
    return success();
  }
};

struct StorePattern : OpConversionPattern<vector::MaskedStoreOp> {
  StorePattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, beforeOthers) {}
  LogicalResult matchAndRewrite(vector::MaskedStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!goesInPairs(op, type))
      return rewriter.notifyMatchFailure(op, "has masks of its own, or none");
    Tail tail(rewriter, op.getLoc(), type, adaptor.getMask());
    Value first = tail.address(adaptor.getBase(), adaptor.getIndices()[0]), last = tail.last();
    Value pairs = tail.make<LLVM::BitcastOp>(tail.pairsType(), adaptor.getValueToStore());
    rewriter.create<LLVM::MaskedStoreOp>(op.getLoc(), pairs, first, tail.pairs(), elementBytes);
    Value number = tail.make<LLVM::ExtractElementOp>(adaptor.getValueToStore(), last);
    Value single = tail.make<LLVM::BitcastOp>(tail.singleType(), number);
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(op, single, tail.address(first, last), tail.any(), elementBytes);
    return success();
  }
};

} // namespace

void populateNarrowTailPatterns(LLVMTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<LoadPattern, StorePattern>(types, patterns.getContext());
}

} // namespace gnnc
