//===- Points.cpp - Where elements of fields are --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/Points.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::optional<int64_t> Bounds::most(const DimExpr &dim) const {
  auto bound = llvm::find_if(dims, [&](const auto &entry) { return entry.first == dim; });
  return bound == dims.end() ? dim.constant() : std::optional(bound->second);
}

std::optional<uint64_t> Bounds::numVectors(FieldType type, unsigned lanes) const {
  uint64_t vectors = 1;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    std::optional<int64_t> size = most(type.getDim(dim));
    if (!size)
      return std::nullopt;
    vectors *= isLast(type, dim) ? llvm::divideCeil(*size, lanes) : *size;
  }
  return vectors;
}

VectorShape VectorShape::of(star::KernelOp kernel, const Machine &machine) {
  auto isDouble = [](Type type) { return cast<FieldType>(type).getElement().isF64(); };
  bool wide = false;
  kernel.walk([&](Operation *op) {
    wide |=
        op != kernel && (llvm::any_of(op->getOperandTypes(), isDouble) || llvm::any_of(op->getResultTypes(), isDouble));
  });
  // Threads of a device load as much at a time of what has 16 bits: it is more numbers, which they widen in registers.
  auto inputs = inputsOf(kernel);
  bool narrow = machine.widensInVectors && llvm::any_of(inputs, [](star::OperandAttr input) {
                  return storedElement(input).getIntOrFloatBitWidth() == 16;
                });
  return {machine, machine.vectorBits / (wide ? 64 : narrow ? 16 : 32)};
}

unsigned VectorShape::lanes(FieldType type, const Bounds &bounds) const {
  if (type.getRank() == 0)
    return 0;
  std::optional<int64_t> size = bounds.most(lastDim(type));
  if (machine.hasWholeVectors)
    return size ? llvm::MinAlign(*size, maxLanes) : 1;
  return size && *size < maxLanes ? llvm::PowerOf2Ceil(std::max<int64_t>(*size, 1)) : maxLanes;
}

unsigned VectorShape::vectorsIn(unsigned quads) const {
  const unsigned quadsOfVector = maxLanes * 32 / machine.vectorBits;
  return std::max(quads / std::max(quadsOfVector, 1u), 1u);
}

unsigned Lanes::lanes(FieldType type) const {
  const bool isWide = wideDim && type.getRank() > 0 && lastDim(type) == *wideDim;
  return isWide ? shape.maxLanes : shape.lanes(type, bounds);
}

/// How many elements a run of the last dimension has: none, where an outer coordinate is past what its bound left open.
Index Lanes::lastExtent(FieldType type, ArrayRef<Index> coords) {
  Index size = function.extent(lastDim(type));
  for (unsigned dim = 0; dim + 1 < type.getRank(); ++dim) {
    auto coord = known(coords[dim]);
    if (bounds.dims.empty() || !coord || *coord == 0 || type.getDim(dim).constant())
      continue;
    size = b.at(0, [&]() -> Index {
      Value isInRange = b.isBelow(coords[dim], function.extent(type.getDim(dim)));
      return b.select(isInRange, size, b.constant(0));
    });
  }
  return size;
}

Value Lanes::maskFrom(Index start, Index size, unsigned lanes) {
  auto type = VectorType::get({lanes}, b.i1());
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

Value Lanes::mask(FieldType type, const Point &point) {
  if (point.lanes == 0 || shape.machine.hasWholeVectors || isWholeAt(point.coords.back()))
    return {};
  const bool isFlat = point.coords.size() < type.getRank(); // elements are counted in row-major order
  Index size = isFlat ? function.extent(type.getNumElements()) : lastExtent(type, point.coords);
  return maskFrom(point.coords.back(), size, point.lanes);
}

bool Lanes::isShiftedAt(Index start, unsigned lanes) const {
  if (auto number = known(start))
    return *number % lanes != 0;
  return shiftedStarts.contains(cast<Value>(start));
}

/// `start`, where a vector of `lanes` begins, moved by `offset`.
Index Lanes::shift(Index start, Index offset, unsigned lanes) {
  Index shifted = b.add(start, offset);
  const bool isWhole = known(offset) && *known(offset) % std::max(lanes, 1u) == 0;
  if (auto value = dyn_cast<Value>(shifted); value && lanes && (!isWhole || isShiftedAt(start, lanes)))
    shiftedStarts.insert(value);
  return shifted;
}

void Points::tileLast(FieldType type, SmallVector<Index, 3> coords, llvm::function_ref<void(const Point &)> body) {
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
  if (auto number = bounds.most(lastDim(type)); number && (unrolled || *number <= maxUnrolled * count)) {
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
  Value any = b.differ(rest, b.constant(0));
  b.branch(any, [&] { emit(whole, false); });
}

Index Points::numVectors(FieldType type, bool scalar) {
  Index number = b.constant(1);
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    number = b.mul(number, function.extent(type.getDim(dim)));
  return scalar ? number : b.div(number, b.constant(lanes(type)));
}

Point Points::vectorAt(FieldType type, bool scalar, Index number) {
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

void Points::forEachOwnPoint(FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body) {
  const ThreadGroup &group = function.threads.group();
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

void Points::forEachPoint(FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body) {
  if (isDealt()) {
    for (const Point &point : dealtPoints(type))
      body(point);
    return;
  }
  if (!unrolled && function.threads.group().threads > 1 && type.getRank() > 0)
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

SmallVector<Point> Points::all(FieldType type) {
  SmallVector<Point> all;
  llvm::SaveAndRestore<bool> known(unrolled, true);
  forEachPoint(type, /*scalar=*/false, [&](const Point &point) { all.push_back(point); });
  return all;
}

SmallVector<Point> Points::tile(FieldType type, ArrayRef<Index> coords, unsigned count, bool masked) {
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

Value Lanes::splat(Value scalar, const Point &point) const {
  return point.lanes ? b.create<vector::SplatOp>(scalar, typeAt(scalar.getType(), point)).getResult() : scalar;
}

Value Lanes::positions(FieldType type, unsigned dim, Index start, Type element, const Point &point) const {
  Value first = b.create<arith::IndexCastOp>(element, b.value(start));
  if (point.lanes == 0 || !isLast(type, dim))
    return splat(first, point);
  SmallVector<Attribute> steps;
  for (unsigned lane = 0; lane < point.lanes; ++lane)
    steps.push_back(IntegerAttr::get(element, lane));
  auto vector = VectorType::get({point.lanes}, element);
  Value iota = b.create<arith::ConstantOp>(DenseElementsAttr::get(vector, steps));
  return b.addHere(splat(first, point), iota);
}

Value Lanes::constant(TypedAttr number, const Point &point) const {
  if (point.lanes == 0)
    return b.create<arith::ConstantOp>(number);
  auto type = cast<VectorType>(typeAt(number.getType(), point));
  return b.create<arith::ConstantOp>(DenseElementsAttr::get(type, Attribute(number)));
}

Values Lanes::select(Value condition, ValueRange then, ValueRange otherwise) const {
  Values chosen;
  for (auto [value, other] : llvm::zip_equal(then, otherwise))
    chosen.push_back(select(condition, value, other));
  return chosen;
}

//===----------------------------------------------------------------------===//
// Fields in the registers of a group's threads
//===----------------------------------------------------------------------===//

static int64_t numRuns(FieldType type) { return *type.getNumElements().constant() / *lastDim(type).constant(); }

/// Vectors of `widest` are numbered run by run, a run being what lies along its last dimension; runs take a power of
/// two of numbers, so that the threads of one are side by side. Numbers go round the threads. The runs are those of the
/// part that begins with `firstRun`.
Deal Points::dealOf(FieldType widest, Index firstRun) {
  const ThreadGroup &group = function.threads.group();
  const int64_t threads = group.threads, lanes = this->lanes(widest);
  const int64_t length = *lastDim(widest).constant() / lanes;
  const int64_t numbers = llvm::PowerOf2Ceil(length), runs = numRuns(widest) / parts;
  Deal deal{widest, {}, unsigned(std::min(numbers, threads))};
  auto below = [&](Index index, int64_t end) -> Value { return b.isBelow(index, b.constant(end)); };
  auto atMost = [&](Index index, int64_t most) -> Index { return b.minUnsigned(index, b.constant(most)); };
  SmallVector<Index, 3> ofRun; // coordinates: the same values for all vectors of a run, so that points are found again
  for (int64_t first = 0; first < runs * numbers; first += threads) {
    Index run = b.add(b.div(group.thread, b.constant(numbers)), b.constant(first / numbers));
    Index position = b.add(b.rem(group.thread, b.constant(numbers)), b.constant(first % numbers));
    if (threads <= numbers) { // then all threads are in the same run, which is known
      run = b.constant(first / numbers);
      position = b.add(group.thread, b.constant(first % numbers));
    }
    Value isInRange;
    if (length != numbers) {
      isInRange = below(position, length);
      position = atMost(position, length - 1);
    }
    if (threads > numbers && (runs * numbers) % threads != 0) {
      Value isRun = below(run, runs);
      isInRange = isInRange ? b.both(isInRange, isRun) : isRun;
      run = atMost(run, runs - 1);
    }
    if (threads > numbers || first % numbers == 0) {
      ofRun.assign(widest.getRank() - 1, {});
      run = b.add(run, firstRun);
      for (unsigned dim = widest.getRank() - 1; dim-- > 0;) {
        Index size = function.extent(widest.getDim(dim));
        ofRun[dim] = dim == 0 ? run : b.rem(run, size);
        run = dim == 0 ? run : b.div(run, size);
      }
    }
    Point point{ofRun, unsigned(lanes), isInRange};
    point.coords.push_back(b.mul(position, b.constant(lanes)));
    deal.points.push_back(point);
  }
  return deal;
}

void Points::dealOut(ArrayRef<FieldType> widest, int64_t numParts) {
  parts = numParts;
  for (FieldType type : widest)
    deals.push_back(dealOf(type, b.constant(0)));
  unrolled = true;
}

void Points::forEachPart(llvm::function_ref<void()> body) {
  if (!isInParts())
    return body();
  const int64_t runs = numRuns(deals[0].widest);
  b.forLoop(b.constant(0), b.constant(runs), b.constant(runs / parts), [&](Value firstRun) {
    llvm::SaveAndRestore<SmallVector<Deal>> ofPart(deals, {dealOf(deals[0].widest, firstRun)});
    body();
  });
}

const Deal &Points::dealWith(FieldType type) const {
  auto found = llvm::find_if(deals, [&](const Deal &deal) { return isDealtWith(deal.widest, type); });
  assert(found != deals.end() && "a field that threads do not have in registers");
  return *found;
}

void Points::inMemory(llvm::function_ref<void()> body) {
  llvm::SaveAndRestore<SmallVector<Deal>> none(deals, {});
  llvm::SaveAndRestore<bool> loops(unrolled, false);
  body();
}

/// The points of a thread in a field of type `type`. In a field of fewer dimensions, the thread with the first vector
/// under an element owns the element.
SmallVector<Point> Points::dealtPoints(FieldType type) {
  const Deal &deal = dealWith(type);
  if (type.getRank() == deal.widest.getRank())
    return deal.points;
  if (type.getRank() == 0)
    return {Point()}; // of which threads know by themselves who stores it
  SmallVector<Point> all;
  for (const Point &whole : deal.points) {
    Point point{SmallVector<Index, 3>(ArrayRef(whole.coords).take_front(type.getRank())), 0, whole.isOwner};
    if (llvm::is_contained(all, point))
      continue;
    for (Index coord : ArrayRef(whole.coords).drop_front(type.getRank())) {
      if (known(coord) == 0)
        continue;
      Value isFirst = b.at(b.scopeOf(coord), [&] { return b.isEqual(coord, b.constant(0)); });
      point.isOwner = point.isOwner ? b.both(point.isOwner, isFirst) : isFirst;
    }
    all.push_back(point);
  }
  return all;
}

} // namespace gnnc
