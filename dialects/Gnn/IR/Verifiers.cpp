//===- Verifiers.cpp - Verifiers and builders of gnn ops ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of each op beyond its operand constraints.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// Fails unless `b` is `a` but for shape and element type.
static LogicalResult sameKind(Operation *op, FieldType a, FieldType b) {
  if (a.getKind() == b.getKind() && a.getId() == b.getId())
    return success();
  return op->emitOpError() << "has operand " << a << " and result " << b << ", which are not of one graph kind";
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Fails unless the tables of the model have an entry for the id of `type`.
static LogicalResult verifyId(Operation *op, ModelAttr model, FieldType type) {
  size_t entries = type.isVertex() ? model.getVertexTypes().size() : model.getRelations().size();
  if (type.isParameter() || type.getId() < entries)
    return success();
  return op->emitOpError() << "is of " << (type.isVertex() ? "vertex type " : "relation ") << type.getId()
                           << ", but the model has " << entries;
}

/// Fails unless vertices of type `vertexType` are at `end` of `relation`.
static LogicalResult verifyEnd(Operation *op, ModelAttr model, End end, uint64_t relation, uint64_t vertexType) {
  RelationAttr edges = model.getRelations()[relation];
  uint64_t expected = end == End::Source ? edges.getSource() : edges.getDestination();
  if (vertexType == expected)
    return success();
  return op->emitOpError() << "is at the " << stringifyEnd(end) << " of relation " << relation
                           << ", whose vertices are of type " << expected << ", not " << vertexType;
}

/// Verifies `op`, which counts edges at an end of a relation.
static LogicalResult verifyCounted(Operation *op, ModelAttr model, End end, uint64_t relation) {
  ArrayRef<RelationAttr> relations = model.getRelations();
  if (relation >= relations.size())
    return op->emitOpError() << "is of relation " << relation << ", but the model has " << relations.size();
  if (relations[relation].getPairs())
    return op->emitOpError() << "is of pairs, which are no edges of the graph";
  return verifyEnd(op, model, end, relation, fieldOf(op->getResult(0)).getId());
}

/// Verifies the ids of `op` against the tables of the model.
static LogicalResult verifyInModel(Operation *op, ModelAttr model) {
  for (Value result : op->getResults())
    if (failed(verifyId(op, model, fieldOf(result))))
      return failure();
  auto endsAt = [&](End end, Value edges, uint64_t vertexType) {
    return verifyEnd(op, model, end, fieldOf(edges).getId(), vertexType);
  };
  if (auto degree = dyn_cast<DegreeOp>(op))
    return verifyCounted(op, model, degree.getKind() == DegreeKind::In ? End::Destination : End::Source,
                         degree.getRelation());
  if (auto count = dyn_cast<CountOp>(op))
    return verifyCounted(op, model, count.getToward(), count.getRelation());
  if (auto read = dyn_cast<ReadSourceOp>(op))
    return endsAt(End::Source, read.getResult(), fieldOf(read.getOperand()).getId());
  if (auto read = dyn_cast<ReadDestinationOp>(op))
    return endsAt(End::Destination, read.getResult(), fieldOf(read.getOperand()).getId());
  if (auto aggregate = dyn_cast<AggregateOp>(op))
    return endsAt(aggregate.getToward(), aggregate.getOperand(), fieldOf(aggregate.getResult()).getId());
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return endsAt(softmax.getToward(), softmax.getOperand(), softmax.getVertexType());
  return success();
}

ReturnOp ProgramOp::getReturn() { return llvm::cast<ReturnOp>(getBody().front().getTerminator()); }

LogicalResult ProgramOp::verifyRegions() {
  if (!isa_and_nonnull<ReturnOp>(getBody().front().empty() ? nullptr : &getBody().front().back()))
    return emitOpError() << "ends in gnn.return";
  ModelAttr model = ModelAttr::of(*this);
  if (!model)
    return success();
  return success(llvm::all_of(getBody().front(), [&](Operation &op) { return succeeded(verifyInModel(&op, model)); }));
}

LogicalResult ReturnOp::verify() {
  if (getRoles().size() == getNumOperands())
    return success();
  return emitOpError() << "has " << getNumOperands() << " results but " << getRoles().size() << " roles";
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

void ConstantOp::build(OpBuilder &builder, OperationState &state, FieldType type, double number) {
  build(builder, state, type, numberAttr(type.getElement(), number));
}

LogicalResult ConstantOp::verify() {
  if (getValue().getType() == fieldOf(getResult()).getElement())
    return success();
  return emitOpError() << "has a number of type " << getValue().getType() << " for a " << getResult().getType();
}

LogicalResult EdgeTypeOp::verify() {
  FieldType type = fieldOf(getResult());
  if (type.getKind() == GraphKind::E && type.getRank() == 0 && type.getElement().isInteger(32))
    return success();
  return emitOpError() << "is one i32 for each edge (E)";
}

LogicalResult DegreeOp::verify() {
  if (fieldOf(getResult()).getRank() <= 1)
    return success();
  return emitOpError() << "is one number for each vertex, or one for each type of edges";
}

LogicalResult CountOp::verify() {
  if (fieldOf(getResult()).getRank() <= 1)
    return success();
  return emitOpError() << "is one number for each vertex, or one for each type of edges";
}

LogicalResult DropoutMaskOp::verify() {
  if (fieldOf(getResult()).getKind() != GraphKind::V && fieldOf(getResult()).getKind() != GraphKind::E)
    return emitOpError() << "is drawn for each vertex (V) or each edge (E)";
  double probability = getProbability().convertToDouble();
  if (!(probability >= 0 && probability < 1))
    return emitOpError() << "has a probability outside [0, 1)";
  return success();
}

//===----------------------------------------------------------------------===//
// Elementwise and shape
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  FieldType from = fieldOf(getOperand()), to = fieldOf(getResult());
  if (from.withElement(to.getElement()) == to)
    return success();
  return emitOpError() << "changes more than the element type";
}

LogicalResult BroadcastOp::verify() {
  FieldType from = fieldOf(getOperand()), to = fieldOf(getResult());
  if (failed(sameKind(*this, from, to)))
    return failure();
  if (getDims().size() != from.getRank())
    return emitOpError() << "needs one position for each of " << from.getRank() << " operand dimensions";
  int64_t previous = -1;
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    if (dim <= previous || dim >= to.getRank())
      return emitOpError() << "has positions that do not increase within the result's rank";
    if (from.getDims()[index] != to.getDims()[dim])
      return emitOpError() << "has operand dimension " << from.getDims()[index] << " at result dimension "
                           << to.getDims()[dim];
    previous = dim;
  }
  if (from.getElement() != to.getElement())
    return emitOpError() << "changes the element type";
  return success();
}

LogicalResult OneHotOp::verify() {
  FieldType index = fieldOf(getIndex()), to = fieldOf(getResult());
  if (failed(sameKind(*this, index, to)))
    return failure();
  if (getDim() >= to.getRank() || withoutDim(to, getDim()).getDims() != index.getDims())
    return emitOpError() << "must add dimension " << getDim() << " to the shape of its operand";
  return success();
}

LogicalResult ReshapeOp::verify() {
  FieldType from = fieldOf(getOperand()), to = fieldOf(getResult());
  if (failed(sameKind(*this, from, to)))
    return failure();
  if (from.getElement() != to.getElement() || from.getNumElements() != to.getNumElements())
    return emitOpError() << "must keep element type and number of elements: " << from.getNumElements().str()
                         << " is not " << to.getNumElements().str();
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getOperands().empty())
    return emitOpError() << "needs operands";
  FieldType first = fieldOf(getOperands().front());
  if (getDim() >= first.getRank())
    return emitOpError() << "has no dimension " << getDim();
  SmallVector<FieldType> types;
  DimExpr sum;
  for (Value operand : getOperands()) {
    FieldType type = fieldOf(operand);
    if (type.getRank() != first.getRank() ||
        withoutDim(type, getDim()).getDims() != withoutDim(first, getDim()).getDims() ||
        type.getElement() != first.getElement())
      return emitOpError() << "has operands that differ in more than dimension " << getDim();
    sum = *sum.add(type.getDim(getDim()));
    types.push_back(type);
  }
  FailureOr<FieldType> joined = joinKinds(getLoc(), types);
  if (failed(joined))
    return failure();
  SmallVector<StringAttr> dims(first.getDims());
  dims[getDim()] = StringAttr::get(getContext(), sum.str());
  if (joined->withDims(dims) != getResult().getType())
    return emitOpError() << "should have the result type " << joined->withDims(dims);
  return success();
}

/// `small` is part of `large` along `dim`.
static LogicalResult verifyPart(Operation *op, FieldType small, FieldType large, uint64_t dim, StringRef offset) {
  if (failed(sameKind(op, small, large)))
    return failure();
  if (small.getRank() != large.getRank() || dim >= small.getRank() ||
      withoutDim(small, dim).getDims() != withoutDim(large, dim).getDims() || small.getElement() != large.getElement())
    return op->emitOpError() << "must change dimension " << dim << " only";
  if (!DimExpr::parse(offset))
    return op->emitOpError() << "has an offset that is not a dimension";
  return success();
}

LogicalResult PadOp::verify() {
  return verifyPart(*this, fieldOf(getOperand()), fieldOf(getResult()), getDim(), getOffset());
}
LogicalResult SliceOp::verify() {
  return verifyPart(*this, fieldOf(getResult()), fieldOf(getOperand()), getDim(), getOffset());
}

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value operand, ArrayRef<int64_t> permutation) {
  FieldType type = fieldOf(operand);
  SmallVector<StringAttr> dims = llvm::map_to_vector(permutation, [&](int64_t dim) { return type.getDims()[dim]; });
  build(builder, state, type.withDims(dims), operand, permutation);
}

LogicalResult TransposeOp::verify() {
  FieldType from = fieldOf(getOperand()), to = fieldOf(getResult());
  ArrayRef<int64_t> permutation = getPermutation();
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.getRank())))
    return emitOpError() << "needs each of " << from.getRank() << " operand dimensions once";
  SmallVector<StringAttr> dims = llvm::map_to_vector(permutation, [&](int64_t dim) { return from.getDims()[dim]; });
  if (from.withDims(dims) != to)
    return emitOpError() << "should have the result type " << from.withDims(dims);
  return success();
}

//===----------------------------------------------------------------------===//
// Products and tables
//===----------------------------------------------------------------------===//

void MatMulOp::build(OpBuilder &builder, OperationState &state, Value x, Value w, bool transposeW) {
  build(builder, state, x, w, transposeW ? builder.getUnitAttr() : UnitAttr());
}

void TypedMatMulOp::build(OpBuilder &builder, OperationState &state, Value x, Value w, Value index, bool transposeW) {
  build(builder, state, x, w, index, transposeW ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult MatMulTNOp::verify() {
  FieldType x = fieldOf(getX()), g = fieldOf(getG()), w = fieldOf(getResult());
  if (x.isEdge() || g.isEdge())
    return emitOpError() << "multiplies vertex fields or parameters";
  if (failed(joinKinds(getLoc(), {x, g})))
    return failure();
  unsigned inner = w.getRank() - 1;
  if (w.getRank() == 0 || x.getRank() == 0 || g.getRank() != x.getRank() - 1 + inner ||
      x.getDims().drop_back() != g.getDims().drop_back(inner) || x.getDims().back() != w.getDims().front() ||
      g.getDims().take_back(inner) != w.getDims().drop_front())
    return emitOpError() << "has shapes other than [a.., k], [a.., b..] -> [k, b..]";
  if (x.getElement() != g.getElement() || x.getElement() != w.getElement())
    return emitOpError() << "has different element types";
  return success();
}

static LogicalResult verifyTable(Operation *op, FieldType table, FieldType rows) {
  if (table.getRank() == 0 || table.getDims().drop_front() != rows.getDims() || table.getElement() != rows.getElement())
    return op->emitOpError() << "turns a parameter [n, rest..] into vertices [rest..], or back";
  return success();
}

LogicalResult TableRowsOp::verify() { return verifyTable(*this, fieldOf(getTable()), fieldOf(getResult())); }
LogicalResult RowsTableOp::verify() { return verifyTable(*this, fieldOf(getResult()), fieldOf(getRows())); }

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

static LogicalResult verifyRead(Operation *op, GraphKind kind, FieldType from, FieldType to) {
  if (from.withKind(kind, to.getId()) == to)
    return success();
  return op->emitOpError() << "should have a result of kind " << stringifyGraphKind(kind)
                           << " with the operand's shape";
}

LogicalResult ReadSourceOp::verify() {
  return verifyRead(*this, GraphKind::S, fieldOf(getOperand()), fieldOf(getResult()));
}
LogicalResult ReadDestinationOp::verify() {
  return verifyRead(*this, GraphKind::D, fieldOf(getOperand()), fieldOf(getResult()));
}

LogicalResult TotalOp::verify() {
  if (getOnes() && !isa<SumAttr>(getAggregator()))
    return emitOpError() << "folds ones by #gnn.sum";
  if (isa<SumAttr, MaxAttr, MinAttr>(getAggregator()))
    return success();
  return emitOpError() << "folds by #gnn.sum, #gnn.max or #gnn.min";
}

/// The type of an aggregate of `operand`. With `byDim`, there is one aggregate for each entry of that dimension.
static FieldType aggregatedType(FieldType operand, unsigned vertexType, StringAttr byDim) {
  SmallVector<StringAttr> dims(operand.getDims());
  if (byDim)
    dims.insert(dims.begin(), byDim);
  return operand.withKind(GraphKind::V, vertexType).withDims(dims);
}

void AggregateOp::build(OpBuilder &builder, OperationState &state, AggregatorInterface aggregator, Value operand,
                        Value filter, Value by, StringAttr byDim, End toward, unsigned vertexType) {
  FieldType result = aggregatedType(fieldOf(operand), vertexType, byDim);
  Type arg = aggregator.tracksArg() ? result.withElement(builder.getI64Type()) : FieldType();
  build(builder, state, result, arg, aggregator, operand, filter, by, EndAttr::get(builder.getContext(), toward));
}

void AggregateOp::build(OpBuilder &builder, OperationState &state, AggregatorInterface aggregator, Value operand,
                        Value filter, End toward, unsigned vertexType) {
  build(builder, state, aggregator, operand, filter, Value(), StringAttr(), toward, vertexType);
}

static LogicalResult verifyFilter(Operation *op, Value operand, Value filter) {
  if (!filter)
    return success();
  if (fieldOf(filter).getRank() != 0 || fieldOf(filter).getId() != fieldOf(operand).getId())
    return op->emitOpError() << "needs a filter with one bool for each edge of the same relation";
  return success();
}

LogicalResult AggregateOp::verify() {
  FieldType operand = fieldOf(getOperand()), result = fieldOf(getResult());
  if (!isa<GnnDialect>(getAggregator().getDialect()))
    return emitOpError() << "has an aggregator that only sweeps know";
  if (getBy() && (fieldOf(getBy()).getRank() != 0 || fieldOf(getBy()).getId() != operand.getId()))
    return emitOpError() << "needs one integer for each edge of the same relation to fold by";
  if (getBy() && result.getRank() == 0)
    return emitOpError() << "needs a first dimension of the result for what it folds by";
  if (aggregatedType(operand, result.getId(), getByDim()) != result)
    return emitOpError() << "should have a vertex field of the operand's shape and element type as result"
                         << (getBy() ? ", with a new first dimension" : "");
  bool hasArg = static_cast<bool>(getArg());
  if (hasArg != getAggregator().tracksArg())
    return emitOpError() << (hasArg ? "has an arg that its aggregator does not track"
                                    : "has no arg though its aggregator tracks one");
  if (hasArg && getArg().getType() != result.withElement(IntegerType::get(getContext(), 64)))
    return emitOpError() << "should have an arg of i64 in the shape of the result";
  return verifyFilter(*this, getOperand(), getFilter());
}

LogicalResult SoftmaxOp::verify() {
  FieldType operand = fieldOf(getOperand()), result = fieldOf(getResult());
  if (!operand.isReal() || operand.withKind(GraphKind::E, operand.getId()) != result)
    return emitOpError() << "turns a real edge field into an E field of the same shape";
  return verifyFilter(*this, getOperand(), getFilter());
}

LogicalResult SoftmaxSumOp::verify() {
  AggregateOp normaliser = getNormaliserOp();
  if (!normaliser || !isa<LogSumExpAttr>(normaliser.getAggregator()) || normaliser.getFilter() || normaliser.getBy())
    return emitOpError() << "should have the result of a plain `gnn.aggregate #gnn.logsumexp` as normaliser";
  FieldType operand = fieldOf(getOperand()), result = fieldOf(getResult()), edges = fieldOf(normaliser.getOperand());
  if (operand.isVertex() || (operand.isEdge() && operand.getId() != edges.getId()))
    return emitOpError() << "should sum a field of the edges that its normaliser is folded from";
  if (operand.withKind(GraphKind::V, fieldOf(getNormaliser()).getId()) != result)
    return emitOpError() << "should have a vertex field of the operand's shape and element type as result";
  ArrayRef<int64_t> dims = getDims();
  if (dims.size() != edges.getRank() || edges.getElement() != operand.getElement())
    return emitOpError() << "should say for each dimension of the normaliser which of the operand it is";
  for (auto [index, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= int64_t(operand.getRank()) || (index && dim <= dims[index - 1]) ||
        operand.getDims()[dim] != edges.getDims()[index])
      return emitOpError() << "dimension " << index << " of the normaliser is not dimension " << dim
                           << " of the operand";
  return success();
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static LogicalResult verifyLoss(Operation *op, FieldType prediction, FieldType target, FieldType result) {
  FailureOr<FieldType> joined = joinKinds(op->getLoc(), {prediction, target});
  if (failed(joined))
    return failure();
  if (joined->withDims({}) != result)
    return op->emitOpError() << "should give one number for each vertex, " << joined->withDims({});
  return success();
}

LogicalResult CrossEntropyOp::verify() {
  FieldType prediction = fieldOf(getPrediction()), target = fieldOf(getTarget());
  if (prediction.getRank() != 1 || target.getRank() != 0)
    return emitOpError() << "takes logits [classes] and one class for each vertex";
  return verifyLoss(*this, prediction, target, fieldOf(getResult()));
}

static LogicalResult verifyElementLoss(Operation *op, FieldType prediction, FieldType target, FieldType result) {
  if (prediction.getDims() != target.getDims() || prediction.getElement() != target.getElement())
    return op->emitOpError() << "takes a target of the shape and element type of the prediction";
  return verifyLoss(op, prediction, target, result);
}

LogicalResult BinaryCrossEntropyOp::verify() {
  return verifyElementLoss(*this, fieldOf(getPrediction()), fieldOf(getTarget()), fieldOf(getResult()));
}
LogicalResult MeanSquaredErrorOp::verify() {
  return verifyElementLoss(*this, fieldOf(getPrediction()), fieldOf(getTarget()), fieldOf(getResult()));
}
