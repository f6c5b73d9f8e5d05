//===- LoopsToLLVM.cpp - Loops to the llvm dialect ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions are converted here; all else in LoopPatterns.cpp, in the same conversion.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopsToLLVM.h"
#include "compiler/Conversion/LoopsToLLVM/KernelEntry.h"
#include "compiler/Conversion/LoopsToLLVM/LoopPatterns.h"
#include "compiler/Kernels/KernelFunction.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace gnnc {
#define GEN_PASS_DEF_LOOPSTOLLVM
#include "compiler/Conversion/LoopsToLLVM/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

struct ReturnPattern : OpConversionPattern<func::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

struct CallPattern : OpConversionPattern<func::CallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::CallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, op.getResultTypes(), op.getCallee(), adaptor.getOperands());
    return success();
  }
};

StringAttr bodyName(StringAttr function) {
  return StringAttr::get(function.getContext(), function.getValue() + ".body");
}

/// A function that kernels call: it computes its one result from numbers.
struct SharedFunctionPattern : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    if (op.getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "the function of a kernel");
    auto type = LLVM::LLVMFunctionType::get(op.getResultTypes().front(), op.getArgumentTypes());
    auto function = rewriter.create<LLVM::LLVMFuncOp>(op.getLoc(), op.getSymName(), type, LLVM::Linkage::Internal);
    constexpr auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryAttr(LLVM::MemoryEffectsAttr::get(getContext(), {none, none, none}));
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    rewriter.eraseOp(op);
    return success();
  }
};

/// A function becomes its body and its entry; one that has the body of another, an entry alone.
struct FunctionPattern : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto isaName = op->getAttrOfType<StringAttr>(KernelFunction::isaAttribute);
    if (!isaName || op.getNumResults() != 0)
      return rewriter.notifyMatchFailure(op, "not the function of a kernel");
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    SmallVector<StringAttr> sources;
    for (auto [index, type] : llvm::enumerate(op.getArgumentTypes())) {
      signature.addInputs(index, getTypeConverter()->convertType(type));
      if (auto source = op.getArgAttrOfType<StringAttr>(index, KernelFunction::sourceAttribute))
        sources.push_back(source);
    }
    StringAttr owner = op.getSymNameAttr();
    if (auto other = op->getAttrOfType<FlatSymbolRefAttr>(KernelFunction::bodyAttribute))
      owner = other.getAttr();
    else if (failed(convertBody(op, signature, isaName, rewriter)))
      return failure();
    auto constants = op->getAttrOfType<ArrayAttr>(KernelFunction::constantsAttribute);
    buildKernelEntry(rewriter, op.getSymName(), FlatSymbolRefAttr::get(bodyName(owner)), sources, constants, isaName,
                     op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }

private:
  LogicalResult convertBody(func::FuncOp op, TypeConverter::SignatureConversion &signature, StringAttr isaName,
                            ConversionPatternRewriter &rewriter) const {
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()), signature.getConvertedTypes());
    auto body =
        rewriter.create<LLVM::LLVMFuncOp>(op.getLoc(), bodyName(op.getSymNameAttr()), type, LLVM::Linkage::Internal);
    body->setAttr(KernelFunction::isaAttribute, isaName);
    for (auto [index, argument] : llvm::enumerate(signature.getConvertedTypes()))
      if (isa<LLVM::LLVMPointerType>(argument))
        body.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), rewriter.getUnitAttr());
    rewriter.inlineRegionBefore(op.getBody(), body.getBody(), body.end());
    return rewriter.convertRegionTypes(&body.getBody(), *getTypeConverter(), &signature);
  }
};

class LoopsToLLVM : public impl::LoopsToLLVMBase<LoopsToLLVM> {
public:
  void runOnOperation() override {
    if (failed(flattenLoops(getOperation(), LoopTest::AtEnd)) || failed(convert()))
      signalPassFailure();
  }

private:
  LogicalResult convert() {
    MLIRContext *context = &getContext();
    LLVMTypeConverter types(context);
    addMemoryConversion(types);
    RewritePatternSet patterns(context);
    patterns.add<FunctionPattern, SharedFunctionPattern, CallPattern, ReturnPattern>(types, context);
    populateLoopPatterns(types, patterns);

    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp, gpu::GPUModuleOp>();
    target.markOpRecursivelyLegal<gpu::GPUModuleOp>();
    target.addLegalDialect<star::StarDialect, gnn::GnnDialect>();
    target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect,
                             memref::MemRefDialect, vector::VectorDialect>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace

} // namespace gnnc
