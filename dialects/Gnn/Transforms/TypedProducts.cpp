//===- TypedProducts.cpp - Products with one parameter a type -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-typed-products pass: of `x @ W[i]` on edges, one plain product of vertices is made, after the edges are
// summed type by type or before they pick a type's part of it (R-GCN, Schlichtkrull et al. 2018, equation 2).
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_TYPEDPRODUCTS
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// Dimensions `first` and the next of a shape as one.
SmallVector<StringAttr> mergeDims(FieldType type, unsigned first) {
  SmallVector<StringAttr> dims(type.getDims());
  DimExpr product = *type.getDim(first).mul(type.getDim(first + 1));
  dims[first] = StringAttr::get(type.getContext(), product.str());
  dims.erase(dims.begin() + first + 1);
  return dims;
}

/// Reshapes `x`, whose dimensions `first` and the next become one.
Value merge(FieldBuilder &field, Value x, unsigned first) {
  return field.make<ReshapeOp>(fieldOf(x).withDims(mergeDims(fieldOf(x), first)), x);
}

/// A typed product under scalings by one number an edge: scale(..(x @ w[i])).
struct ScaledProduct {
  TypedMatMulOp product;
  SmallVector<Operation *> scalings; // outermost first: mul or div, one of whose operands is the broadcast of a number

  static Value scaled(Operation *scaling) {
    return scaling->getOperand(scaling->getOperand(0).getDefiningOp<BroadcastOp>() ? 1 : 0);
  }

  static bool isScaling(Operation *op) {
    if (!isa_and_nonnull<MulOp, DivOp>(op))
      return false;
    unsigned scale = isa<MulOp>(op) && op->getOperand(0).getDefiningOp<BroadcastOp>() ? 0 : 1;
    auto broadcast = op->getOperand(scale).getDefiningOp<BroadcastOp>();
    return broadcast && fieldOf(broadcast.getOperand()).getRank() == 0;
  }

  static std::optional<ScaledProduct> match(Value value) {
    ScaledProduct match;
    for (Operation *op = value.getDefiningOp(); isScaling(op); op = scaled(op).getDefiningOp()) {
      if (!op->hasOneUse())
        return std::nullopt;
      match.scalings.push_back(op);
      value = scaled(op);
    }
    match.product = value.getDefiningOp<TypedMatMulOp>();
    return match.product ? std::optional(match) : std::nullopt;
  }

  /// The same scalings of another field.
  Value scale(FieldBuilder &field, Value x) const {
    for (Operation *scaling : llvm::reverse(scalings)) {
      bool first = scaled(scaling) == scaling->getOperand(0);
      auto broadcast = scaling->getOperand(first ? 1 : 0).getDefiningOp<BroadcastOp>();
      Value factor = field.splat(broadcast.getOperand(), fieldOf(x));
      x = isa<DivOp>(scaling) ? field.div(x, factor) : field.mul(factor, x);
    }
    return x;
  }
};

/// sum(x @ w[i]) -> (sum of x by i) @ w, with the types and the width of x as one dimension.
struct SumFirst : OpRewritePattern<AggregateOp> {
  SumFirst(MLIRContext *context, const CostModel &cost, Pass::Statistic &count)
      : OpRewritePattern(context, /*benefit=*/2), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    auto match = isa<SumAttr>(op.getAggregator()) && !op.getBy() ? ScaledProduct::match(op.getOperand()) : std::nullopt;
    if (!match || match->product.getTransposeW() || !match->product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the sum of a scaled typed product that only it uses");
    Value x = match->product.getX(), w = match->product.getW(), index = match->product.getIndex();
    if (fieldOf(x).getRank() != 1 || !fieldOf(index).isEdge())
      return rewriter.notifyMatchFailure(op, "needs a vector and an index of each edge");
    if (canMultiplyFirst(x) && costOfSumFirst(x) > costOfProductFirst(match->product))
      return rewriter.notifyMatchFailure(op, "edges carry less with the product first");

    FieldBuilder field(rewriter, op.getLoc());
    Value scaled = match->scale(field, x);
    if (fieldOf(scaled).isParameter()) // an edge field that is the same everywhere
      scaled = field.mul(scaled,
                         field.make<ConstantOp>(fieldOf(scaled).withKind(GraphKind::E, fieldOf(index).getId()), 1.0));
    unsigned vertexType = fieldOf(op.getResult()).getId();
    Value sums = field
                     .make<AggregateOp>(op.getAggregator(), scaled, op.getFilter(), index, fieldOf(w).getDims()[0],
                                        op.getToward(), vertexType)
                     .getResult();
    rewriter.replaceOpWithNewOp<MatMulOp>(op, merge(field, sums, 0), merge(field, w, 0));
    ++count;
    return success();
  }

  /// Whether the product can be made of each vertex: then gnn-hoist moves it there.
  static bool canMultiplyFirst(Value x) { return fieldOf(x).getKind() != GraphKind::E; }

  /// What edges carry forward and backward, as in gnn-reorder.
  int64_t costOfSumFirst(Value x) const { return cost.width(fieldOf(x)) * (dependsOnParameter(x) ? 2 : 1); }
  int64_t costOfProductFirst(TypedMatMulOp product) const { return cost.width(fieldOf(product.getResult())) * 2; }

  const CostModel &cost;
  Pass::Statistic &count;
};

/// x @ w[i] -> (x @ w)[i]: the products with the parameters of all types, of which one is picked.
struct ProductFirst : OpRewritePattern<TypedMatMulOp> {
  ProductFirst(MLIRContext *context, Pass::Statistic &count) : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(TypedMatMulOp op, PatternRewriter &rewriter) const override {
    FieldType x = fieldOf(op.getX()), w = fieldOf(op.getW());
    if (op.getTransposeW() || x.getRank() != 1 || x.getKind() == GraphKind::E)
      return rewriter.notifyMatchFailure(op, "is not the product of a vector that vertices have");
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, w.getRank()));
    std::swap(permutation[0], permutation[1]);
    Value transposed = rewriter.create<TransposeOp>(op.getLoc(), op.getW(), permutation);
    Value products = rewriter.create<MatMulOp>(op.getLoc(), op.getX(), transposed);
    rewriter.replaceOpWithNewOp<IndexOp>(op, products, op.getIndex());
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

/// The product of several vectors x [a.., k] of each vertex: x stands at entry i of a new dimension, 0 at the others.
struct ExpandOnVertices : OpRewritePattern<TypedMatMulOp> {
  ExpandOnVertices(MLIRContext *context, Pass::Statistic &count) : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(TypedMatMulOp op, PatternRewriter &rewriter) const override {
    FieldType x = fieldOf(op.getX()), w = fieldOf(op.getW()), result = fieldOf(op.getResult());
    if (op.getTransposeW() || x.getRank() < 2 || result.isEdge())
      return rewriter.notifyMatchFailure(op, "is not the product of several vectors of each vertex");
    FieldBuilder field(rewriter, op.getLoc());
    unsigned last = x.getRank() - 1;
    SmallVector<StringAttr> dims(x.getDims());
    dims.insert(dims.begin() + last, w.getDims()[0]);
    SmallVector<int64_t> ofX = llvm::to_vector(llvm::seq<int64_t>(0, last));
    ofX.push_back(last + 1);
    FieldType expanded = result.withDims(dims);
    Value isEntry =
        field.oneHot(op.getIndex(), expanded.withDims(w.getDims().take_front()).withElement(rewriter.getI1Type()), 0);
    Value placed =
        field.where(field.broadcast(isEntry, expanded, {int64_t(last)}), field.broadcast(op.getX(), expanded, ofX));
    rewriter.replaceOpWithNewOp<MatMulOp>(op, merge(field, placed, last), merge(field, op.getW(), 0));
    ++count;
    return success();
  }

  Pass::Statistic &count;
};

struct TypedProductsPass : gnn::impl::TypedProductsBase<TypedProductsPass> {
  void runOnOperation() override {
    CostModel cost(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<SumFirst>(&getContext(), cost, numSumFirst);
    patterns.add<ProductFirst, ExpandOnVertices>(&getContext(), numProductFirst);
    GreedyRewriteConfig config;
    config.useTopDownTraversal = false; // sums are seen before the products that they sum
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
