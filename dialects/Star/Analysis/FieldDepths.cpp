//===- FieldDepths.cpp - How deep each field is computed ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/FieldDepths.h"

#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/TypeRules.h"

using namespace gnnc;
using namespace gnnc::star;
using gnn::End;
using gnn::fieldOf;
using gnn::FieldType;
using gnn::GraphKind;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

FieldDepths::FieldDepths(gnn::ProgramOp program) : FieldDepths(program, [](Operation *) { return true; }) {}

FieldDepths::FieldDepths(gnn::ProgramOp program, llvm::function_ref<bool(Operation *)> isWanted)
    : model(gnn::ModelAttr::of(program)), support(program) {
  for (Operation &op : llvm::reverse(program.getBody().front().without_terminator()))
    if (isWanted(&op))
      visit(op);
  for (Operation &op : program.getBody().front().without_terminator())
    for (Value result : op.getResults())
      if (fieldOf(result).isParameter() && isForward(result) &&
          (isa<gnn::TotalOp>(op) || llvm::any_of(op.getOperands(), [&](Value operand) { return isOfTotals(operand); })))
        ofTotals.insert(result);
}

int FieldDepths::of(Value value) const {
  if (!isForward(value))
    return support.of(value).rows();
  auto total = value.getDefiningOp<gnn::TotalOp>();
  const std::optional<int> declared = total ? gnn::declaredDepth(total) : std::nullopt;
  return declared ? *declared : demands.lookup(value).source;
}

void FieldDepths::demand(Value value, EndDepths wanted) {
  if (!fieldOf(value).isEdge())
    wanted.source = wanted.destination = std::max(wanted.source, wanted.destination);
  EndDepths &deepest = demands[value];
  deepest = {std::max(deepest.source, wanted.source), std::max(deepest.destination, wanted.destination)};
}

/// The depths of the ends of edges that a sum over edges reads.
EndDepths FieldDepths::sweepDepths(Operation &sum, End toward) {
  Value edges = sum.getOperand(0);
  int rows = 0;
  for (Value result : sum.getResults())
    rows = std::max(rows, of(result));
  if (traversalOf(model, fieldOf(edges).getId()) != Traversal::Hop)
    return {rows, rows};
  const EdgeFlow flow = flowOf(support.of(edges), toward);
  int depth = flow.cols == Support::everywhere ? rows + 1 : flow.cols;
  if (flow.isForth && flow.isBack)
    rows = depth = std::max(rows, depth);
  cols[&sum] = depth;
  return toward == End::Source ? EndDepths{rows, depth} : EndDepths{depth, rows};
}

void FieldDepths::visit(Operation &op) {
  Value result = op.getResult(0);
  if (auto sum = llvm::dyn_cast<gnn::SoftmaxSumOp>(op)) {
    demand(sum.getNormaliser(), {of(result), of(result)});
    return demand(sum.getOperand(), sweepDepths(op, sum.getNormaliserOp().getToward()));
  }
  const FieldType type = fieldOf(result);
  const GraphKind kind = type.getKind();
  EndDepths wanted = demands.lookup(result);
  if (auto softmax = llvm::dyn_cast<gnn::SoftmaxOp>(op)) { // over all edges of the end
    int &far = wanted.at(opposite(softmax.getToward()));
    far = std::max(far, wanted.at(softmax.getToward()) + 1);
  } else if (auto aggregate = llvm::dyn_cast<gnn::AggregateOp>(op))
    wanted = sweepDepths(op, aggregate.getToward());
  else if (!type.isEdge())
    wanted = {of(result), of(result)};
  else if (kind != GraphKind::E) // of one end alone
    wanted = kind == GraphKind::S ? EndDepths{wanted.source, 0} : EndDepths{0, wanted.destination};
  for (Value operand : op.getOperands())
    demand(operand, wanted);
}
