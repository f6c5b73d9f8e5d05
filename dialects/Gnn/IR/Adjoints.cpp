//===- Adjoints.cpp - Adjoint rules ---------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op adds the gradients of its operands, given the gradient of its result.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/AdjointBuilder.h"
#include "dialects/Gnn/IR/Depth.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

void NegOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getOperand(), adjoint.neg(gradient));
}

void AbsOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getOperand(), zero = adjoint.constant(x, 0);
  Value isNotZero = adjoint.compare(Predicate::Ne, x, zero);
  Value elsewhere = adjoint.where(isNotZero, adjoint.neg(gradient));
  adjoint.addTo(x, adjoint.select(adjoint.compare(Predicate::Gt, x, zero), gradient, elsewhere),
                Condition{isNotZero, /*holds=*/true, Reach::Element, /*isApplied=*/true});
}

void ExpOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getOperand(), adjoint.mul(gradient, getResult()));
}

void LogOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getOperand(), adjoint.div(gradient, getOperand()));
}

void SqrtOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value half = adjoint.constant(getResult(), 0.5);
  adjoint.addTo(getOperand(), adjoint.div(adjoint.mul(gradient, half), getResult()));
}

/// y = x^(-1/2): dy = -1/2 y / x.
void RsqrtOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value scaled = adjoint.mul(getResult(), adjoint.constant(getResult(), -0.5));
  adjoint.addTo(getOperand(), adjoint.mul(gradient, adjoint.div(scaled, getOperand())));
}

void SigmoidOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value y = getResult();
  Value slope = adjoint.mul(y, adjoint.sub(adjoint.constant(y, 1), y));
  adjoint.addTo(getOperand(), adjoint.mul(gradient, slope));
}

void TanhOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value y = getResult();
  Value slope = adjoint.sub(adjoint.constant(y, 1), adjoint.mul(y, y));
  adjoint.addTo(getOperand(), adjoint.mul(gradient, slope));
}

/// dy = 2 / sqrt(pi) exp(-x^2).
void ErfOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getOperand();
  Value bell = adjoint.make<ExpOp>(x.getType(), adjoint.neg(adjoint.mul(x, x)));
  adjoint.addTo(x, adjoint.mul(gradient, adjoint.mul(bell, adjoint.constant(x, 2 * llvm::numbers::inv_sqrtpi))));
}

void SinOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getOperand();
  adjoint.addTo(x, adjoint.mul(gradient, adjoint.make<CosOp>(x.getType(), x)));
}

void CosOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getOperand();
  adjoint.addTo(x, adjoint.neg(adjoint.mul(gradient, adjoint.make<SinOp>(x.getType(), x))));
}

void Log1pOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getOperand();
  adjoint.addTo(x, adjoint.div(gradient, adjoint.add(x, adjoint.constant(x, 1))));
}

void Expm1Op::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value y = getResult();
  adjoint.addTo(getOperand(), adjoint.mul(gradient, adjoint.add(y, adjoint.constant(y, 1))));
}

/// Steps are flat: no gradient passes.
void SignOp::buildAdjoint(AdjointBuilder &, Value) {}
void FloorOp::buildAdjoint(AdjointBuilder &, Value) {}
void CeilOp::buildAdjoint(AdjointBuilder &, Value) {}
void RoundOp::buildAdjoint(AdjointBuilder &, Value) {}

void AddOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getLhs(), gradient);
  adjoint.addTo(getRhs(), gradient);
}

void SubOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getLhs(), gradient);
  if (adjoint.wants(getRhs()))
    adjoint.addTo(getRhs(), adjoint.neg(gradient));
}

void MulOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  if (adjoint.wants(getLhs()))
    adjoint.addTo(getLhs(), adjoint.mul(gradient, getRhs()));
  if (adjoint.wants(getRhs()))
    adjoint.addTo(getRhs(), adjoint.mul(gradient, getLhs()));
}

void DivOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value share = adjoint.div(gradient, getRhs());
  adjoint.addTo(getLhs(), share);
  if (adjoint.wants(getRhs()))
    adjoint.addTo(getRhs(), adjoint.neg(adjoint.mul(share, getResult())));
}

/// `predicate` says when the first operand wins among numbers; NaN wins over every number.
static void chosenAdjoint(AdjointBuilder &adjoint, Predicate predicate, Value lhs, Value rhs, Value gradient) {
  Value isNone = adjoint.compare(Predicate::Ne, lhs, lhs);
  Value first = adjoint.make<OrOp>(adjoint.compare(predicate, lhs, rhs), isNone);
  adjoint.addChosen(lhs, first, /*holds=*/true, gradient);
  adjoint.addChosen(rhs, first, /*holds=*/false, gradient);
}

void MaximumOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  chosenAdjoint(adjoint, Predicate::Ge, getLhs(), getRhs(), gradient);
}

void MinimumOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  chosenAdjoint(adjoint, Predicate::Le, getLhs(), getRhs(), gradient);
}

/// By the base: 0 where the exponent is 0, also for the base 0. By the exponent: y log(x), and 0 for the base 0 and
/// below.
void PowOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getLhs(), exponent = getRhs();
  if (adjoint.wants(x)) {
    Value lower = adjoint.make<PowOp>(x, adjoint.sub(exponent, adjoint.constant(exponent, 1)));
    Value slope = adjoint.mul(gradient, adjoint.mul(exponent, lower));
    if (numberOf(exponent).value_or(0) == 0)
      slope = adjoint.where(adjoint.compare(Predicate::Ne, exponent, adjoint.constant(exponent, 0)), slope);
    adjoint.addTo(x, slope);
  }
  if (adjoint.wants(exponent)) {
    Value slope = adjoint.mul(getResult(), adjoint.make<LogOp>(x.getType(), x));
    Value none = adjoint.compare(Predicate::Le, x, adjoint.constant(x, 0));
    adjoint.addTo(exponent, adjoint.select(none, adjoint.constant(x, 0), adjoint.mul(gradient, slope)));
  }
}

/// By the first operand x / (x^2 + y^2), by the second -y / (x^2 + y^2), and 0 at the origin.
void Atan2Op::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value y = getLhs(), x = getRhs();
  Value square = adjoint.add(adjoint.mul(x, x), adjoint.mul(y, y));
  Value isElsewhere = adjoint.compare(Predicate::Ne, square, adjoint.constant(square, 0));
  Value share = adjoint.where(isElsewhere, adjoint.div(gradient, square));
  if (adjoint.wants(y))
    adjoint.addTo(y, adjoint.mul(share, x));
  if (adjoint.wants(x))
    adjoint.addTo(x, adjoint.neg(adjoint.mul(share, y)));
}

/// Whether a branch of a select is left out by its own size alone: it is a number then, as in `select(x <= 0, 0, x)`.
static bool isChosenBySize(SelectOp select, bool isThen) {
  auto compare = select.getCondition().getDefiningOp<CompareOp>();
  Value branch = isThen ? select.getThen() : select.getOtherwise();
  if (!compare || !llvm::is_contained(compare->getOperands(), branch))
    return false;
  const bool holdsForNaN = compare.getPredicate() == Predicate::Ne;
  return holdsForNaN == isThen;
}

void SelectOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  auto spread = getCondition().getDefiningOp<BroadcastOp>();
  Value condition = spread && spread.getDims().empty() ? spread.getOperand() : getCondition();
  for (bool holds : {true, false}) {
    Value branch = holds ? getThen() : getOtherwise();
    if (isChosenBySize(*this, holds))
      adjoint.addChosen(branch, getCondition(), holds, gradient);
    else
      adjoint.addTo(branch, gradient, Condition{condition, holds, Reach::Graph, /*isApplied=*/false});
  }
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// All positions below `rank` but `dim`.
static SmallVector<int64_t> positionsWithout(unsigned rank, int64_t dim) {
  SmallVector<int64_t> positions;
  for (int64_t position = 0; position < rank; ++position)
    if (position != dim)
      positions.push_back(position);
  return positions;
}

void BroadcastOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  for (int64_t dim = fieldOf(getResult()).getRank() - 1; dim >= 0; --dim)
    if (!llvm::is_contained(getDims(), dim))
      gradient = adjoint.sumOver(gradient, dim);
  adjoint.addTo(getOperand(), gradient);
}

/// For each element of a reduced dimension the product of the others: with one 0 only that element has one.
static Value productOfOthers(AdjointBuilder &adjoint, ReduceOp reduce, FieldType type, ArrayRef<int64_t> kept) {
  Value x = reduce.getOperand();
  Value isZero = adjoint.compare(Predicate::Eq, x, adjoint.constant(x, 0));
  Value nonZero = adjoint.select(isZero, adjoint.constant(x, 1), x);
  Value product = adjoint.make<ReduceOp>(reduce.getAggregator(), nonZero, reduce.getDim());
  Value zeros = adjoint.sumOver(adjoint.make<CastOp>(type, isZero), reduce.getDim());
  auto whereZerosAre = [&](double count, Value others) {
    Value holds = adjoint.compare(Predicate::Eq, zeros, adjoint.constant(zeros, count));
    return adjoint.where(adjoint.broadcast(holds, type, kept), others);
  };
  Value spread = adjoint.broadcast(product, type, kept);
  return adjoint.select(isZero, whereZerosAre(1, spread), whereZerosAre(0, adjoint.div(spread, nonZero)));
}

void ReduceOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getOperand();
  FieldType type = fieldOf(x);
  SmallVector<int64_t> kept = positionsWithout(type.getRank(), getDim());
  Value spread = adjoint.broadcast(gradient, type, kept);
  if (isa<SumAttr>(getAggregator()))
    return adjoint.addTo(x, spread);
  if (isa<LogSumExpAttr>(getAggregator())) {
    Value share = adjoint.exp(adjoint.sub(x, adjoint.broadcast(getResult(), type, kept)));
    return adjoint.addTo(x, adjoint.mul(share, spread), {}, spread);
  }
  if (isa<ProdAttr>(getAggregator()))
    return adjoint.addTo(x, adjoint.mul(productOfOthers(adjoint, *this, type, kept), spread), {}, spread);
  Extremum extremum = isa<MaxAttr>(getAggregator()) ? Extremum::Max : Extremum::Min;
  Value winner = adjoint.make<ArgReduceOp>(extremum, x, getDim());
  Value isWinner = adjoint.oneHot(winner, type.withElement(adjoint.builder.getI1Type()), getDim());
  adjoint.addChosen(x, isWinner, /*holds=*/true, spread);
}

void ReshapeOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  FieldType type = fieldOf(gradient).withDims(fieldOf(getOperand()).getDims());
  adjoint.addTo(getOperand(), adjoint.make<ReshapeOp>(type, gradient));
}

void ConcatOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  DimExpr offset;
  for (Value operand : getOperands()) {
    FieldType type = fieldOf(gradient).withDims(fieldOf(operand).getDims());
    if (adjoint.wants(operand))
      adjoint.addTo(operand, adjoint.make<SliceOp>(type, gradient, getDim(), offset.str()));
    offset = *offset.add(fieldOf(operand).getDim(getDim()));
  }
}

void PadOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  FieldType type = fieldOf(gradient).withDims(fieldOf(getOperand()).getDims());
  adjoint.addTo(getOperand(), adjoint.make<SliceOp>(type, gradient, getDim(), getOffset()));
}

void SliceOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  FieldType type = fieldOf(gradient).withDims(fieldOf(getOperand()).getDims());
  adjoint.addTo(getOperand(), adjoint.make<PadOp>(type, gradient, getDim(), getOffset()));
}

void TransposeOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [to, from] : llvm::enumerate(getPermutation()))
    inverse[from] = to;
  adjoint.addTo(getOperand(), adjoint.make<TransposeOp>(gradient, inverse));
}

/// `gradient [rest..]` as entry `index` of a table like `table [n, rest..]`, 0 elsewhere; of the kind that they join
/// to.
static Value scatterEntry(AdjointBuilder &adjoint, Value gradient, Value index, FieldType table) {
  FieldType entries = fieldOf(gradient).withDims(table.getDims());
  SmallVector<int64_t> rest = positionsWithout(table.getRank(), 0);
  FieldType oneHotType = entries.withDims(table.getDims().take_front()).withElement(adjoint.builder.getI1Type());
  Value isEntry = adjoint.broadcast(adjoint.oneHot(index, oneHotType, 0), entries, {0});
  return adjoint.where(isEntry, adjoint.broadcast(gradient, entries, rest));
}

/// The sum over the edges of a vertex of gradients of entries `by` of a table with dimension `byDim`.
static Value sumEdgesBy(AdjointBuilder &adjoint, Value gradient, Value by, StringAttr byDim, End toward,
                        unsigned vertexType) {
  AggregatorInterface sum = SumAttr::get(adjoint.builder.getContext());
  return adjoint.make<AggregateOp>(sum, gradient, Value(), by, byDim, toward, vertexType).getResult();
}

/// Adds to the gradient of `table [n, rest..]` that of its entry `index`. On edges, entries are summed apart before
/// they leave the edges, so that no edge makes a table of its own.
static void addToEntry(AdjointBuilder &adjoint, Value table, Value index, Value gradient) {
  FieldType type = fieldOf(table), from = fieldOf(index);
  if (!adjoint.wants(table))
    return;
  const bool isOnEdges = from.isEdge() && fieldOf(gradient).isEdge();
  StringAttr entries = type.getDims()[0];
  const std::optional<Condition> isEntry = adjoint.whereInRange(index, entries, Reach::Row, /*isApplied=*/true);
  if (Operation *read = table.getDefiningOp(); isOnEdges && isa_and_nonnull<ReadSourceOp, ReadDestinationOp>(read)) {
    Value vertices = read->getOperand(0);
    const End end = isa<ReadSourceOp>(read) ? End::Source : End::Destination;
    Value sums = sumEdgesBy(adjoint, gradient, index, entries, end, fieldOf(vertices).getId());
    SmallVector<Condition, 1> conditions; // a vertex whose edges all pick what is outside of the table
    if (isEntry)
      conditions.push_back(adjoint.whereNotZero(sums, Reach::Graph, /*isApplied=*/true));
    return adjoint.addTo(vertices, sums, conditions);
  }
  if (type.isParameter() && isOnEdges)
    return adjoint.addTo(
        table, sumEdgesBy(adjoint, gradient, index, entries, End::Destination, adjoint.destinationType(from.getId())));
  if (type.isParameter() && from.isVertex())
    return adjoint.addTo(
        table, adjoint.make<MatMulTNOp>(
                   type, adjoint.oneHot(index, from.withDims(entries).withElement(type.getElement()), 0), gradient));
  const bool isOfSameRow = isEntry && type.getKind() == from.getKind();
  adjoint.addTo(table, scatterEntry(adjoint, gradient, index, type),
                isOfSameRow ? ArrayRef(*isEntry) : ArrayRef<Condition>());
}

void IndexOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  addToEntry(adjoint, getTable(), getIndex(), gradient);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `matmul_tn` of `x [a.., k]` and `g [a.., b..]`. On edges, and where a vertex has several rows, the outer products
/// are formed one by one; `addTo` sums them. Without `overVertices` each vertex keeps its own, for a choice by type.
static Value outerProducts(AdjointBuilder &adjoint, Value x, Value g, FieldType w, bool overVertices) {
  FieldType xType = fieldOf(x), gType = fieldOf(g);
  const bool isStep = overVertices && xType.isVertex() && gType.isVertex() && xType.getRank() == 1;
  const bool areParameters = xType.isParameter() && gType.isParameter();
  if (isStep || areParameters)
    return adjoint.make<MatMulTNOp>(w, x, g);
  unsigned numOuter = xType.getRank() - 1, numInner = w.getRank() - 1;
  SmallVector<StringAttr> dims(xType.getDims());
  llvm::append_range(dims, w.getDims().drop_front());
  SmallVector<int64_t> xDims = llvm::to_vector(llvm::seq<int64_t>(0, numOuter + 1));
  SmallVector<int64_t> gDims = llvm::to_vector(llvm::seq<int64_t>(0, numOuter));
  llvm::append_range(gDims, llvm::seq<int64_t>(numOuter + 1, numOuter + 1 + numInner));
  FieldType product = xType.withDims(dims);
  Value sum = adjoint.mul(adjoint.broadcast(x, product, xDims), adjoint.broadcast(g, product, gDims));
  for (unsigned dim = numOuter; dim > 0; --dim)
    sum = adjoint.sumOver(sum, dim - 1);
  return sum;
}

/// The sum over all edges of matrices of edges, as the one entry of a table: edges are folded into it, and no vertex
/// stores a matrix.
static Value sumMatrices(AdjointBuilder &adjoint, Value matrices) {
  FieldType type = fieldOf(matrices);
  FieldType number = type.withDims({}).withElement(adjoint.builder.getI32Type());
  Value entry = adjoint.make<ConstantOp>(number.withKind(GraphKind::E, type.getId()), 0.0);
  Value sums = sumEdgesBy(adjoint, matrices, entry, adjoint.builder.getStringAttr("1"), End::Destination,
                          adjoint.destinationType(type.getId()));
  return adjoint.make<ReshapeOp>(type.withKind(GraphKind::P, 0), adjoint.total(sums));
}

/// The parameter's gradient first: it reads x, whose memory its own gradient may then take.
void MatMulOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  if (adjoint.wants(getW())) {
    Value x = adjoint.whereCounted(getX(), gradient, fieldOf(getTransposeW() ? gradient : getX()).getRank() - 1);
    Value rows = getTransposeW() ? gradient : x, columns = getTransposeW() ? x : gradient;
    Value products = outerProducts(adjoint, rows, columns, fieldOf(getW()), /*overVertices=*/true);
    adjoint.addTo(getW(), fieldOf(products).isEdge() ? sumMatrices(adjoint, products) : products);
  }
  if (adjoint.wants(getX()))
    adjoint.addTo(getX(), adjoint.make<MatMulOp>(gradient, getW(), !getTransposeW()));
}

void TypedMatMulOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  if (adjoint.wants(getX())) {
    const std::optional<Condition> isEntry =
        adjoint.whereInRange(getIndex(), fieldOf(getW()).getDims()[0], Reach::Row, /*isApplied=*/true);
    adjoint.addTo(getX(), adjoint.make<TypedMatMulOp>(gradient, getW(), getIndex(), !getTransposeW()),
                  isEntry ? ArrayRef(*isEntry) : ArrayRef<Condition>());
  }
  if (!adjoint.wants(getW()))
    return;
  Value x = adjoint.whereCounted(getX(), gradient, fieldOf(getTransposeW() ? gradient : getX()).getRank() - 1);
  Value rows = getTransposeW() ? gradient : x, columns = getTransposeW() ? x : gradient;
  FieldType entry = withoutDim(fieldOf(getW()), 0);
  addToEntry(adjoint, getW(), getIndex(), outerProducts(adjoint, rows, columns, entry, /*overVertices=*/false));
}

//===----------------------------------------------------------------------===//
// Between parameters, vertices and edges
//===----------------------------------------------------------------------===//

void TableRowsOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getTable(), adjoint.make<RowsTableOp>(getTable().getType(), gradient));
}

/// The id of the first vertex whose element is the extremum, a number above all ids where none is. NaN wins.
static Value firstWinner(AdjointBuilder &adjoint, TotalOp total) {
  Value x = total.getOperand();
  FieldType idType = fieldOf(x).withElement(adjoint.builder.getI64Type());
  Value id = adjoint.splat(adjoint.make<VertexIdOp>(idType.withDims({})), idType);
  Value isBest = adjoint.compare(Predicate::Eq, x, total.getResult()), isNone = adjoint.compare(Predicate::Ne, x, x);
  Value wins = adjoint.make<OrOp>(isBest, isNone);
  constexpr double aboveAll = int64_t(1) << 53;
  auto first = adjoint.make<TotalOp>(MinAttr::get(adjoint.builder.getContext()), adjoint.where(wins, id, aboveAll));
  declareDepth(first, declaredDepth(total)); // over the same vertices
  return first;
}

/// The gradient of a sum is the same at every vertex that the total is over. That of an extremum goes to the first
/// vertex that has it.
void TotalOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  if (getOnes())
    return;
  FieldType type = fieldOf(getOperand());
  auto spread = adjoint.make<AddOp>(gradient, adjoint.make<ConstantOp>(type, 0.0));
  declareDepth(spread, declaredDepth(*this));
  if (isa<SumAttr>(getAggregator()))
    return adjoint.addTo(getOperand(), spread);
  FieldType idType = type.withElement(adjoint.builder.getI64Type());
  Value id = adjoint.splat(adjoint.make<VertexIdOp>(idType.withDims({})), idType);
  Value isWinner = adjoint.compare(Predicate::Eq, id, firstWinner(adjoint, *this));
  adjoint.addChosen(getOperand(), isWinner, /*holds=*/true, spread);
}

void ReadSourceOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getOperand(), adjoint.sumEdges(gradient, End::Source, fieldOf(getOperand()).getId()));
}

void ReadDestinationOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  adjoint.addTo(getOperand(), adjoint.sumEdges(gradient, End::Destination, fieldOf(getOperand()).getId()));
}

void AggregateOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  getAggregator().buildAdjoint(adjoint, *this, gradient);
}

/// alpha (g - sum of alpha g over the group). Weights of a group that nothing reads may be NaN.
void SoftmaxOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value alpha = getResult(), weighted = adjoint.mul(alpha, gradient);
  auto sumOfGroup = [&](Value x) {
    return adjoint.read(adjoint.sumEdges(x, getToward(), getVertexType()), getToward(), fieldOf(alpha).getId());
  };
  Value basis;
  if (adjoint.renewsConditions()) {
    Value isReached = adjoint.compare(Predicate::Ne, gradient, adjoint.constant(gradient, 0));
    basis = sumOfGroup(adjoint.make<CastOp>(fieldOf(gradient), isReached));
  }
  SmallVector<Condition, 1> conditions;
  if (Value filter = getFilter())
    conditions.push_back({filter, /*holds=*/true, Reach::Graph, /*isApplied=*/false});
  adjoint.addTo(getOperand(), adjoint.mul(alpha, adjoint.sub(gradient, sumOfGroup(weighted))), conditions, basis);
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// The gradient of a mean over the elements of `like`, for each of them.
static Value shareOfMean(AdjointBuilder &adjoint, Value gradient, FieldType like) {
  return adjoint.splat(adjoint.div(gradient, adjoint.numElements(like)), like);
}

void CrossEntropyOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getPrediction();
  FieldType type = fieldOf(x);
  Value normaliser = adjoint.make<ReduceOp>(LogSumExpAttr::get(getContext()), x, 0);
  Value probability = adjoint.exp(adjoint.sub(x, adjoint.splat(normaliser, type)));
  Value label = adjoint.oneHot(getTarget(), type, 0);
  Value slope = adjoint.mul(adjoint.sub(probability, label), adjoint.splat(gradient, type));
  Value isLabel = adjoint.inRange(getTarget(), type.getDims()[0].getValue());
  adjoint.addTo(x, slope, Condition{isLabel, /*holds=*/true, Reach::Row, /*isApplied=*/false});
}

void BinaryCrossEntropyOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value x = getPrediction();
  Value error = adjoint.sub(adjoint.make<SigmoidOp>(x.getType(), x), getTarget());
  adjoint.addTo(x, adjoint.mul(error, shareOfMean(adjoint, gradient, fieldOf(x))));
}

void MeanSquaredErrorOp::buildAdjoint(AdjointBuilder &adjoint, Value gradient) {
  Value error = adjoint.sub(getPrediction(), getTarget());
  Value slope =
      adjoint.mul(adjoint.mul(error, adjoint.constant(error, 2)), shareOfMean(adjoint, gradient, fieldOf(error)));
  adjoint.addTo(getPrediction(), slope);
  if (adjoint.wants(getTarget()))
    adjoint.addTo(getTarget(), adjoint.neg(slope));
}
