//===- StepBuilder.cpp - Regions of sweeps and maps -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions are copied from the gnn program backwards from what the step must give, down to what lies in memory. A
// vertex field that is read at an end of edges is one of three things: stored (an operand), or cheap and then copied
// with the kind that it has there.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GnnToStar/StepBuilder.h"
#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/FieldBuilder.h"

using namespace gnnc;
using gnn::fieldOf;
using gnn::FieldType;
using mlir::Operation;
using mlir::Value;
using star::Access;

StepBuilder::StepBuilder(const FusionPlan &plan, int group, const llvm::DenseSet<Value> &needed)
    : plan(plan), group(group), step(plan.groups()[group]) {
  auto isNeeded = [&](Value value) { return needed.contains(value); };
  llvm::copy_if(step.rowValues, std::back_inserter(rowResults), isNeeded);
  llvm::copy_if(step.edgeResults, std::back_inserter(edgeResults), isNeeded);
  llvm::copy_if(step.totals, std::back_inserter(totals),
                [&](gnn::TotalOp total) { return isNeeded(total.getResult()); });
  if (step.isSweepOfTotals()) {
    for (gnn::TotalOp total : totals)
      aggregates.push_back(total.getOperand().getDefiningOp<gnn::AggregateOp>());
    collectSteps();
    return;
  }
  for (gnn::AggregateOp aggregate : step.aggregates)
    llvm::copy_if(aggregate->getResults(), std::back_inserter(rowResults), isNeeded);
  for (gnn::SoftmaxSumOp sum : step.softmaxSums)
    if (isNeeded(sum.getResult()))
      rowResults.push_back(sum.getResult());

  for (Value value : rowResults)
    collectEnd(value);
  for (gnn::TotalOp total : totals)
    collectEnd(total.getOperand());
  auto isCollected = [&](Value value) { return collected.contains({value, int(Place::End)}); };
  for (gnn::SoftmaxSumOp sum : step.softmaxSums)
    if (isCollected(sum.getResult())) {
      collected.insert({sum.getNormaliser(), int(Place::End)});
      softmaxSums.push_back(sum);
    }
  for (gnn::AggregateOp aggregate : step.aggregates)
    if (llvm::any_of(aggregate->getResults(), isCollected))
      aggregates.push_back(aggregate);
  collectSteps();
}

/// Collects the ops of `step`, from the values that edges contribute to the reductions found so far.
void StepBuilder::collectSteps() {
  for (gnn::AggregateOp aggregate : aggregates)
    for (Value operand : aggregate->getOperands())
      collectStep(operand, Place::StepEdge);
  for (gnn::SoftmaxSumOp sum : softmaxSums)
    collectStep(sum.getOperand(), Place::StepEdge);
  for (Value value : edgeResults)
    collectStep(value, Place::StepEdge);
}

llvm::SmallVector<Value> StepBuilder::operands() const {
  return llvm::to_vector(llvm::map_range(loads, [](const Load &load) { return load.first; }));
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

StepBuilder::Place StepBuilder::placeOfRead(Operation *read) const {
  gnn::End end = llvm::isa<gnn::ReadSourceOp>(read) ? gnn::End::Source : gnn::End::Destination;
  return end == step.toward ? Place::StepRow : Place::StepCol;
}

void StepBuilder::collectStep(Value value, Place place) {
  if (!collected.insert({value, int(place)}).second)
    return;
  Operation *op = value.getDefiningOp();
  FieldType type = fieldOf(value);
  if (type.isParameter() && isLoaded(value))
    return addLoad(value, Access::Whole);
  if (type.isVertex() && isLoaded(value))
    return addLoad(value, place == Place::StepRow ? Access::Row : Access::Col);
  if (FusionPlan::isLeaf(op))
    return addLoad(value, Access::Edge);
  if (llvm::isa<gnn::ReadSourceOp, gnn::ReadDestinationOp>(op))
    return collectStep(op->getOperand(0), placeOfRead(op));
  ++fusedOps;
  for (Value operand : op->getOperands())
    collectStep(operand, place);
}

void StepBuilder::collectEnd(Value value) {
  if (!collected.insert({value, int(Place::End)}).second)
    return;
  Operation *op = value.getDefiningOp();
  if (isLoaded(value))
    return addLoad(value, fieldOf(value).isParameter() ? Access::Whole : Access::Row);
  if (llvm::isa<gnn::AggregateOp, gnn::SoftmaxSumOp>(op))
    return;
  ++fusedOps;
  for (Value operand : op->getOperands())
    collectEnd(operand);
}

llvm::SmallVector<StepBuilder::Load> StepBuilder::loadsBy(Access access) const {
  llvm::SmallVector<Load> result;
  llvm::copy_if(loads, std::back_inserter(result), [&](const Load &load) { return load.second == access; });
  return result;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value StepBuilder::emit(mlir::OpBuilder &builder, Value value, Place place) {
  Operation *op = value.getDefiningOp();
  if (llvm::isa<gnn::ReadSourceOp, gnn::ReadDestinationOp>(op))
    return emit(builder, op->getOperand(0), placeOfRead(op));
  // Parameters look alike from everywhere in `step`.
  if (fieldOf(value).isParameter() && place != Place::End)
    place = Place::StepEdge;
  if (Value known = emitted.lookup({value, int(place)}))
    return known;

  mlir::IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, emit(builder, operand, place));
  Operation *copy = builder.clone(*op, mapping);
  if (gnn::isSpread(copy)) // the step has the number, so that steps of all depths share a kernel
    copy->setAttr(gnn::depthAttribute, builder.getUnitAttr());
  for (auto [original, result] : llvm::zip(op->getResults(), copy->getResults())) {
    FieldType type = fieldOf(original);
    if (type.isVertex() && place != Place::End)
      result.setType(
          star::typeInStep(type, place == Place::StepRow ? Access::Row : Access::Col, step.toward, step.type));
    emitted[{original, int(place)}] = result;
  }
  return emitted.lookup({value, int(place)});
}

unsigned StepBuilder::normaliserIndex(gnn::SoftmaxSumOp sum) const {
  return llvm::find(aggregates, sum.getNormaliserOp()) - aggregates.begin();
}

/// The value that an edge adds to a softmax sum: its weight times its value.
Value StepBuilder::emitWeighted(mlir::OpBuilder &builder, gnn::SoftmaxSumOp sum) {
  // The weights of a normaliser are made once, at a place of its result that `step` has no other use for.
  std::pair<Value, int> key(sum.getNormaliser(), int(Place::StepEdge));
  if (!emitted.count(key)) {
    Value score = emit(builder, sum.getNormaliserOp().getOperand(), Place::StepEdge);
    mlir::Type type = fieldOf(score).withKind(gnn::GraphKind::E, step.type);
    emitted[key] =
        builder.create<star::OnlineSoftmaxOp>(sum.getLoc(), type, type, score, normaliserIndex(sum)).getWeight();
  }
  Value value = emit(builder, sum.getOperand(), Place::StepEdge);
  gnn::FieldBuilder field(builder, sum.getLoc());
  return field.mul(field.broadcast(emitted[key], fieldOf(value), sum.getDims()), value);
}

void StepBuilder::buildStep(mlir::Region &region, mlir::Location loc) {
  mlir::Block &block = region.emplaceBlock();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&block);
  for (auto [access, place] : {std::pair(Access::Row, Place::StepRow), std::pair(Access::Col, Place::StepCol),
                               std::pair(Access::Edge, Place::StepEdge), std::pair(Access::Whole, Place::StepEdge)})
    for (Load load : loadsBy(access)) {
      FieldType type = star::typeInStep(fieldOf(load.first), access, step.toward, step.type);
      emitted[{load.first, int(place)}] = block.addArgument(type, load.first.getLoc());
    }

  llvm::SmallVector<Value> values, filters, bys, edges;
  llvm::SmallVector<int64_t> filterOf, byOf;
  auto choose = [&](Value value, llvm::SmallVector<Value> &list, llvm::SmallVector<int64_t> &indexOf) {
    indexOf.push_back(-1);
    if (!value)
      return;
    Value emittedValue = emit(builder, value, Place::StepEdge);
    auto *known = llvm::find(list, emittedValue);
    indexOf.back() = known - list.begin();
    if (known == list.end())
      list.push_back(emittedValue);
  };
  for (gnn::AggregateOp aggregate : aggregates) {
    values.push_back(emit(builder, aggregate.getOperand(), Place::StepEdge));
    choose(aggregate.getFilter(), filters, filterOf);
    choose(aggregate.getBy(), bys, byOf);
  }
  for (gnn::SoftmaxSumOp sum : softmaxSums) {
    values.push_back(emitWeighted(builder, sum));
    filterOf.push_back(-1);
    byOf.push_back(-1);
  }
  for (Value value : edgeResults)
    edges.push_back(emit(builder, value, Place::StepEdge));
  auto indices = [&](const llvm::SmallVector<Value> &list, llvm::ArrayRef<int64_t> indexOf) {
    return list.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(indexOf);
  };
  builder.create<star::ContributeOp>(loc, values, filters, bys, edges, indices(filters, filterOf), indices(bys, byOf));
}

void StepBuilder::buildEnd(mlir::Region &region, mlir::Location loc) {
  mlir::Block &block = region.emplaceBlock();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&block);
  for (Access access : {Access::Row, Access::Whole})
    for (Load load : loadsBy(access))
      emitted[{load.first, int(Place::End)}] = block.addArgument(load.first.getType(), load.first.getLoc());
  auto addReduction = [&](Value result) {
    emitted[{result, int(Place::End)}] = block.addArgument(result.getType(), result.getLoc());
  };
  llvm::SmallVector<Value> yielded;
  if (step.isSweepOfTotals()) {
    builder.create<star::YieldOp>(loc, yielded);
    return;
  }
  for (gnn::AggregateOp aggregate : aggregates)
    llvm::for_each(aggregate->getResults(), addReduction);
  for (gnn::SoftmaxSumOp sum : softmaxSums)
    addReduction(sum.getResult());
  for (Value value : rowResults)
    yielded.push_back(emit(builder, value, Place::End));
  for (gnn::TotalOp total : totals)
    yielded.push_back(
        total.getOnes()
            ? builder.create<gnn::ConstantOp>(total.getLoc(), fieldOf(total.getOperand()).withDims({}), 1.0).getResult()
            : emit(builder, total.getOperand(), Place::End));
  builder.create<star::YieldOp>(loc, yielded);
}

llvm::SmallVector<mlir::Attribute> StepBuilder::aggregators() const {
  llvm::SmallVector<mlir::Attribute> result;
  for (gnn::AggregateOp aggregate : aggregates)
    result.push_back(aggregate.getAggregator());
  for (gnn::SoftmaxSumOp sum : softmaxSums)
    result.push_back(star::SoftmaxSumAttr::get(sum.getContext(), normaliserIndex(sum), sum.getDims()));
  return result;
}

mlir::Location StepBuilder::location() {
  if (!aggregates.empty())
    return aggregates.front().getLoc();
  if (!rowResults.empty())
    return rowResults.front().getLoc();
  return edgeResults.empty() ? totals.front()->getLoc() : edgeResults.front().getLoc();
}

/// The depth that the step has to have, if it matters.
std::optional<int> StepBuilder::depth() const {
  std::optional<int> result;
  auto add = [&](Operation *op) {
    if (std::optional<int> declared = plan.declaredDepth(op)) {
      assert(result.value_or(*declared) == *declared && "a step has one depth");
      result = declared;
    }
  };
  for (gnn::TotalOp total : totals)
    add(total);
  for (auto [value, place] : collected)
    if (Operation *op = value.getDefiningOp(); gnn::isSpread(op) && !isLoaded(value))
      add(op);
  return result;
}

void StepBuilder::build(mlir::OpBuilder &builder, llvm::function_ref<Value(Value)> stored,
                        llvm::function_ref<void(Value, Value)> define) {
  auto storedBy = [&](Access access) {
    return llvm::map_to_vector(loadsBy(access), [&](Load load) { return stored(load.first); });
  };
  auto typesOf = [](const auto &values) { return llvm::to_vector(mlir::TypeRange(mlir::ValueRange(values))); };
  llvm::SmallVector<Value> totalResults =
      llvm::map_to_vector(totals, [](gnn::TotalOp total) -> Value { return total.getResult(); });
  mlir::Location loc = location();

  Operation *op;
  if (step.kind == FusionGroup::Kind::Sweep) {
    auto sweep =
        builder.create<star::SweepOp>(loc, typesOf(rowResults), typesOf(edgeResults), typesOf(totalResults), step.type,
                                      step.toward, storedBy(Access::Row), storedBy(Access::Col), storedBy(Access::Edge),
                                      storedBy(Access::Whole), builder.getArrayAttr(aggregators()));
    buildStep(sweep.getStep(), loc);
    buildEnd(sweep.getEnd(), loc);
    op = sweep;
  } else {
    llvm::SmallVector<mlir::Attribute> aggregators =
        llvm::map_to_vector(totals, [](gnn::TotalOp total) -> mlir::Attribute { return total.getAggregator(); });
    auto map =
        builder.create<star::MapOp>(loc, typesOf(rowResults), typesOf(totalResults), step.type, storedBy(Access::Row),
                                    storedBy(Access::Whole), builder.getArrayAttr(aggregators));
    buildEnd(map.getEnd(), loc);
    op = map;
  }
  gnn::declareDepth(op, depth());
  unsigned next = 0;
  for (const auto *values : {&rowResults, &edgeResults, &totalResults})
    for (Value value : *values)
      define(value, op->getResult(next++));
}
