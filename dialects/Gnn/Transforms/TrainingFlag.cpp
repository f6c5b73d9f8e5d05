//===- TrainingFlag.cpp - Programs that train and programs that do not ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/Transforms/TrainingFlag.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gnnc::gnn;

void gnnc::gnn::setTraining(ProgramOp program, bool training) {
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
