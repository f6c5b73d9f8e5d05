//===- SeparateTotals.cpp - Totals over other vertices in samples ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "dialects/Star/Analysis/FieldDepths.h"

using namespace gnnc;

namespace gnnc {
#define GEN_PASS_DEF_SEPARATETOTALS
#include "compiler/Conversion/GnnToStar/Passes.h.inc"
} // namespace gnnc

namespace {

class SeparateTotals : public impl::SeparateTotalsBase<SeparateTotals> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<gnn::ProgramOp>()) {
      gnn::ReturnOp end = program.getReturn();
      bool hasLoss = false;
      for (unsigned index = 0; index < end.getNumOperands(); ++index)
        hasLoss |= end.getRole(index).getRole() == gnn::ResultRole::VertexLoss;
      if (!hasLoss || program.getOps<gnn::TotalOp>().empty())
        continue;
      const star::FieldDepths depths(program);
      mlir::Builder builder(&getContext());
      for (auto total : program.getOps<gnn::TotalOp>())
        if (const int depth = depths.of(total.getResult()))
          total->setAttr("depth", builder.getI64IntegerAttr(depth));
    }
  }
};

} // namespace
