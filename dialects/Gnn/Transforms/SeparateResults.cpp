//===- SeparateResults.cpp - A tensor for each result ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-separate-results pass: results that are leaves, or other results too, are copied.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_SEPARATERESULTS
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// The value whose memory `value` shares: a table and its rows share memory.
Value getStored(Value value) {
  while (isa<TableRowsOp, RowsTableOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

struct SeparateResultsPass : gnn::impl::SeparateResultsBase<SeparateResultsPass> {
  void runOnOperation() override {
    ReturnOp end = getOperation().getReturn();
    OpBuilder builder(end);
    DenseSet<Value> returned;
    for (OpOperand &operand : end->getOpOperands()) {
      Value value = operand.get();
      Value stored = getStored(value);
      bool isLeaf = stored.getDefiningOp()->getNumOperands() == 0;
      bool isFirst = returned.insert(stored).second;
      if (isLeaf || !isFirst)
        operand.set(builder.create<CopyOp>(value.getLoc(), value.getType(), value));
    }
  }
};

} // namespace
