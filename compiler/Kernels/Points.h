//===- Points.h - Where elements of fields are ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points at which fields have elements: lanes and masks of vectors, loops over the points of a type, and which of
// them each thread has in registers.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_POINTS_H
#define GNNC_KERNELS_POINTS_H

#include "compiler/Kernels/KernelFunction.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Star/IR/Star.h"

namespace gnnc {

inline gnn::FieldType fieldType(mlir::Value field) { return llvm::cast<gnn::FieldType>(field.getType()); }
inline DimExpr lastDim(gnn::FieldType type) { return type.getDim(type.getRank() - 1); }
/// Whether `dim` is the last dimension of `type`.
inline bool isLast(gnn::FieldType type, unsigned dim) { return dim + 1 == type.getRank(); }

/// Elements of a field: one (`lanes` is 0), or a vector of those from `coords` on along the last dimension. Which lanes
/// the field has is no part of a point: other fields have other lanes at the same point (`FieldEmitter::mask`). Of the
/// threads that have the point one is its owner (`isOwner`; null: every one), which alone stores what all of them have.
struct Point {
  llvm::SmallVector<Index, 3> coords;
  unsigned lanes = 0;
  mlir::Value isOwner = {};

  bool operator==(const Point &other) const { return lanes == other.lanes && coords == other.coords; }
  /// The point at `position` of a further dimension `dim`.
  Point withCoord(unsigned dim, Index position) const {
    Point inserted = *this;
    inserted.coords.insert(inserted.coords.begin() + dim, position);
    return inserted;
  }
};

/// `element`, or a vector of the lanes of `point`.
inline mlir::Type typeAt(mlir::Type element, const Point &point) {
  return point.lanes ? mlir::VectorType::get({point.lanes}, element) : element;
}

/// The most elements that open dimensions have where a piece of code runs.
struct Bounds {
  llvm::SmallVector<std::pair<DimExpr, int64_t>> dims;

  /// How many elements `dim` has at most; none: it may have any number.
  std::optional<int64_t> most(const DimExpr &dim) const;
  /// How many vectors of `lanes` the elements of `type` take at most; none: any number.
  std::optional<uint64_t> numVectors(gnn::FieldType type, unsigned lanes) const;
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

/// How long the vectors of a kernel are on a machine.
struct VectorShape {
  const Machine &machine;
  unsigned maxLanes; // of the widest real that the kernel computes with

  static VectorShape of(star::KernelOp kernel, const Machine &machine);
  /// Lanes of a vector along the last dimension of `type`; 0 for a field of one number.
  unsigned lanes(gnn::FieldType type, const Bounds &bounds = {}) const;
  /// How many vectors take the registers of `quads` vectors of as many f32 as are loaded at a time.
  unsigned vectorsIn(unsigned quads) const;
};

/// Vectors along the last dimension of fields, and which of their lanes there are.
class Lanes {
public:
  Lanes(KernelFunction &function, const VectorShape &shape) : shape(shape), function(function), b(function.loops()) {}

  /// Every point that is asked for has known coordinates; then no field needs memory.
  bool unrolled = false;
  /// With `unrolled`: coordinates are known below these. Vectors are masked where dimensions have fewer elements.
  Bounds bounds;
  /// An open dimension that is a multiple of a whole vector's lanes wherever the code runs that is being built.
  std::optional<DimExpr> wideDim;

  /// Lanes of a vector along the last dimension of `type`; 0 for a field of one number.
  unsigned lanes(gnn::FieldType type) const;
  /// The lanes of `point` that a field of type `type` has; null: all of them.
  mlir::Value mask(gnn::FieldType type, const Point &point);
  Index lastExtent(gnn::FieldType type, llvm::ArrayRef<Index> coords);
  /// Whether a vector that begins at `start` is known to end within its dimension.
  bool isWholeAt(Index start) const { return wholeStarts.contains(llvm::dyn_cast<mlir::Value>(start)); }
  void setWholeAt(Index start) {
    if (auto value = llvm::dyn_cast<mlir::Value>(start))
      wholeStarts.insert(value);
  }
  /// Whether `start` may be no multiple of a vector's lanes, behind a slice.
  bool isShiftedAt(Index start, unsigned lanes) const;
  Index shift(Index start, Index offset, unsigned lanes);
  /// `scalar` in every lane of `point`.
  mlir::Value splat(mlir::Value scalar, const Point &point) const;
  mlir::Value constant(mlir::TypedAttr number, const Point &point) const;
  mlir::Value number(double number, mlir::Type element, const Point &point) const {
    return constant(gnn::numberAttr(element, number), point);
  }
  Values constants(llvm::ArrayRef<mlir::TypedAttr> numbers, const Point &point) const {
    return llvm::map_to_vector(numbers, [&](mlir::TypedAttr number) { return constant(number, point); });
  }
  /// The positions along dimension `dim` of `type` of the lanes of `point`, of which the first is `start`.
  mlir::Value positions(gnn::FieldType type, unsigned dim, Index start, mlir::Type element, const Point &point) const;
  /// `then` where `condition` (i1, or null for true) holds, else `otherwise`.
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise) const {
    return condition ? b.select(condition, then, otherwise) : then;
  }
  Values select(mlir::Value condition, mlir::ValueRange then, mlir::ValueRange otherwise) const;

  const VectorShape shape;
  KernelFunction &function;
  LoopBuilder &b;

private:
  mlir::Value maskFrom(Index start, Index size, unsigned lanes);

  llvm::DenseSet<mlir::Value> wholeStarts, shiftedStarts;
};

/// The points of fields, in loops or one after the other.
class Points : public Lanes {
public:
  using Lanes::Lanes;

  /// Without `unrolled`: how many vectors a loop over the last of several dimensions does at a time.
  int64_t vectorsAtOnce = 1;
  /// The remainder of an open dimension after whole vectors is computed element by element instead of under a mask.
  bool scalarRest = false;

  /// Deals fields out to the threads of the group, whose dimensions are those, or the first, of one of `widest`;
  /// `unrolled` from now on. With several parts, threads have one part of the runs of the last dimension at a time.
  void dealOut(llvm::ArrayRef<gnn::FieldType> widest, int64_t numParts);
  /// Calls `body` once, in a loop over the parts, if there are several.
  void forEachPart(llvm::function_ref<void()> body);
  bool isInParts() const { return parts > 1; }
  /// Whether fields of this type are dealt out with `widest`.
  static bool isDealtWith(gnn::FieldType widest, gnn::FieldType type) {
    return type.getRank() <= widest.getRank() && type.getDims() == widest.getDims().take_front(type.getRank());
  }
  bool isDealt() const { return !deals.empty(); }
  const Deal &dealWith(gnn::FieldType type) const;
  /// Runs `body` as if nothing were dealt out, with fields in memory that the threads share.
  void inMemory(llvm::function_ref<void()> body);

  /// Calls `body` for every point of `type`, in loops or, where `unrolled`, one after the other. `scalar`: for single
  /// elements. Threads that share a row deal the points of a type out in turn; a type without dimensions has one point,
  /// which each of them has.
  void forEachPoint(gnn::FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body);
  /// Vectors of `type`; elements, if `scalar`.
  Index numVectors(gnn::FieldType type, bool scalar);
  /// Vector (element) `number` of `type`, in row-major order.
  Point vectorAt(gnn::FieldType type, bool scalar, Index number);
  /// The points of a type of known dimensions.
  llvm::SmallVector<Point> all(gnn::FieldType type);
  /// Points of `count` vectors along the last dimension from `coords` on. With `masked`, the last of them may reach
  /// over the end of the dimension.
  llvm::SmallVector<Point> tile(gnn::FieldType type, llvm::ArrayRef<Index> coords, unsigned count, bool masked);
  /// Whether the one element of `point` is had for less from the vector that it is in, which others are in too.
  bool isLaneOfVector(const Point &point) const {
    return unrolled && !isDealt() && point.lanes == 0 && !point.coords.empty() && known(point.coords.back());
  }

private:
  Deal dealOf(gnn::FieldType widest, Index firstRun);
  llvm::SmallVector<Point> dealtPoints(gnn::FieldType type);
  void tileLast(gnn::FieldType type, llvm::SmallVector<Index, 3> coords, llvm::function_ref<void(const Point &)> body);
  void forEachOwnPoint(gnn::FieldType type, bool scalar, llvm::function_ref<void(const Point &)> body);

  llvm::SmallVector<Deal> deals;
  int64_t parts = 1; // of what is dealt out
};

} // namespace gnnc

#endif // GNNC_KERNELS_POINTS_H
