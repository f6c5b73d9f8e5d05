//===- FieldIds.cpp - Positions, ids and random numbers -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that depend on where they are: one-hot vectors, entries of tables, original ids, types of edges, and the
// masks of dropout, which are hashes of ids.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/KernelElements.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Value EdgeRun::tell(Number number, Value place, llvm::function_ref<Value(Value)> read) {
  LoopBuilder &b = function.loops();
  Value &known = ofMine[static_cast<unsigned>(number)];
  if (!known)
    known = b.at(*b.scopeOf(block), [&] { return read(mine); });
  return function.threads.shuffleFrom(known, place);
}

Value Ids::ofEdge(EdgeRun::Number number, llvm::function_ref<Value(Value)> read) {
  return position.run ? position.run->tell(number, position.placeInRun, read) : read(position.edge);
}

bool Ids::isOfRow(FieldType type) const {
  return type.isVertex() || (type.getKind() == GraphKind::D) == position.rowsAreDestinations;
}

/// `local` as a number of `table`, or itself where there is no table.
Value Ids::lookUpId(llvm::StringRef table, Value local) {
  return b.choose(
      function.isGiven(table), b.i64(), [&] { return b.create<memref::LoadOp>(function.array(table, b.i64()), local); },
      [&] { return b.create<arith::IndexCastOp>(b.i64(), local); });
}

Value Ids::edgeIdAt(Value edge) {
  return b.choose(
      function.isGiven("block.edge_id32"), b.i64(),
      [&] {
        Value id = b.create<memref::LoadOp>(function.array("block.edge_id32", b.i32()), edge);
        return b.create<arith::ExtUIOp>(b.i64(), id);
      },
      [&] { return lookUpId("block.edge_id", edge); });
}

Value Ids::originalId(Value local, llvm::function_ref<Value(Value)> lookUp) {
  unsigned scope = b.scopeOf(local);
  if (Value known = computed.find(local, {}, b.block(scope)))
    return known;
  Value id = b.at(scope, [&] { return lookUp(local); });
  computed.add(local, {}, id, b.block(scope));
  return id;
}

Value Ids::rowId() {
  return originalId(position.row, [&](Value row) { return lookUpId("block.row_id", row); });
}
Value Ids::colId() {
  return originalId(position.col, [&](Value col) { return lookUpId("block.col_id", col); });
}
Value Ids::edgeId() {
  return originalId(position.edge,
                    [&](Value) { return ofEdge(EdgeRun::Number::Id, [&](Value edge) { return edgeIdAt(edge); }); });
}

//===----------------------------------------------------------------------===//
// Ops of ids
//===----------------------------------------------------------------------===//

static void setTraits(ElementTraits &traits, EdgeIdOp) { traits.setPointwise(PositionRead::Edge); }

static Value emitElement(FieldEmitter &fields, EdgeIdOp, const Point &point) {
  return fields.points.splat(fields.ids.edgeId(), point);
}

static void setTraits(ElementTraits &traits, EdgeTypeOp) { traits.setPointwise(PositionRead::Edge); }

static Value emitElement(FieldEmitter &fields, EdgeTypeOp, const Point &point) {
  LoopBuilder &b = fields.b;
  Value types = fields.function.array("block.edge_type", b.i32());
  auto read = [&](Value edge) { return b.create<memref::LoadOp>(types, edge); };
  return fields.points.splat(fields.ids.ofEdge(EdgeRun::Number::Type, read), point);
}

static void setTraits(ElementTraits &traits, VertexIdOp) {
  traits.setPointwise(PositionRead::Vertex);
  traits.readsVertexIds = true;
}

static Value emitElement(FieldEmitter &fields, VertexIdOp op, const Point &point) {
  return fields.points.splat(fields.ids.isOfRow(fieldType(op)) ? fields.ids.rowId() : fields.ids.colId(), point);
}

static void setTraits(ElementTraits &traits, OneHotOp op) {
  traits.use = OperandUse::Several;
  traits.canBeDealt = op.getDim() + 1 == fieldType(op.getResult()).getRank();
}

static Value emitElement(FieldEmitter &fields, OneHotOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType type = fieldType(op.getResult());
  unsigned dim = op.getDim();
  bool last = dim + 1 == type.getRank();
  Point inner = point;
  inner.coords.erase(inner.coords.begin() + dim);
  if (last)
    inner.lanes = 0;
  Value index = fields.element(op.getIndex(), inner);
  Type indexType = getElementTypeOrSelf(index);
  Value wanted = last ? fields.points.splat(index, point) : index;
  Value here = last ? fields.points.positions(point.coords[dim], indexType, point)
                    : fields.points.splat(b.create<arith::IndexCastOp>(indexType, b.value(point.coords[dim])), point);
  Value hit = b.compare(arith::CmpIPredicate::eq, here, wanted);
  return b.create<arith::SelectOp>(hit, fields.points.constant(numberAttr(type.getElement(), 1), point),
                                   fields.points.constant(numberAttr(type.getElement(), 0), point));
}

/// Whether `table` has an entry `number`.
static Value hasEntry(FieldEmitter &fields, FieldType table, Value number) {
  LoopBuilder &b = fields.b;
  return b.at(b.scopeOf(number), [&]() -> Value {
    Value entry = b.toIndex(number);
    return b.compare(arith::CmpIPredicate::ult, entry, fields.function.extent(table.getDim(0)));
  });
}

Value whereInside(FieldEmitter &fields, Value field, FieldType table, const Point &point,
                  llvm::function_ref<Value(Index)> pick) {
  LoopBuilder &b = fields.b;
  Value number = fields.element(field, {});
  Value isInside = hasEntry(fields, table, number);
  Type element = table.getElement();
  Type type = point.lanes ? Type(VectorType::get({point.lanes}, element)) : element;
  return b.choose(
      isInside, type, [&] { return pick(b.toIndex(number)); }, // cast in the branch, so that what uses it stays there
      [&] { return fields.points.constant(cast<TypedAttr>(b.builder().getZeroAttr(element)), point); });
}

bool isInput(Value field) {
  auto argument = dyn_cast<BlockArgument>(field);
  if (!argument)
    return false;
  Region *region = argument.getOwner()->getParent();
  auto kernel = cast<star::KernelOp>(region->getParentOp());
  const bool hasReductions = region == &kernel.getEnd() && kernel.isSweep() && !kernel.getAggregators().empty();
  return !hasReductions || argument.getArgNumber() < kernel.getReduction(0).getArgNumber();
}

static void setTraits(ElementTraits &traits, IndexOp op) {
  traits.isFree = true;
  traits.takesKnownPoints = isa<BlockArgument>(op.getTable());
  traits.canBeDealt = isInput(op.getTable());
}

static Value emitElement(FieldEmitter &fields, IndexOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType table = fieldType(op.getTable());
  auto pick = [&](Index entry) {
    Point inner = point;
    inner.coords.insert(inner.coords.begin(), entry);
    return fields.element(op.getTable(), inner);
  };
  if (fields.function.machine().hasCheapBranches || known(fields.function.extent(table.getDim(0))).value_or(0) == 0)
    return whereInside(fields, op.getIndex(), table, point, pick);
  // Loads in a branch would wait for those before it: an edge without an entry loads the first in vain.
  Value number = fields.element(op.getIndex(), {});
  Value isInside = hasEntry(fields, table, number);
  Value entry = b.at(b.scopeOf(number), [&]() -> Value {
    Value any = b.toIndex(number);
    return b.create<arith::SelectOp>(isInside, any, b.value(b.constant(0)));
  });
  Value picked = pick(entry);
  return fields.points.select(
      isInside, picked, fields.points.constant(cast<TypedAttr>(b.builder().getZeroAttr(table.getElement())), point));
}

//===----------------------------------------------------------------------===//
// Random numbers (docs/dev/abi.md)
//===----------------------------------------------------------------------===//

static Value mix64(FieldEmitter &fields, Value z) {
  LoopBuilder &b = fields.b;
  auto number = [&](uint64_t value) {
    return b.create<arith::ConstantOp>(b.builder().getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  auto shifted = [&](unsigned bits) { z = b.create<arith::XOrIOp>(z, b.create<arith::ShRUIOp>(z, number(bits))); };
  shifted(30);
  z = b.create<arith::MulIOp>(z, number(0xbf58476d1ce4e5b9));
  shifted(27);
  z = b.create<arith::MulIOp>(z, number(0x94d049bb133111eb));
  shifted(31);
  return z;
}

static Value rowKey(FieldEmitter &fields, DropoutMaskOp op) {
  LoopBuilder &b = fields.b;
  constexpr uint64_t golden = 0x9e3779b97f4a7c15;
  Value id;
  if (!fieldType(op.getResult()).isEdge())
    id = fields.ids.rowId();
  else if (op.getSparse())
    id = fields.position.rowsAreDestinations ? fields.ids.rowId() : fields.ids.colId();
  else
    id = fields.ids.edgeId();
  unsigned scope = b.scopeOf(id);
  Point key{{}, ~0u}; // no point of a field
  if (Value known = fields.computed.find(op.getResult(), key, b.block(scope)))
    return known;
  auto number = [&](uint64_t value) -> Value {
    return b.create<arith::ConstantOp>(b.builder().getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  Value site = b.at(0, [&] {
    Value step = b.create<memref::LoadOp>(fields.function.array("random.step_key", b.i64()), b.value(b.constant(0)));
    Value given = fields.function.parameter(op, b.i64());
    Value ofSite = given ? b.create<arith::MulIOp>(given, number(golden)).getResult() : number(op.getSite() * golden);
    return mix64(fields, b.create<arith::XOrIOp>(step, ofSite));
  });
  Value value = b.at(
      scope, [&] { return mix64(fields, b.create<arith::AddIOp>(site, b.create<arith::MulIOp>(id, number(golden)))); });
  fields.computed.add(op.getResult(), key, value, b.block(scope));
  return value;
}

/// 0, factor, 2 factor, ... for the lanes of a point, in 32 bits.
static Value laneMultiples(FieldEmitter &fields, uint32_t factor, const Point &point) {
  LoopBuilder &b = fields.b;
  SmallVector<int32_t> multiples;
  for (unsigned lane = 0; lane < point.lanes; ++lane)
    multiples.push_back(static_cast<int32_t>(lane * factor));
  return b.create<arith::ConstantOp>(b.builder().getI32VectorAttr(multiples));
}

static void setTraits(ElementTraits &traits, DropoutMaskOp op) {
  traits.setPointwise(fieldType(op).isEdge() ? PositionRead::Edge : PositionRead::Vertex);
  traits.readsVertexIds = true;
}

static Value emitElement(FieldEmitter &fields, DropoutMaskOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  if (fields.points.isLaneOfVector(point))
    return fields.extractLane(op.getResult(), point);
  FieldType type = fieldType(op.getResult());
  Type i32 = b.i32();
  Value key = rowKey(fields, op);
  Value low = b.create<arith::TruncIOp>(i32, key);
  Value high = b.create<arith::TruncIOp>(
      i32, b.create<arith::ShRUIOp>(key, b.create<arith::ConstantOp>(b.builder().getI64IntegerAttr(32))));
  auto number = [&](uint32_t value) -> Value {
    return b.create<arith::ConstantOp>(b.builder().getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  auto shifted = [&](Value x, unsigned bits) {
    return b.create<arith::ShRUIOp>(x, fields.points.splat(number(bits), point));
  };
  constexpr uint32_t stride = 0x9e3779b9;
  Value first;
  if (op.getSparse())
    first =
        b.create<arith::TruncIOp>(i32, fields.position.rowsAreDestinations ? fields.ids.colId() : fields.ids.rowId());
  else
    first = b.create<arith::IndexCastOp>(i32, b.value(fields.memory.linear(type, point.coords)));
  // Multiplied before it is repeated for the lanes: one number is, not a vector.
  Value x = fields.points.splat(b.create<arith::AddIOp>(low, b.create<arith::MulIOp>(first, number(stride))), point);
  if (!op.getSparse() && point.lanes != 0)
    x = b.create<arith::AddIOp>(x, laneMultiples(fields, stride, point));
  x = b.create<arith::XOrIOp>(x, shifted(x, 16));
  x = b.create<arith::MulIOp>(x, fields.points.splat(number(0x7feb352d), point));
  // x ^= high; x ^= x >> 15, with what depends on the row alone put together.
  Value highFolded = b.create<arith::XOrIOp>(high, b.create<arith::ShRUIOp>(high, number(15)));
  x = b.create<arith::XOrIOp>(b.create<arith::XOrIOp>(x, shifted(x, 15)), fields.points.splat(highFolded, point));
  x = b.create<arith::MulIOp>(x, fields.points.splat(number(0x846ca68b), point));
  x = b.create<arith::XOrIOp>(x, shifted(x, 16));

  double probability = op.getProbability().convertToDouble();
  // A probability of 1 has the threshold 2^32, which no x reaches.
  double threshold = std::floor(probability * 4294967296.0);
  if (threshold >= 4294967296.0)
    return fields.points.constant(numberAttr(type.getElement(), 0), point);
  Value kept =
      b.compare(arith::CmpIPredicate::uge, x, fields.points.splat(number(static_cast<uint32_t>(threshold)), point));
  return b.create<arith::SelectOp>(kept,
                                   fields.points.constant(numberAttr(type.getElement(), 1 / (1 - probability)), point),
                                   fields.points.constant(numberAttr(type.getElement(), 0), point));
}

void attachIdOps(MLIRContext &context) {
  attachElementModels<EdgeIdOp, EdgeTypeOp, VertexIdOp, OneHotOp, IndexOp, DropoutMaskOp>(context);
}

} // namespace gnnc
