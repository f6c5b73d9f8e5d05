//===- Distribute.cpp - Products of sums of both ends ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-distribute pass: a product on edges of what is linear in their ends is the sum of products of vertices; the
// cheaper form is chosen.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_DISTRIBUTE
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

FieldType fieldOf(Value value) { return cast<FieldType>(value.getType()); }

bool joinsLast(ConcatOp op) { return op.getDim() + 1 == fieldOf(op.getResult()).getRank(); }

/// Whether `x` is a sum, difference or concatenation of fields of one end each.
bool isLinearInEnds(Value x) {
  if (fieldOf(x).getKind() != GraphKind::E)
    return true;
  Operation *op = x.getDefiningOp();
  if (!isa<AddOp, SubOp>(op) && !(isa<ConcatOp>(op) && joinsLast(cast<ConcatOp>(op))))
    return false;
  return llvm::all_of(op->getOperands(), isLinearInEnds);
}

/// The product of rows [offset, offset + size of the last dimension of x) of `w` with `x`.
Value distribute(OpBuilder &builder, Location loc, Value x, Value w, const DimExpr &offset) {
  Operation *op = x.getDefiningOp();
  auto product = [&](Value part, const DimExpr &at) { return distribute(builder, loc, part, w, at); };
  if (fieldOf(x).getKind() == GraphKind::E && isa<AddOp>(op))
    return builder.create<AddOp>(loc, product(op->getOperand(0), offset), product(op->getOperand(1), offset));
  if (fieldOf(x).getKind() == GraphKind::E && isa<SubOp>(op))
    return builder.create<SubOp>(loc, product(op->getOperand(0), offset), product(op->getOperand(1), offset));
  if (fieldOf(x).getKind() == GraphKind::E) {
    Value sum;
    DimExpr at = offset;
    for (Value part : op->getOperands()) {
      Value term = product(part, at);
      sum = sum ? builder.create<AddOp>(loc, sum, term).getResult() : term;
      at = *at.add(fieldOf(part).getDim(fieldOf(part).getRank() - 1));
    }
    return sum;
  }
  StringAttr rows = fieldOf(x).getDims().back();
  if (fieldOf(w).getDims().front() != rows) {
    SmallVector<StringAttr> dims = llvm::to_vector(fieldOf(w).getDims());
    dims.front() = rows;
    w = builder.create<SliceOp>(loc, fieldOf(w).withDims(dims), w, 0, offset.str());
  }
  return builder.create<MatMulOp>(loc, x, w);
}

/// Bytes that edges read at one end to compute `x`, at the end where that is more.
int64_t bytesRead(const CostModel &cost, Value x) {
  int64_t bytes[2] = {0, 0};
  SmallVector<Value> pending = {x};
  DenseSet<Value> seen;
  while (!pending.empty()) {
    Value part = pending.pop_back_val();
    if (!seen.insert(part).second)
      continue;
    if (fieldOf(part).getKind() == GraphKind::E)
      llvm::append_range(pending, part.getDefiningOp()->getOperands());
    else if (!fieldOf(part).isParameter())
      bytes[fieldOf(part).getKind() == GraphKind::S] += cost.bytes(fieldOf(part));
  }
  return std::max(bytes[0], bytes[1]);
}

/// Whether reading the product of an end takes longer than reading what it is made of and multiplying that.
bool isCheaperOnVertices(const CostModel &cost, MatMulOp op) {
  constexpr int64_t flopsPerByte = 8; // what a panel of edges computes while a byte of another vertex is read
  int64_t contracted = cost.width(fieldOf(op.getX())), columns = cost.width(fieldOf(op.getResult()));
  return cost.bytes(fieldOf(op.getResult())) <= bytesRead(cost, op.getX()) + 2 * contracted * columns / flopsPerByte;
}

/// Whether gradients are asked for: those of products on edges are sums over edges of whole matrices.
bool isTrained(ProgramOp program) {
  return llvm::any_of(program.getReturn().getRoles().getAsRange<ResultAttr>(),
                      [](ResultAttr result) { return result.getRole() == ResultRole::VertexLoss; });
}

struct DistributeProduct : OpRewritePattern<MatMulOp> {
  DistributeProduct(MLIRContext *context, const CostModel &cost, EdgeProducts form, Pass::Statistic &count)
      : OpRewritePattern(context), cost(cost), form(form), count(count) {}

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    if (op.getTransposeW() || fieldOf(op.getX()).getKind() != GraphKind::E || !isLinearInEnds(op.getX()))
      return rewriter.notifyMatchFailure(op, "does not multiply what is linear in the ends of edges");
    if (form == EdgeProducts::Edges || (form == EdgeProducts::Auto && !isCheaperOnVertices(cost, op)))
      return rewriter.notifyMatchFailure(op, "edges read more than the product costs");
    rewriter.replaceOp(op, distribute(rewriter, op.getLoc(), op.getX(), op.getW(), DimExpr(0)));
    ++count;
    return success();
  }

  const CostModel &cost;
  EdgeProducts form;
  Pass::Statistic &count;
};

struct DistributePass : gnn::impl::DistributeBase<DistributePass> {
  using DistributeBase::DistributeBase;

  void runOnOperation() override {
    CostModel cost(getOperation());
    if (form == EdgeProducts::Auto && isTrained(getOperation()))
      form = EdgeProducts::Vertices;
    RewritePatternSet patterns(&getContext());
    patterns.add<DistributeProduct>(&getContext(), cost, form, numDistributed);
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
