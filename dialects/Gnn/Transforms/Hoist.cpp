//===- Hoist.cpp - Vertex-only work leaves the edge stage -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-hoist pass (NeuGraph, section 3.4): what depends on one end of an edge only is computed once for each vertex,
// and factors that all edges of an aggregation share are multiplied after it.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
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
    if (!type || (type.getKind() != GraphKind::S && type.getKind() != GraphKind::D) ||
        isa<ReadSourceOp, ReadDestinationOp>(op))
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

/// What all edges of one fold have in common of `value`, as a vertex field of the shape of the sum; null if that is
/// nothing. Where edges are folded by an integer, the entry that it picks of a field of their end is the same for all
/// that are folded together.
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

bool isAtLeastPositive(Operation *op) {
  Attribute number;
  return isa<MaximumOp>(op) && matchPattern(op->getOperand(1), m_Constant(&number)) && isa<FloatAttr>(number) &&
         cast<FloatAttr>(number).getValueAsDouble() > 0;
}

/// Whether `factor` may be infinite at a vertex without edges, by a degree, a fold or an input that is 0 there.
bool mayDivideByZero(Value factor, bool isDivisor) {
  SmallVector<Operation *> pending = {factor.getDefiningOp()};
  DenseSet<Operation *> seen;
  bool divides = isDivisor, ofVertex = false;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    ofVertex |= isa<DegreeOp, AggregateOp, InputOp>(op);
    divides |= isa<DivOp, RsqrtOp, LogOp, PowOp>(op);
    if (seen.insert(op).second &&
        isa<ElementwiseOpInterface, BroadcastOp, ReshapeOp, IndexOp, ReadSourceOp, ReadDestinationOp>(op) &&
        !isAtLeastPositive(op))
      for (Value operand : op->getOperands())
        pending.push_back(operand.getDefiningOp());
  }
  return divides && ofVertex;
}

/// aggregate sum (read(c) * x) to the end that c is read at -> c * aggregate sum (x); x / read(c) alike.
struct FactorOutOfSum : OpRewritePattern<AggregateOp> {
  FactorOutOfSum(MLIRContext *context, Pass::Statistic &factored) : OpRewritePattern(context), factored(factored) {}

  LogicalResult matchAndRewrite(AggregateOp op, PatternRewriter &rewriter) const override {
    Operation *scaling = op.getOperand().getDefiningOp();
    if (!isa<SumAttr>(op.getAggregator()) || !isa<MulOp, DivOp>(scaling) ||
        !cast<FieldType>(op.getResult().getType()).isReal())
      return rewriter.notifyMatchFailure(op, "is not the sum of a product");
    for (unsigned shared : {0, 1}) {
      if (isa<DivOp>(scaling) && shared == 0)
        continue;
      Value rest = scaling->getOperand(1 - shared);
      if (!cast<FieldType>(rest.getType()).isEdge())
        continue;
      const bool needsEdges = mayDivideByZero(scaling->getOperand(shared), isa<DivOp>(scaling));
      if (needsEdges && !tellsWhereEdges(op))
        continue;
      Value factor = sharedField(rewriter, op, scaling->getOperand(shared));
      if (!factor)
        continue;
      auto sum = rewriter.create<AggregateOp>(op.getLoc(), op.getAggregator(), rest, op.getFilter(), op.getBy(),
                                              op.getByDim(), op.getToward(), op.getResult().getType().getId());
      Value result = isa<DivOp>(scaling) ? rewriter.create<DivOp>(op.getLoc(), sum.getResult(), factor).getResult()
                                         : rewriter.create<MulOp>(op.getLoc(), factor, sum.getResult()).getResult();
      rewriter.replaceOp(op, needsEdges ? whereEdges(rewriter, op, result) : result);
      ++factored;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "has no factor that the edges of a vertex share");
  }

  /// Whether degrees tell which vertices have edges to fold: pairs have no degrees, and filters may leave no edge.
  static bool tellsWhereEdges(AggregateOp op) {
    ModelAttr model = ModelAttr::of(op);
    unsigned relation = cast<FieldType>(op.getOperand().getType()).getId();
    return !op.getFilter() && !(model && model.getRelations()[relation].getPairs());
  }

  /// `value` where there is an edge to fold, else 0: the sum over no edges is 0 whatever its factor.
  static Value whereEdges(PatternRewriter &rewriter, AggregateOp op, Value value) {
    auto type = cast<FieldType>(value.getType());
    unsigned relation = cast<FieldType>(op.getOperand().getType()).getId();
    ModelAttr model = ModelAttr::of(op);
    if (!op.getBy() && model && model.getRelations()[relation].getSelfLoops())
      return value;
    const bool byType = op.getBy() && op.getBy().getDefiningOp<EdgeTypeOp>();
    FieldType degreeType = type.withDims(byType ? type.getDims().take_front() : ArrayRef<StringAttr>());
    DegreeKind kind = op.getToward() == End::Destination ? DegreeKind::In : DegreeKind::Out;
    Location loc = op.getLoc();
    Value degree = rewriter.create<DegreeOp>(loc, degreeType, kind, relation);
    Value zero = rewriter.create<ConstantOp>(loc, degreeType.withKind(GraphKind::P, 0), 0.0);
    Value any = rewriter.create<CompareOp>(loc, Predicate::Gt, degree, zero);
    if (degreeType != type)
      any = rewriter.create<BroadcastOp>(loc, type.withElement(rewriter.getI1Type()), any,
                                         byType ? ArrayRef<int64_t>{0} : ArrayRef<int64_t>());
    Value none = rewriter.create<ConstantOp>(loc, type.withKind(GraphKind::P, 0), 0.0);
    return rewriter.create<SelectOp>(loc, any, value, none);
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
