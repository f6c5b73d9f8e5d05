//===- Reorder.cpp - Aggregation before or after the product --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-reorder pass: sums over edges and products with parameters commute; the cheaper order is chosen from the
// widths of what the edges carry.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_REORDER
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// A sum over edges of a vertex field, scaled by a number an edge: sum(scale * read(field)).
struct WeightedSum {
  AggregateOp aggregate;
  Value scale; // edge field of no dimensions, or null
  Value field;
  GraphKind kind; // of the read

  static std::optional<WeightedSum> match(Value value) {
    auto aggregate = value.getDefiningOp<AggregateOp>();
    if (!aggregate || aggregate.getBy() || !isa<SumAttr>(aggregate.getAggregator()))
      return std::nullopt;
    Value operand = aggregate.getOperand(), scale;
    if (auto product = operand.getDefiningOp<MulOp>()) {
      unsigned scaled = product.getLhs().getDefiningOp<BroadcastOp>() ? 1 : 0;
      auto broadcast = product->getOperand(1 - scaled).getDefiningOp<BroadcastOp>();
      if (!broadcast || cast<FieldType>(broadcast.getOperand().getType()).getRank() != 0)
        return std::nullopt;
      scale = broadcast.getOperand();
      operand = product->getOperand(scaled);
    }
    GraphKind kind = cast<FieldType>(operand.getType()).getKind();
    if (auto read = operand.getDefiningOp<ReadSourceOp>())
      return WeightedSum{aggregate, scale, read.getOperand(), kind};
    if (auto read = operand.getDefiningOp<ReadDestinationOp>())
      return WeightedSum{aggregate, scale, read.getOperand(), kind};
    return std::nullopt;
  }

  /// The same sum of another field.
  Value over(OpBuilder &builder, Value other) {
    Location loc = aggregate.getLoc();
    auto edgeType = cast<FieldType>(aggregate.getOperand().getType());
    auto type = cast<FieldType>(other.getType()).withKind(kind, edgeType.getId());
    Value operand = kind == GraphKind::S ? builder.create<ReadSourceOp>(loc, type, other).getResult()
                                         : builder.create<ReadDestinationOp>(loc, type, other).getResult();
    if (scale) {
      auto scaleType = cast<FieldType>(scale.getType()).withDims(type.getDims());
      Value repeated = builder.create<BroadcastOp>(loc, scaleType, scale, ArrayRef<int64_t>());
      operand = builder.create<MulOp>(loc, repeated, operand);
    }
    unsigned vertexType = aggregate.getResult().getType().getId();
    return builder
        .create<AggregateOp>(loc, aggregate.getAggregator(), operand, aggregate.getFilter(), aggregate.getToward(),
                             vertexType)
        .getResult();
  }
};

/// The number of elements that each edge carries, forward and backward, with the sum before the product: the gradient
/// of the field is summed too where it is asked for.
int64_t costOfSumFirst(const CostModel &cost, Value field) {
  return cost.width(cast<FieldType>(field.getType())) * (dependsOnParameter(field) ? 2 : 1);
}

/// With the product first the gradient of the product, which the parameter's needs, is always summed.
int64_t costOfProductFirst(const CostModel &cost, FieldType product) { return cost.width(product) * 2; }

/// matmul(sum(field), w) -> sum(matmul(field, w)) where edges then carry less.
struct ProductFirst : OpRewritePattern<MatMulOp> {
  ProductFirst(MLIRContext *context, const CostModel &cost, Pass::Statistic &count)
      : OpRewritePattern(context), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto sum = WeightedSum::match(op.getX());
    if (!sum || op.getTransposeW() || !sum->aggregate->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the product of a sum that only it uses");
    if (costOfProductFirst(cost, cast<FieldType>(op.getType())) >= costOfSumFirst(cost, sum->field))
      return rewriter.notifyMatchFailure(op, "edges carry no less with the product first");
    Value product = rewriter.create<MatMulOp>(op.getLoc(), sum->field, op.getW());
    rewriter.replaceOp(op, sum->over(rewriter, product));
    ++count;
    return success();
  }

  const CostModel &cost;
  Pass::Statistic &count;
};

/// sum(matmul(field, w)) -> matmul(sum(field), w) where edges then carry less.
struct SumFirst : OpRewritePattern<AggregateOp> {
  SumFirst(MLIRContext *context, const CostModel &cost, Pass::Statistic &count)
      : OpRewritePattern(context), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    auto sum = WeightedSum::match(op.getResult());
    auto product = sum ? sum->field.getDefiningOp<MatMulOp>() : MatMulOp();
    if (!product || product.getTransposeW() || !product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the sum of a product that only it uses");
    if (costOfSumFirst(cost, product.getX()) >= costOfProductFirst(cost, cast<FieldType>(product.getType())))
      return rewriter.notifyMatchFailure(op, "edges carry no less with the sum first");
    Value summed = sum->over(rewriter, product.getX());
    rewriter.replaceOpWithNewOp<MatMulOp>(op, summed, product.getW());
    ++count;
    return success();
  }

  const CostModel &cost;
  Pass::Statistic &count;
};

/// matmul(scale * x, w) -> scale * matmul(x, w) for one number a vertex, so that a sum in x meets the product.
struct ScaleAfterProduct : OpRewritePattern<MatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto scaling = op.getX().getDefiningOp<MulOp>();
    if (!scaling || !scaling->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the product of a scaled field that only it uses");
    unsigned scaled = WeightedSum::match(scaling.getLhs()) ? 0 : 1;
    auto broadcast = scaling->getOperand(1 - scaled).getDefiningOp<BroadcastOp>();
    if (!broadcast || cast<FieldType>(broadcast.getOperand().getType()).getRank() != 0 ||
        !WeightedSum::match(scaling->getOperand(scaled)))
      return rewriter.notifyMatchFailure(op, "the scaled field is not a sum over edges, or the scale has dimensions");
    auto product = rewriter.create<MatMulOp>(op.getLoc(), scaling->getOperand(scaled), op.getW(), op.getTransposeW());
    auto scaleType = cast<FieldType>(broadcast.getOperand().getType()).withDims(product.getType().getDims());
    Value repeated = rewriter.create<BroadcastOp>(op.getLoc(), scaleType, broadcast.getOperand(), ArrayRef<int64_t>());
    rewriter.replaceOpWithNewOp<MulOp>(op, repeated, product.getResult());
    return success();
  }
};

/// scale * matmul(x, w) -> matmul(scale * x, w) for one number a vertex: the scaling joins the work that makes x, where
/// after the product it would be a pass of its own or, read over edges, be done once an edge.
struct ScaleBeforeProduct : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    unsigned scaled = op.getLhs().getDefiningOp<MatMulOp>() ? 0 : 1;
    auto product = op->getOperand(scaled).getDefiningOp<MatMulOp>();
    auto broadcast = op->getOperand(1 - scaled).getDefiningOp<BroadcastOp>();
    if (!product || !product->hasOneUse() || !broadcast ||
        cast<FieldType>(broadcast.getOperand().getType()).getRank() != 0)
      return rewriter.notifyMatchFailure(op, "is not the only use of a product, scaled by one number a vertex");
    Value x = product.getX();
    if (!x.getDefiningOp<ElementwiseOpInterface>() || !x.hasOneUse())
      return rewriter.notifyMatchFailure(op, "the scaling has no elementwise work before the product to join");
    auto scaleType = cast<FieldType>(broadcast.getOperand().getType()).withDims(cast<FieldType>(x.getType()).getDims());
    Value repeated = rewriter.create<BroadcastOp>(op.getLoc(), scaleType, broadcast.getOperand(), ArrayRef<int64_t>());
    Value scaledX = rewriter.create<MulOp>(op.getLoc(), repeated, x);
    rewriter.replaceOpWithNewOp<MatMulOp>(op, scaledX, product.getW(), product.getTransposeW());
    return success();
  }
};

struct ReorderPass : gnn::impl::ReorderBase<ReorderPass> {
  void runOnOperation() override {
    CostModel cost(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<ProductFirst>(&getContext(), cost, numProductFirst);
    patterns.add<SumFirst>(&getContext(), cost, numSumFirst);
    patterns.add<ScaleAfterProduct, ScaleBeforeProduct>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
