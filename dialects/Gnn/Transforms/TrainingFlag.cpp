//===- TrainingFlag.cpp - Programs that train and programs that do not ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/Transforms/TrainingFlag.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gnnc::gnn;

static void dropDropout(ProgramOp program) {
  for (auto mask : llvm::make_early_inc_range(program.getBody().getOps<DropoutMaskOp>())) {
    OpBuilder builder(mask);
    mask.replaceAllUsesWith(builder.create<ConstantOp>(mask.getLoc(), fieldOf(mask.getResult()), 1.0).getResult());
    mask.erase();
  }
}

void gnnc::gnn::setTraining(ProgramOp program, bool training) {
  if (!training)
    dropDropout(program);
  OpBuilder builder(program.getContext());
  for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
    builder.setInsertionPoint(&op);
    SmallVector<Value> folded;
    if (auto flag = dyn_cast<TrainingOp>(op))
      folded = {builder.create<ConstantOp>(op.getLoc(), cast<FieldType>(flag.getType()), training)};
    else if (!isa<SelectOp, BroadcastOp, NotOp, AndOp, OrOp>(op) || failed(builder.tryFold(&op, folded)))
      continue;
    op.replaceAllUsesWith(folded);
    op.erase();
  }
}
