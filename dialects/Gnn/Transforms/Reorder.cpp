//===- Reorder.cpp - Aggregation before or after the product --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-reorder pass: sums over edges and products with parameters commute; the cheaper order is chosen from the
// widths of what the edges carry, where the program does not say which it is to be.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/Transforms/Reorder.h"
#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
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

/// number * x, for one number a vertex or edge.
struct Scaling {
  Value number; // of no dimensions
  Value x;

  static std::optional<Scaling> match(Value value, llvm::function_ref<bool(Value)> isX) {
    auto product = value.getDefiningOp<MulOp>();
    for (unsigned scaled = 0; product && scaled < 2; ++scaled) {
      Value number = repeatedNumber(product->getOperand(1 - scaled));
      if (number && isX(product->getOperand(scaled)))
        return Scaling{number, product->getOperand(scaled)};
    }
    return std::nullopt;
  }

  /// A number of each vertex or edge, repeated along the dimensions of a field, or null.
  static Value repeatedNumber(Value value) {
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    return broadcast && fieldOf(broadcast.getOperand()).getRank() == 0 ? broadcast.getOperand() : Value();
  }

  /// `number` along the dimensions of another field of as many vertices or edges.
  static Value repeat(OpBuilder &builder, Location loc, Value number, Value field) {
    FieldType type = fieldOf(number).withDims(fieldOf(field).getDims());
    return builder.create<BroadcastOp>(loc, type, number, ArrayRef<int64_t>());
  }

  /// `number` times such a field.
  static Value make(OpBuilder &builder, Location loc, Value number, Value field) {
    Value repeated = repeat(builder, loc, number, field);
    return builder.create<MulOp>(loc, repeated, field);
  }
};

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
    if (auto scaling = Scaling::match(operand, isRead)) {
      scale = scaling->number;
      operand = scaling->x;
    }
    if (!isRead(operand))
      return std::nullopt;
    return WeightedSum{aggregate, scale, operand.getDefiningOp()->getOperand(0), fieldOf(operand).getKind()};
  }

  static bool isRead(Value value) { return isa_and_nonnull<ReadSourceOp, ReadDestinationOp>(value.getDefiningOp()); }

  /// Builds this weighted sum over the field `other`.
  Value over(OpBuilder &builder, Value other) {
    Location loc = aggregate.getLoc();
    auto edgeType = cast<FieldType>(aggregate.getOperand().getType());
    auto type = cast<FieldType>(other.getType()).withKind(kind, edgeType.getId());
    Value operand = kind == GraphKind::S ? builder.create<ReadSourceOp>(loc, type, other).getResult()
                                         : builder.create<ReadDestinationOp>(loc, type, other).getResult();
    if (scale)
      operand = Scaling::make(builder, loc, scale, operand);
    unsigned vertexType = aggregate.getResult().getType().getId();
    return builder
        .create<AggregateOp>(loc, aggregate.getAggregator(), operand, aggregate.getFilter(), aggregate.getToward(),
                             vertexType)
        .getResult();
  }
};

/// Chooses the order of sums and products in a program by their cost.
class OrderCost {
public:
  explicit OrderCost(ProgramOp program)
      : sizes(program), isBackward(hasGradients(program.getSymName())),
        isInference(isOfInference(program.getSymName())), orders(ordersOf(program)) {}

  /// Whether the order of `product` is open: in @train that of the forward part is not, as gradients follow it.
  bool chooses(MatMulOp product) const { return product.getTransposeW() == isBackward; }

  /// Whether the product should go first where the sum goes first now.
  bool prefersProductFirst(Value field, Type product) const {
    const bool isPreferred = !wanted(field, product).value_or(/*isSumFirst=*/productFirst(product) >= sumFirst(field));
    note(field, product, !isPreferred);
    return isPreferred;
  }

  /// Whether the sum should go first where the product goes first now.
  bool prefersSumFirst(Value field, Type product) const {
    const bool isPreferred = wanted(field, product).value_or(sumFirst(field) < productFirst(product));
    note(field, product, isPreferred);
    return isPreferred;
  }

  /// Whether all training steps have the same numbers.
  bool isFixed(Value field) const { return !dependsOnParameter(field) && !changesBetweenSteps(field); }

  /// The orders that were asked for so far.
  ArrayRef<SumOrder> asked() const { return askedFor; }

private:
  /// The number of elements that each edge carries with the sum before the product; of what is to be differentiated,
  /// forward and backward, where the gradient of the field is summed too where it is asked for. A sum that is the same
  /// in every training step is done once (executors keep it), but takes memory and a first step.
  int64_t sumFirst(Value field) const {
    int64_t width = sizes.width(cast<FieldType>(field.getType()));
    if (!isTraining())
      return width;
    return dependsOnParameter(field) ? 2 * width : isFixed(field) ? width / onceFor : width;
  }

  /// The number of elements that each edge carries with the product before the sum. The gradient of the product is
  /// always summed, since the gradient of the parameter needs it.
  int64_t productFirst(Type product) const { return sizes.width(cast<FieldType>(product)) * (isTraining() ? 2 : 1); }

  /// So many elements of what is kept are worth one that each step sums.
  static constexpr int64_t onceFor = 8;

  bool isTraining() const { return !isBackward && !isInference; }

  SumOrder orderOf(Value field, Type product) const {
    DimExpr from = fieldOf(field).getNumElements(), to = cast<FieldType>(product).getNumElements();
    return isBackward ? SumOrder{to, from} : SumOrder{from, to};
  }

  /// Whether the sum goes first, if the program says so. Where the forward sum does, its gradient is multiplied first:
  /// both products are then of the rows that have sums.
  std::optional<bool> wanted(Value field, Type product) const {
    auto isSumFirst = orders ? orders.getAs<BoolAttr>(orderOf(field, product).name()) : BoolAttr();
    return isSumFirst ? std::optional(isSumFirst.getValue() != isBackward) : std::nullopt;
  }

  void note(Value field, Type product, bool isSumFirst) const {
    SumOrder order = orderOf(field, product);
    auto *known = llvm::find(askedFor, order);
    if (known == askedFor.end())
      known = askedFor.insert(known, order);
    known->isSumFirst = isSumFirst;
  }

  CostModel sizes;
  bool isBackward, isInference;
  DictionaryAttr orders;
  mutable SmallVector<SumOrder> askedFor;
};

/// matmul(sum(field), w) -> sum(matmul(field, w)) where edges then carry less.
struct ProductFirst : OpRewritePattern<MatMulOp> {
  ProductFirst(MLIRContext *context, const OrderCost &cost, unsigned &count)
      : OpRewritePattern(context), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto sum = WeightedSum::match(op.getX());
    if (!sum || !cost.chooses(op) || !sum->aggregate->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the product of a sum that only it uses");
    if (!cost.prefersProductFirst(sum->field, op.getType()))
      return rewriter.notifyMatchFailure(op, "edges carry no less with the product first");
    Value product = rewriter.create<MatMulOp>(op.getLoc(), sum->field, op.getW(), op.getTransposeW());
    rewriter.replaceOp(op, sum->over(rewriter, product));
    ++count;
    return success();
  }

  const OrderCost &cost;
  unsigned &count;
};

/// sum(matmul(field, w)) -> matmul(sum(field), w) where edges then carry less. A scaling of the product by one number a
/// vertex goes with the field.
struct SumFirst : OpRewritePattern<AggregateOp> {
  SumFirst(MLIRContext *context, const OrderCost &cost, unsigned &count)
      : OpRewritePattern(context), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    auto isProduct = [](Value value) { return bool(value.getDefiningOp<MatMulOp>()); };
    auto sum = WeightedSum::match(op.getResult());
    auto scaling = sum && sum->field.hasOneUse() ? Scaling::match(sum->field, isProduct) : std::nullopt;
    auto product = !sum ? MatMulOp() : (scaling ? scaling->x : sum->field).getDefiningOp<MatMulOp>();
    if (!product || !cost.chooses(product) || !product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "is not the sum of a product that only it uses");
    if (!cost.prefersSumFirst(product.getX(), product.getType()))
      return rewriter.notifyMatchFailure(op, "edges carry no less with the sum first");
    Value field = product.getX();
    if (scaling)
      field = Scaling::make(rewriter, op.getLoc(), scaling->number, field);
    Value summed = sum->over(rewriter, field);
    rewriter.replaceOpWithNewOp<MatMulOp>(op, summed, product.getW(), product.getTransposeW());
    ++count;
    return success();
  }

  const OrderCost &cost;
  unsigned &count;
};

/// matmul(scale * x, w) -> scale * matmul(x, w) for one number a vertex, so that a sum in x meets the product.
struct ScaleAfterProduct : OpRewritePattern<MatMulOp> {
  ScaleAfterProduct(MLIRContext *context, const OrderCost &cost) : OpRewritePattern(context), cost(cost) {}

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto isSum = [](Value value) { return WeightedSum::match(value).has_value(); };
    auto scaling = op.getX().hasOneUse() ? Scaling::match(op.getX(), isSum) : std::nullopt;
    if (!scaling || !cost.chooses(op))
      return rewriter.notifyMatchFailure(op, "is not the product of a sum that only it uses, scaled by one number");
    Value product = rewriter.create<MatMulOp>(op.getLoc(), scaling->x, op.getW(), op.getTransposeW());
    rewriter.replaceOp(op, Scaling::make(rewriter, op.getLoc(), scaling->number, product));
    return success();
  }

  const OrderCost &cost;
};

/// scale * matmul(x, w) -> matmul(scale * x, w) for one number a vertex: the scaling joins the work that makes x, where
/// after the product it would be a pass of its own or, read over edges, be done once an edge.
struct ScaleBeforeProduct : OpRewritePattern<MulOp> {
  ScaleBeforeProduct(MLIRContext *context, const OrderCost &cost) : OpRewritePattern(context), cost(cost) {}

  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    auto isProduct = [](Value value) { return value.hasOneUse() && value.getDefiningOp<MatMulOp>(); };
    auto scaling = Scaling::match(op, isProduct);
    auto product = scaling ? scaling->x.getDefiningOp<MatMulOp>() : MatMulOp();
    if (!product || !cost.chooses(product))
      return rewriter.notifyMatchFailure(op, "is not the only use of a product, scaled by one number a vertex");
    Value x = product.getX();
    if (!x.getDefiningOp<ElementwiseOpInterface>() || !x.hasOneUse())
      return rewriter.notifyMatchFailure(op, "the scaling has no elementwise work before the product to join");
    Value scaled = Scaling::make(rewriter, op.getLoc(), scaling->number, x);
    rewriter.replaceOpWithNewOp<MatMulOp>(op, scaled, product.getW(), product.getTransposeW());
    return success();
  }

  const OrderCost &cost;
};

/// matmul(sum, w) / number -> matmul(sum / number, w) for one number a vertex, such as a mean's: the division joins the
/// sweep, and a sum that training keeps is kept divided, so that no gradient is divided and stored for w. Where the
/// product goes first the other way around, so that the sum meets it. Of a division by 0 infinities may become NaN.
struct DivideSum : OpRewritePattern<DivOp> {
  DivideSum(MLIRContext *context, const OrderCost &cost) : OpRewritePattern(context), cost(cost) {}

  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    Value number = Scaling::repeatedNumber(op.getRhs());
    auto product = op.getLhs().getDefiningOp<MatMulOp>();
    if (!number || !product || !product->hasOneUse() || !cost.chooses(product))
      return rewriter.notifyMatchFailure(op, "is not the only use of a product, divided by one number a vertex");
    Value x = product.getX();
    auto sum = x.hasOneUse() ? WeightedSum::match(x) : std::nullopt;
    if (!sum || cost.prefersProductFirst(sum->field, product.getType()))
      return rewriter.notifyMatchFailure(op, "the product is not of a sum that stays before it");
    if (cost.isFixed(sum->field) && !cost.isFixed(number))
      return rewriter.notifyMatchFailure(op, "each step would sum again what is the same in all");
    Value repeated = Scaling::repeat(rewriter, op.getLoc(), number, x);
    Value divided = rewriter.create<DivOp>(op.getLoc(), x, repeated);
    rewriter.replaceOpWithNewOp<MatMulOp>(op, divided, product.getW(), product.getTransposeW());
    return success();
  }

  const OrderCost &cost;
};

/// matmul(sum / number, w) -> matmul(sum, w) / number where the product goes first.
struct DivideProduct : OpRewritePattern<MatMulOp> {
  DivideProduct(MLIRContext *context, const OrderCost &cost) : OpRewritePattern(context), cost(cost) {}

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto division = op.getX().getDefiningOp<DivOp>();
    bool isOnlyUse = division && division->hasOneUse() && division.getLhs().hasOneUse();
    Value number = isOnlyUse ? Scaling::repeatedNumber(division.getRhs()) : Value();
    auto sum = number ? WeightedSum::match(division.getLhs()) : std::nullopt;
    if (!sum || !cost.chooses(op) || !cost.prefersProductFirst(sum->field, op.getType()))
      return rewriter.notifyMatchFailure(op, "is not the product of a sum, divided by one number, that goes after it");
    Value product = rewriter.create<MatMulOp>(op.getLoc(), division.getLhs(), op.getW(), op.getTransposeW());
    Value repeated = Scaling::repeat(rewriter, op.getLoc(), number, product);
    rewriter.replaceOpWithNewOp<DivOp>(op, product, repeated);
    return success();
  }

  const OrderCost &cost;
};

/// sum(matmul(x, w)) -> matmul(sum(x), w) where x is of edges, whatever scales it, if all that is asked for of the
/// product are sums: a product for each vertex instead of each edge.
struct SumEdgesFirst : OpRewritePattern<AggregateOp> {
  SumEdgesFirst(MLIRContext *context, const OrderCost &cost, unsigned &count)
      : OpRewritePattern(context), cost(cost), count(count) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    if (!isPlainSum(op))
      return rewriter.notifyMatchFailure(op, "is no sum");
    Value operand = op.getOperand();
    auto negation = operand.getDefiningOp<NegOp>();
    auto isProduct = [](Value value) { return bool(value.getDefiningOp<MatMulOp>()); };
    auto scaling = Scaling::match(negation ? negation.getOperand() : operand, isProduct);
    Value factor = scaling ? scaling->x : negation ? negation.getOperand() : operand;
    auto product = factor.getDefiningOp<MatMulOp>();
    if (!product || fieldOf(product.getX()).getKind() != GraphKind::E || !cost.chooses(product) ||
        !isOnlySummed(factor))
      return rewriter.notifyMatchFailure(op, "is not the sum of a product on edges that is summed only");
    FieldBuilder field(rewriter, op.getLoc());
    Value x = product.getX();
    if (scaling)
      x = Scaling::make(rewriter, op.getLoc(), scaling->number, x);
    Value sum =
        field.make<AggregateOp>(op.getAggregator(), x, op.getFilter(), op.getToward(), fieldOf(op.getResult()).getId())
            .getResult();
    Value result = field.make<MatMulOp>(sum, product.getW(), product.getTransposeW());
    rewriter.replaceOp(op, negation ? field.neg(result) : result);
    ++count;
    return success();
  }

private:
  static bool isPlainSum(Operation *op) {
    auto sum = dyn_cast<AggregateOp>(op);
    return sum && !sum.getBy() && isa<SumAttr>(sum.getAggregator());
  }

  static bool isOnlySummed(Value value) {
    return llvm::all_of(value.getUsers(), [](Operation *user) {
      return isPlainSum(user) || (isa<NegOp, MulOp>(user) && isOnlySummed(user->getResult(0)));
    });
  }

  const OrderCost &cost;
  unsigned &count;
};

/// How many were moved.
struct Moved {
  unsigned products = 0, sums = 0;
};

LogicalResult reorder(ProgramOp program, const OrderCost &cost, Moved &moved) {
  MLIRContext *context = program.getContext();
  RewritePatternSet patterns(context);
  patterns.add<ProductFirst>(context, cost, moved.products);
  patterns.add<SumFirst, SumEdgesFirst>(context, cost, moved.sums);
  patterns.add<ScaleAfterProduct, ScaleBeforeProduct, DivideSum, DivideProduct>(context, cost);
  return applyPatternsAndFoldGreedily(program, std::move(patterns));
}

struct ReorderPass : gnn::impl::ReorderBase<ReorderPass> {
  void runOnOperation() override {
    const OrderCost cost(getOperation());
    Moved moved;
    if (failed(reorder(getOperation(), cost, moved)))
      return signalPassFailure();
    numProductFirst += moved.products;
    numSumFirst += moved.sums;
  }
};

} // namespace

SmallVector<SumOrder> gnnc::gnn::findOrders(ProgramOp program) {
  ProgramOp tried = program.clone();
  const OrderCost cost(program);
  Moved moved;
  SmallVector<SumOrder> found;
  if (succeeded(reorder(tried, cost, moved)))
    tried.walk([&](MatMulOp product) {
      const SumOrder order{fieldOf(product.getX()).getNumElements(), fieldOf(product.getResult()).getNumElements()};
      const auto *asked = llvm::find(cost.asked(), order);
      if (asked != cost.asked().end() && !llvm::is_contained(found, order))
        found.push_back(*asked);
    });
  tried.erase();
  return found;
}
