//===- StepDepths.cpp - How deep the rows of each step are ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/StepDepths.h"

#include "dialects/Gnn/IR/TypeRules.h"

using namespace gnnc;
using namespace gnnc::star;
using gnn::End;
using gnn::fieldOf;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

StepDepths::StepDepths(ProgramOp program) : model(gnn::ModelAttr::of(program)), support(program) {
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
      return {rowDepth(rowResults), -1};
    return {-1, rowDepth(rowResults)};
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
  const int depth = rowDepth(rowResults), reached = support.colsOf(launch);
  const int cols = reached == Support::everywhere ? depth + 1 : reached;
  if (!support.flowsBothWays(launch))
    return {depth, cols};
  return {std::max(depth, cols), std::max(depth, cols)};
}

/// The deepest rows for which a parameter is read, an argument of one of the regions of a sweep: in `end` by rows, in
/// `step` by the ends of edges whose fields are computed with it.
static int depthOfReaders(Value parameter, End rows, StepDepth depth) {
  int deepest = -1;
  for (Operation *user : parameter.getUsers()) {
    if (user->getNumResults() == 0) {
      deepest = std::max(deepest, depth.rows);
      continue;
    }
    for (Value result : user->getResults()) {
      const gnn::GraphKind kind = fieldOf(result).getKind();
      const bool isOfRows =
          kind == gnn::GraphKind::V || kind == (rows == End::Source ? gnn::GraphKind::S : gnn::GraphKind::D);
      const int read = kind == gnn::GraphKind::P   ? depthOfReaders(result, rows, depth)
                       : isOfRows                  ? depth.rows
                       : kind == gnn::GraphKind::E ? std::max(depth.rows, depth.cols)
                                                   : depth.cols;
      deepest = std::max(deepest, read);
    }
  }
  return deepest;
}

void StepDepths::demandSweep(KernelOp kernel, LaunchOp launch, StepDepth depth) {
  unsigned numEnd = 0; // arguments of `end` so far
  for (auto [index, operand] : llvm::enumerate(launch.getOperands())) {
    switch (kernel.getInput(index).getAccess()) {
    case Access::Row:
      ++numEnd;
      demandRows(operand, depth.rows);
      break;
    case Access::Col:
      demandRows(operand, depth.cols);
      break;
    case Access::Edge:
      demand(operand,
             *kernel.getToward() == End::Source ? Demand{depth.rows, depth.cols} : Demand{depth.cols, depth.rows});
      break;
    case Access::Whole:
      for (Value argument : {kernel.getStep().getArgument(index), kernel.getEnd().getArgument(numEnd)})
        demandRows(operand, depthOfReaders(argument, *kernel.getToward(), depth));
      ++numEnd;
      break;
    }
  }
}

/// A map over parameters has one row, and no depth of its own: each result has the depth at which it is read, and so
/// has what it is computed from.
void StepDepths::demandOfParameters(KernelOp kernel, LaunchOp launch) {
  for (auto [result, value] : llvm::zip_equal(launch.getResults(), kernel.getYield().getValues())) {
    const int depth = rowDepth(result);
    llvm::SmallVector<Value> pending = {value};
    llvm::DenseSet<Value> seen;
    while (!pending.empty()) {
      Value next = pending.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(next))
        demandRows(launch.getOperand(argument.getArgNumber()), depth);
      else
        llvm::append_range(pending, next.getDefiningOp()->getOperands());
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
    return demandOfParameters(kernel, launch);
  }
  const int depth = rowDepth(launch.getResults());
  for (Value operand : launch.getOperands())
    demandRows(operand, depth);
  depths[&op] = {depth};
}
