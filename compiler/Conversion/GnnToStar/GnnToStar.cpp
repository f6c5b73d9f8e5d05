//===- GnnToStar.cpp - Conversion of gnn to star --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans which op runs in which step (FusionPlan), finds backwards which results of steps are needed, and builds the
// steps forwards (StepBuilder).
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "compiler/Conversion/GnnToStar/FusionPlan.h"
#include "compiler/Conversion/GnnToStar/NarrowCuts.h"
#include "compiler/Conversion/GnnToStar/StepBuilder.h"
#include "dialects/Gnn/IR/ProgramVariants.h"

using namespace gnnc;
using mlir::Operation;
using mlir::Value;

namespace gnnc {
#define GEN_PASS_DEF_GNNTOSTAR
#include "compiler/Conversion/GnnToStar/Passes.h.inc"
} // namespace gnnc

namespace {

/// Builds the star program of one gnn program.
class ProgramConverter {
public:
  ProgramConverter(gnn::ProgramOp program, FusionPlan &plan)
      : program(program), plan(plan), sizes(program), builder(program) {}

  star::ProgramOp convert();

  unsigned numSweeps = 0, numMaps = 0, numProducts = 0, numFusedOps = 0, numNarrowed = 0;

private:
  void findNeeded();
  void need(Value value);
  void addReader(int group);
  void narrow(int group);
  void buildProduct(Operation *product);
  Value stored(Value value);

  gnn::ProgramOp program;
  FusionPlan &plan;
  gnn::CostModel sizes;
  mlir::OpBuilder builder;
  Operation *lastLeaf = nullptr;
  llvm::DenseSet<Value> needed;
  llvm::DenseSet<Value> fixed;                           // needed, and not only by rows of later steps
  llvm::DenseMap<Value, llvm::SmallVector<int>> readers; // steps that read a value for their rows
  llvm::DenseMap<Value, Value> values;
  llvm::SmallVector<std::unique_ptr<StepBuilder>> steps; // null: a product, or dead
};

/// Marks `value`, or the field that it is a view of, as read from memory.
void ProgramConverter::need(Value value) {
  while (FusionPlan::isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  needed.insert(value);
  fixed.insert(value);
}

/// Makes the builder of a step, if anything of it is needed, and notes what it reads.
void ProgramConverter::addReader(int group) {
  auto step = std::make_unique<StepBuilder>(plan, group, needed);
  if (step->isDead())
    return;
  for (Value operand : step->operands()) {
    if (!step->readsInEndOnly(operand) || FusionPlan::isView(operand.getDefiningOp())) {
      need(operand);
      continue;
    }
    needed.insert(operand);
    readers[operand].push_back(group);
  }
  steps[group] = std::move(step);
}

/// Lets later steps make what `group` would otherwise store for them, where they then read less. In reverse order, so
/// that of a chain of ops the last comes first.
void ProgramConverter::narrow(int group) {
  llvm::SmallVector<Value> candidates(plan.groups()[group].rowValues);
  for (Value value : llvm::reverse(candidates)) {
    if (!needed.contains(value) || fixed.contains(value) || !plan.mayRepeat(value))
      continue;
    llvm::SmallVector<int> ofValue = readers.lookup(value);
    auto builders =
        llvm::map_to_vector(ofValue, [&](int reader) -> const StepBuilder * { return steps[reader].get(); });
    if (!NarrowCut(plan, sizes, group, needed, value).isWorth(builders))
      continue;
    plan.repeat(value);
    needed.erase(value);
    for (int reader : ofValue) {
      for (Value operand : steps[reader]->operands())
        llvm::erase(readers[operand], reader);
      addReader(reader);
    }
    ++numNarrowed;
  }
}

void ProgramConverter::findNeeded() {
  for (Value result : program.getReturn().getOperands())
    need(result);
  steps.resize(plan.groups().size());
  for (int group = steps.size(); group-- > 0;) {
    if (Operation *product = plan.groups()[group].product) {
      if (needed.contains(product->getResult(0)))
        llvm::for_each(product->getOperands(), [&](Value operand) { need(operand); });
      continue;
    }
    narrow(group);
    addReader(group);
  }
}

/// The star value of a stored value; leaves and views are made when they are first asked for, leaves at the start.
Value ProgramConverter::stored(Value value) {
  if (Value known = values.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  assert((FusionPlan::isLeaf(op) || FusionPlan::isView(op)) && "value is used before the step that stores it");
  mlir::IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, stored(operand));
  mlir::OpBuilder::InsertionGuard guard(builder);
  if (FusionPlan::isLeaf(op)) {
    if (lastLeaf)
      builder.setInsertionPointAfter(lastLeaf);
    else
      builder.setInsertionPointToStart(builder.getInsertionBlock());
  }
  Operation *copy = builder.clone(*op, mapping);
  if (FusionPlan::isLeaf(op))
    lastLeaf = copy;
  return values[value] = copy->getResult(0);
}

void ProgramConverter::buildProduct(Operation *product) {
  Value left = stored(product->getOperand(0)), right = stored(product->getOperand(1));
  mlir::Type type = product->getResult(0).getType();
  Operation *op;
  if (auto matmul = llvm::dyn_cast<gnn::MatMulOp>(product))
    op = builder.create<star::MatMulOp>(product->getLoc(), type, left, right, matmul.getTransposeW());
  else
    op = builder.create<star::MatMulTNOp>(product->getLoc(), type, left, right);
  values[product->getResult(0)] = op->getResult(0);
  ++numProducts;
}

star::ProgramOp ProgramConverter::convert() {
  findNeeded();
  auto converted = builder.create<star::ProgramOp>(program.getLoc(), program.getSymName());
  gnn::copyVariant(program, converted);
  builder.setInsertionPointToStart(&converted.getBody().emplaceBlock());
  for (auto [index, group] : llvm::enumerate(plan.groups())) {
    if (group.product && needed.contains(group.product->getResult(0)))
      buildProduct(group.product);
    if (!steps[index])
      continue;
    steps[index]->build(
        builder, [&](Value value) { return stored(value); }, [&](Value value, Value star) { values[value] = star; });
    ++(group.kind == FusionGroup::Kind::Sweep ? numSweeps : numMaps);
    numFusedOps += steps[index]->numFusedOps();
  }
  gnn::ReturnOp end = program.getReturn();
  llvm::SmallVector<Value> results = llvm::map_to_vector(end.getOperands(), [&](Value value) { return stored(value); });
  builder.create<star::ReturnOp>(end.getLoc(), results, end.getRoles());
  return converted;
}

class GnnToStar : public impl::GnnToStarBase<GnnToStar> {
public:
  using GnnToStarBase::GnnToStarBase;

  void runOnOperation() override {
    for (auto program : llvm::make_early_inc_range(getOperation().getOps<gnn::ProgramOp>())) {
      mlir::FailureOr<FusionPlan> plan = FusionPlan::create(program, fuse, keep);
      if (mlir::failed(plan))
        return signalPassFailure();
      ProgramConverter converter(program, *plan);
      converter.convert();
      numSweeps += converter.numSweeps;
      numMaps += converter.numMaps;
      numProducts += converter.numProducts;
      numFusedOps += converter.numFusedOps;
      numNarrowed += converter.numNarrowed;
      program.erase();
    }
  }
};

} // namespace
