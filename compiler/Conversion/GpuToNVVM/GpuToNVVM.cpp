//===- GpuToNVVM.cpp - Device functions to the llvm dialect ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GpuToNVVM/GpuToNVVM.h"
#include "compiler/Conversion/LoopsToLLVM/LoopPatterns.h"
#include "compiler/Kernels/KernelFunction.h"
#include "compiler/Kernels/Passes.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/DialectConversion.h"

namespace gnnc {
#define GEN_PASS_DEF_GPUTONVVM
#include "compiler/Conversion/GpuToNVVM/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

/// A number of the thread, of 32 bits in its register.
template <typename Op, typename Register> struct RegisterPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor, ConversionPatternRewriter &rewriter) const override {
    if (op.getDimension() != gpu::Dimension::x)
      return rewriter.notifyMatchFailure(op, "grids have one dimension");
    Value number = rewriter.create<Register>(op.getLoc(), rewriter.getI32Type());
    rewriter.replaceOpWithNewOp<LLVM::ZExtOp>(op, rewriter.getI64Type(), number);
    return success();
  }
};

struct ReturnPattern : OpConversionPattern<gpu::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(gpu::ReturnOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

/// The shared memory that a launch gives a block: a variable without a size.
struct SharedMemoryPattern : OpConversionPattern<gpu::DynamicSharedMemoryOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(gpu::DynamicSharedMemoryOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr llvm::StringLiteral name = "shared_memory";
    auto device = op->getParentOfType<gpu::GPUModuleOp>();
    auto variable = device.lookupSymbol<LLVM::GlobalOp>(name);
    if (!variable) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(device.getBody());
      variable = rewriter.create<LLVM::GlobalOp>(op.getLoc(), LLVM::LLVMArrayType::get(rewriter.getI8Type(), 0),
                                                 /*isConstant=*/false, LLVM::Linkage::External, name, Attribute(),
                                                 /*alignment=*/16, unsigned(NVVM::NVVMMemorySpace::kSharedMemorySpace));
    }
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(op, variable);
    return success();
  }
};

/// To memory of any kind, or back.
struct SpaceCastPattern : OpConversionPattern<memref::MemorySpaceCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(memref::MemorySpaceCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(op, getTypeConverter()->convertType(op.getType()),
                                                       adaptor.getSource());
    return success();
  }
};

/// Whether other pointers of the function, or other threads between its barriers, reach the memory of `argument`:
/// scratch memory changes as others of the group write it, and a merge gets the states that it reads and those that it
/// writes at one address.
bool mayAlias(gpu::GPUFuncOp op, unsigned argument) {
  auto sourceOf = [&](unsigned index) {
    auto source = op.getArgAttrOfType<StringAttr>(index, KernelFunction::sourceAttribute);
    return source ? source.getValue() : StringRef();
  };
  const StringRef source = sourceOf(argument);
  if (source != "state" && source != "state_in")
    return source == "scratch";
  return llvm::any_of(llvm::seq(op.getNumArguments()),
                      [&](unsigned other) { return other != argument && sourceOf(other).starts_with("state"); });
}

struct FunctionPattern : OpConversionPattern<gpu::GPUFuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    for (auto [index, type] : llvm::enumerate(op.getArgumentTypes()))
      signature.addInputs(index, getTypeConverter()->convertType(type));
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()), signature.getConvertedTypes());
    auto function = rewriter.create<LLVM::LLVMFuncOp>(op.getLoc(), op.getName(), type);
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), rewriter.getUnitAttr());
    // Where ptxas knows how large blocks are, it spills a number or two to have one block more at a time. Blocks of up
    // to `anyBlock` threads can be launched whatever number of registers it gives each, so that it need not know.
    constexpr unsigned anyBlock = 256;
    if (auto mapping = op->getAttrOfType<star::MappingAttr>(mappingAttribute); mapping && mapping.getBlock() > anyBlock)
      function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                        rewriter.getDenseI32ArrayAttr({int32_t(mapping.getBlock()), 1, 1}));
    for (auto [index, argument] : llvm::enumerate(signature.getConvertedTypes()))
      if (isa<LLVM::LLVMPointerType>(argument) && !mayAlias(op, index))
        function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), rewriter.getUnitAttr());
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

class GpuToNVVM : public impl::GpuToNVVMBase<GpuToNVVM> {
public:
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    if (failed(flattenLoops(getOperation(), LoopTest::AtBegin)))
      return signalPassFailure();
    LLVMTypeConverter types(context);
    addMemoryConversion(types);
    RewritePatternSet patterns(context);
    patterns
        .add<FunctionPattern, ReturnPattern, SharedMemoryPattern, SpaceCastPattern,
             RegisterPattern<gpu::ThreadIdOp, NVVM::ThreadIdXOp>, RegisterPattern<gpu::BlockIdOp, NVVM::BlockIdXOp>,
             RegisterPattern<gpu::BlockDimOp, NVVM::BlockDimXOp>, RegisterPattern<gpu::GridDimOp, NVVM::GridDimXOp>>(
            types, context);
    populateLoopPatterns(types, patterns);
    LLVMConversionTarget target(*context);
    target.addLegalOp<gpu::GPUModuleOp, gpu::ModuleEndOp>();
    target.addLegalDialect<NVVM::NVVMDialect>();
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

} // namespace gnnc
