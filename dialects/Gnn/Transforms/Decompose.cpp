//===- Decompose.cpp - Compound ops in simple ones ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-decompose pass: softmax over edges, losses and filters of sums become the ops that sweeps and maps are made
// of.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_DECOMPOSE
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// Whether `x` is made of inputs and parameters without a product: it may be exact, however large it is.
bool mayBeExact(Value x, unsigned depth = 12) {
  Operation *op = x.getDefiningOp();
  const bool isExact =
      isa<NegOp, AbsOp, AddOp, SubOp, MaximumOp, MinimumOp, SelectOp, BroadcastOp, ReshapeOp, ConcatOp, SliceOp, PadOp,
          TransposeOp, IndexOp, CastOp, ReadSourceOp, ReadDestinationOp, TableRowsOp>(op);
  return op->getNumOperands() == 0 || depth == 0 || (isExact && llvm::all_of(op->getOperands(), [&](Value operand) {
                                                       return !fieldOf(operand).isReal() ||
                                                              mayBeExact(operand, depth - 1);
                                                     }));
}

/// `largest`, or the lowest number where that is -inf, so that -inf can be subtracted from.
Value finite(FieldBuilder &field, Value largest) {
  const llvm::fltSemantics &format = cast<FloatType>(fieldOf(largest).getElement()).getFloatSemantics();
  const double lowest = APFloat::getLargest(format, /*Negative=*/true).convertToDouble();
  return field.make<MaximumOp>(largest, field.constant(largest, lowest));
}

/// exp(x - logsumexp(x)): of a softmax only one number for each vertex and element outlives a sweep. Where the filter
/// is false no edge may stand in the group, so the difference is not defined and 0 is chosen. The difference has the
/// rounding of x, as scores have that are computed by a product; of others the largest is subtracted first, in a sweep
/// of its own.
struct DecomposeSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    FieldBuilder field(rewriter, op.getLoc());
    Value x = op.getOperand();
    if (mayBeExact(x))
      x = shift(field, op);
    Attribute logSumExp = LogSumExpAttr::get(getContext());
    Value sum = field
                    .make<AggregateOp>(cast<AggregatorInterface>(logSumExp), x, op.getFilter(), op.getToward(),
                                       op.getVertexType())
                    .getResult();
    Value share = field.exp(field.sub(x, field.read(sum, op.getToward(), fieldOf(x).getId())));
    if (op.getFilter())
      share = field.where(field.splat(op.getFilter(), fieldOf(share)), share);
    if (share.getType() != op.getResult().getType()) // scores that all edges of a group share
      share = field.mul(share, field.make<ConstantOp>(fieldOf(op.getResult()), 1.0));
    rewriter.replaceOp(op, share);
    return success();
  }

private:
  /// The scores less the largest one of their group.
  static Value shift(FieldBuilder &field, SoftmaxOp op) {
    Value x = op.getOperand();
    auto max = cast<AggregatorInterface>(Attribute(MaxAttr::get(op.getContext())));
    auto largest = field.make<AggregateOp>(max, x, op.getFilter(), op.getToward(), op.getVertexType());
    return field.sub(x, field.read(finite(field, largest.getResult()), op.getToward(), fieldOf(x).getId()));
  }
};

/// A filtered edge gives what changes no sum. Extrema keep their filter: an edge that gives -inf would still be one
/// that can win.
struct FilterBySelect : OpRewritePattern<AggregateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    if (!op.getFilter() || op.getAggregator().tracksArg())
      return rewriter.notifyMatchFailure(op, "has no filter, or needs it");
    FieldBuilder field(rewriter, op.getLoc());
    double neutral = isa<SumAttr>(op.getAggregator())    ? 0
                     : isa<ProdAttr>(op.getAggregator()) ? 1
                                                         : -std::numeric_limits<double>::infinity();
    Value filter = field.splat(op.getFilter(), fieldOf(op.getOperand()));
    Value selected = field.where(filter, op.getOperand(), neutral);
    rewriter.replaceOpWithNewOp<AggregateOp>(op, op.getAggregator(), selected, Value(), op.getBy(), op.getByDim(),
                                             op.getToward(), fieldOf(op.getResult()).getId());
    return success();
  }
};

/// max + log(sum(exp(x - max))): the elements of one value are all there, so one pass for the maximum and one for the
/// sum take an exponential an element, where folding would take two a merge. The maximum is held at finite numbers, so
/// that -inf throughout gives -inf. Where x minus the result is asked for, as in every softmax, that is (x - max) -
/// log: of large numbers x the result has lost what they differ by.
struct DecomposeLogSumExp : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (!isa<LogSumExpAttr>(op.getAggregator()))
      return rewriter.notifyMatchFailure(op, "is no logsumexp");
    FieldBuilder field(rewriter, op.getLoc());
    Value x = op.getOperand();
    FieldType type = fieldOf(x);
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != int64_t(op.getDim()))
        kept.push_back(dim);
    Value largest =
        field.make<ReduceOp>(cast<AggregatorInterface>(Attribute(MaxAttr::get(getContext()))), x, op.getDim());
    largest = finite(field, largest);
    Value shifted = field.sub(x, field.broadcast(largest, type, kept));
    Value sum = field.sumOver(field.exp(shifted), op.getDim());
    Value log = field.make<LogOp>(sum.getType(), sum);
    for (SubOp difference : differencesFrom(x, op.getResult())) {
      rewriter.setInsertionPoint(difference);
      rewriter.replaceOp(difference, field.sub(shifted, field.broadcast(log, type, kept)));
    }
    rewriter.setInsertionPointAfterValue(log);
    rewriter.replaceOp(op, field.add(largest, log));
    return success();
  }

private:
  /// The ops that subtract `sum` from `x`, which has a dimension more.
  static SmallVector<SubOp> differencesFrom(Value x, Value sum) {
    SmallVector<SubOp> differences;
    for (Operation *user : sum.getUsers())
      if (auto broadcast = dyn_cast<BroadcastOp>(user); broadcast && broadcast.getType() == x.getType())
        for (Operation *reader : broadcast->getUsers())
          if (auto difference = dyn_cast<SubOp>(reader); difference && difference.getLhs() == x)
            differences.push_back(difference);
    return differences;
  }
};

struct DecomposeCrossEntropy : OpRewritePattern<CrossEntropyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CrossEntropyOp op, PatternRewriter &rewriter) const override {
    FieldBuilder field(rewriter, op.getLoc());
    Value x = op.getPrediction(), label = op.getTarget();
    FieldType type = fieldOf(x);
    Value sum = field.make<ReduceOp>(LogSumExpAttr::get(getContext()), x, 0);
    Value share = field.sub(x, field.broadcast(sum, type, {}));
    Value isLabel = field.oneHot(label, type.withElement(rewriter.getI1Type()), 0);
    Value picked = field.sumOver(field.where(isLabel, share), 0);
    rewriter.replaceOp(op, field.where(field.inRange(label, type.getDims()[0].getValue()), field.neg(picked)));
    return success();
  }
};

/// The mean over the elements of `x`.
Value meanOfElements(FieldBuilder &field, Value x) {
  Value count = field.numElements(fieldOf(x));
  for (unsigned dim = fieldOf(x).getRank(); dim > 0; --dim)
    x = field.sumOver(x, dim - 1);
  return field.div(x, count);
}

struct DecomposeBinaryCrossEntropy : OpRewritePattern<BinaryCrossEntropyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BinaryCrossEntropyOp op, PatternRewriter &rewriter) const override {
    FieldBuilder field(rewriter, op.getLoc());
    Value x = op.getPrediction();
    Value decayed = field.exp(field.neg(field.make<AbsOp>(x.getType(), x)));
    Value onePlus = field.add(decayed, field.constant(x, 1));
    Value softplus = field.add(field.make<MaximumOp>(x, field.constant(x, 0)), field.make<LogOp>(x.getType(), onePlus));
    rewriter.replaceOp(op, meanOfElements(field, field.sub(softplus, field.mul(x, op.getTarget()))));
    return success();
  }
};

struct DecomposeMeanSquaredError : OpRewritePattern<MeanSquaredErrorOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MeanSquaredErrorOp op, PatternRewriter &rewriter) const override {
    FieldBuilder field(rewriter, op.getLoc());
    Value error = field.sub(op.getPrediction(), op.getTarget());
    rewriter.replaceOp(op, meanOfElements(field, field.mul(error, error)));
    return success();
  }
};

struct DropStopGradient : OpRewritePattern<StopGradientOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StopGradientOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

struct DecomposePass : gnn::impl::DecomposeBase<DecomposePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeSoftmax, FilterBySelect, DecomposeLogSumExp, DecomposeCrossEntropy,
                 DecomposeBinaryCrossEntropy, DecomposeMeanSquaredError, DropStopGradient>(&getContext());
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
