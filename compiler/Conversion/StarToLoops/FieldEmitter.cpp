//===- FieldEmitter.cpp - Elements of fields ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points, and the search for what is already there. How elements lie in memory is in FieldMemory.cpp, what each op
// means in FieldOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/FieldEmitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

FieldType fieldType(Value field) { return cast<FieldType>(field.getType()); }

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::optional<int64_t> Bounds::most(const DimExpr &dim) const {
  auto bound = llvm::find_if(dims, [&](const auto &entry) { return entry.first == dim; });
  return bound == dims.end() ? dim.constant() : std::optional(bound->second);
}

unsigned FieldEmitter::lanes(FieldType type) const {
  if (type.getRank() == 0)
    return 0;
  DimExpr last = type.getDim(type.getRank() - 1);
  std::optional<int64_t> size = bounds.most(last);
  if (function.machine().isDevice)
    return size ? llvm::MinAlign(*size, maxLanes) : last == wideDim ? maxLanes : 1;
  return size && *size < maxLanes ? llvm::PowerOf2Ceil(std::max<int64_t>(*size, 1)) : maxLanes;
}

/// How many elements a run of the last dimension has: none, where an outer coordinate is past what its bound left open.
Index FieldEmitter::lastExtent(FieldType type, ArrayRef<Index> coords) {
  Index size = function.extent(type.getDim(type.getRank() - 1));
  for (unsigned dim = 0; dim + 1 < type.getRank(); ++dim) {
    auto coord = known(coords[dim]);
    if (bounds.dims.empty() || !coord || *coord == 0 || type.getDim(dim).constant())
      continue;
    size = b.at(0, [&]() -> Index {
      Value isInRange = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, b.value(coords[dim]),
                                                b.value(function.extent(type.getDim(dim))));
      return b.create<arith::SelectOp>(isInRange, b.value(size), b.value(b.constant(0))).getResult();
    });
  }
  return size;
}

Value FieldEmitter::maskFrom(Index start, Index size, unsigned lanes) {
  auto type = VectorType::get({lanes}, b.builder().getI1Type());
  Index left = b.sub(size, start);
  if (auto count = known(left)) {
    if (*count >= lanes)
      return {};
    SmallVector<bool> bits(lanes, false);
    std::fill_n(bits.begin(), *count, true);
    return b.at(0, [&]() -> Value { return b.create<arith::ConstantOp>(DenseElementsAttr::get(type, bits)); });
  }
  return b.at(b.scopeOf(left), [&] { return b.create<vector::CreateMaskOp>(type, b.value(left)).getResult(); });
}

Value FieldEmitter::mask(FieldType type, const Point &point) {
  // On devices the lanes of a vector divide its dimension.
  if (point.lanes == 0 || function.machine().isDevice || isWholeAt(point.coords.back()))
    return {};
  const bool isFlat = point.coords.size() < type.getRank(); // elements are counted in row-major order
  Index size = isFlat ? function.extent(type.getNumElements()) : lastExtent(type, point.coords);
  return maskFrom(point.coords.back(), size, point.lanes);
}

bool FieldEmitter::isWholeAt(Index start) const {
  auto value = dyn_cast<Value>(start);
  return value && wholeStarts.contains(value);
}

void FieldEmitter::setWholeAt(Index start) {
  if (auto value = dyn_cast<Value>(start))
    wholeStarts.insert(value);
}

bool FieldEmitter::isShiftedAt(Index start, unsigned lanes) const {
  if (auto number = known(start))
    return *number % lanes != 0;
  return shiftedStarts.contains(cast<Value>(start));
}

/// `start`, where a vector of `lanes` begins, moved by `offset`.
Index FieldEmitter::shift(Index start, Index offset, unsigned lanes) {
  Index shifted = b.add(start, offset);
  const bool isWhole = known(offset) && *known(offset) % std::max(lanes, 1u) == 0;
  if (auto value = dyn_cast<Value>(shifted); value && lanes && (!isWhole || isShiftedAt(start, lanes)))
    shiftedStarts.insert(value);
  return shifted;
}

void FieldEmitter::tileLast(FieldType type, SmallVector<Index, 3> coords,
                            llvm::function_ref<void(const Point &)> body) {
  unsigned count = lanes(type);
  Index size = lastExtent(type, coords);
  coords.push_back(b.constant(0));
  auto emit = [&](Index start, bool isWhole) {
    if (isWhole)
      setWholeAt(start);
    coords.back() = start;
    body({coords, count});
  };
  constexpr int64_t maxUnrolled = 4;
  if (auto number = bounds.most(type.getDim(type.getRank() - 1));
      number && (unrolled || *number <= maxUnrolled * count)) {
    for (int64_t start = 0; start < *number; start += count)
      emit(b.constant(start), false);
    return;
  }
  Index rest = b.rem(size, b.constant(count)), whole = b.sub(size, rest);
  Index done = b.constant(0);
  if (vectorsAtOnce > 1 && type.getRank() > 1) {
    const int64_t atOnce = vectorsAtOnce * count;
    done = b.sub(size, b.rem(size, b.constant(atOnce)));
    b.forLoop(b.constant(0), done, b.constant(atOnce), [&](Value start) {
      for (int64_t vector = 0; vector < vectorsAtOnce; ++vector)
        emit(b.add(start, b.constant(vector * count)), true);
    });
  }
  b.forLoop(done, whole, b.constant(count), [&](Value start) { emit(start, true); });
  if (known(rest) == 0)
    return;
  if (known(rest))
    return emit(whole, false);
  if (scalarRest)
    return b.forLoop(whole, size, b.constant(1), [&](Value element) {
      coords.back() = element;
      body({coords, 0});
    });
  Value any = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, b.value(rest), b.value(b.constant(0)));
  b.branch(
      any, [&] { emit(whole, false); }, [] {});
}

Index FieldEmitter::numVectors(FieldType type, bool scalar) {
  Index number = b.constant(1);
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    number = b.mul(number, function.extent(type.getDim(dim)));
  return scalar ? number : b.div(number, b.constant(lanes(type)));
}

Point FieldEmitter::vectorAt(FieldType type, bool scalar, Index number) {
  Point point{SmallVector<Index, 3>(type.getRank()), scalar ? 0 : lanes(type)};
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    Index size = function.extent(type.getDim(dim));
    bool hasLanes = dim + 1 == type.getRank() && !scalar;
    if (hasLanes)
      size = b.div(size, b.constant(point.lanes));
    point.coords[dim] = dim == 0 ? number : b.rem(number, size);
    if (dim > 0)
      number = b.div(number, size);
    if (hasLanes)
      point.coords[dim] = b.mul(point.coords[dim], b.constant(point.lanes));
  }
  return point;
}

void FieldEmitter::forEachOwnPoint(FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body) {
  const ThreadGroup &group = function.group();
  constexpr int64_t maxUnrolled = 2; // more at once would take registers that most threads then lack
  Index count = numVectors(type, scalar);
  if (auto number = known(count);
      number && *number % group.threads == 0 && *number <= maxUnrolled * int64_t(group.threads)) {
    for (int64_t first = 0; first < *number; first += group.threads)
      body(vectorAt(type, scalar, b.add(group.thread, b.constant(first))));
    return;
  }
  b.forLoop(group.thread, count, b.constant(group.threads),
            [&](Value number) { body(vectorAt(type, scalar, number)); });
}

void FieldEmitter::forEachPoint(FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body) {
  if (isDealt()) {
    for (const Point &point : dealtPoints(type))
      body(point);
    return;
  }
  if (!unrolled && function.group().threads > 1 && type.getRank() > 0)
    return forEachOwnPoint(type, scalar, body);
  unsigned loops = scalar || type.getRank() == 0 ? type.getRank() : type.getRank() - 1;
  SmallVector<Index, 3> coords;
  std::function<void()> nest = [&] {
    if (coords.size() == loops) {
      loops == type.getRank() ? body({coords, 0}) : tileLast(type, coords, body);
      return;
    }
    Index size = function.extent(type.getDim(coords.size()));
    if (auto number = bounds.most(type.getDim(coords.size())); number && (unrolled || *number == 1)) {
      for (int64_t i = 0; i < *number; ++i) {
        coords.push_back(b.constant(i));
        nest();
        coords.pop_back();
      }
      return;
    }
    b.forLoop(b.constant(0), size, b.constant(1), [&](Value iv) {
      coords.push_back(iv);
      nest();
      coords.pop_back();
    });
  };
  nest();
}

SmallVector<Point> FieldEmitter::points(FieldType type) {
  SmallVector<Point> all;
  llvm::SaveAndRestore<bool> known(unrolled, true);
  forEachPoint(type, /*scalar=*/false, [&](const Point &point) { all.push_back(point); });
  return all;
}

SmallVector<Point> FieldEmitter::tile(FieldType type, ArrayRef<Index> coords, unsigned count, bool masked) {
  SmallVector<Point> all;
  for (unsigned i = 0; i < count; ++i) {
    Point point{llvm::to_vector<3>(coords), lanes(type)};
    point.coords.back() = b.add(coords.back(), b.constant(i * point.lanes));
    if (!masked || i + 1 < count)
      setWholeAt(point.coords.back());
    all.push_back(point);
  }
  return all;
}

Value FieldEmitter::splat(Value scalar, const Point &point) {
  if (point.lanes == 0)
    return scalar;
  return b.create<vector::SplatOp>(scalar, VectorType::get({point.lanes}, scalar.getType()));
}

Value FieldEmitter::constant(TypedAttr number, const Point &point) {
  if (point.lanes == 0)
    return b.create<arith::ConstantOp>(number);
  auto type = VectorType::get({point.lanes}, number.getType());
  return b.create<arith::ConstantOp>(DenseElementsAttr::get(type, Attribute(number)));
}

Value FieldEmitter::select(Value condition, Value then, Value otherwise) {
  return condition ? b.create<arith::SelectOp>(condition, then, otherwise).getResult() : then;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void FieldEmitter::bind(Value field, Memory memory, unsigned scope) { bound[field] = {memory, {}, b.block(scope)}; }

void FieldEmitter::bind(Value field, ArrayRef<Point> points, ValueRange values) {
  Bound entry{std::nullopt, {}, b.block(b.top())};
  for (auto [point, value] : llvm::zip_equal(points, values))
    entry.values.push_back({point, value, entry.block});
  bound[field] = entry;
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
  Operation *op = field.getDefiningOp();
  if (isa<EdgeIdOp, EdgeTypeOp, star::OnlineSoftmaxOp>(op))
    return b.scopeOf(position.edge);
  if (auto id = dyn_cast<VertexIdOp>(op))
    return b.scopeOf(isOfRow(fieldType(id)) ? position.row : position.col);
  if (auto mask = dyn_cast<DropoutMaskOp>(op))
    return b.scopeOf(fieldType(mask).isEdge() ? position.edge : position.row);
  return std::nullopt;
}

Value FieldEmitter::element(Value field, const Point &point) {
  if (depth == 0)
    scopes.clear(); // the position may be another
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  unsigned scope = std::max(scopeOf(field), outermost);
  for (Index coord : point.coords)
    scope = std::max(scope, b.scopeOf(coord));
  for (const Computed &entry : computed[field])
    if (entry.block == b.block(scope) && entry.point == point)
      return entry.value;
  const Point anyones{point.coords, point.lanes};
  Value value = b.at(scope, [&] { return poisoned(field, anyones, compute(field, anyones)); });
  computed[field].push_back({anyones, value, b.block(scope)});
  return value;
}

/// `value` with NaN in the lanes that `field` does not have, if the function poisons.
Value FieldEmitter::poisoned(Value field, const Point &point, Value value) {
  Value laneMask = function.poisons() ? mask(fieldType(field), point) : Value();
  return laneMask ? select(laneMask, value, constant(function.meaningless(fieldType(field).getElement()), point))
                  : value;
}

void FieldEmitter::forget() {
  Block *block = b.block(b.top());
  for (auto &entry : computed)
    llvm::erase_if(entry.second, [&](const Computed &element) { return element.block == block; });
}

FieldEmitter::Snapshot FieldEmitter::snapshot() const { return {position, bound, computed}; }

void FieldEmitter::restore(Snapshot snapshot) {
  position = snapshot.position;
  bound = std::move(snapshot.bound);
  computed = std::move(snapshot.computed);
}

Value FieldEmitter::boundElement(Value field, const Bound &bound, const Point &point) {
  // A single element that is not there would be read from wherever it were.
  if (bound.memory && !bounds.dims.empty() && isLaneOfVector(point))
    return extractLane(field, point);
  if (bound.memory)
    return load(*bound.memory, fieldType(field).getElement(), fieldType(field), point);
  for (const Computed &entry : bound.values)
    if (entry.point == point)
      return entry.value;
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
  whole.lanes = lanes(type);
  int64_t last = *known(point.coords.back()), start = last / whole.lanes * whole.lanes;
  whole.coords.back() = b.constant(start);
  return b.create<vector::ExtractOp>(element(field, whole), last - start);
}

Value FieldEmitter::assemble(Value field, const Point &point, llvm::function_ref<Value(ArrayRef<int64_t>)> laneValue) {
  FieldType type = fieldType(field);
  SmallVector<int64_t> coords;
  for (Index coord : point.coords)
    coords.push_back(*known(coord));
  Value result = constant(function.meaningless(type.getElement()), point);
  int64_t size = *bounds.most(type.getDim(type.getRank() - 1)), start = coords.back();
  for (int64_t lane = 0; lane < point.lanes && start + lane < size; ++lane) {
    coords.back() = start + lane;
    if (Value value = laneValue(coords))
      result = b.create<vector::InsertOp>(value, result, lane);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Folds along a dimension
//===----------------------------------------------------------------------===//

SmallVector<Value> FieldEmitter::fold(FieldType shape, unsigned dim, const Point &point, ArrayRef<TypedAttr> identity,
                                      Step step, Merge merge) {
  if (dim + 1 == shape.getRank()) {
    assert(point.lanes == 0 && "a fold along the last dimension gives one element");
    return foldLast(shape, point, identity, step, merge);
  }
  SmallVector<Value> state;
  for (TypedAttr number : identity)
    state.push_back(constant(number, point));
  auto stepAt = [&](ValueRange state, Index position) {
    Point inner = point;
    inner.coords.insert(inner.coords.begin() + dim, position);
    return step(state, inner, position);
  };
  Index size = function.extent(shape.getDim(dim));
  if (auto number = known(size); number && unrolled) {
    for (int64_t i = 0; i < *number; ++i)
      state = stepAt(state, b.constant(i));
    return state;
  }
  // On a device a loop over a whole matrix that is unrolled for every edge would have the matrix in registers.
  if (function.machine().isDevice)
    size = function.hiddenExtent(shape.getDim(dim));
  return b.forLoop(b.constant(0), size, b.constant(1), state,
                   [&](Value iv, ValueRange carried) { return stepAt(carried, iv); });
}

SmallVector<Value> FieldEmitter::foldLast(FieldType shape, const Point &point, ArrayRef<TypedAttr> identity, Step step,
                                          Merge merge) {
  if (isDealt())
    return foldThreads(shape, point, identity, step, merge);
  return foldLanes(foldVectors(shape, point, identity, step, merge), lanes(shape), merge);
}

/// The order is the same whether the loops are unrolled or not: other kernels may have the same fold in other loops.
SmallVector<Value> FieldEmitter::foldVectors(FieldType shape, const Point &point, ArrayRef<TypedAttr> identity,
                                             Step step, Merge merge) {
  unsigned count = lanes(shape);
  Index size = lastExtent(shape, point.coords);
  auto chunk = [&](ValueRange state, Index start) {
    Point inner{point.coords, count};
    inner.coords.push_back(start);
    Value laneMask = mask(shape, inner);
    SmallVector<Value> next = step(state, inner, start);
    for (auto [now, before] : llvm::zip_equal(next, state))
      now = select(laneMask, now, before);
    return next;
  };
  auto wholeChunk = [&](ValueRange state, Index start) {
    setWholeAt(start);
    return chunk(state, start);
  };
  auto loop = [&](Index from, Index to, int64_t by, SmallVector<Value> state,
                  llvm::function_ref<SmallVector<Value>(Index, ValueRange)> body) {
    if (!unrolled || !known(to))
      return b.forLoop(from, to, b.constant(by), state, body);
    for (int64_t start = *known(from); start < *known(to); start += by)
      state = body(b.constant(start), state);
    return state;
  };
  SmallVector<Value> state;
  for (TypedAttr number : identity)
    state.push_back(constant(number, {{}, count}));
  // Four states take turns, so that a vector does not wait for the one before it.
  constexpr unsigned turns = 4;
  // An open dimension of four whole vectors has one in each turn.
  auto number = bounds.most(shape.getDim(shape.getRank() - 1));
  if (number && (known(size) ? *number <= turns * count : *number < turns * count)) {
    for (int64_t start = 0; start < *number; start += count)
      state = chunk(state, b.constant(start));
    return state;
  }
  auto wholeNumber = [&](unsigned of) { return b.sub(size, b.rem(size, b.constant(of))); };
  Index wideEnd = wholeNumber(turns * count), whole = wholeNumber(count);
  SmallVector<Value> all;
  for (unsigned turn = 0; turn < turns; ++turn)
    all.append(state);
  const unsigned components = state.size();
  all = loop(b.constant(0), wideEnd, turns * count, all, [&](Index start, ValueRange carried) {
    SmallVector<Value> next;
    for (unsigned turn = 0; turn < turns; ++turn)
      next.append(wholeChunk(carried.slice(turn * components, components), b.add(start, b.constant(turn * count))));
    return next;
  });
  state = llvm::to_vector(ArrayRef(all).take_front(components));
  for (unsigned turn = 1; turn < turns; ++turn)
    state = merge(state, ArrayRef(all).slice(turn * components, components));
  state =
      loop(wideEnd, whole, count, state, [&](Index start, ValueRange carried) { return wholeChunk(carried, start); });
  Index rest = b.sub(size, whole);
  if (count == 1 || known(rest) == 0)
    return state;
  auto last = [&] { return chunk(state, whole); };
  if (known(rest) || unrolled)
    return last();
  Value any = b.at(b.scopeOf(rest), [&]() -> Value {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, b.value(rest), b.value(b.constant(0)));
  });
  return b.branch(any, ValueRange(state).getTypes(), last, [&] { return state; });
}

SmallVector<Value> FieldEmitter::foldLanes(SmallVector<Value> state, unsigned lanes, Merge merge) {
  for (; lanes > 1; lanes /= 2) {
    SmallVector<Value> low, high;
    auto lowLanes = llvm::to_vector(llvm::seq<int64_t>(0, lanes / 2));
    auto highLanes = llvm::to_vector(llvm::seq<int64_t>(lanes / 2, lanes));
    for (Value component : state) {
      low.push_back(b.create<vector::ShuffleOp>(component, component, lowLanes));
      high.push_back(b.create<vector::ShuffleOp>(component, component, highLanes));
    }
    state = merge(low, high);
  }
  for (Value &component : state)
    component = b.create<vector::ExtractOp>(component, 0);
  return state;
}

} // namespace gnnc
