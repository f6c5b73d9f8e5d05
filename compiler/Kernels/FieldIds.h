//===- FieldIds.h - Rows and edges, and their ids ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row and edge that are being computed, their original ids, and what has been computed for them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_FIELDIDS_H
#define GNNC_KERNELS_FIELDIDS_H

#include "compiler/Kernels/Points.h"

namespace gnnc {

/// As many edges side by side as a group has threads. What arrays say of them is read once: each thread reads the
/// numbers of one edge, all at once, and tells the others by shuffles when it is that edge's turn.
class EdgeRun {
public:
  /// The numbers of an edge in the arrays of a block: the vertex at its other end, its original id, its type.
  enum class Number { Col, Id, Type };

  /// A run in the current scope; `mine` is the edge that this thread reads, whose place in the run is the thread's
  /// number.
  EdgeRun(KernelFunction &function, mlir::Value mine)
      : function(function), mine(mine), block(function.loops().block(function.loops().top())) {}

  /// The value of `read` for the edge at `place`. `read` is called once, for `mine`, and must be the same in each call.
  /// All threads of the group must reach the call.
  mlir::Value tell(Number number, mlir::Value place, llvm::function_ref<mlir::Value(mlir::Value edge)> read);

private:
  KernelFunction &function;
  mlir::Value mine;
  mlir::Block *block;
  mlir::Value ofMine[3]; // null: nobody has asked yet
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

/// Elements that have been computed, by the scope of each: one is found again in the scope that it was computed in.
class ComputedValues {
public:
  /// The value of `key` at `point` in `scope`: that of the first call's `compute`, which is called in `scope`.
  mlir::Value once(LoopBuilder &b, mlir::Value key, const Point &point, unsigned scope,
                   llvm::function_ref<mlir::Value()> compute);
  void add(mlir::Value key, const Point &point, mlir::Value value, mlir::Block *block) {
    entries[key].push_back({point, value, block});
  }
  /// Forgets what was computed in the scope of `block`.
  void forget(mlir::Block *block);

private:
  struct Computed {
    Point point;
    mlir::Value value;
    mlir::Block *block;
  };
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Computed, 2>> entries;
};

/// Ids of the position, as i64, each computed once.
class Ids {
public:
  Ids(KernelFunction &function, const Position &position, ComputedValues &computed)
      : function(function), b(function.loops()), position(position), computed(computed) {}

  mlir::Value rowId() { return vertexId(position.row, "block.row_id"); }
  mlir::Value colId() { return vertexId(position.col, "block.col_id"); }
  mlir::Value edgeId();
  /// The id of the vertex that the edge comes from or, if `isDestination`, leads to.
  mlir::Value ofEnd(bool isDestination) { return position.rowsAreDestinations == isDestination ? rowId() : colId(); }
  /// The original id (i64) of the edge at a position of the block.
  mlir::Value edgeIdAt(mlir::Value edge);
  /// The value of `read` for the edge of the position.
  mlir::Value ofEdge(EdgeRun::Number number, llvm::function_ref<mlir::Value(mlir::Value edge)> read) {
    return position.run ? position.run->tell(number, position.placeInRun, read) : read(position.edge);
  }
  /// Whether a field of vertices is of those that are rows.
  bool isOfRow(gnn::FieldType type) const {
    return type.isVertex() || (type.getKind() == gnn::GraphKind::D) == position.rowsAreDestinations;
  }

private:
  mlir::Value lookUpId(llvm::StringRef table, mlir::Value local);
  mlir::Value originalId(mlir::Value local, llvm::function_ref<mlir::Value()> lookUp) {
    return computed.once(b, local, {}, b.scopeOf(local), lookUp);
  }
  mlir::Value vertexId(mlir::Value local, llvm::StringRef table) {
    return originalId(local, [&] { return lookUpId(table, local); });
  }

  KernelFunction &function;
  LoopBuilder &b;
  const Position &position;
  ComputedValues &computed;
};

} // namespace gnnc

#endif // GNNC_KERNELS_FIELDIDS_H
