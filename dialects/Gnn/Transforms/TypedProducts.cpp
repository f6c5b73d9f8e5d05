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
#include "dialects/Gnn/IR/ProgramVariants.h"
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

/// A field of edges under scalings by one number an edge: scale(..(x)).
struct Scaled {
  Value x;
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

  /// The sum that `op` is of a scaled field, all of which only it uses.
  static std::optional<Scaled> ofSum(AggregateOp op) {
    if (!isa<SumAttr>(op.getAggregator()) || op.getBy())
      return std::nullopt;
    Scaled match{op.getOperand(), {}};
    for (Operation *op = match.x.getDefiningOp(); isScaling(op); op = match.x.getDefiningOp()) {
      if (!op->hasOneUse())
        return std::nullopt;
      match.scalings.push_back(op);
      match.x = scaled(op);
    }
    return match;
  }

  /// Applies the scalings to the field `other`.
  Value scale(FieldBuilder &field, Value other) const {
    for (Operation *scaling : llvm::reverse(scalings)) {
      bool first = scaled(scaling) == scaling->getOperand(0);
      auto broadcast = scaling->getOperand(first ? 1 : 0).getDefiningOp<BroadcastOp>();
      Value factor = field.splat(broadcast.getOperand(), fieldOf(other));
      other = isa<DivOp>(scaling) ? field.div(other, factor) : field.mul(factor, other);
    }
    return other;
  }
};

/// (the sum of scaled x by `index`) @ w, with the types and the width of x as one dimension.
Value sumThenMultiply(FieldBuilder &field, AggregateOp op, const Scaled &match, Value x, Value w, Value index) {
  Value scaled = match.scale(field, x);
  if (fieldOf(scaled).isParameter()) // an edge field that is the same everywhere
    scaled =
        field.mul(scaled, field.make<ConstantOp>(fieldOf(scaled).withKind(GraphKind::E, fieldOf(index).getId()), 1.0));
  Value sums = field
                   .make<AggregateOp>(op.getAggregator(), scaled, op.getFilter(), index, fieldOf(w).getDims()[0],
                                      op.getToward(), fieldOf(op.getResult()).getId())
                   .getResult();
  return field.make<MatMulOp>(merge(field, sums, 0), merge(field, w, 0));
}

/// The costs of sums and of typed products.
class TypedCost {
public:
  explicit TypedCost(ProgramOp program)
      : sizes(program), isDerived(isOfInference(program.getSymName())), isTraining(hasGradients(program.getSymName())) {
  }

  /// Whether a field of each vertex for all types would be mostly of types that it has no edges of: then none is to be
  /// stored. Sums by type that products alone read need not be, which executors make a panel of rows at a time.
  bool hasManyTypes(Value w) const {
    constexpr int64_t manyTypes = 64;
    return sizes.width(fieldOf(w).withDims(fieldOf(w).getDims().take_front())) > manyTypes;
  }

  /// Before differentiation: what edges carry forward and backward, as in gnn-reorder. With many types backward sums
  /// the gradient of what it multiplies by type, which is how it follows from the product first.
  bool prefersProduct(Value x, TypedMatMulOp product) const {
    if (hasManyTypes(product.getW()) && dependsOnParameter(x))
      return true;
    return sizes.width(fieldOf(x)) * (dependsOnParameter(x) ? 2 : 1) > sizes.width(fieldOf(product.getResult())) * 2;
  }

  /// After it: forward alone.
  bool prefersSum(Value x, IndexOp product, Value w) const {
    bool carriesLess = sizes.width(fieldOf(x)) < sizes.width(fieldOf(product.getResult()));
    return (isTraining || isDerived) && (hasManyTypes(w) || (isDerived && carriesLess));
  }

private:
  CostModel sizes;
  bool isDerived, isTraining;
};

/// sum(x @ w[i]) -> (sum of x by i) @ w.
struct SumFirst : OpRewritePattern<AggregateOp> {
  SumFirst(MLIRContext *context, const TypedCost &cost, Pass::Statistic &count)
      : OpRewritePattern(context, /*benefit=*/2), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    auto match = Scaled::ofSum(op);
    auto product = match ? match->x.getDefiningOp<TypedMatMulOp>() : TypedMatMulOp();
    if (!product || product.getTransposeW() || !product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the sum of a scaled typed product that only it uses");
    Value x = product.getX();
    if (fieldOf(x).getRank() != 1 || !fieldOf(product.getIndex()).isEdge())
      return rewriter.notifyMatchFailure(op, "needs a vector and an index of each edge");
    if (canMultiplyFirst(x) && cost.prefersProduct(x, product))
      return rewriter.notifyMatchFailure(op, "the product first is cheaper");
    FieldBuilder field(rewriter, op.getLoc());
    rewriter.replaceOp(op, sumThenMultiply(field, op, *match, x, product.getW(), product.getIndex()));
    ++count;
    return success();
  }

  /// Whether the product can be made of each vertex: then gnn-hoist moves it there.
  static bool canMultiplyFirst(Value x) { return fieldOf(x).getKind() != GraphKind::E; }

  const TypedCost &cost;
  Pass::Statistic &count;
};

/// sum(read(x @ w)[i]), of products with the parameters of all types -> (sum of read(x) by i) @ w: what ProductFirst
/// and gnn-hoist have made, where only gradients or nothing followed from it.
struct PickedSumFirst : OpRewritePattern<AggregateOp> {
  PickedSumFirst(MLIRContext *context, const TypedCost &cost, Pass::Statistic &count)
      : OpRewritePattern(context), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    auto match = Scaled::ofSum(op);
    auto picked = match ? match->x.getDefiningOp<IndexOp>() : IndexOp();
    Operation *read = picked && picked->hasOneUse() ? picked.getTable().getDefiningOp() : nullptr;
    if (!isa_and_nonnull<ReadSourceOp, ReadDestinationOp>(read) || !read->hasOneUse() ||
        !fieldOf(picked.getIndex()).isEdge())
      return rewriter.notifyMatchFailure(op, "is not the sum of an entry that each edge picks of a vertex");
    auto product = read->getOperand(0).getDefiningOp<MatMulOp>();
    auto all = product ? product.getW().getDefiningOp<TransposeOp>() : TransposeOp();
    if (!all || product.getTransposeW() || !product->hasOneUse() || fieldOf(product.getX()).getRank() != 1 ||
        !isOfAllTypes(all))
      return rewriter.notifyMatchFailure(op, "the entries are not the products with the parameters of all types");
    if (!cost.prefersSum(product.getX(), picked, all.getOperand()))
      return rewriter.notifyMatchFailure(op, "the product first is cheaper");
    FieldBuilder field(rewriter, op.getLoc());
    FieldType type = fieldOf(read->getResult(0)).withDims(fieldOf(product.getX()).getDims());
    Value x = isa<ReadSourceOp>(read) ? field.make<ReadSourceOp>(type, product.getX()).getResult()
                                      : field.make<ReadDestinationOp>(type, product.getX()).getResult();
    rewriter.replaceOp(op, sumThenMultiply(field, op, *match, x, all.getOperand(), picked.getIndex()));
    ++count;
    return success();
  }

  /// [types, k, ..] -> [k, types, ..].
  static bool isOfAllTypes(TransposeOp op) {
    SmallVector<int64_t> swapped = llvm::to_vector(llvm::seq<int64_t>(0, fieldOf(op.getOperand()).getRank()));
    std::swap(swapped[0], swapped[1]);
    return op.getPermutation() == ArrayRef(swapped);
  }

  const TypedCost &cost;
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
    TypedCost cost(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<SumFirst, PickedSumFirst>(&getContext(), cost, numSumFirst);
    patterns.add<ProductFirst, ExpandOnVertices>(&getContext(), numProductFirst);
    GreedyRewriteConfig config;
    config.useTopDownTraversal = false; // sums are seen before the products that they sum
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
