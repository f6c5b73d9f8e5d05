//===- RowSupport.cpp - Where values of a program can differ from 0 -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/RowSupport.h"

#include "dialects/Gnn/IR/Depth.h"
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

Support Support::nowhere() {
  Support none;
  none.parts.clear();
  return none;
}

Support Support::ofRows(int depth) {
  Support result;
  result.parts = {{depth, depth}};
  return result;
}

Support Support::ofEnd(End end, int depth) {
  Support result;
  result.parts.front().at(end) = depth;
  return result;
}

int Support::rows() const {
  int deepest = 0;
  for (EndDepths part : parts)
    deepest = std::max(deepest, part.source);
  return deepest;
}

void Support::add(EndDepths part) {
  auto isWithin = [](EndDepths inner, EndDepths outer) {
    return inner.source <= outer.source && inner.destination <= outer.destination;
  };
  if (llvm::any_of(parts, [&](EndDepths other) { return isWithin(part, other); }))
    return;
  llvm::erase_if(parts, [&](EndDepths other) { return isWithin(other, part); });
  parts.push_back(part);
}

Support Support::operator|(const Support &other) const {
  Support result = *this;
  for (EndDepths part : other.parts)
    result.add(part);
  return result;
}

Support Support::operator&(const Support &other) const {
  Support result = nowhere();
  for (EndDepths a : parts)
    for (EndDepths b : other.parts)
      result.add({std::min(a.source, b.source), std::min(a.destination, b.destination)});
  return result;
}

Traversal gnnc::star::traversalOf(gnn::ModelAttr model, unsigned index) {
  if (!model)
    return Traversal::Hop;
  gnn::RelationAttr relation = model.getRelations()[index];
  return relation.getSparseInput() ? Traversal::Table : relation.getPairs() ? Traversal::Same : Traversal::Hop;
}

RowSupport::RowSupport(ProgramOp program) : model(gnn::ModelAttr::of(program)) {
  for (Operation &op : program.getBody().front().without_terminator())
    visit(op);
}

RowSupport::RowSupport(gnn::ProgramOp program) : model(gnn::ModelAttr::of(program)) {
  for (Operation &op : program.getBody().front().without_terminator())
    visit(op);
}

EdgeFlow gnnc::star::flowOf(const Support &edges, End rows) {
  EdgeFlow flow{0};
  for (EndDepths part : edges.getParts()) { // sums of edges both ways may have become one sum
    const int reached = std::min(part.at(opposite(rows)), part.at(rows) + 1),
              depth = std::min(part.at(rows), part.at(opposite(rows)) + 1);
    flow.isForth |= reached >= depth;
    flow.isBack |= reached >= 0 && reached <= depth && depth < Support::everywhere;
    flow.cols = std::max(flow.cols, reached);
  }
  flow.cols = std::min(flow.cols, Support::everywhere);
  return flow;
}

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<gnn::ConstantOp>();
  if (!constant)
    return false;
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue()))
    return number.getValue().isZero();
  return llvm::cast<mlir::IntegerAttr>(constant.getValue()).getValue().isZero();
}

/// The support of the results of `op`, which depend on its operands element by element or run by run. An op that is not
/// known to return 0 where its operands are 0 has the support `everywhere`.
Support RowSupport::ofOp(Operation &op) const {
  if (gnn::isSpread(&op)) {
    const std::optional<int> depth = gnn::declaredDepth(&op);
    return depth || depthOfStep ? Support::ofRows(depth ? *depth : *depthOfStep) : Support();
  }
  auto operand = [&](unsigned i) {
    const Support support = of(op.getOperand(i));
    // A parameter is the same number for all rows. Which rows have it as a gradient is declared.
    const bool isForAllRows = fieldOf(op.getOperand(i)).isParameter() && !fieldOf(op.getResult(0)).isParameter();
    return isForAllRows && !support.getParts().empty() ? Support() : support;
  };
  auto ofAll = [&] {
    Support all = Support::nowhere();
    for (unsigned i = 0; i < op.getNumOperands(); ++i)
      all = all | operand(i);
    return all;
  };
  return llvm::TypeSwitch<Operation *, Support>(&op)
      .Case<gnn::LossMaskOp, gnn::CotangentOp>([](auto) { return Support::ofRows(0); })
      .Case([&](gnn::ReadSourceOp read) { return Support::ofEnd(End::Source, of(read.getOperand()).rows()); })
      .Case([&](gnn::ReadDestinationOp read) { return Support::ofEnd(End::Destination, of(read.getOperand()).rows()); })
      .Case([&](gnn::AggregateOp sum) {
        Support edges = of(sum.getOperand());
        return reduction(sum.getFilter() ? edges & of(sum.getFilter()) : edges, sum.getAggregator(), sum.getToward(),
                         fieldOf(sum.getOperand()).getId());
      })
      .Case([&](gnn::SoftmaxSumOp sum) {
        return reduction(of(sum.getOperand()), gnn::SumAttr::get(op.getContext()), sum.getNormaliserOp().getToward(),
                         fieldOf(sum.getOperand()).getId());
      })
      .Case([&](gnn::TotalOp total) {
        return isa<gnn::SumAttr>(total.getAggregator()) && !total.getOnes() ? operand(0) : Support();
      })
      .Case([&](gnn::TableRowsOp view) { return of(view.getTable()); })
      .Case([](gnn::ConstantOp constant) { return isZero(constant.getResult()) ? Support::nowhere() : Support(); })
      .Case<gnn::StopGradientOp, gnn::BroadcastOp, gnn::ReshapeOp, gnn::PadOp, gnn::SliceOp, gnn::TransposeOp,
            gnn::DivOp, gnn::IndexOp, gnn::RowsTableOp>([&](auto) { return operand(0); })
      .Case([&](gnn::ReduceOp reduce) {
        return isa<gnn::SumAttr, gnn::MaxAttr, gnn::MinAttr, gnn::ProdAttr>(reduce.getAggregator()) ? operand(0)
                                                                                                    : Support();
      })
      .Case<gnn::MulOp, gnn::AndOp, gnn::MatMulOp, gnn::MatMulTNOp, gnn::TypedMatMulOp, MatMulOp, MatMulTNOp>(
          [&](auto) { return operand(0) & operand(1); })
      .Case([&](gnn::ConcatOp) { return ofAll(); })
      .Case([&](gnn::CompareOp compare) {
        bool isDifference = compare.getPredicate() == gnn::Predicate::Ne && isZero(op.getOperand(1));
        return isDifference ? operand(0) : Support();
      })
      .Case([&](gnn::SelectOp) { return operand(2) | (operand(0) & operand(1)); })
      .Case([&](gnn::ElementwiseOpInterface function) {
        return function.getElementFacts().isZeroAtZero ? ofAll() : Support();
      })
      .Default([](Operation *) { return Support(); });
}

/// The operands that an op is linear in, of those that gradients go through.
static mlir::ValueRange linearOperands(Operation &op) {
  return llvm::TypeSwitch<Operation *, mlir::ValueRange>(&op)
      .Case<gnn::NegOp, gnn::CopyOp, gnn::CastOp, gnn::BroadcastOp, gnn::ReshapeOp, gnn::PadOp, gnn::SliceOp,
            gnn::TransposeOp, gnn::DivOp, gnn::IndexOp, gnn::TableRowsOp, gnn::RowsTableOp, gnn::ReadSourceOp,
            gnn::ReadDestinationOp, gnn::AggregateOp, gnn::SoftmaxSumOp, gnn::TotalOp>(
          [&](auto) { return op.getOperands().take_front(); })
      .Case<gnn::AddOp, gnn::SubOp, gnn::ConcatOp, gnn::MulOp, gnn::MatMulOp, gnn::MatMulTNOp, gnn::TypedMatMulOp,
            MatMulOp, MatMulTNOp>([&](auto) { return op.getOperands(); })
      .Case([&](gnn::SelectOp) { return op.getOperands().drop_front(); })
      .Case([&](gnn::ReduceOp reduce) {
        return isa<gnn::SumAttr>(reduce.getAggregator()) ? op.getOperands() : mlir::ValueRange();
      })
      .Default([](Operation *) { return mlir::ValueRange(); });
}

void RowSupport::note(Value value, Support support, mlir::ValueRange linearIn) {
  supports[value] = std::move(support);
  if (llvm::any_of(linearIn, [&](Value from) { return isGradient(from); }))
    gradients.insert(value);
  else
    gradients.erase(value);
}

void RowSupport::visitBlock(mlir::Block &block) {
  for (Operation &op : block.without_terminator())
    for (Value result : op.getResults())
      note(result, ofOp(op), linearOperands(op));
}

void RowSupport::visit(Operation &op) {
  if (auto launch = llvm::dyn_cast<LaunchOp>(op))
    return visitLaunch(launch);
  for (Value result : op.getResults()) {
    note(result, ofOp(op), linearOperands(op));
    if (isa<gnn::LossMaskOp, gnn::CotangentOp>(op))
      gradients.insert(result);
  }
}

/// The support of the values that edges contribute to a reduction.
Support RowSupport::contribution(KernelOp kernel, unsigned index) const {
  ContributeOp contribute = kernel.getContribute();
  Support edge = of(contribute.getValues()[index]);
  Value filter = contribute.getFilter(index);
  return filter ? edge & of(filter) : edge;
}

/// The support of a reduction of edges. It is 0 in a row that is too deep, and in a row all of whose neighbours are too
/// deep: that row is deeper by more than one than the vertices that are not too deep.
Support RowSupport::reduction(const Support &edges, gnn::AggregatorInterface aggregator, End rows,
                              unsigned relation) const {
  if (!isa<gnn::SumAttr, gnn::MaxAttr, gnn::MinAttr, SoftmaxSumAttr>(aggregator))
    return {};
  const End cols = opposite(rows);
  const Traversal traversal = traversalOf(model, relation);
  Support result = Support::nowhere();
  for (EndDepths part : edges.getParts())
    result = result | Support::ofRows(traversal == Traversal::Table  ? part.destination
                                      : traversal == Traversal::Same ? std::min(part.at(rows), part.at(cols))
                                                                     : std::min(part.at(rows), part.at(cols) + 1));
  return result;
}

void RowSupport::visitSweep(KernelOp kernel, LaunchOp launch) {
  mlir::Block &step = kernel.getStep().front(), &end = kernel.getEnd().front();
  const End rows = *kernel.getToward();
  unsigned numEnd = 0; // arguments of `end` so far
  for (auto [index, operand] : llvm::enumerate(launch.getOperands())) {
    Support stored = of(operand), inStep;
    const int depth = stored.rows();
    switch (kernel.getInput(index).getAccess()) {
    case Access::Row:
      inStep = Support::ofEnd(rows, depth);
      note(end.getArgument(numEnd++), stored, operand);
      break;
    case Access::Col:
      inStep = Support::ofEnd(opposite(rows), depth);
      break;
    case Access::Edge:
      inStep = stored;
      break;
    case Access::Whole:
      inStep = stored;
      note(end.getArgument(numEnd++), stored, operand);
      break;
    }
    note(step.getArgument(index), inStep, operand);
  }
  visitBlock(step);
  int deepest = 0;
  bool flowsForth = false, flowsBack = false;
  for (unsigned i = 0; i < kernel.getAggregators().size(); ++i) {
    Value reduced = kernel.isOfTotals() ? launch.getResult(i) : kernel.getReduction(i);
    const Support edges = contribution(kernel, i);
    note(reduced, reduction(edges, kernel.getAggregator(i), rows, kernel.getId()),
         kernel.getContribute().getValues()[i]);
    const EdgeFlow flow = flowOf(edges, rows);
    flowsForth |= flow.isForth;
    flowsBack |= flow.isBack;
    deepest = std::max(deepest, flow.cols);
  }
  if (flowsForth && flowsBack)
    bothWays.insert(launch);
  cols[launch] = deepest;
  visitBlock(end);
  if (kernel.isOfTotals())
    return;
  const unsigned numRows = kernel.getNumRowOutputs();
  for (auto [index, result] : llvm::enumerate(launch.getResults())) {
    Value value =
        index < numRows ? kernel.getYield().getValues()[index] : kernel.getContribute().getEdges()[index - numRows];
    note(result, of(value), value);
  }
}

void RowSupport::visitLaunch(LaunchOp launch) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  depthOfStep = gnn::declaredDepth(launch);
  if (kernel.isSweep())
    return visitSweep(kernel, launch);
  mlir::Block &end = kernel.getEnd().front();
  for (auto [argument, operand] : llvm::zip_equal(end.getArguments(), launch.getOperands()))
    note(argument, of(operand), operand);
  visitBlock(end);
  const unsigned numRows = kernel.getNumRowOutputs();
  for (auto [index, result, value] : llvm::enumerate(launch.getResults(), kernel.getYield().getValues())) {
    bool isTotal = index >= numRows;
    const bool isSum = !isTotal || isa<gnn::SumAttr>(kernel.getAggregators()[index - numRows]);
    note(result, isSum ? of(value) : Support(), value);
  }
}
