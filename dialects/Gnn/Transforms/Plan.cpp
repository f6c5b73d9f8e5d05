//===- Plan.cpp - What backward keeps and what it recomputes --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-plan pass (Seastar, section 7.1): a minimum cut, by bytes, between what the forward part of a training program has anyway and what its
// backward part reads. Fields on the cut are kept; elementwise work between the cut and backward is done again.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
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

  /// Saturates the network (Edmonds and Karp 1972) and returns which nodes `source` still reaches.
  std::vector<bool> cut(unsigned source, unsigned sink) {
    while (true) {
      std::vector<int> arcTo = search(source);
      if (arcTo[sink] < 0)
        break;
      int64_t flow = unlimited;
      for (unsigned node = sink; node != source; node = arcs[arcTo[node] ^ 1].to)
        flow = std::min(flow, arcs[arcTo[node]].capacity);
      assert(flow < unlimited && "every path crosses a field that can be kept");
      for (unsigned node = sink; node != source; node = arcs[arcTo[node] ^ 1].to) {
        add(arcs[arcTo[node]].capacity, -flow);
        add(arcs[arcTo[node] ^ 1].capacity, flow);
      }
    }
    std::vector<bool> reached;
    for (int arc : search(source))
      reached.push_back(arc >= 0);
    reached[source] = true;
    return reached;
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

  /// The arc by which a breadth-first search comes to each node, -1 where it does not.
  std::vector<int> search(unsigned source) const {
    std::vector<int> arcTo(arcsOf.size(), -1);
    std::deque<unsigned> queue = {source};
    while (!queue.empty()) {
      unsigned node = queue.front();
      queue.pop_front();
      for (unsigned arc : arcsOf[node])
        if (arcs[arc].capacity > 0 && arcs[arc].to != source && arcTo[arcs[arc].to] < 0) {
          arcTo[arcs[arc].to] = arc;
          queue.push_back(arcs[arc].to);
        }
    }
    return arcTo;
  }

  std::vector<Arc> arcs;
  std::vector<std::vector<unsigned>> arcsOf;
};

bool isVertexField(Value value) { return cast<FieldType>(value.getType()).isVertex(); }

/// Ops that are cheaper to do again than to keep: they read each element of their operands once.
bool isRecomputable(Operation *op) {
  return isa<ElementwiseOpInterface, BroadcastOp, ReshapeOp, PadOp, SliceOp, ConcatOp, OneHotOp, DropoutMaskOp, ConstantOp>(op);
}

/// Whether the forward part has `value` in memory whatever backward reads: bound by the executor, or read by a step of its own.
bool isStoredAnyway(Value value, const SetVector<Operation *> &forward) {
  if (value.getDefiningOp()->getNumOperands() == 0)
    return true;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return forward.contains(user) && isa<ReadSourceOp, ReadDestinationOp, MatMulOp>(user);
  });
}

struct PlanPass : gnn::impl::PlanBase<PlanPass> {
  void runOnOperation() override {
    ProgramOp program = getOperation();
    SetVector<Operation *> forward = findForward(program);
    if (forward.empty())
      return;
    DenseSet<Value> kept = chooseKept(program, forward);
    recompute(program, forward, kept);
  }

private:
  /// What the loss of a training program depends on, in program order.
  static SetVector<Operation *> findForward(ProgramOp program) {
    ReturnOp result = program.getReturn();
    BackwardSliceOptions options([](Operation *op) { return !isa<ProgramOp>(op); });
    options.inclusive = true;
    SetVector<Operation *> slice;
    for (unsigned index = 0; index < result.getNumOperands(); ++index)
      if (result.getRole(index).getRole() == ResultRole::Loss)
        getBackwardSlice(result.getOperand(index), &slice, options);
    return slice;
  }

  static bool isReadByBackward(Value value, const SetVector<Operation *> &forward) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !forward.contains(user) && !isa<ReturnOp>(user); });
  }

  /// The vertex fields of a minimum cut.
  static DenseSet<Value> chooseKept(ProgramOp program, const SetVector<Operation *> &forward) {
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
        network.addArc(work, memory, stored ? 0 : cost.bytes(cast<FieldType>(value.getType())));
        if (stored || !isRecomputable(&op) || llvm::none_of(op.getOperands(), isVertexField))
          network.addArc(source, work, unlimited);
        else
          for (Value operand : op.getOperands())
            if (isVertexField(operand))
              network.addArc(nodes[operand].second, work, unlimited);
        if (isReadByBackward(value, forward))
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
    for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
      if (forward.contains(&op) || isa<ReturnOp>(op))
        continue;
      for (OpOperand &operand : op.getOpOperands())
        if (Value copy = copyFor(operand.get(), &op, forward, kept, copies))
          operand.set(copy);
    }
    for (Value value : kept)
      if (isReadByBackward(value, forward))
        ++numKept;
  }

  /// A copy of `value` for backward, made before `user`; null where backward reads the forward's.
  Value copyFor(Value value, Operation *user, const SetVector<Operation *> &forward, const DenseSet<Value> &kept,
                IRMapping &copies) {
    Operation *op = value.getDefiningOp();
    if (!forward.contains(op) || !isVertexField(value) || kept.contains(value) || !isRecomputable(op) || op->getNumOperands() == 0)
      return {};
    if (Value copy = copies.lookupOrNull(value))
      return copy;
    for (Value operand : op->getOperands())
      copyFor(operand, user, forward, kept, copies);
    OpBuilder builder(user);
    builder.clone(*op, copies);
    ++numRecomputed;
    return copies.lookup(value);
  }
};

} // namespace
