//===- FieldOps.cpp - Elements of the results of gnn ops ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of each op of a region for one point of its result.
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelElements.h"
#include "compiler/Kernels/Passes.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Star/IR/Star.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The operands of `op`. No bit depends on the order of those of a sum or a product, so they come in the order in which
/// the kernel has them: kernels that differ in it alone have one body.
static Values operandsOf(Operation *op) {
  Values operands = op->getOperands();
  auto isBefore = [](Value a, Value b) {
    auto argument = dyn_cast<BlockArgument>(a), other = dyn_cast<BlockArgument>(b);
    if (argument && other)
      return argument.getArgNumber() < other.getArgNumber();
    return argument || other ? bool(argument) : a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  };
  if (isa<gnn::AddOp, gnn::MulOp>(op) && isBefore(operands[1], operands[0]))
    std::swap(operands[0], operands[1]);
  return operands;
}

//===----------------------------------------------------------------------===//
// Elementwise ops, constants and softmaxes
//===----------------------------------------------------------------------===//

static void setTraits(ElementTraits &traits, ElementwiseOpInterface) { traits.setPointwise(); }

static Value emitElement(FieldEmitter &fields, ElementwiseOpInterface op, const Point &point) {
  LoopBuilder &b = fields.b;
  Value field = op->getResult(0);
  if (fields.points.isLaneOfVector(point))
    return fields.extractLane(field, point);
  Values operands;
  for (Value operand : operandsOf(op))
    operands.push_back(fields.element(operand, point));
  // Lanes that mean nothing may have a 0, and processors trap where an integer is divided by that.
  if (Type element = fieldType(field).getElement(); isa<DivOp>(op) && !isa<FloatType>(element))
    operands[1] = fields.points.select(fields.points.mask(fieldType(field), point), operands[1],
                                       fields.points.number(1, element, point));
  return op.buildElement(b.builder(), b.loc(), operands);
}

static void setConstant(ElementTraits &traits) {
  traits.setPointwise();
  traits.isFree = true;
}

static void setTraits(ElementTraits &traits, gnn::ConstantOp) { setConstant(traits); }

static Value emitElement(FieldEmitter &fields, gnn::ConstantOp op, const Point &point) {
  Value number = fields.function.parameter(op, op.getValue().getType());
  return number ? fields.points.splat(number, point) : fields.points.constant(op.getValue(), point);
}

static void setTraits(ElementTraits &traits, ExtentOp) { setConstant(traits); }

static Value emitElement(FieldEmitter &fields, ExtentOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  DimExpr expr = *DimExpr::parse(op.getValue());
  Value number = b.create<arith::IndexCastOp>(b.i64(), b.value(fields.function.extent(expr)));
  return fields.points.splat(ElementBuilder(b.builder(), b.loc()).cast(number, fieldType(op).getElement()), point);
}

static void setTraits(ElementTraits &traits, star::OnlineSoftmaxOp) {
  traits.setPointwise(PositionRead::Edge);
  traits.isStored = true; // before the state changes: kept for all that weights the edge
}

/// Both results at once; the other is found when it is asked for.
static Value emitElement(FieldEmitter &fields, star::OnlineSoftmaxOp op, Value field, const Point &point) {
  LoopBuilder &b = fields.b;
  if (fields.points.isLaneOfVector(point))
    return fields.extractLane(field, point);
  Value largest = fields.runningMax(op.getReduction(), point), score = fields.element(op.getScore(), point);
  auto [decay, weight] = star::SoftmaxSumAttr::buildFactors(b.builder(), b.loc(), largest, score);
  bool isDecay = field == op.getDecay();
  Value other = isDecay ? op.getWeight() : op.getDecay();
  fields.computed.add(other, point, fields.poisoned(other, point, isDecay ? weight : decay), b.block(b.top()));
  return isDecay ? decay : weight;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// Fields that are built lane by lane are worth being unrolled up to a vector or two.
static constexpr unsigned maxVectorsByLanes = 2;

static void setTraits(ElementTraits &traits, gnn::BroadcastOp op) {
  traits.setPointwise();
  traits.isFree = true;
  traits.use = OperandUse::Several;
  traits.canBeDealt = isInput(op.getOperand()) || llvm::equal(op.getDims(), llvm::seq<int64_t>(0, op.getDims().size()));
}

static Value emitElement(FieldEmitter &fields, gnn::BroadcastOp op, const Point &point) {
  ArrayRef<int64_t> dims = op.getDims();
  bool keepsLast = !dims.empty() && isLast(fieldType(op.getResult()), dims.back());
  Point inner{{}, keepsLast ? point.lanes : 0};
  for (int64_t dim : dims)
    inner.coords.push_back(point.coords[dim]);
  Value value = fields.element(op.getOperand(), inner);
  return keepsLast ? value : fields.points.splat(value, point);
}

/// The element or vector of `field` at a point with known coordinates, lane by lane.
static Value emitLanes(FieldEmitter &fields, Value field, const Point &point,
                       llvm::function_ref<Value(ArrayRef<int64_t>)> lane) {
  if (point.lanes)
    return fields.assemble(field, point, lane);
  return lane(llvm::map_to_vector(point.coords, [](Index coord) { return *known(coord); }));
}

static void setTraits(ElementTraits &traits, ReshapeOp) {
  traits.isFree = true;
  traits.use = OperandUse::All;
  traits.maxVectors = maxVectorsByLanes;
}

static Value emitElement(FieldEmitter &fields, ReshapeOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType to = fieldType(op.getResult());
  if (std::optional<Memory> memory = fields.memoryOf(op.getOperand()))
    return fields.memory.load(*memory, to.getElement(), to, point);
  FieldType from = fieldType(op.getOperand());
  auto lane = [&](ArrayRef<int64_t> coords) {
    int64_t position = *known(fields.memory.linear(to, indices(b, coords)));
    Point inner;
    for (unsigned i = from.getRank(); i-- > 0;) {
      int64_t size = *from.getDim(i).constant();
      inner.coords.insert(inner.coords.begin(), b.constant(position % size));
      position /= size;
    }
    return fields.element(op.getOperand(), inner);
  };
  return emitLanes(fields, op.getResult(), point, lane);
}

static void setTraits(ElementTraits &traits, SliceOp) { traits.isFree = true; }

static Value emitElement(FieldEmitter &fields, SliceOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  Point inner = point;
  FieldType from = fieldType(op.getOperand());
  bool last = isLast(from, op.getDim());
  Index &coord = inner.coords[op.getDim()];
  Index offset = fields.function.extent(*DimExpr::parse(op.getOffset()));
  coord = fields.points.shift(coord, offset, last ? point.lanes : 0);
  if (last && fields.points.isWholeAt(point.coords.back()))
    fields.points.setWholeAt(coord);
  bool aligned =
      !last || point.lanes == 0 ||
      (fields.points.unrolled && point.lanes == fields.points.lanes(from) && *known(coord) % point.lanes == 0);
  if (fields.memoryOf(op.getOperand()) || !fields.points.unrolled || aligned)
    return fields.element(op.getOperand(), inner);
  return fields.assemble(op.getResult(), point, [&](ArrayRef<int64_t> coords) {
    Point lane{indices(b, coords), 0};
    lane.coords[op.getDim()] = b.add(lane.coords[op.getDim()], offset);
    return fields.element(op.getOperand(), lane);
  });
}

static void setTraits(ElementTraits &traits, TransposeOp op) {
  // Elements side by side that are not so in the operand.
  traits.isScalar = traits.isStored = !isLast(fieldType(op.getResult()), op.getPermutation().back());
  traits.maxVectors = 0;
}

static Value emitElement(FieldEmitter &fields, TransposeOp op, const Point &point) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  assert((point.lanes == 0 || isLast(fieldType(op.getOperand()), permutation.back())) &&
         "elements that are not side by side are asked for one by one");
  Point inner = point;
  for (auto [i, from] : llvm::enumerate(permutation))
    inner.coords[from] = point.coords[i];
  return fields.element(op.getOperand(), inner);
}

static void setParts(FieldParts &all, ConcatOp op) {
  all.dim = op.getDim();
  DimExpr offset;
  for (Value operand : op.getOperands()) {
    all.parts.push_back({operand, offset});
    offset = *offset.add(fieldType(operand).getDim(all.dim));
  }
}

static void setParts(FieldParts &all, PadOp op) {
  all = {unsigned(op.getDim()), {{op.getOperand(), *DimExpr::parse(op.getOffset())}}, /*hasGaps=*/true};
}

static void setMadeOfParts(ElementTraits &traits) {
  traits.isStored = true;
  traits.maxVectors = maxVectorsByLanes;
}

static Value emitOfParts(FieldEmitter &fields, Operation *op, const Point &point) {
  LoopBuilder &b = fields.b;
  Value field = op->getResult(0);
  const FieldParts all = cast<KernelElementInterface>(op).getParts();
  return emitLanes(fields, field, point, [&](ArrayRef<int64_t> coords) -> Value {
    Point inner{indices(b, coords), 0};
    for (const FieldParts::Part &part : all.parts) {
      const int64_t position = coords[all.dim] - *part.offset.constant();
      if (position < 0 || position >= *fieldType(part.field).getDim(all.dim).constant())
        continue;
      inner.coords[all.dim] = b.constant(position);
      return fields.element(part.field, inner);
    }
    return fields.points.number(0, fieldType(field).getElement(), {});
  });
}

static void setTraits(ElementTraits &traits, ConcatOp) { setMadeOfParts(traits); }
static void setTraits(ElementTraits &traits, PadOp) { setMadeOfParts(traits); }
static Value emitElement(FieldEmitter &fields, ConcatOp op, const Point &point) {
  return emitOfParts(fields, op, point);
}
static Value emitElement(FieldEmitter &fields, PadOp op, const Point &point) { return emitOfParts(fields, op, point); }

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

ElementTraits traitsOf(Operation *op) {
  auto element = dyn_cast<KernelElementInterface>(op);
  return element ? element.getTraits() : ElementTraits();
}

void attachShapeOps(MLIRContext &context) {
  attachElementModels<gnn::ConstantOp, ExtentOp, star::OnlineSoftmaxOp, gnn::BroadcastOp, ReshapeOp, SliceOp,
                      TransposeOp, ConcatOp, PadOp>(context);
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ElementwiseOpInterface>())
      name.attachInterface<ElementModel<ElementwiseOpInterface>>();
}

void registerKernelElements(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GnnDialect *, star::StarDialect *) {
    attachShapeOps(*context);
    attachFoldOps(*context);
    attachIdOps(*context);
  });
}

} // namespace gnnc

#include "compiler/Kernels/KernelElements.cpp.inc"
