//===- StepDepths.cpp - How deep the rows of each step are ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/StepDepths.h"

#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/TypeRules.h"

using namespace gnnc;
using namespace gnnc::star;
using gnn::End;
using gnn::fieldOf;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

StepDepths::StepDepths(ProgramOp program)
    : model(gnn::ModelAttr::of(program)), isTraining(gnn::hasGradients(program.getSymName())), support(program) {
  for (Operation &op : llvm::reverse(program.getBody().front().without_terminator()))
    visit(op);
}

void StepDepths::demand(Value value, Demand wanted) {
  Demand &deepest = demands[value];
  deepest = {std::max(deepest.source, wanted.source), std::max(deepest.destination, wanted.destination)};
}

/// The depth that all of `results` need, of vertices or summed over vertices.
int StepDepths::rowDepth(mlir::ValueRange results) const {
  int depth = 0;
  for (Value result : results) {
    const int reached = support.of(result).rows();
    assert((reached != Support::everywhere || !support.isGradient(result)) && "a gradient is 0 beyond some depth");
    depth = std::max(depth, reached == Support::everywhere ? demands.lookup(result).source : reached);
  }
  return depth;
}

/// The depth of a step: the greater of what `results` need and what the launch declares for its totals.
int StepDepths::rowDepth(LaunchOp launch, mlir::ValueRange results) const {
  const int depth = rowDepth(results), declared = gnn::declaredDepth(launch).value_or(depth);
  assert((declared >= depth || !isTraining) && "a step has the rows that its totals are over");
  return std::max(depth, declared);
}

/// Forward, rows are nearer to the seeds than their neighbours; backward, where gradients of the neighbours flow to the
/// rows, they are one deeper, and as deep where gradients flow both ways. A sweep that makes values of edges alone goes
/// the way that these are read.
StepDepth StepDepths::sweepDepth(KernelOp kernel, LaunchOp launch) const {
  const End rows = *kernel.getToward();
  const Traversal traversal = traversalOf(model, kernel.getId());
  auto rowResults =
      kernel.isOfTotals() ? launch.getResults() : launch.getResults().take_front(kernel.getNumRowOutputs());
  if (traversal == Traversal::Table) {
    if (rows == End::Destination)
      return {rowDepth(launch, rowResults), -1};
    return {-1, rowDepth(launch, rowResults)};
  }
  if (traversal == Traversal::Same)
    return {0, 0};
  if (rowResults.empty()) {
    Demand wanted;
    for (Value result : launch.getResults()) {
      Demand own = demands.lookup(result);
      wanted = {std::max(wanted.source, own.source), std::max(wanted.destination, own.destination)};
    }
    if (wanted.source == wanted.destination) // results of the program
      return {wanted.source, wanted.source + 1};
    return rows == End::Source ? StepDepth{wanted.source, wanted.destination}
                               : StepDepth{wanted.destination, wanted.source};
  }
  const int depth = rowDepth(launch, rowResults), reached = support.colsOf(launch);
  const int cols = reached == Support::everywhere ? depth + 1 : reached;
  if (!support.flowsBothWays(launch))
    return {depth, cols};
  return {std::max(depth, cols), std::max(depth, cols)};
}

void StepDepths::demandSweep(KernelOp kernel, LaunchOp launch, StepDepth depth) {
  for (auto [index, operand] : llvm::enumerate(launch.getOperands())) {
    switch (kernel.getInput(index).getAccess()) {
    case Access::Row:
      demandRows(operand, depth.rows);
      break;
    case Access::Col:
      demandRows(operand, depth.cols);
      break;
    case Access::Edge:
      demand(operand,
             *kernel.getToward() == End::Source ? Demand{depth.rows, depth.cols} : Demand{depth.cols, depth.rows});
      break;
    case Access::Whole: // a parameter has no rows
      break;
    }
  }
}

void StepDepths::visit(Operation &op) {
  if (isa<gnn::TableRowsOp, gnn::RowsTableOp>(op))
    return demandRows(op.getOperand(0), demands.lookup(op.getResult(0)).source);
  if (isa<MatMulOp, MatMulTNOp>(op)) {
    depths[&op] = {rowDepth(op.getResults())};
    for (Value operand : op.getOperands())
      demandRows(operand, depths[&op].rows);
    return;
  }
  auto launch = llvm::dyn_cast<LaunchOp>(op);
  if (!launch)
    return;
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  if (kernel.isSweep()) {
    depths[&op] = sweepDepth(kernel, launch);
    return demandSweep(kernel, launch, depths[&op]);
  }
  if (kernel.getId() == uint64_t(-1)) {
    depths[&op] = {-1};
    return;
  }
  depths[&op] = {rowDepth(launch, launch.getResults())};
  for (Value operand : launch.getOperands())
    demandRows(operand, depths[&op].rows);
}
