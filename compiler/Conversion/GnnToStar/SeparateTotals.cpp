//===- SeparateTotals.cpp - Totals over other vertices in samples ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Star/Analysis/FieldDepths.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace gnnc;

namespace gnnc {
#define GEN_PASS_DEF_SEPARATETOTALS
#include "compiler/Conversion/GnnToStar/Passes.h.inc"
} // namespace gnnc

namespace {

class SeparateTotals : public impl::SeparateTotalsBase<SeparateTotals> {
  using SeparateTotalsBase::SeparateTotalsBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<gnn::ProgramOp>()) {
      if (program.getOps<gnn::TotalOp>().empty())
        continue;
      const mlir::SetVector<mlir::Operation *> training = ofTraining(program);
      const star::FieldDepths depths(program, [&](mlir::Operation *op) { return training.contains(op); });
      for (auto total : program.getOps<gnn::TotalOp>())
        if (training.contains(total))
          gnn::declareDepth(total, depths.of(total.getResult()));
    }
  }

  /// The ops of a training step; none if the program has no loss and no output is differentiated.
  mlir::SetVector<mlir::Operation *> ofTraining(gnn::ProgramOp program) {
    mlir::SetVector<mlir::Operation *> slice;
    gnn::ReturnOp end = program.getReturn();
    auto addResults = [&](gnn::ResultRole role) {
      mlir::BackwardSliceOptions options([](mlir::Operation *op) { return !llvm::isa<gnn::ProgramOp>(op); });
      options.inclusive = true;
      for (unsigned index = 0; index < end.getNumOperands(); ++index)
        if (end.getRole(index).getRole() == role)
          mlir::getBackwardSlice(end.getOperand(index), &slice, options);
    };
    addResults(gnn::ResultRole::VertexLoss);
    if (vjp)
      addResults(gnn::ResultRole::Output);
    if (!slice.empty())
      addResults(gnn::ResultRole::State);
    return slice;
  }
};

} // namespace
