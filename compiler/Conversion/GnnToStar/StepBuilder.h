//===- StepBuilder.h - Regions of sweeps and maps ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds one step of a star program from its group of the fusion plan.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GNNTOSTAR_STEPBUILDER_H
#define GNNC_CONVERSION_GNNTOSTAR_STEPBUILDER_H

#include "compiler/Conversion/GnnToStar/FusionPlan.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <array>

namespace gnnc {

/// Reads, computations and stores of one step. `collect` only looks at values of the gnn program; `build` creates the
/// star op.
class StepBuilder {
public:
  using Load = std::pair<mlir::Value, star::Access>;

  /// `needed`: values of the program that later steps or results read from memory.
  StepBuilder(const FusionPlan &plan, int group, const llvm::DenseSet<mlir::Value> &needed);

  /// Whether anything of the step is needed.
  bool isDead() const { return rowResults.empty() && edgeResults.empty() && totals.empty(); }
  /// The stored values that the step reads.
  llvm::SmallVector<mlir::Value> operands() const;
  /// Whether what the step computes of a row in the end is made of `value`.
  bool reads(mlir::Value value) const { return collected.contains({value, int(Place::End)}); }
  /// Whether the step reads a value for what it computes of a row in the end, and for nothing else.
  bool readsInEndOnly(mlir::Value value) const {
    return reads(value) && llvm::none_of(std::array{Place::StepRow, Place::StepCol, Place::StepEdge}, [&](Place place) {
             return collected.contains({value, int(place)});
           });
  }

  /// Makes the sweep or map and tells `define` the star value of each value that it stores. `stored` gives the star
  /// value of an operand.
  void build(mlir::OpBuilder &builder, llvm::function_ref<mlir::Value(mlir::Value)> stored,
             llvm::function_ref<void(mlir::Value, mlir::Value)> define);

  unsigned numFusedOps() const { return fusedOps; }

private:
  /// Where an expression stands: in `step`, read at the rows' end, at the other end or of the edge itself; or in `end`.
  enum class Place { StepRow, StepCol, StepEdge, End };

  void collectSteps();
  void collectStep(mlir::Value value, Place place);
  void collectEnd(mlir::Value value);
  void addLoad(mlir::Value value, star::Access access) { loads.insert({value, access}); }
  bool isLoaded(mlir::Value value) const { return plan.isStoredBefore(value, group); }
  Place placeOfRead(mlir::Operation *read) const;

  mlir::Value emit(mlir::OpBuilder &builder, mlir::Value value, Place place);
  mlir::Value emitWeighted(mlir::OpBuilder &builder, gnn::SoftmaxSumOp sum);
  void buildStep(mlir::Region &region, mlir::Location loc);
  void buildEnd(mlir::Region &region, mlir::Location loc);
  llvm::SmallVector<Load> loadsBy(star::Access access) const;
  unsigned normaliserIndex(gnn::SoftmaxSumOp sum) const;
  llvm::SmallVector<mlir::Attribute> aggregators() const;
  std::optional<int> depth() const;
  mlir::Location location();

  const FusionPlan &plan;
  int group;
  const FusionGroup &step;
  llvm::SmallVector<gnn::AggregateOp> aggregates;
  llvm::SmallVector<gnn::SoftmaxSumOp> softmaxSums;
  llvm::SmallVector<mlir::Value> rowResults, edgeResults;
  llvm::SmallVector<gnn::TotalOp> totals;
  llvm::SetVector<Load> loads;
  llvm::DenseMap<std::pair<mlir::Value, int>, mlir::Value> emitted;
  llvm::DenseSet<std::pair<mlir::Value, int>> collected;
  unsigned fusedOps = 0;
};

} // namespace gnnc

#endif // GNNC_CONVERSION_GNNTOSTAR_STEPBUILDER_H
