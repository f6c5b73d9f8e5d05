//===- KernelCost.cpp - Rates, flops and lineage inside a kernel ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Explain/KernelCost.h"
#include "dialects/Gnn/IR/TypeRules.h"

using namespace gnnc;
using gnn::fieldOf;
using gnn::FieldType;
using llvm::isa;
using mlir::Operation;
using mlir::Value;
using star::Access;

/// An exponential and a logarithm count as about what their expansions take.
static constexpr int64_t functionFlops = gnn::flopsOf(gnn::ElementCost::Transcendental);

KernelCost::KernelCost(star::KernelOp kernel, const gnn::CostModel &sizes, llvm::ArrayRef<bool> gradientInputs)
    : kernel(kernel), sizes(sizes) {
  unsigned inStep = 0, inEnd = 0;
  auto bind = [&](Value argument, Rate rate, bool isGradient) {
    rates[argument] = rate;
    if (isGradient)
      gradients.insert(argument);
  };
  for (auto [input, isGradient] : llvm::zip(kernel.getInputs().getAsRange<star::OperandAttr>(), gradientInputs)) {
    bool isEdge = input.getAccess() == Access::Col || input.getAccess() == Access::Edge;
    Rate rate = isEdge ? Rate::Edge : input.getAccess() == Access::Row ? Rate::Vertex : Rate::Once;
    if (kernel.isSweep())
      bind(kernel.getStep().getArgument(inStep++), rate, isGradient);
    if (!isEdge)
      bind(kernel.getEnd().getArgument(inEnd++), rate, isGradient);
  }
  if (kernel.isSweep()) {
    walk(kernel.getStep().front(), true);
    addReductions();
  }
  walk(kernel.getEnd().front(), false);
  for (Value value : kernel.getYield().getValues())
    outputs.push_back(isGradient(value));
  if (kernel.isSweep())
    for (Value value : kernel.isOfTotals() ? kernel.getContribute().getValues() : kernel.getContribute().getEdges())
      outputs.push_back(isGradient(value));
}

void KernelCost::walk(mlir::Block &block, bool isStep) {
  for (Operation &op : block.without_terminator()) {
    FieldType type = fieldOf(op.getResult(0));
    Rate rate = type.isParameter() ? Rate::Once : !isStep ? Rate::Vertex : Rate::Once;
    if (isa<star::OnlineSoftmaxOp, gnn::EdgeIdOp>(op) || (op.getNumOperands() == 0 && type.isEdge()))
      rate = Rate::Edge;
    bool isGradient = false;
    for (Value operand : op.getOperands()) {
      rate = std::max(rate, rates.lookup(operand));
      isGradient |= gradients.contains(operand);
    }
    for (Value result : op.getResults()) {
      rates[result] = rate;
      if (isGradient)
        gradients.insert(result);
    }
    if (isa<gnn::ConstantOp, gnn::ExtentOp, gnn::BroadcastOp, gnn::ReshapeOp, gnn::SliceOp, gnn::PadOp, gnn::ConcatOp,
            gnn::CastOp, gnn::CopyOp, gnn::EdgeIdOp>(op))
      continue;
    ops.push_back(&op);
    flopsAt[static_cast<unsigned>(rate)] += flopsOf(&op);
  }
}

void KernelCost::addReductions() {
  for (unsigned index = 0; index < kernel.getAggregators().size(); ++index) {
    gnn::AggregatorInterface aggregator = kernel.getAggregator(index);
    Value value = kernel.getContribute().getValues()[index];
    unsigned number = kernel.isOfTotals() ? 0 : kernel.getReduction(index).getArgNumber();
    for (unsigned i = 0; !kernel.isOfTotals() && i < (aggregator.tracksArg() ? 2u : 1u); ++i) {
      Value argument = kernel.getEnd().getArgument(number + i);
      rates[argument] = Rate::Vertex;
      if (gradients.contains(value))
        gradients.insert(argument);
    }
    int64_t each = isa<star::SoftmaxSumAttr>(aggregator) ? 2
                   : kernel.getOnlineSoftmax(index)      ? 3
                   : isa<gnn::LogSumExpAttr>(aggregator) ? functionFlops + 4
                                                         : 1;
    flopsAt[static_cast<unsigned>(Rate::Edge)] += each * sizes.width(fieldOf(value));
  }
}

/// Flops of `x [a.., k] @ w [k, b..]`, or back; `w` has `skipped` dimensions before k that the product picks from.
static int64_t productFlops(const gnn::CostModel &sizes, FieldType x, FieldType w, FieldType result, bool transposed,
                            unsigned skipped) {
  llvm::ArrayRef<mlir::StringAttr> matrix = w.getDims().drop_front(skipped);
  int64_t k = std::max<int64_t>(sizes.width(w.withDims(matrix.take_front())), 1);
  return 2 * sizes.width(w.withDims(matrix)) * std::max<int64_t>(sizes.width(transposed ? result : x) / k, 1);
}

int64_t KernelCost::flopsOf(Operation *op) const {
  FieldType result = fieldOf(op->getResult(0));
  int64_t width = sizes.width(result);
  if (auto product = llvm::dyn_cast<gnn::MatMulOp>(op))
    return productFlops(sizes, fieldOf(product.getX()), fieldOf(product.getW()), result, product.getTransposeW(), 0);
  if (auto product = llvm::dyn_cast<gnn::TypedMatMulOp>(op))
    return productFlops(sizes, fieldOf(product.getX()), fieldOf(product.getW()), result, product.getTransposeW(), 1);
  if (isa<gnn::ReduceOp, gnn::ArgReduceOp>(op))
    return sizes.width(fieldOf(op->getOperand(0)));
  if (isa<star::OnlineSoftmaxOp>(op))
    return (functionFlops + 4) * width;
  return gnn::flopsOf(gnn::costOf(op)) * width;
}
