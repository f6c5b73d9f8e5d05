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
#include "compiler/Conversion/StarToLoops/KernelFunction.h"
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
    if (failed(flattenLoops(getOperation())) || failed(convert()))
      signalPassFailure();
  }

private:
  LogicalResult convert() {
    MLIRContext *context = &getContext();
    LLVMTypeConverter types(context);
    addMemoryConversion(types);
    RewritePatternSet patterns(context);
    patterns.add<FunctionPattern, ReturnPattern>(types, context);
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
