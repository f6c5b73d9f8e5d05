//===- LoopsToLLVM.cpp - Loops to the llvm dialect ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and memory are converted here; all else by MLIR's own patterns, in the same conversion.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopsToLLVM.h"
#include "compiler/Conversion/LoopsToLLVM/KernelEntry.h"
#include "compiler/Conversion/StarToLoops/KernelFunction.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace gnnc {
#define GEN_PASS_DEF_LOOPSTOLLVM
#include "compiler/Conversion/LoopsToLLVM/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

constexpr unsigned ours = 2; // benefit: before MLIR's patterns for memrefs that are descriptors

/// The address of element `index` of the memref that `base` was.
Value elementAddress(ConversionPatternRewriter &rewriter, Location loc, Type element, Value base, Value index) {
  return rewriter.create<LLVM::GEPOp>(loc, base.getType(), element, base, ArrayRef<LLVM::GEPArg>{index});
}

unsigned alignmentOf(Type type) { return getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8; }

/// `memref.load`, `vector.load`.
template <typename Op> struct LoadPattern : OpConversionPattern<Op> {
  LoadPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern<Op>(types, context, ours) {}
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getResult().getType();
    Value address = elementAddress(rewriter, op.getLoc(), getElementTypeOrSelf(type), adaptor.getOperands()[0],
                                   adaptor.getIndices()[0]);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, this->getTypeConverter()->convertType(type), address,
                                              alignmentOf(type));
    return success();
  }
};

/// `memref.store`, `vector.store`.
template <typename Op> struct StorePattern : OpConversionPattern<Op> {
  StorePattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern<Op>(types, context, ours) {}
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getOperands()[0];
    Type element = getElementTypeOrSelf(value);
    Value address = elementAddress(rewriter, op.getLoc(), element, adaptor.getOperands()[1], adaptor.getIndices()[0]);
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, address, alignmentOf(element));
    return success();
  }
};

struct MaskedLoadPattern : OpConversionPattern<vector::MaskedLoadOp> {
  MaskedLoadPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, ours) {}
  LogicalResult matchAndRewrite(vector::MaskedLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    Value address =
        elementAddress(rewriter, op.getLoc(), getElementTypeOrSelf(type), adaptor.getBase(), adaptor.getIndices()[0]);
    rewriter.replaceOpWithNewOp<LLVM::MaskedLoadOp>(op, type, address, adaptor.getMask(), adaptor.getPassThru(),
                                                    alignmentOf(type));
    return success();
  }
};

struct MaskedStorePattern : OpConversionPattern<vector::MaskedStoreOp> {
  MaskedStorePattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, ours) {}
  LogicalResult matchAndRewrite(vector::MaskedStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getVectorType().getElementType();
    Value address = elementAddress(rewriter, op.getLoc(), element, adaptor.getBase(), adaptor.getIndices()[0]);
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(op, adaptor.getValueToStore(), address, adaptor.getMask(),
                                                     alignmentOf(element));
    return success();
  }
};

struct AllocaPattern : OpConversionPattern<memref::AllocaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(memref::AllocaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value count =
        rewriter.create<LLVM::ConstantOp>(op.getLoc(), rewriter.getI64IntegerAttr(op.getType().getNumElements()));
    rewriter.replaceOpWithNewOp<LLVM::AllocaOp>(op, getTypeConverter()->convertType(op.getType()),
                                                op.getType().getElementType(), count, op.getAlignment().value_or(0));
    return success();
  }
};

struct ViewPattern : OpConversionPattern<memref::ViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(memref::ViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, elementAddress(rewriter, op.getLoc(), rewriter.getI8Type(), adaptor.getSource(), adaptor.getByteShift()));
    return success();
  }
};

/// A memref that begins further on.
struct ReinterpretCastPattern : OpConversionPattern<memref::ReinterpretCastOp> {
  ReinterpretCastPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, ours) {}
  LogicalResult matchAndRewrite(memref::ReinterpretCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getOffsets().size() != 1)
      return failure();
    rewriter.replaceOp(op, elementAddress(rewriter, op.getLoc(), op.getType().getElementType(), adaptor.getSource(),
                                          adaptor.getOffsets()[0]));
    return success();
  }
};

struct PrefetchPattern : OpConversionPattern<memref::PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(memref::PrefetchOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getMemRefType().getElementType();
    Value address = elementAddress(rewriter, op.getLoc(), element, adaptor.getMemref(), adaptor.getIndices()[0]);
    rewriter.replaceOpWithNewOp<LLVM::Prefetch>(op, address, rewriter.getI32IntegerAttr(op.getIsWrite()),
                                                op.getLocalityHintAttr(),
                                                rewriter.getI32IntegerAttr(op.getIsDataCache()));
    return success();
  }
};

/// What is left of `math.tanh`: of f64, for which LLVM calls libm.
struct TanhPattern : OpConversionPattern<math::TanhOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(math::TanhOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), rewriter.getStringAttr("llvm.tanh"),
                                                       adaptor.getOperands());
    return success();
  }
};

struct ReturnPattern : OpConversionPattern<func::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

/// A function becomes its body, private and always inlined, and its entry.
struct FunctionPattern : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto isaName = op->getAttrOfType<StringAttr>(KernelFunction::isaAttribute);
    if (!isaName)
      return rewriter.notifyMatchFailure(op, "not the function of a kernel");
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    SmallVector<StringAttr> sources;
    for (auto [index, type] : llvm::enumerate(op.getArgumentTypes())) {
      signature.addInputs(index, getTypeConverter()->convertType(type));
      if (auto source = op.getArgAttrOfType<StringAttr>(index, KernelFunction::sourceAttribute))
        sources.push_back(source);
    }
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()), signature.getConvertedTypes());
    auto body =
        rewriter.create<LLVM::LLVMFuncOp>(op.getLoc(), (op.getSymName() + ".body").str(), type, LLVM::Linkage::Private);
    body->setAttr(KernelFunction::isaAttribute, isaName);
    body.setPassthroughAttr(rewriter.getStrArrayAttr({"alwaysinline"}));
    for (auto [index, argument] : llvm::enumerate(signature.getConvertedTypes()))
      if (isa<LLVM::LLVMPointerType>(argument))
        body.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), rewriter.getUnitAttr());
    rewriter.inlineRegionBefore(op.getBody(), body.getBody(), body.end());
    if (failed(rewriter.convertRegionTypes(&body.getBody(), *getTypeConverter(), &signature)))
      return failure();
    buildKernelEntry(rewriter, op.getSymName(), body, sources, isaName);
    rewriter.eraseOp(op);
    return success();
  }
};

class LoopsToLLVM : public impl::LoopsToLLVMBase<LoopsToLLVM> {
public:
  void runOnOperation() override {
    if (failed(flattenLoops()) || failed(convert()))
      signalPassFailure();
  }

private:
  /// Structured control flow becomes branches between blocks, before the types of their arguments change.
  LogicalResult flattenLoops() {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult convert() {
    MLIRContext *context = &getContext();
    LLVMTypeConverter types(context);
    types.addConversion([](MemRefType type) -> std::optional<Type> {
      int64_t offset;
      SmallVector<int64_t> strides;
      if (type.getRank() != 1 || failed(getStridesAndOffset(type, strides, offset)) || strides[0] != 1)
        return std::nullopt;
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    RewritePatternSet patterns(context);
    patterns.add<FunctionPattern, ReturnPattern, PrefetchPattern, ReinterpretCastPattern, TanhPattern, AllocaPattern,
                 ViewPattern, LoadPattern<memref::LoadOp>, LoadPattern<vector::LoadOp>, StorePattern<memref::StoreOp>,
                 StorePattern<vector::StoreOp>, MaskedLoadPattern, MaskedStorePattern>(types, context);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns);
    vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/true);
    populateVectorToLLVMConversionPatterns(types, patterns);

    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect<star::StarDialect, gnn::GnnDialect>();
    target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect,
                             memref::MemRefDialect, vector::VectorDialect>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace

} // namespace gnnc
