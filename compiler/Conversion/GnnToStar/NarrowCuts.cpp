//===- NarrowCuts.cpp - Wide values that are made where they are read -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GnnToStar/NarrowCuts.h"
#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/TypeRules.h"

using namespace gnnc;
using gnn::fieldOf;
using llvm::isa;
using mlir::Operation;
using mlir::Value;

/// Ops that every reader may repeat: repetitions, and plain operations that take less than a load.
static bool isCheap(Operation *op) {
  return isa<gnn::BroadcastOp, gnn::ReshapeOp, gnn::ConstantOp, gnn::ExtentOp, gnn::AddOp, gnn::SubOp, gnn::MulOp,
             gnn::NegOp, gnn::SelectOp>(op);
}

int64_t NarrowCut::bytes(Value value) const {
  return fieldOf(value).isParameter() ? 0 : sizes.keptBytes(fieldOf(value));
}

/// Adds what a reader of `value` loads if it makes it itself. False where that takes more than cheap ops.
bool NarrowCut::collect(Value value, Loads &loads) const {
  Operation *op = value.getDefiningOp();
  bool isStored = plan.isStoredBefore(value, group) || needed.contains(value);
  if (isStored && value != wide) {
    loads.stored.insert(value);
    return true;
  }
  if (isCheap(op) && !gnn::isSpread(op)) {
    constexpr unsigned maxOps = 4;
    return ++loads.numOps <= maxOps &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, loads); });
  }
  if (!plan.isRowOf(value, group))
    return false;
  loads.fresh.insert(value);
  return value != wide;
}

bool NarrowCut::isWorth(llvm::ArrayRef<const StepBuilder *> readers) const {
  Loads loads;
  if (readers.empty() || !collect(wide, loads))
    return false;
  int64_t now = bytes(wide) * int64_t(1 + readers.size()), then = 0;
  for (Value value : loads.fresh)
    then += bytes(value) * int64_t(1 + readers.size());
  for (Value value : loads.stored)
    for (const StepBuilder *reader : readers)
      then += reader->reads(value) ? 0 : bytes(value);
  return then < now;
}
