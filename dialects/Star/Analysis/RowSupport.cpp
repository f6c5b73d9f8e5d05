//===- RowSupport.cpp - Where values of a program can differ from 0 -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/RowSupport.h"

#include "dialects/Gnn/IR/TypeRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gnnc;
using namespace gnnc::star;
using gnn::End;
using gnn::fieldOf;
using gnn::FieldType;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

Support Support::operator|(Support other) const {
  return {std::max(source, other.source), std::max(destination, other.destination)};
}

Support Support::operator&(Support other) const {
  return {std::min(source, other.source), std::min(destination, other.destination)};
}

Traversal gnnc::star::traversalOf(gnn::RelationAttr relation) {
  return relation.getSparseInput() ? Traversal::Table : relation.getPairs() ? Traversal::Same : Traversal::Hop;
}

RowSupport::RowSupport(ProgramOp program) : model(gnn::ModelAttr::of(program)) {
  for (Operation &op : program.getBody().front().without_terminator())
    visit(op);
}

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<gnn::ConstantOp>();
  if (!constant)
    return false;
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue()))
    return number.getValue().isZero();
  return llvm::cast<mlir::IntegerAttr>(constant.getValue()).getValue().isZero();
}

/// Of an op whose results depend on its operands element by element or run by run; what is not known to make 0 of 0 is
/// everywhere.
Support RowSupport::ofOp(Operation &op) const {
  auto operand = [&](unsigned i) { return of(op.getOperand(i)); };
  return llvm::TypeSwitch<Operation *, Support>(&op)
      .Case([](gnn::LossMaskOp) { return Support::ofRows(0); })
      .Case([](gnn::ConstantOp constant) {
        return isZero(constant.getResult()) ? Support::ofRows(Support::nowhere) : Support();
      })
      .Case<gnn::NegOp, gnn::AbsOp, gnn::SqrtOp, gnn::TanhOp, gnn::CopyOp, gnn::StopGradientOp, gnn::CastOp,
            gnn::BroadcastOp, gnn::ReshapeOp, gnn::PadOp, gnn::SliceOp, gnn::TransposeOp, gnn::DivOp, gnn::IndexOp,
            gnn::TableRowsOp, gnn::RowsTableOp>([&](auto) { return operand(0); })
      .Case([&](gnn::ReduceOp reduce) {
        return isa<gnn::SumAttr, gnn::MaxAttr, gnn::MinAttr, gnn::ProdAttr>(reduce.getAggregator()) ? operand(0)
                                                                                                    : Support();
      })
      .Case<gnn::MulOp, gnn::AndOp, gnn::MatMulOp, gnn::MatMulTNOp, gnn::TypedMatMulOp, MatMulOp, MatMulTNOp>(
          [&](auto) { return operand(0) & operand(1); })
      .Case<gnn::AddOp, gnn::SubOp, gnn::MaximumOp, gnn::MinimumOp, gnn::OrOp, gnn::ConcatOp>([&](auto) {
        Support all = Support::ofRows(Support::nowhere);
        for (Value value : op.getOperands())
          all = all | of(value);
        return all;
      })
      .Case([&](gnn::CompareOp compare) {
        bool isDifference = compare.getPredicate() == gnn::Predicate::Ne && isZero(op.getOperand(1));
        return isDifference ? operand(0) : Support();
      })
      .Case([&](gnn::SelectOp) { return operand(2) | (operand(0) & operand(1)); })
      .Default([](Operation *) { return Support(); });
}

void RowSupport::visitBlock(mlir::Block &block) {
  for (Operation &op : block.without_terminator())
    for (Value result : op.getResults())
      supports[result] = ofOp(op);
}

void RowSupport::visit(Operation &op) {
  if (auto launch = llvm::dyn_cast<LaunchOp>(op))
    return visitLaunch(launch);
  for (Value result : op.getResults())
    supports[result] = ofOp(op);
}

/// What edges of a row fold to is 0 where the row is too deep, and where all of its neighbours are: then the row is
/// more than one deeper than those that are not.
Support RowSupport::reduction(KernelOp kernel, unsigned index) const {
  gnn::AggregatorInterface aggregator = kernel.getAggregator(index);
  if (!isa<gnn::SumAttr, gnn::MaxAttr, gnn::MinAttr, SoftmaxSumAttr>(aggregator))
    return {};
  ContributeOp contribute = kernel.getContribute();
  Support edge = of(contribute.getValues()[index]);
  if (Value filter = contribute.getFilter(index))
    edge = edge & of(filter);
  const End rows = *kernel.getToward(), cols = opposite(rows);
  switch (traversalOf(model.getRelations()[kernel.getId()])) {
  case Traversal::Hop:
    return Support::ofRows(
        std::min(edge.at(rows), edge.at(cols) == Support::nowhere ? Support::nowhere : edge.at(cols) + 1));
  case Traversal::Same:
    return Support::ofRows(std::min(edge.at(rows), edge.at(cols)));
  case Traversal::Table:
    return Support::ofRows(edge.destination);
  }
  llvm_unreachable("every traversal returns");
}

void RowSupport::visitSweep(KernelOp kernel, LaunchOp launch) {
  mlir::Block &step = kernel.getStep().front(), &end = kernel.getEnd().front();
  const End rows = *kernel.getToward();
  unsigned numEnd = 0; // arguments of `end` so far
  for (auto [index, operand] : llvm::enumerate(launch.getOperands())) {
    Support stored = of(operand), inStep;
    switch (kernel.getInput(index).getAccess()) {
    case Access::Row:
      inStep.at(rows) = stored.at(rows);
      supports[end.getArgument(numEnd++)] = stored;
      break;
    case Access::Col:
      inStep.at(opposite(rows)) = stored.at(rows);
      break;
    case Access::Edge:
      inStep = stored;
      break;
    case Access::Whole:
      supports[end.getArgument(numEnd++)] = stored;
      break;
    }
    supports[step.getArgument(index)] = inStep;
  }
  visitBlock(step);
  for (unsigned i = 0; i < kernel.getAggregators().size(); ++i)
    supports[kernel.getReduction(i)] = reduction(kernel, i);
  visitBlock(end);
  const unsigned numRows = kernel.getNumRowOutputs();
  for (auto [index, result] : llvm::enumerate(launch.getResults()))
    supports[result] =
        of(index < numRows ? kernel.getYield().getValues()[index] : kernel.getContribute().getEdges()[index - numRows]);
}

void RowSupport::visitLaunch(LaunchOp launch) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  if (kernel.isSweep())
    return visitSweep(kernel, launch);
  mlir::Block &end = kernel.getEnd().front();
  for (auto [argument, operand] : llvm::zip_equal(end.getArguments(), launch.getOperands()))
    supports[argument] = of(operand);
  visitBlock(end);
  const unsigned numRows = kernel.getNumRowOutputs();
  for (auto [index, result, value] : llvm::enumerate(launch.getResults(), kernel.getYield().getValues())) {
    bool isTotal = index >= numRows;
    supports[result] = isTotal && !isa<gnn::SumAttr>(kernel.getAggregators()[index - numRows]) ? Support() : of(value);
  }
}
