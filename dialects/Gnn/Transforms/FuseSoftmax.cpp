//===- FuseSoftmax.cpp - Sums in the sweep of their normaliser ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-fuse-softmax pass: finds the weight of a softmax as a factor of what a sum over edges folds, and takes it
// out.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include <limits>

namespace gnnc::gnn {
#define GEN_PASS_DEF_FUSESOFTMAX
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

bool isZero(Value value) { return numberOf(value) == 0; }
bool isMinusInfinity(Value value) { return numberOf(value) == -std::numeric_limits<double>::infinity(); }

/// exp(x - n) for the normaliser n of x, chosen to be 0 where the filter of n leaves the edge out.
struct Weight {
  Value value;
  AggregateOp normaliser;

  /// The weight that `value` is, for edges folded `toward` an end.
  static std::optional<Weight> match(Value value, End toward) {
    Value condition, share = value;
    if (auto choice = value.getDefiningOp<SelectOp>(); choice && isZero(choice.getOtherwise())) {
      condition = choice.getCondition();
      share = choice.getThen();
    }
    auto exp = share.getDefiningOp<ExpOp>();
    auto difference = exp ? exp.getOperand().getDefiningOp<SubOp>() : SubOp();
    if (!difference)
      return std::nullopt;
    Operation *read = difference.getRhs().getDefiningOp();
    if (!(toward == End::Destination ? isa_and_nonnull<ReadDestinationOp>(read) : isa_and_nonnull<ReadSourceOp>(read)))
      return std::nullopt;
    auto normaliser = read->getOperand(0).getDefiningOp<AggregateOp>();
    if (!normaliser || !isa<LogSumExpAttr>(normaliser.getAggregator()) || normaliser.getToward() != toward ||
        normaliser.getFilter() || normaliser.getBy() ||
        fieldOf(normaliser.getOperand()).getId() != fieldOf(value).getId())
      return std::nullopt;
    Value scores = normaliser.getOperand(), filter;
    if (auto choice = scores.getDefiningOp<SelectOp>(); choice && isMinusInfinity(choice.getOtherwise())) {
      filter = choice.getCondition();
      scores = choice.getThen();
    }
    if (scores != difference.getLhs() || filter != condition)
      return std::nullopt;
    return Weight{value, normaliser};
  }
};

/// The first weight among the factors of `value`.
std::optional<Weight> findWeight(Value value, End toward, llvm::DenseSet<Value> &visited) {
  if (!fieldOf(value).isEdge() || !visited.insert(value).second)
    return std::nullopt;
  if (auto weight = Weight::match(value, toward))
    return weight;
  Operation *op = value.getDefiningOp();
  if (!isa<MulOp, DivOp, NegOp, AddOp, SubOp, SelectOp, BroadcastOp>(op))
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (auto weight = findWeight(operand, toward, visited))
      return weight;
  return std::nullopt;
}

/// Takes the weight out of an expression that is linear in it.
class Division {
public:
  Division(OpBuilder &builder, const Weight &weight) : builder(builder), weight(weight) {}

  /// An expression without the weight, and which of its dimensions are the weight's.
  struct Rest {
    Value value; // null: the weight is no factor
    SmallVector<int64_t> dims;
  };

  Rest divide(Value value) {
    if (auto known = rests.find(value); known != rests.end())
      return known->second;
    Rest rest = dependsOnWeight(value) ? compute(value) : Rest();
    rests.try_emplace(value, rest);
    return rest;
  }

private:
  Rest compute(Value value) {
    FieldBuilder field(builder, value.getLoc());
    if (value == weight.value)
      return {field.constant(value, 1), llvm::to_vector(llvm::seq<int64_t>(0, fieldOf(value).getRank()))};
    Operation *op = value.getDefiningOp();
    if (isa<AddOp, SubOp>(op)) {
      Rest left = divide(op->getOperand(0)), right = divide(op->getOperand(1));
      if (!left.value || !right.value || left.dims != right.dims)
        return {};
      return {isa<AddOp>(op) ? field.add(left.value, right.value) : field.sub(left.value, right.value), left.dims};
    }
    if (!isa<BroadcastOp, NegOp, MulOp, DivOp, SelectOp>(op))
      return {};
    unsigned with =
        llvm::find_if(op->getOperands(), [&](Value operand) { return dependsOnWeight(operand); }) - op->operand_begin();
    for (unsigned i = with + 1; i < op->getNumOperands(); ++i)
      if (dependsOnWeight(op->getOperand(i)))
        return {};
    Rest rest = divide(op->getOperand(with));
    if (!rest.value)
      return {};
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      for (int64_t &dim : rest.dims)
        dim = broadcast.getDims()[dim];
      return {field.broadcast(rest.value, fieldOf(value), broadcast.getDims()), rest.dims};
    }
    if (isa<NegOp>(op))
      return {field.neg(rest.value), rest.dims};
    if (auto product = dyn_cast<MulOp>(op))
      return {field.mul(rest.value, product->getOperand(1 - with)), rest.dims};
    if (auto quotient = dyn_cast<DivOp>(op); quotient && with == 0)
      return {field.div(rest.value, quotient.getRhs()), rest.dims};
    if (auto choice = dyn_cast<SelectOp>(op); choice && with == 1 && isZero(choice.getOtherwise()))
      return {field.where(choice.getCondition(), rest.value), rest.dims};
    if (auto choice = dyn_cast<SelectOp>(op); choice && with == 2 && isZero(choice.getThen()))
      return {field.select(choice.getCondition(), field.constant(rest.value, 0), rest.value), rest.dims};
    return {};
  }

  /// Whether the edge expression `value` contains the weight.
  bool dependsOnWeight(Value value) {
    auto [known, isNew] = depends.try_emplace(value, false);
    if (!isNew)
      return known->second;
    bool result = value == weight.value;
    if (fieldOf(value).isEdge() && !isa<ReadSourceOp, ReadDestinationOp>(value.getDefiningOp()))
      for (Value operand : value.getDefiningOp()->getOperands())
        result |= dependsOnWeight(operand);
    return depends[value] = result;
  }

  OpBuilder &builder;
  Weight weight;
  llvm::DenseMap<Value, bool> depends;
  llvm::DenseMap<Value, Rest> rests;
};

struct FuseSoftmaxPass : gnn::impl::FuseSoftmaxBase<FuseSoftmaxPass> {
  void runOnOperation() override {
    positions.clear();
    for (auto [position, op] : llvm::enumerate(getOperation().getBody().front()))
      positions[&op] = position;
    for (auto sum : llvm::make_early_inc_range(getOperation().getBody().front().getOps<AggregateOp>()))
      if (isa<SumAttr>(sum.getAggregator()) && !sum.getFilter() && !sum.getBy() && fieldOf(sum.getResult()).isReal())
        fuse(sum);
  }

private:
  void fuse(AggregateOp sum) {
    llvm::DenseSet<Value> visited;
    std::optional<Weight> weight = findWeight(sum.getOperand(), sum.getToward(), visited);
    if (!weight || fieldOf(weight->normaliser.getResult()).getId() != fieldOf(sum.getResult()).getId())
      return;
    // Built where the sum is, and dropped again if it does not serve.
    OpBuilder builder(sum);
    Operation *before = sum->getPrevNode();
    Division::Rest rest = Division(builder, *weight).divide(sum.getOperand());
    SetVector<Operation *> needed = rest.value ? slice(rest.value) : SetVector<Operation *>();
    // A normaliser is forward's, which must not wait for cotangents.
    const bool waits = llvm::any_of(needed, [](Operation *op) { return isa<CotangentOp>(op); });
    if (!rest.value || waits || needed.contains(weight->normaliser)) {
      while (sum->getPrevNode() != before)
        sum->getPrevNode()->erase();
      return;
    }
    for (Operation *op : needed)
      if (isBehind(op, weight->normaliser)) {
        op->moveBefore(weight->normaliser);
        positions[op] = positions.lookup(weight->normaliser);
      }
    auto fused = builder.create<SoftmaxSumOp>(sum.getLoc(), sum.getResult().getType(), rest.value,
                                              weight->normaliser.getResult(), rest.dims);
    positions[fused] = positions.lookup(sum);
    sum.getResult().replaceAllUsesWith(fused.getResult());
    positions.erase(sum);
    sum.erase();
    ++numFused;
  }

  /// Whether `op` comes after `normaliser`, as all do that were built here and not moved.
  bool isBehind(Operation *op, Operation *normaliser) const {
    auto position = positions.find(op);
    return position == positions.end() || position->second > positions.lookup(normaliser);
  }

  /// The ops that `value` needs, operands first.
  static SetVector<Operation *> slice(Value value) {
    BackwardSliceOptions options([](Operation *op) { return !isa<ProgramOp>(op); });
    options.inclusive = true;
    SetVector<Operation *> result;
    getBackwardSlice(value, &result, options);
    return result;
  }

  /// Ops in their order: one that was moved before a normaliser has the position of that. MLIR numbers a whole block
  /// anew whenever an op was moved.
  llvm::DenseMap<Operation *, size_t> positions;
};

} // namespace
