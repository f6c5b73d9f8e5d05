//===- Hoist.cpp - Vertex-only work leaves the edge stage -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-hoist pass (NeuGraph, section 3.4): what depends on one end of an edge only is computed once for each vertex, and factors that all
// edges of an aggregation share are multiplied after it.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_HOIST
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// The vertex field that `value` reads at an end of edges, or null.
Value getReadField(Value value) {
  if (auto read = value.getDefiningOp<ReadSourceOp>())
    return read.getOperand();
  if (auto read = value.getDefiningOp<ReadDestinationOp>())
    return read.getOperand();
  return {};
}

Value createRead(OpBuilder &builder, Location loc, FieldType type, Value field) {
  if (type.getKind() == GraphKind::S)
    return builder.create<ReadSourceOp>(loc, type, field);
  return builder.create<ReadDestinationOp>(loc, type, field);
}

/// Ops that only repeat elements: moving one alone to the vertices would make more to store and to read, and save nothing.
bool onlyRepeats(Operation *op) { return isa<BroadcastOp, OneHotOp, PadOp>(op); }

/// Whether `value` is a read of a vertex field, a parameter, or a repetition of either.
bool isReadOrRepeated(Value value) {
  if (cast<FieldType>(value.getType()).isParameter() || getReadField(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && onlyRepeats(op) && isReadOrRepeated(op->getOperand(0));
}

/// A copy of `op` that works on vertices of type `vertexType`.
Value cloneForVertices(OpBuilder &builder, Operation *op, ValueRange operands, unsigned vertexType) {
  auto type = cast<FieldType>(op->getResult(0).getType()).withKind(GraphKind::V, vertexType);
  OperationState state(op->getLoc(), op->getName(), operands, type, op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

/// What `value`, an edge field for which isReadOrRepeated holds, is before its read.
Value beforeRead(OpBuilder &builder, Value value, unsigned vertexType) {
  if (cast<FieldType>(value.getType()).isParameter())
    return value;
  if (Value field = getReadField(value))
    return field;
  Operation *op = value.getDefiningOp();
  return cloneForVertices(builder, op, beforeRead(builder, op->getOperand(0), vertexType), vertexType);
}

/// The vertex type that the S or D field `value` is read from.
std::optional<unsigned> getVertexType(Value value) {
  if (cast<FieldType>(value.getType()).isParameter())
    return std::nullopt;
  if (Value field = getReadField(value))
    return cast<FieldType>(field.getType()).getId();
  return getVertexType(value.getDefiningOp()->getOperand(0));
}

/// op(read(x), read(y), parameter) -> read(op(x, y, parameter))
struct HoistOverRead : RewritePattern {
  HoistOverRead(MLIRContext *context, Pass::Statistic &hoisted)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), hoisted(hoisted) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0 || !isPure(op) || onlyRepeats(op))
      return rewriter.notifyMatchFailure(op, "is no op that computes one field from others");
    auto type = dyn_cast<FieldType>(op->getResult(0).getType());
    if (!type || (type.getKind() != GraphKind::S && type.getKind() != GraphKind::D) || isa<ReadSourceOp, ReadDestinationOp>(op))
      return rewriter.notifyMatchFailure(op, "is not computed at one end of edges");
    if (!llvm::all_of(op->getOperands(), isReadOrRepeated))
      return rewriter.notifyMatchFailure(op, "has an operand that is not read from vertices");

    std::optional<unsigned> vertexType;
    for (Value operand : op->getOperands())
      if (auto type = getVertexType(operand))
        vertexType = type;
    assert(vertexType && "an S or D field has an operand that is one");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(beforeRead(rewriter, operand, *vertexType));
    Value field = cloneForVertices(rewriter, op, operands, *vertexType);
    rewriter.replaceOp(op, createRead(rewriter, op->getLoc(), type, field));
    ++hoisted;
    return success();
  }

  Pass::Statistic &hoisted;
};

/// aggregate sum (read(c) * x) to the end that c is read at -> c * aggregate sum (x)
struct FactorOutOfSum : OpRewritePattern<AggregateOp> {
  FactorOutOfSum(MLIRContext *context, Pass::Statistic &factored) : OpRewritePattern(context), factored(factored) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    auto product = op.getOperand().getDefiningOp<MulOp>();
    if (!isa<SumAttr>(op.getAggregator()) || !product || op.getBy())
      return rewriter.notifyMatchFailure(op, "is not the sum of a product");
    GraphKind end = op.getToward() == End::Destination ? GraphKind::D : GraphKind::S;
    auto isShared = [&](Value value) {
      return cast<FieldType>(value.getType()).getKind() == end && isReadOrRepeated(value);
    };
    unsigned shared = isShared(product.getLhs()) ? 0 : 1;
    Value factor = product->getOperand(shared), rest = product->getOperand(1 - shared);
    if (!isShared(factor) || !cast<FieldType>(rest.getType()).isEdge())
      return rewriter.notifyMatchFailure(op, "has no factor that the edges of a vertex share");

    unsigned vertexType = op.getResult().getType().getId();
    auto sum = rewriter.create<AggregateOp>(op.getLoc(), op.getAggregator(), rest, op.getFilter(), op.getToward(), vertexType);
    rewriter.replaceOpWithNewOp<MulOp>(op, beforeRead(rewriter, factor, vertexType), sum.getResult());
    ++factored;
    return success();
  }

  Pass::Statistic &factored;
};

struct HoistPass : gnn::impl::HoistBase<HoistPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<HoistOverRead>(&getContext(), numHoisted);
    patterns.add<FactorOutOfSum>(&getContext(), numFactored);
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
