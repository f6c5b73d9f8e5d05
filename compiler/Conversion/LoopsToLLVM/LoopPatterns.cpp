//===- LoopPatterns.cpp - Loops to the llvm dialect, in parts -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is converted here; all else by MLIR's own patterns.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopPatterns.h"
#include "compiler/Kernels/KernelFunction.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

namespace gnnc {

namespace {

constexpr unsigned ours = 2; // benefit: before MLIR's patterns for memrefs that are descriptors

/// The address of element `index` of the memref that `base` was.
Value elementAddress(ConversionPatternRewriter &rewriter, Location loc, Type element, Value base, Value index) {
  return rewriter.create<LLVM::GEPOp>(loc, base.getType(), element, base, ArrayRef<LLVM::GEPArg>{index});
}

/// Vectors are aligned as their elements are, unless they are marked: then to their size, but no more than is loaded at
/// a time.
unsigned alignmentOf(Operation *op, Type type) {
  constexpr int64_t most = 16;
  unsigned bytes = getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
  auto vector = dyn_cast<VectorType>(type);
  return vector && op->hasAttr(KernelFunction::alignedAttribute) ? std::min(bytes * vector.getNumElements(), most)
                                                                 : bytes;
}

/// `memref.load`, `vector.load`.
template <typename Op> struct LoadPattern : OpConversionPattern<Op> {
  LoadPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern<Op>(types, context, ours) {}
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getResult().getType();
    Value address = elementAddress(rewriter, op.getLoc(), getElementTypeOrSelf(type), adaptor.getOperands()[0],
                                   adaptor.getIndices()[0]);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, this->getTypeConverter()->convertType(type), address,
                                              alignmentOf(op, type));
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
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, address, alignmentOf(op, value.getType()));
    return success();
  }
};

/// How masked vectors of `type` pass memory: f16 as integers, since where processors have no such masks LLVM takes
/// lanes one by one, and where they do not convert f16 it would call a function for each.
VectorType maskedType(VectorType type) {
  return type.getElementType().isF16() ? type.clone(IntegerType::get(type.getContext(), 16)) : type;
}

struct MaskedLoadPattern : OpConversionPattern<vector::MaskedLoadOp> {
  MaskedLoadPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, ours) {}
  LogicalResult matchAndRewrite(vector::MaskedLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType(), loaded = maskedType(type);
    Value address =
        elementAddress(rewriter, op.getLoc(), type.getElementType(), adaptor.getBase(), adaptor.getIndices()[0]);
    Value nothing = rewriter.createOrFold<LLVM::BitcastOp>(op.getLoc(), loaded, adaptor.getPassThru());
    Value value = rewriter.create<LLVM::MaskedLoadOp>(op.getLoc(), loaded, address, adaptor.getMask(), nothing,
                                                      alignmentOf(op, type));
    rewriter.replaceOp(op, rewriter.createOrFold<LLVM::BitcastOp>(op.getLoc(), type, value));
    return success();
  }
};

struct MaskedStorePattern : OpConversionPattern<vector::MaskedStoreOp> {
  MaskedStorePattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, ours) {}
  LogicalResult matchAndRewrite(vector::MaskedStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getVectorType().getElementType();
    Value address = elementAddress(rewriter, op.getLoc(), element, adaptor.getBase(), adaptor.getIndices()[0]);
    Value value =
        rewriter.createOrFold<LLVM::BitcastOp>(op.getLoc(), maskedType(op.getVectorType()), adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(op, value, address, adaptor.getMask(), alignmentOf(op, element));
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

/// Sizes are not in pointers.
struct CastPattern : OpConversionPattern<memref::CastOp> {
  CastPattern(TypeConverter &types, MLIRContext *context) : OpConversionPattern(types, context, ours) {}
  LogicalResult matchAndRewrite(memref::CastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
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

/// Lowers a function of f64, which math-expansion leaves, to an intrinsic of LLVM, which calls libm, or to a call for
/// each lane.
template <typename Op> struct LibmPattern : OpConversionPattern<Op> {
  LibmPattern(const TypeConverter &types, MLIRContext *context, StringRef name)
      : OpConversionPattern<Op>(types, context, /*benefit=*/2), name(name) {} // MLIR's patterns for some lose digits

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const std::string intrinsic = ("llvm." + name).str();
    if (llvm::Function::lookupIntrinsicID(intrinsic + ".f64") != llvm::Intrinsic::not_intrinsic) {
      rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), rewriter.getStringAttr(intrinsic),
                                                         adaptor.getOperands());
      return success();
    }
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "is expanded");
    LLVM::LLVMFuncOp function = declare(op, rewriter);
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector) {
      rewriter.replaceOpWithNewOp<LLVM::CallOp>(op, function, adaptor.getOperands());
      return success();
    }
    Location loc = op.getLoc();
    Value result = rewriter.create<LLVM::UndefOp>(loc, vector);
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
      Value index = rewriter.create<LLVM::ConstantOp>(loc, rewriter.getI64IntegerAttr(lane));
      SmallVector<Value> operands;
      for (Value operand : adaptor.getOperands())
        operands.push_back(rewriter.create<LLVM::ExtractElementOp>(loc, operand, index));
      Value number = rewriter.create<LLVM::CallOp>(loc, function, operands).getResult();
      result = rewriter.create<LLVM::InsertElementOp>(loc, result, number, index);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  LLVM::LLVMFuncOp declare(Op op, ConversionPatternRewriter &rewriter) const {
    Operation *module = SymbolTable::getNearestSymbolTable(op);
    if (auto known = dyn_cast_or_null<LLVM::LLVMFuncOp>(SymbolTable::lookupSymbolIn(module, name)))
      return known;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&module->getRegion(0).front());
    Type number = rewriter.getF64Type();
    auto type = LLVM::LLVMFunctionType::get(number, SmallVector<Type>(op->getNumOperands(), number));
    return rewriter.create<LLVM::LLVMFuncOp>(module->getLoc(), name, type);
  }

  StringRef name;
};

template <typename Op> void addLibm(LLVMTypeConverter &types, RewritePatternSet &patterns, StringRef name) {
  if (!name.empty())
    patterns.add<LibmPattern<Op>>(types, patterns.getContext(), name);
}

} // namespace

LogicalResult flattenLoops(Operation *op, LoopTest test) {
  RewritePatternSet patterns(op->getContext());
  if (test == LoopTest::AtEnd)
    populateRotatedLoopPatterns(patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*op->getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(op, target, std::move(patterns));
}

void addMemoryConversion(LLVMTypeConverter &types) {
  types.addConversion([](MemRefType type) -> std::optional<Type> {
    int64_t offset;
    SmallVector<int64_t> strides;
    if (type.getRank() != 1 || failed(getStridesAndOffset(type, strides, offset)) || strides[0] != 1)
      return std::nullopt;
    constexpr unsigned global = 1, shared = 3; // spaces of NVPTX
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
    bool isShared = space && space.getValue() == gpu::AddressSpace::Workgroup;
    return LLVM::LLVMPointerType::get(type.getContext(), isShared ? shared : space ? global : 0);
  });
}

void populateLoopPatterns(LLVMTypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<PrefetchPattern, ReinterpretCastPattern, CastPattern, AllocaPattern, ViewPattern,
               LoadPattern<memref::LoadOp>, LoadPattern<vector::LoadOp>, StorePattern<memref::StoreOp>,
               StorePattern<vector::StoreOp>, MaskedLoadPattern, MaskedStorePattern>(types, patterns.getContext());
#define TRANSCENDENTAL(OP, LIBM) addLibm<math::OP>(types, patterns, LIBM);
#include "compiler/Conversion/MathExpansion/Transcendentals.def"
  populateNarrowTailPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/true);
  populateVectorToLLVMConversionPatterns(types, patterns);
}

} // namespace gnnc
