//===- FusionPlan.h - Which ops run in which step ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides the ops of a gnn program among the steps of a star program, without changing the IR. The rules are in
// Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GNNTOSTAR_FUSIONPLAN_H
#define GNNC_CONVERSION_GNNTOSTAR_FUSIONPLAN_H

#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/Analysis/FieldDepths.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace gnnc {

/// A step in the making.
struct FusionGroup {
  enum class Kind { Sweep, Map, Product };

  explicit FusionGroup(Kind kind, int64_t type = 0, unsigned rowType = 0) : kind(kind), type(type), rowType(rowType) {}

  Kind kind;
  int64_t type; // sweep: relation; map: vertex type, or -1 for a map that computes parameters
  gnn::End toward = gnn::End::Destination;
  unsigned rowType;                                 // sweep, map: vertex type of the rows
  llvm::SmallVector<gnn::AggregateOp> aggregates;   // sweep
  llvm::SmallVector<gnn::SoftmaxSumOp> softmaxSums; // sweep; their normalisers are among `aggregates`
  llvm::SmallVector<mlir::Value> edgeResults;       // sweep
  llvm::SmallVector<mlir::Value> rowValues;         // sweep, map: ops of `end`, operands first
  unsigned numStored = 0;                           // of `rowValues` that others than `end` read
  // Map; or a sweep, which then has no other results and whose `aggregates` these totals are of, one by one.
  llvm::SmallVector<gnn::TotalOp> totals;
  mlir::Operation *product = nullptr; // gnn.matmul or gnn.matmul_tn

  bool isSweepOfTotals() const { return kind == Kind::Sweep && !totals.empty(); }
};

class FusionPlan {
public:
  /// Plans `program`, or reports at the op why one has no place. Without `fuse` every step has one op, or one
  /// aggregation with what it computes of stored fields for each edge.
  static mlir::FailureOr<FusionPlan> create(gnn::ProgramOp program, bool fuse, gnn::Keep keep);

  /// The steps in the order in which they run.
  llvm::ArrayRef<FusionGroup> groups() const { return steps; }

  /// Whether `value` lies in memory when step `group` starts. What does not is computed where it is used.
  bool isStoredBefore(mlir::Value value, int group) const;
  /// Whether `value` is computed by `end` of step `group`, or is one of its reductions.
  bool isRowOf(mlir::Value value, int group) const;

  /// Whether steps that read `value` may make it themselves: in programs with a loss only what gradients are made of is
  /// free, for gnn-plan has decided what forward keeps.
  bool mayRepeat(mlir::Value value) const {
    mlir::Operation *op = value.getDefiningOp();
    return fuse && (forward.empty() || !forward.contains(op)) && !isOfItsDepth(*op);
  }
  /// Lets every step that reads `value` make it itself, of values that are there before it.
  void repeat(mlir::Value value) { groupOf.erase(value); }

  /// The depth at which a step has to go over the rows of `op`, no deeper and no nearer: that of a forward total or of
  /// the gradient of one.
  std::optional<int> declaredDepth(mlir::Operation *op) const;

  /// True for values that a caller binds: inputs, parameters, degrees.
  static bool isLeaf(mlir::Operation *op);
  /// Another look at a stored field: `gnn.table_rows`, `gnn.rows_table`.
  static bool isView(mlir::Operation *op);

private:
  FusionPlan(gnn::ProgramOp program, bool fuse, gnn::Keep keep);

  mlir::LogicalResult placePhase(gnn::ProgramOp program, llvm::function_ref<bool(mlir::Operation *)> isOfPhase);
  mlir::LogicalResult place(mlir::Operation &op);
  mlir::LogicalResult placeProduct(mlir::Operation &op);
  void placeAggregate(gnn::AggregateOp op);
  void placeTotal(gnn::TotalOp op);
  void placeTableSum(gnn::TotalOp op, gnn::AggregateOp sum);
  void placeRowOp(mlir::Operation &op);
  void store(mlir::Value value);
  void storeRowValue(mlir::Value value);
  void storeEdgeValue(mlir::Value value);

  int addGroup(FusionGroup group);
  bool mayShareSweep(int step, gnn::AggregateOp op) const;
  int64_t newSweepBytes(gnn::AggregateOp op) const;
  int placeForSweep(gnn::AggregateOp op, int latest) const;
  void insertGroup(int index, FusionGroup group);
  int latestOperand(mlir::Operation &op) const;
  bool isBackward(mlir::Operation &op) const { return !forward.empty() && !forward.contains(&op); }
  bool isInPhase(int group, mlir::Operation &op) const;
  bool isOfOutputs(const FusionGroup &group) const;
  bool mayJoin(int map, mlir::Operation &op) const;
  bool hasRoom(int group) const;
  bool readsNearer(mlir::Operation &op, int depth, int inGroup = -1) const;
  bool mayBeAtDepth(mlir::Operation &op, int depth, int group) const;
  bool isOfItsDepth(mlir::Operation &op) const;
  bool isAtDepth(const FusionGroup &group, mlir::Operation &op) const;
  bool canHold(int group, mlir::Operation &op) const;
  unsigned inlinedCost(mlir::Operation &op) const;
  bool canFloat(mlir::Operation &op) const;
  void assign(mlir::Value value, int group);

  bool fuse;
  gnn::Keep keep;
  bool isPullback, separatesPhases;
  gnn::CostModel sizes;
  star::FieldDepths depths;                  // a step has one
  llvm::DenseSet<mlir::Operation *> forward; // what the loss or, in a pullback, outputs depend on; empty in others
  llvm::DenseSet<mlir::Operation *> outputs; // of a program that evaluates, what its outputs depend on
  int lastForward = 0;                       // the last step with rows of `forward`
  int endOfForward = 0;                      // the last with anything of it
  std::vector<FusionGroup> steps;
  llvm::DenseMap<mlir::Value, int> groupOf; // values that a step computes
  llvm::DenseMap<mlir::Value, int>
      ready; // last step that must have run before the value can be read elsewhere, -1: none
  llvm::DenseMap<mlir::Value, unsigned> inlined; // values computed where they are used, with their cost
};

} // namespace gnnc

#endif // GNNC_CONVERSION_GNNTOSTAR_FUSIONPLAN_H
