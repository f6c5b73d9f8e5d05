//===- FusionPlan.cpp - Which ops run in which step -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops are placed in program order, each beside its latest operand where that step can hold it (Seastar's "nearest
// parent"). A step is identified by its position; steps keep their order, so that a value is available to every later
// one, but a new one may go between others.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GnnToStar/FusionPlan.h"
#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/ADT/Sequence.h"

using namespace gnnc;
using gnn::fieldOf;
using gnn::FieldType;
using gnn::GraphKind;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

/// Ops that a value may take that is computed for each edge; more is better computed once for each vertex and loaded.
static constexpr unsigned maxInlinedCost = 4;

bool FusionPlan::isLeaf(Operation *op) {
  return isa<gnn::InputOp, gnn::TargetOp, gnn::ParamOp, gnn::StateOp, gnn::LossMaskOp, gnn::LossScaleOp,
             gnn::CotangentOp, gnn::DegreeOp, gnn::CountOp>(op);
}

bool FusionPlan::isView(Operation *op) { return isa<gnn::TableRowsOp, gnn::RowsTableOp>(op); }

/// A dense product that the runtime does: one row of the left operand for each vertex.
static bool isDenseProduct(Operation *op) {
  if (auto matmul = llvm::dyn_cast<gnn::MatMulOp>(op)) {
    unsigned contracted = matmul.getTransposeW() ? fieldOf(matmul.getW()).getRank() - 1 : 1;
    return fieldOf(matmul.getX()).isVertex() && fieldOf(matmul.getX()).getRank() == contracted;
  }
  auto product = llvm::dyn_cast<gnn::MatMulTNOp>(op);
  return product && fieldOf(product.getX()).isVertex() && fieldOf(product.getG()).isVertex() &&
         fieldOf(product.getX()).getRank() == 1 &&
         fieldOf(product.getG()).getRank() + 1 == fieldOf(product.getResult()).getRank();
}

//===----------------------------------------------------------------------===//
// Places of values
//===----------------------------------------------------------------------===//

bool FusionPlan::isStoredBefore(Value value, int group) const {
  Operation *op = value.getDefiningOp();
  if (isLeaf(op))
    return true;
  if (isView(op))
    return isStoredBefore(op->getOperand(0), group);
  auto found = groupOf.find(value);
  return found != groupOf.end() && found->second < group;
}

bool FusionPlan::isRowOf(Value value, int group) const {
  auto found = groupOf.find(value);
  return found != groupOf.end() && found->second == group;
}

int FusionPlan::addGroup(FusionGroup group) {
  steps.push_back(std::move(group));
  return steps.size() - 1;
}

void FusionPlan::assign(Value value, int group) {
  if (forward.contains(value.getDefiningOp())) {
    lastForward = std::max(lastForward, fieldOf(value).isVertex() ? group : 0);
    endOfForward = std::max(endOfForward, group);
  }
  groupOf[value] = group;
  ready[value] = group;
}

int FusionPlan::latestOperand(Operation &op) const {
  int latest = -1;
  for (Value operand : op.getOperands())
    latest = std::max(latest, ready.lookup(operand));
  return latest;
}

/// Where what forward keeps decides, or backward is run by itself, steps compute for forward or for backward, and none
/// for both.
bool FusionPlan::isInPhase(int group, Operation &op) const {
  if (!separatesPhases || forward.empty())
    return true;
  return isBackward(op) ? group > endOfForward : group <= endOfForward;
}

/// Whether it is a step for outputs: what evaluation computes of these is in others, so that outputs come of the same
/// kernels as in inference.
bool FusionPlan::isOfOutputs(const FusionGroup &group) const {
  if (!group.aggregates.empty())
    return outputs.contains(group.aggregates.front());
  return !group.rowValues.empty() && outputs.contains(group.rowValues.front().getDefiningOp());
}

/// Whether others than ops of the same row read what `op` gives, so that it is stored.
static bool isReadElsewhere(Operation &op) {
  return llvm::any_of(op.getUsers(), [](Operation *user) {
    return isa<gnn::ReturnOp, gnn::ReadSourceOp, gnn::ReadDestinationOp>(user) || isDenseProduct(user);
  });
}

/// Whether `end` of the step may have more ops: LLVM orders stores in a time that grows with the square of their
/// number.
bool FusionPlan::hasRoom(int group) const {
  constexpr size_t maxStored = 128, maxOps = 2048;
  return steps[group].numStored < maxStored && steps[group].rowValues.size() < maxOps;
}

std::optional<int> FusionPlan::declaredDepth(Operation *op) const {
  if (gnn::isSpread(op))
    return gnn::declaredDepth(op);
  if (isa<gnn::TotalOp>(op) && depths.isForward(op->getResult(0)))
    return depths.of(op->getResult(0));
  return std::nullopt;
}

/// Whether steps at `depth` that make `op` themselves, and what step `inGroup` has of it, read something stored that is
/// only computed nearer to the seeds, or a total over vertices nearer to them.
bool FusionPlan::readsNearer(Operation &op, int depth, int inGroup) const {
  return llvm::any_of(op.getOperands(), [&](Value operand) {
    if (isLeaf(operand.getDefiningOp()))
      return false;
    if (fieldOf(operand).isParameter())
      return depths.isOfTotals(operand) && depths.of(operand) < depth;
    if (!fieldOf(operand).isVertex())
      return false;
    auto group = groupOf.find(operand);
    if (group == groupOf.end() || group->second == inGroup)
      return readsNearer(*operand.getDefiningOp(), depth, inGroup);
    return depths.isForward(operand) && depths.of(operand) < depth;
  });
}

/// Whether `op` is only made in a step of its own depth: a deeper one would not find it to be 0 there, or would have
/// what it is computed from computed deeper, too.
bool FusionPlan::isOfItsDepth(Operation &op) const {
  return fuse && (gnn::isSpread(&op) || llvm::any_of(op.getUsers(), [&](Operation *user) {
                    if (user->getNumResults() == 0 || !fieldOf(user->getResult(0)).isVertex())
                      return false;
                    const int depth = depths.of(user->getResult(0));
                    return depth > depths.of(op.getResult(0)) && readsNearer(op, depth);
                  }));
}

/// Whether it changes nothing but the rows of `op` to compute it at a greater depth than its own.
bool FusionPlan::mayBeAtDepth(Operation &op, int depth, int group) const {
  return !isa<gnn::AggregateOp, gnn::SoftmaxSumOp, gnn::TotalOp>(op) && !gnn::isSpread(&op) &&
         !readsNearer(op, depth, group);
}

/// Whether `op` and what a step has already can be computed at the deepest depth of all.
bool FusionPlan::isAtDepth(const FusionGroup &group, Operation &op) const {
  if (group.type == -1)
    return true;
  const int index = int(&group - steps.data());
  llvm::SmallVector<Operation *> present;
  for (gnn::AggregateOp aggregate : group.aggregates)
    present.push_back(aggregate);
  for (gnn::TotalOp total : group.totals)
    present.push_back(total);
  for (Value value : group.rowValues)
    present.push_back(value.getDefiningOp());
  auto depthOf = [&](Operation *other) { return depths.of(other->getResult(0)); };
  if (isa<gnn::AggregateOp>(op) && !group.aggregates.empty() &&
      depths.colsOf(group.aggregates.front()) != depths.colsOf(&op))
    return false;
  int deepest = depthOf(&op);
  for (Operation *other : present)
    deepest = std::max(deepest, depthOf(other));
  present.push_back(&op);
  return llvm::all_of(
      present, [&](Operation *other) { return depthOf(other) == deepest || mayBeAtDepth(*other, deepest, index); });
}

/// Whether `end` of a step can compute `op`: its rows are of the right type, and every operand is there before the step
/// or is of the same row. What backward computes again is not computed in forward and stored: gnn-plan has decided so.
bool FusionPlan::canHold(int group, Operation &op) const {
  if (!fuse || group < 0 || steps[group].kind == FusionGroup::Kind::Product || steps[group].isSweepOfTotals() ||
      !hasRoom(group) || (isBackward(op) && group < lastForward) || !isInPhase(group, op) ||
      isOfOutputs(steps[group]) != outputs.contains(&op) || !isAtDepth(steps[group], op))
    return false;
  FieldType type = fieldOf(op.getResult(0));
  auto total = llvm::dyn_cast<gnn::TotalOp>(op);
  if (total)
    type = fieldOf(total.getOperand());
  bool ofParameters = steps[group].kind == FusionGroup::Kind::Map && steps[group].type == -1;
  if (type.isParameter() != ofParameters || (type.isVertex() && steps[group].rowType != type.getId()))
    return false;
  if (total && steps[group].kind != FusionGroup::Kind::Map)
    return false;
  return llvm::all_of(op.getOperands(), [&](Value operand) {
    return ready.lookup(operand) < group || (isRowOf(operand, group) && fieldOf(operand).getKind() == type.getKind());
  });
}

//===----------------------------------------------------------------------===//
// Placing ops
//===----------------------------------------------------------------------===//

/// The cost of computing `op` where it is used. It is at most `maxInlinedCost` if that costs no more than loading the
/// result, that is, if `op` takes a few plain operations on at most one field of its size.
unsigned FusionPlan::inlinedCost(Operation &op) const {
  FieldType type = fieldOf(op.getResult(0));
  bool isFree = isa<gnn::ConstantOp, gnn::ExtentOp, gnn::VertexIdOp, gnn::BroadcastOp, gnn::ReshapeOp>(op);
  bool isElementwise = isa<gnn::ElementwiseOpInterface>(op) && !isa<gnn::CopyOp>(op);
  bool isPlain = isa<gnn::IndexOp>(op) || (isElementwise && gnn::costOf(&op) == gnn::ElementCost::Simple);
  bool isScalar = type.getRank() == 0 && isa<gnn::ElementwiseOpInterface>(op);
  unsigned cost = isFree ? 0 : isPlain || isScalar ? 1 : maxInlinedCost + 1;
  llvm::SmallDenseSet<Value> fullLoads;
  for (Value operand : op.getOperands()) {
    auto found = inlined.find(operand);
    if (found != inlined.end())
      cost += found->second;
    else if (!fieldOf(operand).isParameter() && fieldOf(operand).getRank() == type.getRank())
      fullLoads.insert(operand);
  }
  return fullLoads.size() <= 1 ? cost : cost + maxInlinedCost;
}

/// Whether every row may compute `op` on its own account in each step that uses it: it depends on nothing that a step
/// has to store first, or, in backward, on what forward has stored; and it is neither a product nor a reduction.
bool FusionPlan::canFloat(Operation &op) const {
  return fieldOf(op.getResult(0)).isVertex() && latestOperand(op) < (isBackward(op) ? lastForward : 0) &&
         (isa<gnn::ElementwiseOpInterface>(op) ||
          isa<gnn::DropoutMaskOp, gnn::OneHotOp, gnn::BroadcastOp, gnn::ReshapeOp, gnn::PadOp, gnn::SliceOp,
              gnn::ConcatOp, gnn::IndexOp, gnn::VertexIdOp>(op));
}

static bool isReturned(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) { return isa<gnn::ReturnOp>(user); });
}

void FusionPlan::placeRowOp(Operation &op) {
  Value value = op.getResult(0);
  if (!outputs.empty() && !outputs.contains(&op))
    for (Value operand : op.getOperands()) // what is in memory anyway is not computed again
      if (outputs.contains(operand.getDefiningOp()) && fieldOf(operand).isVertex() && isReturned(operand))
        store(operand);
  int latest = latestOperand(op);
  unsigned cost = inlinedCost(op);
  if (!fuse || canHold(latest, op) || isOfItsDepth(op) || (cost > maxInlinedCost && !canFloat(op)))
    return storeRowValue(value);
  ready[value] = latest;
  inlined[value] = cost;
}

/// Whether `op`, which needs nothing of that map, may be in it. What backward repeats comes as late as it can: it takes
/// memory from then on, and an early map may have rows that are nearer to the seeds.
bool FusionPlan::mayJoin(int map, Operation &op) const {
  return keep == gnn::Keep::Fast || !isBackward(op) ||
         std::none_of(steps.begin() + map, steps.end(),
                      [](const FusionGroup &step) { return step.kind == FusionGroup::Kind::Sweep; });
}

/// Puts a V or P value into the first step that can hold it at no cost, else into a new map.
void FusionPlan::storeRowValue(Value value) {
  Operation &op = *value.getDefiningOp();
  int latest = latestOperand(op), group = -1;
  for (int candidate = std::max(latest, 0), count = steps.size(); candidate < count && group < 0; ++candidate)
    if ((candidate == latest || (steps[candidate].kind == FusionGroup::Kind::Map && mayJoin(candidate, op))) &&
        canHold(candidate, op))
      group = candidate;
  if (group < 0) {
    FieldType type = fieldOf(value);
    group =
        addGroup(FusionGroup(FusionGroup::Kind::Map, type.isParameter() ? -1 : int64_t(type.getId()), type.getId()));
  }
  steps[group].rowValues.push_back(value);
  steps[group].numStored += isReadElsewhere(op);
  assign(value, group);
}

/// An edge value is stored only because it is a result of the program.
void FusionPlan::storeEdgeValue(Value value) {
  FieldType type = fieldOf(value);
  auto found = llvm::find_if(steps, [&](const FusionGroup &group) {
    const int index = int(&group - steps.data());
    return fuse && group.kind == FusionGroup::Kind::Sweep && !group.isSweepOfTotals() && group.type == type.getId() &&
           index > ready.lookup(value) && isInPhase(index, *value.getDefiningOp());
  });
  int group = found - steps.begin();
  if (found == steps.end()) {
    gnn::RelationAttr relation = gnn::ModelAttr::of(value.getDefiningOp()).getRelations()[type.getId()];
    group = addGroup(FusionGroup(FusionGroup::Kind::Sweep, type.getId(), relation.getDestination()));
  }
  steps[group].edgeResults.push_back(value);
  assign(value, group);
}

/// Makes sure that `value` is in memory for what comes later.
void FusionPlan::store(Value value) {
  Operation *op = value.getDefiningOp();
  if (isLeaf(op) || isView(op) || groupOf.count(value))
    return;
  if (fieldOf(value).isEdge())
    storeEdgeValue(value);
  else
    storeRowValue(value);
}

static bool isSameSweep(gnn::AggregateOp a, gnn::AggregateOp b) {
  return a.getToward() == b.getToward() && fieldOf(a.getOperand()).getId() == fieldOf(b.getOperand()).getId();
}

/// Whether `op` depends on `value`, and not by way of `without`. Both are results of ops before it.
static bool dependsOn(Operation *op, Operation *value, Operation *without) {
  llvm::SmallVector<Operation *> pending = {op};
  llvm::DenseSet<Operation *> seen = {without};
  while (!pending.empty()) {
    for (Value operand : pending.pop_back_val()->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (maker == value)
        return true;
      if (value->isBeforeInBlock(maker) && seen.insert(maker).second)
        pending.push_back(maker);
    }
  }
  return false;
}

/// More reductions than these were slower in one sweep than in two, and the time to compile a step grows with its
/// square.
static constexpr size_t maxReductions = 32;

/// The weighted sums whose normaliser is `op`, in the order of the program.
static llvm::SmallVector<gnn::SoftmaxSumOp> softmaxSumsOf(gnn::AggregateOp op) {
  llvm::SmallVector<gnn::SoftmaxSumOp> sums;
  for (Operation *user : op.getResult().getUsers())
    if (auto sum = llvm::dyn_cast<gnn::SoftmaxSumOp>(user))
      sums.push_back(sum);
  std::reverse(sums.begin(), sums.end()); // users are listed last first
  return sums;
}

/// Whether sweep `step` could fold `op`, too, if it had room.
bool FusionPlan::mayShareSweep(int step, gnn::AggregateOp op) const {
  const FusionGroup &sweep = steps[step];
  return fuse && sweep.kind == FusionGroup::Kind::Sweep && !sweep.isSweepOfTotals() &&
         sweep.type == fieldOf(op.getOperand()).getId() && sweep.toward == op.getToward() &&
         sweep.rowType == fieldOf(op.getResult()).getId() && isInPhase(step, *op) &&
         isOfOutputs(sweep) == outputs.contains(op) && isAtDepth(sweep, *op);
}

/// Bytes per row of the sums of a new sweep for `op`, with those of later aggregations that fit into the sweep and do
/// not depend on it.
int64_t FusionPlan::newSweepBytes(gnn::AggregateOp op) const {
  int64_t bytes = 0;
  size_t numReductions = 0;
  llvm::DenseSet<Operation *> dependents; // on sums of the sweep
  for (Operation *next = op; next; next = next->getNextNode()) {
    auto later = llvm::dyn_cast<gnn::AggregateOp>(next);
    if (llvm::any_of(next->getOperands(), [&](Value value) { return dependents.contains(value.getDefiningOp()); })) {
      dependents.insert(next);
    } else if (later && isSameSweep(later, op) && !gnn::isSummedIntoTable(later)) {
      numReductions += 1 + softmaxSumsOf(later).size();
      if (numReductions > maxReductions)
        break;
      bytes += sizes.bytes(fieldOf(later.getResult()));
      dependents.insert(next);
    }
  }
  return bytes;
}

/// Where a new sweep for `op` goes: at the end, or before a sweep that sums more and that it does not depend on. What
/// both give a row for is then made with the wider sums, and only the narrower are stored in between. It stays behind
/// if a later sum, which needs the wider sums, would else share its sweep. It stays behind a full sweep, too, if it is
/// going to sum as much: each of many such sweeps then adds its sums to those of the sweeps before it.
int FusionPlan::placeForSweep(gnn::AggregateOp op, int latest) const {
  int last = int(steps.size()) - 1;
  if (!fuse || last <= latest || steps[last].kind != FusionGroup::Kind::Sweep || steps[last].isSweepOfTotals() ||
      (isBackward(*op) && last <= lastForward))
    return steps.size();
  auto bytes = [&](gnn::AggregateOp aggregate) { return sizes.bytes(fieldOf(aggregate.getResult())); };
  int64_t lastBytes = 0;
  for (gnn::AggregateOp other : steps[last].aggregates)
    lastBytes += bytes(other);
  if (bytes(op) >= lastBytes || (mayShareSweep(last, op) && newSweepBytes(op) >= lastBytes))
    return steps.size();
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (auto later = llvm::dyn_cast<gnn::AggregateOp>(next); later && isSameSweep(later, op)) {
      bool isApart = llvm::any_of(steps[last].aggregates, [&](gnn::AggregateOp other) {
        return dependsOn(later, other, op) && !dependsOn(later, op, other);
      });
      return isApart ? steps.size() : last;
    }
  return last;
}

void FusionPlan::insertGroup(int index, FusionGroup group) {
  steps.insert(steps.begin() + index, std::move(group));
  for (auto *numbers : {&groupOf, &ready})
    for (auto &entry : *numbers)
      entry.second += entry.second >= index;
  lastForward += lastForward >= index;
  endOfForward += endOfForward >= index;
}

/// Softmax sums go with their normaliser, which waits for what they sum.
void FusionPlan::placeAggregate(gnn::AggregateOp op) {
  int latest = latestOperand(*op);
  llvm::SmallVector<gnn::SoftmaxSumOp> softmaxSums = softmaxSumsOf(op);
  for (gnn::SoftmaxSumOp sum : softmaxSums)
    latest = std::max(latest, ready.lookup(sum.getOperand()));
  auto hasRoom = [&](const FusionGroup &step) {
    return step.aggregates.size() + step.softmaxSums.size() + 1 + softmaxSums.size() <= maxReductions;
  };
  int group = -1;
  for (int candidate = latest + 1, count = steps.size(); candidate < count && group < 0; ++candidate)
    if (hasRoom(steps[candidate]) && mayShareSweep(candidate, op))
      group = candidate;
  if (group < 0) {
    group = placeForSweep(op, latest);
    unsigned relation = fieldOf(op.getOperand()).getId();
    insertGroup(group, FusionGroup(FusionGroup::Kind::Sweep, relation, fieldOf(op.getResult()).getId()));
    steps[group].toward = op.getToward();
  }
  steps[group].aggregates.push_back(op);
  for (Value result : op->getResults())
    assign(result, group);
  for (gnn::SoftmaxSumOp sum : softmaxSums) {
    steps[group].softmaxSums.push_back(sum);
    assign(sum.getResult(), group);
  }
}

void FusionPlan::placeTotal(gnn::TotalOp op) {
  // In a slot totals follow each other without gaps, each aligned to its numbers: they are all of one size.
  auto bits = [](gnn::TotalOp total) { return fieldOf(total.getResult()).getElement().getIntOrFloatBitWidth(); };
  auto fits = [&](const FusionGroup &step) { return step.totals.empty() || bits(step.totals[0]) == bits(op); };
  int group = -1;
  for (int candidate = std::max(latestOperand(*op), 0), count = steps.size(); candidate < count && group < 0;
       ++candidate)
    if (canHold(candidate, *op) && fits(steps[candidate]))
      group = candidate;
  if (group < 0) {
    unsigned vertexType = fieldOf(op.getOperand()).getId();
    group = addGroup(FusionGroup(FusionGroup::Kind::Map, vertexType, vertexType));
  }
  steps[group].totals.push_back(op);
  assign(op.getResult(), group);
}

/// Whether gradients of vertices come to what `sum` folds from the sources of edges (bit 0), their destinations (bit
/// 1).
static unsigned endsOfGradients(gnn::AggregateOp sum) {
  unsigned ends = 0;
  llvm::SmallVector<Value> pending(sum->getOperands());
  llvm::DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!seen.insert(op).second)
      continue;
    if (!isa<gnn::ReadSourceOp, gnn::ReadDestinationOp>(op))
      llvm::append_range(pending, op->getOperands());
    else if (gnn::dependsOnLoss(op->getOperand(0)))
      ends |= isa<gnn::ReadSourceOp>(op) ? 1 : 2;
  }
  return ends;
}

/// A sweep by itself, with others of its kind: its threads have slots of rows, those of other sweeps any rows. In
/// samples vertices see other edges forth than back, so gradients have to come from the same ends.
void FusionPlan::placeTableSum(gnn::TotalOp op, gnn::AggregateOp sum) {
  unsigned relation = fieldOf(sum.getOperand()).getId(), rowType = fieldOf(sum.getResult()).getId();
  auto found = llvm::find_if(steps, [&](const FusionGroup &group) {
    int index = &group - steps.data();
    gnn::TotalOp first = group.isSweepOfTotals() ? group.totals[0] : op;
    return fuse && group.isSweepOfTotals() && index > ready.lookup(sum.getResult()) && group.type == relation &&
           group.toward == sum.getToward() && isInPhase(index, *op) && isAtDepth(group, *sum) &&
           endsOfGradients(first.getOperand().getDefiningOp<gnn::AggregateOp>()) == endsOfGradients(sum) &&
           fieldOf(first.getResult()).getElement() == fieldOf(op.getResult()).getElement();
  });
  int group = found - steps.begin();
  if (found == steps.end()) {
    group = addGroup(FusionGroup(FusionGroup::Kind::Sweep, relation, rowType));
    steps[group].toward = sum.getToward();
  }
  steps[group].totals.push_back(op);
  steps[group].aggregates.push_back(sum);
  assign(op.getResult(), group);
}

mlir::LogicalResult FusionPlan::placeProduct(Operation &op) {
  for (Value operand : op.getOperands())
    store(operand);
  FusionGroup group(FusionGroup::Kind::Product);
  group.product = &op;
  assign(op.getResult(0), addGroup(std::move(group)));
  return mlir::success();
}

mlir::LogicalResult FusionPlan::place(Operation &op) {
  if (isLeaf(&op)) {
    ready[op.getResult(0)] = -1;
    return mlir::success();
  }
  if (isView(&op)) {
    store(op.getOperand(0));
    ready[op.getResult(0)] = ready.lookup(op.getOperand(0));
    return mlir::success();
  }
  if (auto aggregate = llvm::dyn_cast<gnn::AggregateOp>(op)) {
    if (gnn::isSummedIntoTable(aggregate))
      ready[aggregate.getResult()] = latestOperand(op);
    else
      placeAggregate(aggregate);
    return mlir::success();
  }
  if (isa<gnn::SoftmaxSumOp>(op))
    return mlir::success(); // placed with its normaliser
  if (auto total = llvm::dyn_cast<gnn::TotalOp>(op)) {
    auto sum = total.getOperand().getDefiningOp<gnn::AggregateOp>();
    if (sum && gnn::isSummedIntoTable(sum))
      placeTableSum(total, sum);
    else
      placeTotal(total);
    return mlir::success();
  }
  if (isDenseProduct(&op))
    return placeProduct(op);
  if (isa<gnn::MatMulTNOp>(op) &&
      !llvm::all_of(op.getOperands(), [](Value value) { return fieldOf(value).isParameter(); }))
    return op.emitError("this product over vertices has no step: expected vertex fields with one row each");
  if (isa<gnn::ReadSourceOp, gnn::ReadDestinationOp>(op) && inlined.lookup(op.getOperand(0)) > maxInlinedCost)
    store(op.getOperand(0));
  if (isa<gnn::SoftmaxOp>(op))
    return op.emitError("expected softmax over edges to be decomposed before fusion");
  if (fieldOf(op.getResult(0)).isEdge())
    ready[op.getResult(0)] = latestOperand(op);
  else
    placeRowOp(op);
  return mlir::success();
}

FusionPlan::FusionPlan(gnn::ProgramOp program, bool fuse, gnn::Keep keep)
    : fuse(fuse), keep(keep), isPullback(gnn::isPullback(program.getSymName())),
      separatesPhases(isPullback || keep == gnn::Keep::Least), sizes(program), depths(program) {
  gnn::ReturnOp end = program.getReturn();
  mlir::BackwardSliceOptions options([](Operation *op) { return !isa<gnn::ProgramOp>(op); });
  options.inclusive = true;
  auto sliceOf = [&](auto isWanted) {
    mlir::SetVector<Operation *> slice;
    for (unsigned index = 0; index < end.getNumOperands(); ++index)
      if (isWanted(end.getRole(index).getRole()))
        mlir::getBackwardSlice(end.getOperand(index), &slice, options);
    return llvm::DenseSet<Operation *>(slice.begin(), slice.end());
  };
  forward = sliceOf([&](gnn::ResultRole role) {
    return role == gnn::ResultRole::Loss || (separatesPhases && role == gnn::ResultRole::State) ||
           (isPullback && role == gnn::ResultRole::Output);
  });
  const bool evaluates = llvm::any_of(llvm::seq(end.getNumOperands()), [&](unsigned index) {
    return end.getRole(index).getRole() == gnn::ResultRole::VertexLoss;
  });
  if (evaluates)
    outputs = sliceOf([](gnn::ResultRole role) { return role == gnn::ResultRole::Output; });
}

/// Places the ops of one phase, and stores the results that they give.
mlir::LogicalResult FusionPlan::placePhase(gnn::ProgramOp program, llvm::function_ref<bool(Operation *)> isOfPhase) {
  for (Operation &op : program.getBody().front().without_terminator())
    if (isOfPhase(&op) && mlir::failed(place(op)))
      return mlir::failure();
  for (Value result : program.getReturn().getOperands())
    if (isOfPhase(result.getDefiningOp()))
      store(result);
  return mlir::success();
}

/// Where backward is run by itself, all steps of forward come first.
mlir::FailureOr<FusionPlan> FusionPlan::create(gnn::ProgramOp program, bool fuse, gnn::Keep keep) {
  FusionPlan plan(program, fuse, keep);
  auto isForward = [&](Operation *op) { return !plan.isPullback || plan.forward.contains(op); };
  auto isOther = [&](Operation *op) { return !isForward(op); };
  if (mlir::failed(plan.placePhase(program, isForward)) || mlir::failed(plan.placePhase(program, isOther)))
    return mlir::failure();
  return plan;
}
