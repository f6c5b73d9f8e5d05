//===- FieldIds.cpp - Positions, ids and random numbers -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that depend on where they are: one-hot vectors, entries of tables, original ids, types of edges, and the
// masks of dropout, which are hashes of ids.
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelElements.h"
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

/// `local` as a number of `table`, or itself where there is no table.
Value Ids::lookUpId(llvm::StringRef table, Value local) {
  return b.choose(
      function.isGiven(table), b.i64(), [&] { return b.load(function.array(table, b.i64()), local); },
      [&] { return b.create<arith::IndexCastOp>(b.i64(), local); });
}

Value Ids::edgeIdAt(Value edge) {
  return b.choose(
      function.isGiven("block.edge_id32"), b.i64(),
      [&] {
        Value id = b.load(function.array("block.edge_id32", b.i32()), edge);
        return b.create<arith::ExtUIOp>(b.i64(), id);
      },
      [&] { return lookUpId("block.edge_id", edge); });
}

Value Ids::edgeId() {
  return originalId(position.edge,
                    [&] { return ofEdge(EdgeRun::Number::Id, [&](Value edge) { return edgeIdAt(edge); }); });
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
  auto read = [&](Value edge) { return b.load(types, edge); };
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
  traits.canBeDealt = isLast(fieldType(op.getResult()), op.getDim());
}

static Value emitElement(FieldEmitter &fields, OneHotOp op, const Point &point) {
  LoopBuilder &b = fields.b;
  FieldType type = fieldType(op.getResult());
  unsigned dim = op.getDim();
  bool last = isLast(type, dim);
  Point inner = point;
  inner.coords.erase(inner.coords.begin() + dim);
  if (last)
    inner.lanes = 0;
  Value index = fields.element(op.getIndex(), inner);
  Type indexType = getElementTypeOrSelf(index);
  Value wanted = last ? fields.points.splat(index, point) : index;
  Value here = fields.points.positions(type, dim, point.coords[dim], indexType, point);
  Value hit = b.isEqual(here, wanted);
  return b.select(hit, fields.points.number(1, type.getElement(), point),
                  fields.points.number(0, type.getElement(), point));
}

/// Whether `table` has an entry `number`.
static Value hasEntry(FieldEmitter &fields, FieldType table, Value number) {
  LoopBuilder &b = fields.b;
  return b.at(b.scopeOf(number), [&] {
    Value entry = b.toIndex(number);
    return b.isBelow(entry, fields.function.extent(table.getDim(0)));
  });
}

Value whereInside(FieldEmitter &fields, Value field, FieldType table, const Point &point,
                  llvm::function_ref<Value(Index)> pick) {
  LoopBuilder &b = fields.b;
  Value number = fields.element(field, {});
  Value isInside = hasEntry(fields, table, number);
  Type element = table.getElement();
  return b.choose(
      isInside, typeAt(element, point),
      [&] { return pick(b.toIndex(number)); }, // cast in the branch, so that what uses it stays there
      [&] { return fields.points.number(0, element, point); });
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
  auto pick = [&](Index entry) { return fields.element(op.getTable(), point.withCoord(0, entry)); };
  if (fields.function.machine().hasCheapBranches || known(fields.function.extent(table.getDim(0))).value_or(0) == 0)
    return whereInside(fields, op.getIndex(), table, point, pick);
  // Loads in a branch would wait for those before it: an edge without an entry loads the first in vain.
  Value number = fields.element(op.getIndex(), {});
  Value isInside = hasEntry(fields, table, number);
  Value entry = b.at(b.scopeOf(number), [&] {
    Value any = b.toIndex(number);
    return b.select(isInside, any, b.constant(0));
  });
  Value picked = pick(entry);
  return fields.points.select(isInside, picked, fields.points.number(0, table.getElement(), point));
}

//===----------------------------------------------------------------------===//
// Random numbers (docs/dev/abi.md)
//===----------------------------------------------------------------------===//

static Value mix64(FieldEmitter &fields, Value z) {
  LoopBuilder &b = fields.b;
  auto shifted = [&](unsigned bits) { z = b.create<arith::XOrIOp>(z, b.create<arith::ShRUIOp>(z, b.number64(bits))); };
  shifted(30);
  z = b.mulHere(z, b.number64(0xbf58476d1ce4e5b9));
  shifted(27);
  z = b.mulHere(z, b.number64(0x94d049bb133111eb));
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
    id = fields.ids.ofEnd(/*isDestination=*/true);
  else
    id = fields.ids.edgeId();
  const Point key{{}, ~0u}; // no point of a field
  return fields.computed.once(b, op.getResult(), key, b.scopeOf(id), [&] {
    Value site = b.at(0, [&] {
      Value step = b.load(fields.function.array("random.step_key", b.i64()), b.constant(0));
      Value given = fields.function.parameter(op, b.i64());
      Value ofSite = given ? b.mulHere(given, b.number64(golden)) : b.number64(op.getSite() * golden);
      return mix64(fields, b.create<arith::XOrIOp>(step, ofSite));
    });
    return mix64(fields, b.addHere(site, b.mulHere(id, b.number64(golden))));
  });
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
  Value high = b.create<arith::TruncIOp>(i32, b.create<arith::ShRUIOp>(key, b.number64(32)));
  auto number = [&](uint32_t value) { return fields.points.splat(b.number32(value), point); };
  auto shifted = [&](Value x, unsigned bits) { return b.create<arith::ShRUIOp>(x, number(bits)); };
  constexpr uint32_t stride = 0x9e3779b9;
  Value first;
  if (op.getSparse())
    first = b.create<arith::TruncIOp>(i32, fields.ids.ofEnd(/*isDestination=*/false));
  else
    first = b.create<arith::IndexCastOp>(i32, b.value(fields.memory.linear(type, point.coords)));
  // Multiplied before it is repeated for the lanes: one number is, not a vector.
  Value x = fields.points.splat(b.addHere(low, b.mulHere(first, b.number32(stride))), point);
  if (!op.getSparse() && point.lanes != 0)
    x = b.addHere(x, laneMultiples(fields, stride, point));
  x = b.create<arith::XOrIOp>(x, shifted(x, 16));
  x = b.mulHere(x, number(0x7feb352d));
  // x ^= high; x ^= x >> 15, with what depends on the row alone put together.
  Value highFolded = b.create<arith::XOrIOp>(high, b.create<arith::ShRUIOp>(high, b.number32(15)));
  x = b.create<arith::XOrIOp>(b.create<arith::XOrIOp>(x, shifted(x, 15)), fields.points.splat(highFolded, point));
  x = b.mulHere(x, number(0x846ca68b));
  x = b.create<arith::XOrIOp>(x, shifted(x, 16));

  double probability = op.getProbability().convertToDouble();
  // A probability of 1 has the threshold 2^32, which no x reaches.
  double threshold = std::floor(probability * 4294967296.0);
  if (threshold >= 4294967296.0)
    return fields.points.number(0, type.getElement(), point);
  Value kept = b.compare(arith::CmpIPredicate::uge, x, number(static_cast<uint32_t>(threshold)));
  return b.select(kept, fields.points.number(1 / (1 - probability), type.getElement(), point),
                  fields.points.number(0, type.getElement(), point));
}

void attachIdOps(MLIRContext &context) {
  attachElementModels<EdgeIdOp, EdgeTypeOp, VertexIdOp, OneHotOp, IndexOp, DropoutMaskOp>(context);
}

} // namespace gnnc
