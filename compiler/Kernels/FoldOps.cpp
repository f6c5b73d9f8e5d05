//===- FoldOps.cpp - Elements of reductions and products ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelElements.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The product that a sum on edges adds up, where there is an instruction for both. It is taken whoever else reads the
/// product and whichever loops the sum is in: backward computes what edges have again and looks for zeros in it, so all
/// kernels have to find the same bits.
static MulOp fusedProduct(gnn::ReduceOp op, const Machine &machine) {
  FieldType from = fieldType(op.getOperand());
  bool isSumOfEdge = isa<SumAttr>(op.getAggregator()) && from.getKind() == GraphKind::E;
  return machine.hasFma && isSumOfEdge && isa<FloatType>(from.getElement()) ? op.getOperand().getDefiningOp<MulOp>()
                                                                            : MulOp();
}

static Values stepReduce(FieldEmitter &fields, gnn::ReduceOp op, ValueRange state, const Point &at) {
  LoopBuilder &b = fields.b;
  if (MulOp product = fusedProduct(op, fields.function.machine()))
    return {
        b.create<math::FmaOp>(fields.element(product.getLhs(), at), fields.element(product.getRhs(), at), state[0])};
  return op.getAggregator().buildStep(b.builder(), b.loc(), state, fields.element(op.getOperand(), at), Value());
}

/// The largest or smallest along a dimension, by values alone: which element won, and whether there is any, is not
/// carried along as it is for edges.
static Value foldExtremum(FieldEmitter &fields, AggregatorInterface extremum, Value operand, unsigned dim,
                          const Point &point) {
  LoopBuilder &b = fields.b;
  Type element = fieldType(operand).getElement();
  auto better = [&](Value best, Value value) -> Values {
    auto vector = dyn_cast<VectorType>(best.getType());
    Type argType = vector ? Type(vector.clone(b.i64())) : b.i64();
    Value arg = b.create<arith::ConstantOp>(b.builder().getZeroAttr(argType));
    return {extremum.buildStep(b.builder(), b.loc(), {best, arg}, value, Value())[0]};
  };
  auto step = [&](ValueRange state, const Point &at, Index) { return better(state[0], fields.element(operand, at)); };
  auto merge = [&](ValueRange left, ValueRange right) { return better(left[0], right[0]); };
  TypedAttr worst = extremum.getIdentity(element)[0];
  return fields.folds.along(fieldType(operand), dim, point, worst, step, merge)[0];
}

/// The vector of a fold along a last dimension, which gives one element at a time.
static Value byElement(FieldEmitter &fields, Value field, const Point &point) {
  return fields.assemble(field, point, [&](ArrayRef<int64_t> coords) {
    return fields.element(field, {indices(fields.b, coords), 0});
  });
}

static void setTraits(ElementTraits &traits, gnn::ReduceOp op) {
  FieldType from = fieldType(op.getOperand());
  traits.isFold = traits.isStored = true;
  traits.isScalar = traits.takesKnownPoints = isLast(from, op.getDim());
  traits.canBeDealt = traits.isScalar && llvm::all_of(op.getAggregator().getStateTypes(from.getElement()),
                                                      [](Type type) { return type.getIntOrFloatBitWidth() == 32; });
}

static Value emitElement(FieldEmitter &fields, gnn::ReduceOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType from = fieldType(op.getOperand());
  unsigned dim = op.getDim();
  if (isLast(from, dim) && point.lanes)
    return byElement(fields, op.getResult(), point);
  AggregatorInterface aggregator = op.getAggregator();
  if (aggregator.tracksArg()) {
    Value best = foldExtremum(fields, aggregator, op.getOperand(), dim, point);
    Index size =
        isLast(from, dim) ? fields.points.lastExtent(from, point.coords) : fields.function.extent(from.getDim(dim));
    if (known(size).value_or(0) > 0)
      return best;
    Value isEmpty = b.at(b.scopeOf(size), [&] { return b.isEqual(size, b.constant(0)); });
    return fields.points.select(isEmpty, b.create<arith::ConstantOp>(b.builder().getZeroAttr(best.getType())), best);
  }
  SmallVector<TypedAttr> identity = aggregator.getIdentity(from.getElement());
  auto step = [&](ValueRange state, const Point &at, Index) { return stepReduce(fields, op, state, at); };
  auto merge = [&](ValueRange left, ValueRange right) {
    return aggregator.buildMerge(b.builder(), b.loc(), left, right);
  };
  return aggregator.buildFinish(b.builder(), b.loc(), fields.folds.along(from, dim, point, identity, step, merge));
}

static void setTraits(ElementTraits &traits, ArgReduceOp op) {
  traits.isFold = traits.isStored = true;
  traits.isScalar = isLast(fieldType(op.getOperand()), op.getDim());
}

static Value emitElement(FieldEmitter &fields, ArgReduceOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType from = fieldType(op.getOperand());
  unsigned dim = op.getDim();
  if (isLast(from, dim) && point.lanes)
    return byElement(fields, op.getResult(), point);
  // The best value, then the first position that has it: lanes are folded out of order.
  MLIRContext *context = op.getContext();
  Attribute max = MaxAttr::get(context), min = MinAttr::get(context);
  auto aggregator = cast<AggregatorInterface>(op.getExtremum() == Extremum::Max ? max : min);
  Value best = foldExtremum(fields, aggregator, op.getOperand(), dim, point);

  auto step = [&](ValueRange state, const Point &at, Index position) -> Values {
    Value value = fields.element(op.getOperand(), at);
    Value wanted = at.lanes == point.lanes ? best : fields.points.splat(best, at);
    Value hit;
    if (isa<FloatType>(from.getElement())) {
      Value bothNan = b.both(b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, value, value),
                             b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, wanted, wanted));
      hit = b.either(b.create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, value, wanted), bothNan);
    } else {
      hit = b.isEqual(value, wanted);
    }
    Value here = fields.points.positions(from, dim, position, b.i64(), at);
    return {b.min(state[0], b.select(hit, here, state[0]))};
  };
  auto merge = [&](ValueRange left, ValueRange right) -> Values { return {b.min(left[0], right[0])}; };
  TypedAttr none = b.builder().getI64IntegerAttr(std::numeric_limits<int64_t>::max());
  Value first = fields.folds.along(from, dim, point, none, step, merge)[0];
  return ElementBuilder(b.builder(), b.loc()).cast(first, fieldType(op.getResult()).getElement());
}

static void setProduct(ElementTraits &traits, bool isScalar) {
  traits.isFold = traits.isStored = true;
  traits.isScalar = isScalar;
  traits.use = OperandUse::All;
  traits.maxVectors = 0;
}

static void setTraits(ElementTraits &traits, MatMulOp op) {
  setProduct(traits, op.getTransposeW() == (fieldType(op.getW()).getRank() > 1));
}
static void setTraits(ElementTraits &traits, TypedMatMulOp op) {
  setProduct(traits, op.getTransposeW() == (fieldType(op.getW()).getRank() > 2));
}
static void setTraits(ElementTraits &traits, MatMulTNOp) { setProduct(traits, /*isScalar=*/false); }

static auto addition(LoopBuilder &b) {
  return [&b](ValueRange left, ValueRange right) -> Values { return {b.create<arith::AddFOp>(left[0], right[0])}; };
}

/// The product with `w`, or with its entry at `entry`.
static Value emitMatMul(FieldEmitter &fields, Value x, Value w, ArrayRef<Index> entry, const Point &point) {
  LoopBuilder &b = fields.b;
  unsigned kept = fieldType(x).getRank() - 1, contracted = entry.size();
  // Along the contracted dimension of `w`, at the part of the point that is w's.
  Point ofW{llvm::to_vector<3>(entry), point.lanes};
  ofW.coords.append(point.coords.begin() + kept, point.coords.end());
  bool isVector = fieldType(w).getRank() == contracted + 1;
  TypedAttr zero = numberAttr(fieldType(x).getElement(), 0);
  auto step = [&](ValueRange state, const Point &at, Index position) -> Values {
    Point ofX{SmallVector<Index, 3>(llvm::ArrayRef(point.coords).take_front(kept)), 0};
    ofX.coords.push_back(position);
    // With a vector of `w` its factor is one element of `x`; both are vectors where `w` is itself one.
    Value factor = isVector && at.lanes ? fields.element(x, {ofX.coords, at.lanes})
                                        : fields.points.splat(fields.element(x, ofX), at);
    Value product = b.create<arith::MulFOp>(factor, fields.element(w, at));
    return {b.fused([&] { return b.create<arith::AddFOp>(state[0], product); })};
  };
  return fields.folds.along(fieldType(w), contracted, ofW, zero, step, addition(b))[0];
}

/// The product with the transpose of `w`, or of its entry at `entry`: all dimensions of it but the first are
/// contracted.
static Value emitMatMulTransposed(FieldEmitter &fields, Value x, Value w, ArrayRef<Index> entry, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType xType = fieldType(x), wType = fieldType(w);
  unsigned contracted = wType.getRank() - entry.size() - 1, kept = xType.getRank() - contracted;
  ArrayRef<Index> rows = ArrayRef<Index>(point.coords).take_front(kept);
  Point start{llvm::to_vector<3>(entry), 0};
  start.coords.push_back(point.coords[kept]);
  auto product = [&](const Point &ofX, const Point &ofW) -> Value {
    Value factor = fields.element(x, ofX);
    return b.create<arith::MulFOp>(ofX.lanes == ofW.lanes ? factor : fields.points.splat(factor, ofW),
                                   fields.element(w, ofW));
  };
  if (contracted == 0)
    return product({llvm::to_vector<3>(rows), 0}, {start.coords, point.lanes});

  // The last dimension of `w` is a fold of vectors, those before it are loops.
  assert(point.lanes == 0 && "a transposed product gives one element");
  SmallVector<DimExpr> loops;
  for (unsigned i = start.coords.size(); i + 1 < wType.getRank(); ++i)
    loops.push_back(wType.getDim(i));
  auto add = addition(b);
  return fields.folds.sum(loops, xType.getElement(), point, [&](ArrayRef<Index> middle) {
    Point ofW = start;
    ofW.coords.append(middle.begin(), middle.end());
    auto step = [&](ValueRange state, const Point &at, Index) -> Values {
      Point ofX{llvm::to_vector<3>(rows), at.lanes};
      ofX.coords.append(at.coords.begin() + start.coords.size(), at.coords.end());
      Value term = product(ofX, at);
      return {b.fused([&] { return b.create<arith::AddFOp>(state[0], term); })};
    };
    return fields.folds.alongLast(wType, ofW, numberAttr(xType.getElement(), 0), step, add)[0];
  });
}

static Value emitElement(FieldEmitter &fields, MatMulOp op, const Point &point) {
  return op.getTransposeW() ? emitMatMulTransposed(fields, op.getX(), op.getW(), {}, point)
                            : emitMatMul(fields, op.getX(), op.getW(), {}, point);
}

static Value emitElement(FieldEmitter &fields, TypedMatMulOp op, const Point &point) {
  return whereInside(fields, op.getIndex(), fieldType(op.getW()), point, [&](Index entry) {
    return op.getTransposeW() ? emitMatMulTransposed(fields, op.getX(), op.getW(), entry, point)
                              : emitMatMul(fields, op.getX(), op.getW(), entry, point);
  });
}

static Value emitElement(FieldEmitter &fields, MatMulTNOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType x = fieldType(op.getX());
  SmallVector<DimExpr> summed;
  for (unsigned i = 0; i + 1 < x.getRank(); ++i)
    summed.push_back(x.getDim(i));
  bool vectorOfX = point.coords.size() == 1; // the result has x's dimension only
  return fields.folds.sum(summed, x.getElement(), point, [&](ArrayRef<Index> coords) -> Value {
    Point ofX{llvm::to_vector<3>(coords), 0}, ofG = ofX;
    ofX.coords.push_back(point.coords[0]);
    ofG.coords.append(std::next(point.coords.begin()), point.coords.end());
    (vectorOfX ? ofX : ofG).lanes = point.lanes;
    Value left = fields.element(op.getX(), ofX), right = fields.element(op.getG(), ofG);
    return b.create<arith::MulFOp>(vectorOfX ? left : fields.points.splat(left, point),
                                   vectorOfX ? fields.points.splat(right, point) : right);
  });
}

void attachFoldOps(MLIRContext &context) {
  attachElementModels<gnn::ReduceOp, ArgReduceOp, MatMulOp, MatMulTNOp, TypedMatMulOp>(context);
}

} // namespace gnnc
