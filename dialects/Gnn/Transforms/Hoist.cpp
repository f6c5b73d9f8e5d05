//===- Hoist.cpp - Vertex-only work leaves the edge stage -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-hoist pass (NeuGraph, section 3.4): what depends on one end of an edge only is computed once for each vertex,
// and factors that all edges of an aggregation share are multiplied after it.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Gnn/Transforms/Signs.h"
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

/// Ops that only repeat elements: moving one alone to the vertices would make more to store and to read, and save
/// nothing.
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

/// The vertex field or parameter that `value`, an edge field for which isReadOrRepeated holds, is read from.
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

//===----------------------------------------------------------------------===//
// Vertices that no edge reads
//===----------------------------------------------------------------------===//

/// Whether every element of `value` is above 0.
bool isPositive(Value value) {
  Operation *op = value.getDefiningOp();
  if (std::optional<double> number = numberOf(value))
    return *number > 0;
  if (isa<BroadcastOp, ReadSourceOp, ReadDestinationOp, SqrtOp>(op))
    return isPositive(op->getOperand(0));
  if (!isa<AddOp, MaximumOp>(op))
    return false;
  const bool positive = isPositive(op->getOperand(0)) || isPositive(op->getOperand(1));
  return positive && (isa<MaximumOp>(op) || isNotNegative(value));
}

/// The operand of `op` at which value or slope may be infinite or none: a divisor, or what a root or logarithm is of.
std::optional<unsigned> partialOperand(Operation *op) {
  if (!isa<DivOp, LogOp, SqrtOp, RsqrtOp, PowOp>(op))
    return std::nullopt;
  unsigned operand = isa<DivOp>(op) ? 1 : 0;
  if (fieldOf(op->getOperand(operand)).isParameter() || isPositive(op->getOperand(operand)))
    return std::nullopt;
  return operand;
}

/// Likewise of what is computed at vertices for edges: where there is none, a softmax is an exponential of any size.
std::optional<unsigned> hoistedPartialOperand(Operation *op) {
  return isa<ExpOp>(op) ? std::optional(0u) : partialOperand(op);
}

/// Whether degrees tell which vertices have edges: pairs have no degrees.
bool hasDegrees(Operation *op, unsigned relation) {
  ModelAttr model = ModelAttr::of(op);
  return !(model && model.getRelations()[relation].getPairs());
}

/// Whether some fold of what `value` becomes on edges leaves edges out.
bool isFiltered(Value value) {
  SmallVector<Value> pending = {value};
  DenseSet<Operation *> seen;
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (!seen.insert(user).second)
        continue;
      if (auto fold = dyn_cast<AggregateOp>(user)) {
        if ((fold.getFilter() && fold.getFilter() != value) || fold.getBy())
          return true;
        continue;
      }
      for (Value result : user->getResults())
        if (auto type = dyn_cast<FieldType>(result.getType()); type && type.isEdge())
          pending.push_back(result);
    }
  return false;
}

/// `value`, a vertex field, where there is an edge of `relation` at `end`, else `harmless`: what is computed of it
/// there, and the slope, are numbers. By type, where an edge of the type is seen: a sample may have none where the
/// graph has some, but of all types together it has one.
Value whereEdges(OpBuilder &builder, Operation *at, Value value, double harmless, unsigned relation, End end,
                 bool byType) {
  ModelAttr model = ModelAttr::of(at);
  if (!byType && model && model.getRelations()[relation].addsLoops())
    return value;
  FieldBuilder field(builder, at->getLoc());
  FieldType type = fieldOf(value);
  FieldType countType = type.withDims(byType ? type.getDims().take_front() : ArrayRef<StringAttr>());
  const DegreeKind kind = end == End::Destination ? DegreeKind::In : DegreeKind::Out;
  Value count = byType ? field.make<CountOp>(countType, end, relation).getResult()
                       : field.make<DegreeOp>(countType, kind, relation).getResult();
  Value any = field.compare(Predicate::Gt, count, field.constant(count, 0));
  if (countType != type)
    any = field.broadcast(any, type, byType ? ArrayRef<int64_t>{0} : ArrayRef<int64_t>());
  return field.where(any, value, harmless);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// op(read(x), read(y), parameter) -> read(op(x, y, parameter))
struct HoistOverRead : RewritePattern {
  HoistOverRead(MLIRContext *context, Pass::Statistic &hoisted)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), hoisted(hoisted) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() == 0 || !isPure(op) || onlyRepeats(op))
      return rewriter.notifyMatchFailure(op, "is no op that computes one field from others");
    auto type = dyn_cast<FieldType>(op->getResult(0).getType());
    if (!type || (type.getKind() != GraphKind::S && type.getKind() != GraphKind::D) ||
        isa<ReadSourceOp, ReadDestinationOp>(op))
      return rewriter.notifyMatchFailure(op, "is not computed at one end of edges");
    if (!llvm::all_of(op->getOperands(), isReadOrRepeated))
      return rewriter.notifyMatchFailure(op, "has an operand that is not read from vertices");

    const std::optional<unsigned> partial = hoistedPartialOperand(op);
    if (partial && (!hasDegrees(op, type.getId()) || isFiltered(op->getResult(0))))
      return rewriter.notifyMatchFailure(op, "may be no number at a vertex that no edge reads");

    std::optional<unsigned> vertexType;
    for (Value operand : op->getOperands())
      if (auto type = getVertexType(operand))
        vertexType = type;
    assert(vertexType && "an S or D field has an operand that is one");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(beforeRead(rewriter, operand, *vertexType));
    if (partial)
      operands[*partial] = whereEdges(rewriter, op, operands[*partial], /*harmless=*/1, type.getId(),
                                      type.getKind() == GraphKind::S ? End::Source : End::Destination,
                                      /*byType=*/false);
    Value field = cloneForVertices(rewriter, op, operands, *vertexType);
    rewriter.replaceOp(op, createRead(rewriter, op->getLoc(), type, field));
    ++hoisted;
    return success();
  }

  Pass::Statistic &hoisted;
};

/// Whether degrees or counts by type tell where `sum` is over no edges.
bool countsEdges(AggregateOp sum) {
  return !sum.getFilter() && hasDegrees(sum, fieldOf(sum.getOperand()).getId()) &&
         (!sum.getBy() || sum.getBy().getDefiningOp<EdgeTypeOp>());
}

/// A vertex field of the shape of the sum, equal to `value` on all edges that are folded together; null if there is
/// none. Where edges are folded by an integer, the entry that the integer picks of a field of the edges' end is the
/// same for all edges that are folded together.
Value sharedField(OpBuilder &builder, AggregateOp sum, Value value) {
  auto valueType = cast<FieldType>(value.getType()), sumType = cast<FieldType>(sum.getResult().getType());
  GraphKind end = sum.getToward() == End::Destination ? GraphKind::D : GraphKind::S;
  const int64_t rank = valueType.getRank();
  if (valueType.getKind() == end && isReadOrRepeated(value)) {
    Value field = beforeRead(builder, value, sumType.getId());
    auto type = cast<FieldType>(field.getType()).withDims(sumType.getDims());
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(sumType.getRank() - rank, sumType.getRank()));
    return sum.getBy() ? builder.create<BroadcastOp>(value.getLoc(), type, field, dims) : field;
  }
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  auto entry = (broadcast ? broadcast.getOperand() : value).getDefiningOp<IndexOp>();
  if (!entry || entry.getIndex() != sum.getBy() || cast<FieldType>(entry.getTable().getType()).getKind() != end ||
      !isReadOrRepeated(entry.getTable()))
    return {};
  Value field = beforeRead(builder, entry.getTable(), sumType.getId());
  if (!broadcast)
    return field;
  SmallVector<int64_t> dims = {0};
  for (int64_t dim : broadcast.getDims())
    dims.push_back(dim + 1);
  auto type = cast<FieldType>(field.getType()).withDims(sumType.getDims());
  return builder.create<BroadcastOp>(value.getLoc(), type, field, dims);
}

/// Whether `value` may be infinite or NaN at a vertex without edges: it depends on data, which may be NaN, or on an op
/// that is not defined for all numbers.
bool mayBeNoNumber(Value value) {
  SmallVector<Operation *> pending = {value.getDefiningOp()};
  DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (partialOperand(op) || (isa<InputOp>(op) && fieldOf(op->getResult(0)).isReal()))
      return true;
    if (seen.insert(op).second)
      for (Value operand : op->getOperands())
        pending.push_back(operand.getDefiningOp());
  }
  return false;
}

/// Whether a sum over no edges, 0, may not be 0 any more after a product with `factor`, or a division by it.
bool needsEdges(Value factor, bool isDivisor) { return mayBeNoNumber(factor) || (isDivisor && !isPositive(factor)); }

/// aggregate sum (read(c) * x) to the end that c is read at -> c * aggregate sum (x); x / read(c) alike.
struct FactorOutOfSum : OpRewritePattern<AggregateOp> {
  FactorOutOfSum(MLIRContext *context, Pass::Statistic &factored) : OpRewritePattern(context), factored(factored) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    Operation *scaling = op.getOperand().getDefiningOp();
    if (!isa<SumAttr>(op.getAggregator()) || !isa<MulOp, DivOp>(scaling) ||
        !cast<FieldType>(op.getResult().getType()).isReal())
      return rewriter.notifyMatchFailure(op, "is not the sum of a product");
    if (isSummedIntoTable(op))
      return rewriter.notifyMatchFailure(op, "is of no vertex: edges are folded into a table");
    for (unsigned shared : {0, 1}) {
      if (isa<DivOp>(scaling) && shared == 0)
        continue;
      Value rest = scaling->getOperand(1 - shared);
      if (!cast<FieldType>(rest.getType()).isEdge())
        continue;
      const bool isGuarded = needsEdges(scaling->getOperand(shared), isa<DivOp>(scaling));
      const unsigned relation = fieldOf(op.getOperand()).getId();
      if (isGuarded && !countsEdges(op))
        continue;
      Value factor = sharedField(rewriter, op, scaling->getOperand(shared));
      if (!factor)
        continue;
      if (isGuarded) // a factor that is a gradient stays 0 where it is 0: the rows that the loss reaches stay few
        factor = whereEdges(rewriter, op, factor, /*harmless=*/isa<DivOp>(scaling), relation, op.getToward(),
                            /*byType=*/bool(op.getBy()));
      auto sum = rewriter.create<AggregateOp>(op.getLoc(), op.getAggregator(), rest, op.getFilter(), op.getBy(),
                                              op.getByDim(), op.getToward(), op.getResult().getType().getId());
      Value result = isa<DivOp>(scaling) ? rewriter.create<DivOp>(op.getLoc(), sum.getResult(), factor).getResult()
                                         : rewriter.create<MulOp>(op.getLoc(), factor, sum.getResult()).getResult();
      rewriter.replaceOp(op, result);
      ++factored;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "has no factor that the edges of a vertex share");
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
