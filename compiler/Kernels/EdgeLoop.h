//===- EdgeLoop.h - The loop over the edges of a row ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binds the fields that an edge reads, and prefetches them, for every kind of fold.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_EDGELOOP_H
#define GNNC_KERNELS_EDGELOOP_H

#include "compiler/Kernels/KernelEmitter.h"
#include "compiler/Kernels/SweepPlan.h"

namespace gnnc {

/// The work on the current edge.
struct EdgeStep {
  llvm::function_ref<void()> read; // asks for what `fold` needs of the edge
  llvm::function_ref<Values(mlir::ValueRange)> fold;
};

/// The part of the last dimension that an edge loop folds: vectors from `coords` on. Without a type: all of it.
struct Tile {
  llvm::SmallVector<Index, 3> coords;
  unsigned vectors = 0;
  gnn::FieldType type = {};
};

class EdgeLoop {
public:
  EdgeLoop(KernelEmitter &of, const SweepPlan &plan)
      : of(of), kernel(of.kernel), function(of.function), b(of.b), fields(of.fields), plan(plan) {}

  Index endOfRow; // where the edges of the row at hand end

  /// Makes `vectors` vectors of `type` from `start` on the tile that is folded. Returns the coordinates of the first.
  const llvm::SmallVector<Index, 3> &placeTile(llvm::ArrayRef<Index> outer, Index start, unsigned vectors,
                                               gnn::FieldType type) {
    tile = {llvm::to_vector<3>(outer), vectors, type};
    tile.coords.push_back(start);
    return tile.coords;
  }

  /// Emits the code of a call before its rows; `prefetches` and `rowsLieApart` are flags of it.
  void begin(mlir::Value prefetches, llvm::function_ref<mlir::Value()> rowsLieApart);
  /// Binds what `edge` reads.
  void bindEdge(mlir::Value edge);
  /// Asks for what edges behind `edge` read.
  void prefetch(mlir::Value edge) {
    prefetchEdgeInputs(edge);
    prefetchCols(edge);
  }
  /// Folds the edges from `from` to `to` into what is carried.
  Values fold(mlir::Value from, mlir::Value to, mlir::ValueRange carried, const EdgeStep &step);

private:
  Values foldInBlocks(Index from, Index to, int64_t atOnce, mlir::ValueRange carried, const EdgeStep &step,
                      llvm::function_ref<void(mlir::Value)> bind);
  int64_t edgesAtOnce(unsigned numStates);
  void bindCol(mlir::Value number);
  void loadHotCols();
  mlir::Value edgeAhead(mlir::Value edge, Index distance);
  void prefetchEdgeInputs(mlir::Value edge);
  void prefetchCols(mlir::Value edge);
  Index elementsToPrefetch(gnn::FieldType type, int64_t most);

  KernelEmitter &of;
  star::KernelOp kernel;
  KernelFunction &function;
  LoopBuilder &b;
  FieldEmitter &fields;
  const SweepPlan &plan;
  Tile tile;
  mlir::Value prefetches, rowsLieApart; // flags of the call
  mlir::Value lastEdge;                 // of the call
  Values hotRows;                       // memory of the hot rows of each input; null: of one that has none
};

} // namespace gnnc

#endif // GNNC_KERNELS_EDGELOOP_H
