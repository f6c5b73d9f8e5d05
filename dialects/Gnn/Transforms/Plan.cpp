//===- Plan.cpp - What backward keeps and what it recomputes --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-plan pass (Seastar, section 7.1): a minimum cut, by bytes and flops, between what the forward part of a
// training program has anyway and what its backward part reads. Fields on the cut are kept; elementwise work between
// the cut and backward is done again.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/Sequence.h"
#include <deque>
#include <limits>

namespace gnnc::gnn {
#define GEN_PASS_DEF_PLAN
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

/// A flow network with one capacity an arc; nodes are numbered from 0.
class FlowNetwork {
public:
  unsigned addNode() {
    arcsOf.emplace_back();
    return arcsOf.size() - 1;
  }

  void addArc(unsigned from, unsigned to, int64_t capacity) {
    arcsOf[from].push_back(arcs.size());
    arcs.push_back({to, capacity});
    arcsOf[to].push_back(arcs.size());
    arcs.push_back({from, 0});
  }

  /// Saturates the network and returns which nodes `source` still reaches. Blocking flows (Dinitz 1970): a phase takes
  /// time linear in the program, and there are no more phases than a path from memory to backward has ops.
  std::vector<bool> cut(unsigned source, unsigned sink) {
    while (true) {
      std::vector<int> level = findLevels(source);
      if (level[sink] < 0) {
        std::vector<bool> reached;
        for (int distance : level)
          reached.push_back(distance >= 0);
        return reached;
      }
      std::vector<unsigned> next(arcsOf.size(), 0);
      while (push(source, sink, unlimited, level, next) > 0)
        ;
    }
  }

private:
  struct Arc {
    unsigned to;
    int64_t capacity;
  };

  static void add(int64_t &capacity, int64_t flow) {
    if (capacity != unlimited)
      capacity += flow;
  }

  /// The distance of each node from `source` over arcs that are not full, -1 where it is not reached.
  std::vector<int> findLevels(unsigned source) const {
    std::vector<int> level(arcsOf.size(), -1);
    level[source] = 0;
    std::deque<unsigned> queue = {source};
    while (!queue.empty()) {
      unsigned node = queue.front();
      queue.pop_front();
      for (unsigned arc : arcsOf[node])
        if (arcs[arc].capacity > 0 && level[arcs[arc].to] < 0) {
          level[arcs[arc].to] = level[node] + 1;
          queue.push_back(arcs[arc].to);
        }
    }
    return level;
  }

  /// Pushes up to `flow` from `node` to `sink` along one shortest path; arcs before `next` lead nowhere.
  int64_t push(unsigned node, unsigned sink, int64_t flow, const std::vector<int> &level, std::vector<unsigned> &next) {
    if (node == sink)
      return flow;
    for (; next[node] < arcsOf[node].size(); ++next[node]) {
      unsigned arc = arcsOf[node][next[node]];
      if (arcs[arc].capacity <= 0 || level[arcs[arc].to] != level[node] + 1)
        continue;
      int64_t pushed = push(arcs[arc].to, sink, std::min(flow, arcs[arc].capacity), level, next);
      if (pushed == 0)
        continue;
      add(arcs[arc].capacity, -pushed);
      add(arcs[arc ^ 1].capacity, pushed);
      return pushed;
    }
    return 0;
  }

  std::vector<Arc> arcs;
  std::vector<std::vector<unsigned>> arcsOf;
};

/// A byte that leaves memory, or comes back, takes as long as so many of memory traffic.
constexpr int64_t transferCost = 16;

bool isVertexField(Value value) { return cast<FieldType>(value.getType()).isVertex(); }

/// Ops that are cheaper to do again than to keep: they read each element of their operands once.
bool isRecomputable(Operation *op) {
  return isa<ElementwiseOpInterface, BroadcastOp, ReshapeOp, PadOp, SliceOp, ConcatOp, OneHotOp, DropoutMaskOp,
             ConstantOp>(op);
}

/// The cost of computing `op` again, per element, as the number of bytes whose memory traffic takes as long.
int64_t costOfElement(Operation *op) {
  switch (costOf(op)) {
  case ElementCost::Transcendental:
    return 4;
  case ElementCost::SquareRoot:
  case ElementCost::Division:
    return 2;
  case ElementCost::Simple:
    return isa<BroadcastOp, ReshapeOp, ConstantOp>(op) ? 0 : 1;
  }
  llvm_unreachable("the switch has every cost");
}

bool isZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto number = constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
  return number && number.getValue().isZero();
}

struct PlanPass : gnn::impl::PlanBase<PlanPass> {
  using PlanBase::PlanBase;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    SetVector<Operation *> forward = findForward(program);
    if (forward.empty())
      return;
    readMasksFromResults(forward);
    findReads(forward);
    DenseSet<Value> kept = chooseKept(program, forward);
    recompute(program, forward, kept);
  }

private:
  /// Whether `value` is in memory when backward begins, whatever backward reads: bound by the executor or, where kept
  /// fields stay where they are, read by a step of forward.
  bool isStoredAnyway(Value value, const SetVector<Operation *> &forward) const {
    if (value.getDefiningOp()->getNumOperands() == 0)
      return true;
    return keep == Keep::Fast && llvm::any_of(value.getUsers(), [&](Operation *user) {
             return forward.contains(user) && isa<ReadSourceOp, ReadDestinationOp, MatMulOp>(user);
           });
  }

  /// The cost of keeping one byte of `value` for the backward pass.
  int64_t costOfByte(Value value, const SetVector<Operation *> &forward) const {
    if (isStoredAnyway(value, forward))
      return 1;
    return keep == Keep::Least ? 2 * transferCost : 2;
  }

  /// The ops that the other results of a program with gradients depend on, in program order.
  static SetVector<Operation *> findForward(ProgramOp program) {
    ReturnOp result = program.getReturn();
    auto isGradient = [&](unsigned index) { return result.getRole(index).getRole() == ResultRole::Gradient; };
    if (llvm::none_of(llvm::seq(result.getNumOperands()), isGradient))
      return {};
    BackwardSliceOptions options([](Operation *op) { return !isa<ProgramOp>(op); });
    options.inclusive = true;
    SetVector<Operation *> slice;
    for (unsigned index = 0; index < result.getNumOperands(); ++index)
      if (!isGradient(index))
        getBackwardSlice(result.getOperand(index), &slice, options);
    return slice;
  }

  /// Finds which fields of forward backward reads: by its own ops and, where these edges may get others, by edges of
  /// forward that it reads.
  void findReads(const SetVector<Operation *> &forward) {
    reads.clear();
    for (Operation *op : llvm::reverse(forward))
      for (Value value : op->getResults())
        if (llvm::any_of(value.getUsers(), [&](Operation *user) {
              return forward.contains(user)
                         ? keep == Keep::Least && isOfEdges(user) && reads.contains(user->getResult(0))
                         : !isa<ReturnOp>(user);
            }))
          reads.insert(value);
  }

  static bool isOfEdges(Operation *op) {
    return op->getNumResults() == 1 && cast<FieldType>(op->getResult(0).getType()).isEdge();
  }

  /// For backward, `x <= 0` is `y <= 0` for y = select(x <= 0, 0, x), a ReLU, where y is in memory anyway.
  void readMasksFromResults(const SetVector<Operation *> &forward) const {
    for (Operation *op : forward) {
      auto relu = dyn_cast<SelectOp>(op);
      auto mask = relu ? relu.getCondition().getDefiningOp<CompareOp>() : CompareOp();
      if (!mask || mask.getPredicate() != Predicate::Le || mask.getLhs() != relu.getOtherwise() ||
          !isZero(mask.getRhs()) || !isZero(relu.getThen()) || !isVertexField(relu.getResult()) ||
          !isStoredAnyway(relu.getResult(), forward))
        continue;
      auto isBackward = [&](OpOperand &use) {
        return !forward.contains(use.getOwner()) && !isa<ReturnOp>(use.getOwner());
      };
      if (llvm::none_of(mask->getUses(), isBackward))
        continue;
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      Value again = builder.create<CompareOp>(mask.getLoc(), Predicate::Le, relu.getResult(), mask.getRhs());
      mask.getResult().replaceUsesWithIf(again, isBackward);
    }
  }

  /// The vertex fields of a minimum cut. What is kept is written and read, what is in memory anyway is read only; what
  /// is done again takes its operands, and time.
  DenseSet<Value> chooseKept(ProgramOp program, const SetVector<Operation *> &forward) const {
    CostModel cost(program);
    FlowNetwork network;
    unsigned source = network.addNode(), sink = network.addNode();
    llvm::MapVector<Value, std::pair<unsigned, unsigned>> nodes; // a field's arc from its work to its memory
    for (Operation &op : program.getBody().front()) {
      if (!forward.contains(&op))
        continue;
      for (Value value : op.getResults()) {
        if (!isVertexField(value))
          continue;
        auto [work, memory] = nodes[value] = {network.addNode(), network.addNode()};
        bool stored = isStoredAnyway(value, forward);
        auto type = cast<FieldType>(value.getType());
        bool isFree = op.getNumOperands() == 0 && isRecomputable(&op);
        network.addArc(work, memory,
                       isFree ? cost.width(type) * costOfElement(&op)
                              : cost.keptBytes(type) * costOfByte(value, forward));
        if (stored || !isRecomputable(&op) || llvm::none_of(op.getOperands(), isVertexField))
          network.addArc(source, work, unlimited);
        else {
          network.addArc(source, work, cost.width(type) * costOfElement(&op));
          for (Value operand : op.getOperands())
            if (isVertexField(operand))
              network.addArc(nodes[operand].second, work, unlimited);
        }
        if (reads.contains(value))
          network.addArc(memory, sink, unlimited);
      }
    }
    std::vector<bool> reached = network.cut(source, sink);
    DenseSet<Value> kept;
    for (auto &[value, node] : nodes)
      if (reached[node.first] && !reached[node.second])
        kept.insert(value);
    return kept;
  }

  /// Gives backward its own copies of the fields that are not kept.
  void recompute(ProgramOp program, const SetVector<Operation *> &forward, const DenseSet<Value> &kept) {
    IRMapping copies;
    unchanged.clear();
    for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
      if (forward.contains(&op) || isa<ReturnOp>(op))
        continue;
      for (OpOperand &operand : op.getOpOperands())
        if (Value copy = copyFor(operand.get(), &op, forward, kept, copies))
          operand.set(copy);
    }
    for (Value value : kept)
      if (reads.contains(value))
        ++numKept;
  }

  /// A copy of `value` for backward, made before `user`; null where backward reads the forward's. Edges have one where
  /// what they read has.
  Value copyFor(Value value, Operation *user, const SetVector<Operation *> &forward, const DenseSet<Value> &kept,
                IRMapping &copies) {
    Operation *op = value.getDefiningOp();
    const bool isRecomputed = isVertexField(value) && !kept.contains(value) && isRecomputable(op);
    const bool mayChange = keep == Keep::Least && isOfEdges(op) && !unchanged.contains(value);
    if (!forward.contains(op) || op->getNumOperands() == 0 || !(isRecomputed || mayChange))
      return {};
    if (Value copy = copies.lookupOrNull(value))
      return copy;
    bool changes = isRecomputed;
    for (Value operand : op->getOperands())
      changes |= bool(copyFor(operand, user, forward, kept, copies));
    if (!changes) {
      unchanged.insert(value);
      return {};
    }
    OpBuilder builder(user);
    builder.clone(*op, copies);
    ++numRecomputed;
    return copies.lookup(value);
  }

  DenseSet<Value> reads;     // of forward, by backward
  DenseSet<Value> unchanged; // of edges, that read what forward has
};

} // namespace
