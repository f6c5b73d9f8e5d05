//===- FieldEmitter.cpp - Elements of fields ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelElements.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

Value ComputedValues::once(LoopBuilder &b, Value key, const Point &point, unsigned scope,
                           llvm::function_ref<Value()> compute) {
  Block *block = b.block(scope);
  if (auto known = entries.find(key); known != entries.end())
    for (const Computed &entry : known->second)
      if (entry.block == block && entry.point == point)
        return entry.value;
  Value value = b.at(scope, compute);
  add(key, point, value, block);
  return value;
}

void ComputedValues::forget(Block *block) {
  for (auto &entry : entries)
    llvm::erase_if(entry.second, [&](const Computed &element) { return element.block == block; });
}

const FieldEmitter::Bound *FieldEmitter::boundTo(Value field) const {
  auto it = bound.find(field);
  return it != bound.end() && b.scopeOf(it->second.block) ? &it->second : nullptr;
}

std::optional<Memory> FieldEmitter::memoryOf(Value field) {
  if (const Bound *known = boundTo(field))
    return known->memory;
  if (auto reshape = field.getDefiningOp<ReshapeOp>())
    return memoryOf(reshape.getOperand());
  return std::nullopt;
}

Value FieldEmitter::compute(Value field, const Point &point) {
  if (const Bound *known = boundTo(field))
    return boundElement(field, Bound(*known), point);
  assert(field.getDefiningOp() && "a block argument that nobody bound");
  return cast<KernelElementInterface>(field.getDefiningOp()).buildElement(*this, field, point);
}

unsigned FieldEmitter::scopeOf(Value field) {
  auto known = scopes.find(field);
  if (known != scopes.end())
    return known->second;
  unsigned scope = 0;
  if (std::optional<unsigned> own = ownScopeOf(field))
    scope = *own;
  else
    for (Value operand : field.getDefiningOp()->getOperands())
      scope = std::max(scope, scopeOf(operand));
  scopes[field] = scope;
  return scope;
}

std::optional<unsigned> FieldEmitter::ownScopeOf(Value field) {
  if (const Bound *known = boundTo(field))
    return *b.scopeOf(known->block);
  switch (traitsOf(field.getDefiningOp()).reads) {
  case PositionRead::None:
    break;
  case PositionRead::Vertex:
    return b.scopeOf(ids.isOfRow(fieldType(field)) ? position.row : position.col);
  case PositionRead::Edge:
    return b.scopeOf(position.edge);
  }
  return std::nullopt;
}

Value FieldEmitter::element(Value field, const Point &point) {
  if (depth == 0)
    scopes.clear(); // the position may be another
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  unsigned scope = std::max(scopeOf(field), outermost);
  for (Index coord : point.coords)
    scope = std::max(scope, b.scopeOf(coord));
  const Point anyones{point.coords, point.lanes};
  return computed.once(b, field, anyones, scope, [&] { return poisoned(field, anyones, compute(field, anyones)); });
}

Value FieldEmitter::poisoned(Value field, const Point &point, Value value) {
  Value laneMask = function.poisons() ? points.mask(fieldType(field), point) : Value();
  return laneMask ? points.select(laneMask, value,
                                  points.constant(function.meaningless(fieldType(field).getElement()), point))
                  : value;
}

FieldEmitter::Snapshot FieldEmitter::snapshot() const { return {position, bound, computed}; }

void FieldEmitter::restore(Snapshot snapshot) {
  position = snapshot.position;
  bound = std::move(snapshot.bound);
  computed = std::move(snapshot.computed);
}

Value FieldEmitter::boundElement(Value field, const Bound &bound, const Point &point) {
  // A single element that is not there would be read from wherever it were.
  if (bound.memory && !points.bounds.dims.empty() && points.isLaneOfVector(point))
    return extractLane(field, point);
  if (bound.memory)
    return memory.load(*bound.memory, fieldType(field).getElement(), fieldType(field), point);
  for (auto [at, value] : llvm::zip_equal(bound.points, bound.values))
    if (at == point)
      return value;
  if (point.lanes == 0)
    return extractLane(field, point);
  return assemble(field, point, [&](ArrayRef<int64_t> coords) {
    Point lane;
    for (int64_t coord : coords)
      lane.coords.push_back(b.constant(coord));
    return element(field, lane);
  });
}

Value FieldEmitter::extractLane(Value field, const Point &point) {
  Point whole = point;
  FieldType type = fieldType(field);
  whole.lanes = points.lanes(type);
  int64_t last = *known(point.coords.back()), start = last / whole.lanes * whole.lanes;
  whole.coords.back() = b.constant(start);
  return b.create<vector::ExtractOp>(element(field, whole), last - start);
}

Value FieldEmitter::assemble(Value field, const Point &point, llvm::function_ref<Value(ArrayRef<int64_t>)> laneValue) {
  FieldType type = fieldType(field);
  SmallVector<int64_t> coords;
  for (Index coord : point.coords)
    coords.push_back(*known(coord));
  Value result = points.constant(function.meaningless(type.getElement()), point);
  int64_t size = *points.bounds.most(type.getDim(type.getRank() - 1)), start = coords.back();
  for (int64_t lane = 0; lane < point.lanes && start + lane < size; ++lane) {
    coords.back() = start + lane;
    if (Value value = laneValue(coords))
      result = b.create<vector::InsertOp>(value, result, lane);
  }
  return result;
}

} // namespace gnnc
