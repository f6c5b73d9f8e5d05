//===- RotatedLoops.cpp - Loops that test at their end --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds loops as LLVM's pass loop-rotate would make them of loops that test at their beginning. For each loop, that
// pass visits everything that depends on the loops around it, so that its time grows with the square of their number.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gnnc {

namespace {

/// Before the loop: whether it runs at all. At the end of its body: whether it runs again.
struct RotatedForPattern : OpRewritePattern<scf::ForOp> {
  RotatedForPattern(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {} // before MLIR's own
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Block *begin = loop.getBody(), *end = &loop.getRegion().back();
    for (Value result : loop.getResults())
      after->addArgument(result.getType(), result.getLoc());
    rewriter.inlineRegionBefore(loop.getRegion(), after);

    auto branch = [&](Value index, ValueRange carried) {
      Value isBelow =
          rewriter.create<arith::CmpIOp>(loop.getLoc(), arith::CmpIPredicate::slt, index, loop.getUpperBound());
      SmallVector<Value> arguments = {index};
      llvm::append_range(arguments, carried);
      rewriter.create<cf::CondBranchOp>(loop.getLoc(), isBelow, begin, arguments, after, carried);
    };
    rewriter.setInsertionPointToEnd(before);
    branch(loop.getLowerBound(), loop.getInitArgs());
    Operation *yield = end->getTerminator();
    rewriter.setInsertionPoint(yield);
    Value next = rewriter.create<arith::AddIOp>(loop.getLoc(), begin->getArgument(0), loop.getStep());
    branch(next, yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.replaceOp(loop, after->getArguments());
    return success();
  }
};

} // namespace

void populateRotatedLoopPatterns(RewritePatternSet &patterns) {
  patterns.add<RotatedForPattern>(patterns.getContext());
}

} // namespace gnnc
