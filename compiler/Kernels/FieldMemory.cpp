//===- FieldMemory.cpp - Elements in memory -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of points: elements side by side, or bools as bits. How f32 lie in 16 bits is in FieldNarrow.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/FieldMemory.h"
#include "dialects/Gnn/IR/NarrowFloats.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// Elements side by side
//===----------------------------------------------------------------------===//

Index FieldMemory::linear(FieldType shape, ArrayRef<Index> coords) {
  Index result = b.constant(0);
  for (auto [i, coord] : llvm::enumerate(coords))
    result = b.add(b.mul(result, function.extent(shape.getDim(i))), coord);
  return result;
}

/// Splits index = run + along + number into a memref and an index. The part that stays the same in the innermost loop
/// moves the memref before that loop, and the number is left to the processor's addressing. In a loop over edges that
/// part is `along`, since each edge has a new run; in a loop over columns it is the run. LLVM would keep a pointer for
/// each number, or add in every iteration.
std::pair<Value, Value> FieldMemory::address(const Memory &memory, FieldType shape, ArrayRef<Index> coords,
                                             int64_t more) {
  SmallVector<Index> roots = llvm::to_vector(coords);
  if (!roots.empty())
    if (auto last = dyn_cast<Value>(roots.back()))
      if (auto sum = last.getDefiningOp<arith::AddIOp>())
        if (auto number = known(sum.getRhs())) {
          roots.back() = sum.getLhs();
          more += *number;
        }
  Index along = linear(shape, roots), run = memory.base;
  const unsigned ofAlong = b.scopeOf(along), ofRun = b.scopeOf(run);
  const bool movesRun =
      function.machine().addsToPointers && ofAlong > ofRun && known(run) != 0 && b.scopeOf(memory.memref) <= ofRun;
  if (!movesRun && (known(along) || ofAlong >= ofRun))
    return {chosen(memory, memory.memref, memory.hot), b.value(b.add(b.add(run, along), b.constant(more)))};
  auto [stays, changes] = movesRun ? std::pair(run, along) : std::pair(along, run);
  auto move = [&, stays = stays](Value memref) -> Value {
    if (!memref)
      return {};
    return b.at(b.scopeOf(stays), [&] {
      auto type = cast<MemRefType>(memref.getType());
      auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, {1});
      auto movedType = MemRefType::get({ShapedType::kDynamic}, type.getElementType(), layout, type.getMemorySpace());
      return b
          .create<memref::ReinterpretCastOp>(movedType, memref, stays, ArrayRef<Index>{b.value(stays)},
                                             ArrayRef<Index>{b.constant(1)})
          .getResult();
    });
  };
  return {chosen(memory, move(memory.memref), move(memory.hot)), b.value(b.add(changes, b.constant(more)))};
}

/// One pointer whose memory is not known, so that there is one load and no branch.
Value FieldMemory::chosen(const Memory &memory, Value memref, Value hot) {
  if (!hot)
    return memref;
  return b.select(memory.isHot, function.ofAnySpace(hot), function.ofAnySpace(memref));
}

/// Whether the last vector of a field may be read and written whole: a masked store and a load after it would wait for
/// the cache. Lanes that are not there have numbers that nobody reads. As many integers may be longer than the room,
/// and stay masked. Of few elements of an open dimension (`SweepPlan::smallVersions`) there may be less than the place
/// where a vector begins, and room is behind the last element alone.
static bool isWholeInRoom(const Memory &memory, Value memref, FieldType shape, const Point &point) {
  if (!memory.hasRoom || shape.getRank() > 1 || !isa<FloatType>(cast<MemRefType>(memref.getType()).getElementType()))
    return false;
  const bool isOpen = shape.getRank() == 1 && !shape.getDim(0).constant();
  return !isOpen || known(point.coords.back()).value_or(0) == 0;
}

Value FieldMemory::load(const Memory &memory, Type element, FieldType shape, const Point &point) {
  if (memory.bits)
    return loadBits(memory, shape, point);
  auto [memref, index] = address(memory, shape, point.coords);
  Type stored = cast<MemRefType>(memref.getType()).getElementType();
  Value value, laneMask = points.mask(shape, point);
  if (point.lanes == 0) {
    value = b.load(memref, index);
  } else if (auto type = VectorType::get({point.lanes}, stored);
             laneMask && !isWholeInRoom(memory, memref, shape, point)) {
    Value others = points.constant(function.meaningless(stored), point);
    value = b.create<vector::MaskedLoadOp>(type, memref, index, laneMask, others);
  } else {
    auto load = b.create<vector::LoadOp>(type, memref, index);
    if (isAligned(memref, index, point.lanes))
      load->setAttr(KernelFunction::alignedAttribute, b.builder().getUnitAttr());
    value = load;
  }
  if (stored == element)
    return value;
  if (isa<FloatType>(element))
    return widenFloat(b.builder(), b.loc(), value, function.machine().hasF16);
  return b.differ(value, points.number(0, stored, point));
}

void FieldMemory::storePart(const Memory &memory, FieldType shape, unsigned dim, Index offset, FieldType part,
                            const Point &point, Value value) {
  Memory ofPart = memory;
  ofPart.hasRoom = false; // behind the part there is the rest of the field
  Point shifted = point;
  shifted.coords[dim] = b.add(point.coords[dim], offset);
  storeLanes(ofPart, shape, shifted, points.mask(part, point), value);
}

/// Stores the lanes of `value` that are set in `laneMask`; null stores all of them.
void FieldMemory::storeLanes(const Memory &memory, FieldType shape, const Point &point, Value laneMask, Value value) {
  if (memory.bits)
    return storeBits(memory, shape, point, value);
  auto [memref, index] = address(memory, shape, point.coords);
  if (point.isOwner && function.isShared(memref)) {
    Point owned = point;
    owned.isOwner = {};
    return b.branch(point.isOwner, [&] { storeLanes(memory, shape, owned, laneMask, value); });
  }
  Type element = getElementTypeOrSelf(value);
  if (Type stored = cast<MemRefType>(memref.getType()).getElementType(); isa<FloatType>(element) && stored != element)
    value = narrowFloat(b.builder(), b.loc(), value, stored, function.machine().hasF16);
  else if (stored != element)
    value = b.create<arith::ExtUIOp>(typeAt(stored, point), value);
  if (point.lanes == 0) {
    auto put = [&, memref = memref, index = index] { b.create<memref::StoreOp>(value, memref, index); };
    // All threads of a group have the one number of a row.
    point.coords.empty() && function.isShared(memref) ? function.threads.onFirstThread(put) : put();
  } else if (laneMask && !isWholeInRoom(memory, memref, shape, point)) {
    b.create<vector::MaskedStoreOp>(memref, index, laneMask, value);
  } else {
    auto store = b.create<vector::StoreOp>(value, memref, index);
    if (isAligned(memref, index, point.lanes))
      store->setAttr(KernelFunction::alignedAttribute, b.builder().getUnitAttr());
  }
}

/// Whether all terms of `extent` have the factor `dim`.
static bool hasFactor(const DimExpr &extent, const DimExpr &dim) {
  auto contains = [&](const auto &term) {
    return llvm::any_of(term.first, [&](const std::string &name) { return DimExpr::name(name) == dim; });
  };
  return extent == dim || llvm::all_of(extent.terms(), contains);
}

/// Whether a factor of `index` is known to be `lanes`.
bool FieldMemory::isMultiple(Index index, unsigned lanes) const {
  if (auto number = known(index))
    return *number % lanes == 0;
  auto value = cast<Value>(index);
  if (std::optional<DimExpr> extent = points.wideDim ? function.extentOf(value) : std::nullopt)
    return points.shape.maxLanes % lanes == 0 && hasFactor(*extent, *points.wideDim);
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    return isMultiple(add.getLhs(), lanes) && isMultiple(add.getRhs(), lanes);
  if (auto mul = value.getDefiningOp<arith::MulIOp>())
    return isMultiple(mul.getLhs(), lanes) || isMultiple(mul.getRhs(), lanes);
  if (auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp()); loop && value == loop.getInductionVar())
    return isMultiple(loop.getLowerBound(), lanes) && isMultiple(loop.getStep(), lanes);
  return false;
}

/// Whether a vector in a tensor or in shared memory, which start at a multiple of every vector's size, is aligned to
/// its own.
bool FieldMemory::isAligned(Value memref, Index index, unsigned lanes) const {
  if (!function.machine().hasWholeVectors || !isMultiple(index, lanes))
    return false;
  if (auto moved = memref.getDefiningOp<memref::ReinterpretCastOp>())
    return isAligned(moved.getSource(), moved.getMixedOffsets()[0], lanes);
  if (auto select = memref.getDefiningOp<arith::SelectOp>())
    return isAligned(select.getTrueValue(), index, lanes) && isAligned(select.getFalseValue(), index, lanes);
  if (auto cast = memref.getDefiningOp<memref::MemorySpaceCastOp>())
    return isAligned(cast.getSource(), index, lanes);
  if (auto view = memref.getDefiningOp<memref::ViewOp>()) // of a buffer in shared memory
    return view.getSource().getDefiningOp<gpu::DynamicSharedMemoryOp>();
  return isa<BlockArgument>(memref);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

static constexpr int64_t runBits = 16, byteBits = 8;

/// The bytes of `size` bits along a last dimension.
Index FieldMemory::bytesOfRun(Index size) {
  Index runs = b.div(b.add(size, b.constant(runBits - 1)), b.constant(runBits));
  return b.mul(runs, b.constant(runBits / byteBits));
}

Index FieldMemory::bytesInBits(FieldType shape) {
  Index bytes = bytesOfRun(function.extent(lastDim(shape)));
  for (unsigned dim = 0; dim + 1 < shape.getRank(); ++dim)
    bytes = b.mul(bytes, function.extent(shape.getDim(dim)));
  return bytes;
}

/// The byte that the first bit of `point` is in.
Index FieldMemory::byteOfBits(const Memory &memory, FieldType shape, const Point &point) {
  Index run = linear(shape, ArrayRef(point.coords).drop_back());
  Index bytes = b.mul(run, bytesOfRun(function.extent(lastDim(shape))));
  return b.add(memory.base, b.add(bytes, b.div(point.coords.back(), b.constant(byteBits))));
}

/// The position in its byte, as i8, of the first bit of a point with less than a byte of lanes.
Value FieldMemory::shiftOfBits(const Point &point) {
  Index last = point.coords.back();
  Type i8 = b.i8();
  return b.at(b.scopeOf(last), [&]() -> Value {
    if (auto number = known(last))
      return b.create<arith::ConstantOp>(IntegerAttr::get(i8, *number % byteBits));
    Value position = b.create<arith::RemUIOp>(b.value(last), b.value(b.constant(byteBits)));
    return b.create<arith::IndexCastOp>(i8, position);
  });
}

/// Bits that begin anywhere in a run, as those of a slice do. They may cross bytes and reach over the end of the run.
Value FieldMemory::gatherBits(const Memory &memory, FieldType shape, const Point &point) {
  Value last = b.value(b.sub(points.lastExtent(shape, point.coords), b.constant(1)));
  Value bits = points.constant(b.builder().getBoolAttr(true), point);
  for (unsigned lane = 0; lane < point.lanes; ++lane) {
    Point one{point.coords, 0};
    Value coord = b.value(b.add(point.coords.back(), b.constant(lane)));
    one.coords.back() = b.minUnsigned(coord, last);
    bits = b.create<vector::InsertOp>(loadBits(memory, shape, one), bits, lane);
  }
  return bits;
}

/// A vector that starts at a multiple of its lanes crosses no byte, and runs have room for the lanes of the last one.
/// Lanes that are not there read as true.
Value FieldMemory::loadBits(const Memory &memory, FieldType shape, const Point &point) {
  assert(point.lanes <= runBits && "a vector longer than the room of a run");
  if (point.lanes > 1 && points.isShiftedAt(point.coords.back(), point.lanes))
    return gatherBits(memory, shape, point);
  Value index = b.value(byteOfBits(memory, shape, point));
  unsigned count = std::max(point.lanes, 1u);
  Value bits;
  if (count >= byteBits) {
    bits = b.create<vector::LoadOp>(VectorType::get({count / byteBits}, b.i8()), memory.memref, index);
  } else {
    Value byte = b.load(memory.memref, index);
    bits = b.create<arith::TruncIOp>(b.builder().getIntegerType(count),
                                     b.create<arith::ShRUIOp>(byte, shiftOfBits(point)));
    if (point.lanes == 0)
      return bits;
    bits = b.create<vector::SplatOp>(bits, VectorType::get({1}, bits.getType()));
  }
  Value lanes = b.create<vector::BitCastOp>(VectorType::get({count}, b.i1()), bits);
  Value laneMask = points.mask(shape, point);
  return laneMask ? b.select(laneMask, lanes, points.constant(b.builder().getBoolAttr(true), point)) : lanes;
}

void FieldMemory::storeBits(const Memory &memory, FieldType shape, const Point &point, Value value) {
  assert(point.lanes <= runBits && "a vector longer than the room of a run");
  Value index = b.value(byteOfBits(memory, shape, point));
  Type i8 = b.i8();
  if (point.lanes >= byteBits) {
    Value bytes = b.create<vector::BitCastOp>(VectorType::get({point.lanes / byteBits}, i8), value);
    b.create<vector::StoreOp>(bytes, memory.memref, index);
    return;
  }
  // The other bits of the byte belong to the same row, and so to this thread.
  unsigned count = std::max(point.lanes, 1u);
  if (point.lanes != 0)
    value = b.create<vector::ExtractOp>(
        b.create<vector::BitCastOp>(VectorType::get({1}, b.builder().getIntegerType(count)), value), 0);
  Value shift = shiftOfBits(point);
  auto shifted = [&](Value bits) { return b.create<arith::ShLIOp>(bits, shift).getResult(); };
  auto number = [&](int64_t byte) { return b.create<arith::ConstantOp>(IntegerAttr::get(i8, byte)).getResult(); };
  Value mask = shifted(number((1 << count) - 1));
  Value others = b.both(b.load(memory.memref, index), b.create<arith::XOrIOp>(mask, number(-1)));
  Value byte = b.either(others, shifted(b.create<arith::ExtUIOp>(i8, value)));
  b.create<memref::StoreOp>(byte, memory.memref, index);
}

} // namespace gnnc
