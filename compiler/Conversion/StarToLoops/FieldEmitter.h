//===- FieldEmitter.h - Elements of fields ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes elements of the fields of a kernel's regions on demand: an element of a field that is in memory is loaded,
// any other is computed from elements of the op's operands. Each is computed once in the outermost scope that has what
// it needs.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_FIELDEMITTER_H
#define GNNC_CONVERSION_STARTOLOOPS_FIELDEMITTER_H

#include "compiler/Conversion/StarToLoops/EdgeRun.h"
#include "dialects/Star/IR/Star.h"

namespace gnnc {

/// Elements of a field: one (`lanes` is 0), or a vector of those from `coords` on along the last dimension. Which lanes
/// the field has is no part of a point: other fields have other lanes at the same point (`FieldEmitter::mask`). Of the
/// threads that have the point one is its owner (`isOwner`; null: every one), which alone stores what all of them have.
struct Point {
  llvm::SmallVector<Index, 3> coords;
  unsigned lanes = 0;
  mlir::Value isOwner = {};

  bool operator==(const Point &other) const { return lanes == other.lanes && coords == other.coords; }
};

/// The most elements that open dimensions have where a piece of code runs.
struct Bounds {
  llvm::SmallVector<std::pair<DimExpr, int64_t>> dims;

  /// How many elements `dim` has at most; none: it may have any number.
  std::optional<int64_t> most(const DimExpr &dim) const;
};

/// How the threads of a group hold fields of known dimensions in registers (Wu et al. 2021, section 6.3.1, with several
/// dimensions). Each thread has vectors of the widest field. What fewer dimensions say, as the score of a head, each
/// thread has as well that has a vector under it: nothing is exchanged but folds along the last dimension, of which
/// threads side by side have the vectors. Widths that share no dimension, as those of a score's products and of what it
/// weights, are dealt out each by itself.
struct Deal {
  gnn::FieldType widest;
  llvm::SmallVector<Point> points; // of this thread; one without an owner's right is another's vector again
  unsigned sharers = 1;            // threads side by side with vectors of the same run of the last dimension
};

/// The row and edge that are being computed.
struct Position {
  mlir::Value row;
  mlir::Value edge; // position among the edges of the block
  mlir::Value col;
  bool rowsAreDestinations = true;
  EdgeRun *run = nullptr; // that the edge is one of; null: what arrays say of the edge is read for it alone
  mlir::Value placeInRun;
};

class FieldEmitter {
public:
  FieldEmitter(KernelFunction &function, unsigned maxLanes)
      : function(function), b(function.loops()), maxLanes(maxLanes) {}

  Position position;
  /// The largest score of the edges of the row so far, as reduction `reduction` has it.
  std::function<mlir::Value(unsigned reduction, const Point &point)> runningMax;
  /// Every point that is asked for has known coordinates; then no field needs memory.
  bool unrolled = false;
  /// Without `unrolled`: how many vectors a loop over the last of several dimensions does at a time.
  int64_t vectorsAtOnce = 1;
  /// The remainder of an open dimension after whole vectors is computed element by element instead of under a mask.
  bool scalarRest = false;
  /// With `unrolled`: coordinates are known below these. Vectors are masked where dimensions have fewer elements.
  Bounds bounds;
  /// Nothing is computed in scopes around this one: what they have may be there for other code alone.
  unsigned outermost = 0;
  /// An open dimension that is a multiple of a whole vector's lanes wherever the code runs that is being built.
  std::optional<DimExpr> wideDim;

  /// Deals fields out to the threads of the group, whose dimensions are those, or the first, of one of `widest`;
  /// `unrolled` from now on. With several parts, threads have one part of the runs of the last dimension at a time.
  void dealOut(llvm::ArrayRef<gnn::FieldType> widest, int64_t numParts);
  /// Calls `body` once, in a loop over the parts, if there are several.
  void forEachPart(llvm::function_ref<void()> body);
  bool isInParts() const { return parts > 1; }
  /// Whether fields of this type are dealt out with `widest`.
  static bool isDealtWith(gnn::FieldType widest, gnn::FieldType type);
  bool isDealt() const { return !deals.empty(); }
  /// Runs `body` as if nothing were dealt out, with fields in memory that the threads share.
  void inMemory(llvm::function_ref<void()> body);

  /// `field` is in `memory`, from `scope` inwards.
  void bind(mlir::Value field, Memory memory, unsigned scope);
  /// The elements of `field` at `points` are `values`, computed in the current scope.
  void bind(mlir::Value field, llvm::ArrayRef<Point> points, mlir::ValueRange values);
  bool isBound(mlir::Value field) const { return boundTo(field); }
  /// The memory of `field`, which has some.
  Memory memory(mlir::Value field) { return *memoryOf(field); }
  /// Forgets what was computed in the current scope: the position is about to be another.
  void forget();
  /// The position, what is bound and what was computed, to go on with later in the same scope.
  struct Snapshot;
  Snapshot snapshot() const;
  void restore(Snapshot snapshot);

  /// The element or vector of `field` at `point`. It depends on neither the owner of the point nor who else has asked
  /// for it. Lanes that `mask` leaves out have numbers that mean nothing.
  mlir::Value element(mlir::Value field, const Point &point);
  /// The lanes of `point` that a field of type `type` has; null: all of them.
  mlir::Value mask(gnn::FieldType type, const Point &point);

  /// Lanes of a whole vector.
  unsigned getMaxLanes() const { return maxLanes; }
  /// Lanes of a vector along the last dimension of `type`; 0 for a field of one number.
  unsigned lanes(gnn::FieldType type) const;
  /// Calls `body` for every point of `type`, in loops or, where `unrolled`, one after the other. `scalar`: for single
  /// elements. Threads that share a row deal the points of a type out in turn; a type without dimensions has one point,
  /// which each of them has.
  void forEachPoint(gnn::FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body);
  /// Vectors of `type`; elements, if `scalar`.
  Index numVectors(gnn::FieldType type, bool scalar);
  /// Vector (element) `number` of `type`, in row-major order.
  Point vectorAt(gnn::FieldType type, bool scalar, Index number);
  /// The points of a type of known dimensions.
  llvm::SmallVector<Point> points(gnn::FieldType type);
  /// Points of `count` vectors along the last dimension from `coords` on. With `masked`, the last of them may reach
  /// over the end of the dimension.
  llvm::SmallVector<Point> tile(gnn::FieldType type, llvm::ArrayRef<Index> coords, unsigned count, bool masked);

  mlir::Value load(const Memory &memory, mlir::Type element, gnn::FieldType shape, const Point &point);
  void store(const Memory &memory, gnn::FieldType shape, const Point &point, mlir::Value value);
  /// The same for a field of type `part` in the memory of one of type `shape`, in which it begins at `offset` of
  /// dimension `dim`. Elements of `shape` beside the part keep their values.
  void storePart(const Memory &memory, gnn::FieldType shape, unsigned dim, Index offset, gnn::FieldType part,
                 const Point &point, mlir::Value value);
  /// The bytes of a row of bools that are stored as bits.
  Index bytesInBits(gnn::FieldType shape);
  Index linear(gnn::FieldType shape, llvm::ArrayRef<Index> coords);
  /// The element of `memory` at `coords`, `more` elements on: a memref and the index in it.
  std::pair<mlir::Value, mlir::Value> address(const Memory &memory, gnn::FieldType shape, llvm::ArrayRef<Index> coords,
                                              int64_t more = 0);
  /// `scalar` in every lane of `point`.
  mlir::Value splat(mlir::Value scalar, const Point &point);
  mlir::Value constant(mlir::TypedAttr number, const Point &point);
  /// `then` where `condition` (i1, or null for true) holds, else `otherwise`.
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise);

  // Ids of the position, as i64.
  mlir::Value rowId();
  mlir::Value colId();
  mlir::Value edgeId();
  /// The original id (i64) of the edge at a position of the block.
  mlir::Value edgeIdAt(mlir::Value edge);
  /// The value of `read` for the edge of the position.
  mlir::Value ofEdge(EdgeRun::Number number, llvm::function_ref<mlir::Value(mlir::Value edge)> read);

  KernelFunction &function;
  LoopBuilder &b;

private:
  struct Computed {
    Point point;
    mlir::Value value;
    mlir::Block *block; // of the scope in which it was computed
  };
  struct Bound {
    std::optional<Memory> memory;
    llvm::SmallVector<Computed> values;
    mlir::Block *block; // of the scope from which inwards it holds
  };
  using BoundFields = llvm::DenseMap<mlir::Value, Bound>;
  using ComputedFields = llvm::DenseMap<mlir::Value, llvm::SmallVector<Computed>>;
  using Step =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange state, const Point &point, Index position)>;
  using Merge = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange left, mlir::ValueRange right)>;

  mlir::Value widenBf16(mlir::Value stored, const Point &point);
  mlir::Value roundToBf16(mlir::Value number, const Point &point);
  mlir::Value widenF16(mlir::Value stored, const Point &point);
  mlir::Value roundToF16(mlir::Value number, const Point &point);
  void storeLanes(const Memory &memory, gnn::FieldType shape, const Point &point, mlir::Value laneMask,
                  mlir::Value value);
  Index bytesOfRun(Index size);
  Index byteOfBits(const Memory &memory, gnn::FieldType shape, const Point &point);
  mlir::Value shiftOfBits(const Point &point);
  mlir::Value gatherBits(const Memory &memory, gnn::FieldType shape, const Point &point);
  mlir::Value loadBits(const Memory &memory, gnn::FieldType shape, const Point &point);
  void storeBits(const Memory &memory, gnn::FieldType shape, const Point &point, mlir::Value value);

  /// The value that `field` is bound to; null if it was bound in a scope that is closed.
  const Bound *boundTo(mlir::Value field) const;
  /// The innermost scope of those that elements of `field` need.
  unsigned scopeOf(mlir::Value field);
  /// The one that `field` needs by itself; none where it is computed from its operands.
  std::optional<unsigned> ownScopeOf(mlir::Value field);
  std::optional<Memory> memoryOf(mlir::Value field);
  mlir::Value compute(mlir::Value field, const Point &point);
  mlir::Value poisoned(mlir::Value field, const Point &point, mlir::Value value);
  mlir::Value boundElement(mlir::Value field, const Bound &bound, const Point &point);
  /// Whether the one element of `point` is had for less from the vector that it is in, which others are in too.
  bool isLaneOfVector(const Point &point) const {
    return unrolled && !isDealt() && point.lanes == 0 && !point.coords.empty() && known(point.coords.back());
  }
  mlir::Value extractLane(mlir::Value field, const Point &point);
  mlir::Value assemble(mlir::Value field, const Point &point,
                       llvm::function_ref<mlir::Value(llvm::ArrayRef<int64_t> coords)> laneValue);
  mlir::Value lookUpId(llvm::StringRef table, mlir::Value local);
  mlir::Value originalId(mlir::Value local, llvm::function_ref<mlir::Value(mlir::Value)> lookUp);

  bool isOfRow(gnn::FieldType type) const;
  mlir::Value emitOnlineSoftmax(star::OnlineSoftmaxOp op, mlir::Value field, const Point &point);
  mlir::Value emitBroadcast(gnn::BroadcastOp op, const Point &point);
  mlir::Value emitDropoutMask(gnn::DropoutMaskOp op, const Point &point);
  mlir::Value emitOneHot(gnn::OneHotOp op, const Point &point);
  mlir::Value emitReshape(gnn::ReshapeOp op, const Point &point);
  mlir::Value emitSlice(gnn::SliceOp op, const Point &point);
  mlir::Value emitTranspose(gnn::TransposeOp op, const Point &point);
  mlir::Value emitEdgeType();
  mlir::Value emitIndex(gnn::IndexOp op, const Point &point);
  mlir::Value hasEntry(gnn::FieldType table, mlir::Value number);
  mlir::Value whereInside(mlir::Value field, gnn::FieldType table, const Point &point,
                          llvm::function_ref<mlir::Value(Index)> pick);
  mlir::Value emitConcat(gnn::ConcatOp op, const Point &point);
  mlir::Value emitPad(gnn::PadOp op, const Point &point);
  mlir::Value foldExtremum(gnn::AggregatorInterface extremum, mlir::Value operand, unsigned dim, const Point &point);
  mlir::Value emitReduce(gnn::ReduceOp op, const Point &point);
  llvm::SmallVector<mlir::Value> stepReduce(gnn::ReduceOp op, mlir::ValueRange state, const Point &at);
  mlir::Value emitArgReduce(gnn::ArgReduceOp op, const Point &point);
  mlir::Value emitMatMul(mlir::Value x, mlir::Value w, llvm::ArrayRef<Index> entry, const Point &point);
  mlir::Value emitMatMulTransposed(mlir::Value x, mlir::Value w, llvm::ArrayRef<Index> entry, const Point &point);
  mlir::Value emitTypedMatMul(gnn::TypedMatMulOp op, const Point &point);
  mlir::Value emitMatMulTN(gnn::MatMulTNOp op, const Point &point);
  mlir::Value sumOver(llvm::ArrayRef<DimExpr> dims, mlir::Type element, const Point &point,
                      llvm::function_ref<mlir::Value(llvm::ArrayRef<Index>)> term);
  mlir::Value rowKey(gnn::DropoutMaskOp op);
  mlir::Value mix64(mlir::Value z);
  mlir::Value lanePositions(Index start, mlir::Type element, const Point &point);
  mlir::Value laneMultiples(uint32_t factor, const Point &point);

  /// Folds the elements along dimension `dim` of `shape`, at `point` of the other dimensions.
  llvm::SmallVector<mlir::Value> fold(gnn::FieldType shape, unsigned dim, const Point &point,
                                      llvm::ArrayRef<mlir::TypedAttr> identity, Step step, Merge merge);
  llvm::SmallVector<mlir::Value> foldLast(gnn::FieldType shape, const Point &point,
                                          llvm::ArrayRef<mlir::TypedAttr> identity, Step step, Merge merge);
  /// The state of each lane, before `foldLanes`.
  llvm::SmallVector<mlir::Value> foldVectors(gnn::FieldType shape, const Point &point,
                                             llvm::ArrayRef<mlir::TypedAttr> identity, Step step, Merge merge);
  llvm::SmallVector<mlir::Value> foldLanes(llvm::SmallVector<mlir::Value> state, unsigned lanes, Merge merge);
  Deal dealOf(gnn::FieldType widest, Index firstRun);
  const Deal &dealWith(gnn::FieldType type) const;
  llvm::SmallVector<mlir::Value> foldThreads(gnn::FieldType shape, const Point &point,
                                             llvm::ArrayRef<mlir::TypedAttr> identity, Step step, Merge merge);
  llvm::SmallVector<Point> dealtPoints(gnn::FieldType type);
  void tileLast(gnn::FieldType type, llvm::SmallVector<Index, 3> coords, llvm::function_ref<void(const Point &)> body);
  Index lastExtent(gnn::FieldType type, llvm::ArrayRef<Index> coords);
  mlir::Value maskFrom(Index start, Index size, unsigned lanes);
  bool isWholeAt(Index start) const;
  void setWholeAt(Index start);
  bool isShiftedAt(Index start, unsigned lanes) const;
  Index shift(Index start, Index offset, unsigned lanes);
  void forEachOwnPoint(gnn::FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body);
  bool isMultiple(Index index, unsigned lanes) const;
  bool isAligned(mlir::Value memref, Index index, unsigned lanes) const;
  mlir::Value chosen(const Memory &memory, mlir::Value memref, mlir::Value hot);

  unsigned maxLanes;
  llvm::DenseSet<mlir::Value> wholeStarts;   // last coordinates at which a vector ends within its dimension
  llvm::DenseSet<mlir::Value> shiftedStarts; // those that may be no multiple of a vector's lanes, behind a slice
  llvm::SmallVector<Deal> deals;
  int64_t parts = 1; // of what is dealt out
  BoundFields bound;
  ComputedFields computed;
  unsigned depth = 0;                           // of calls of `element` in each other
  llvm::DenseMap<mlir::Value, unsigned> scopes; // what `scopeOf` has found since the outermost of them began
};

struct FieldEmitter::Snapshot {
  Position position;
  BoundFields bound;
  ComputedFields computed;
};

gnn::FieldType fieldType(mlir::Value field);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_FIELDEMITTER_H
