//===- Distribute.cpp - Products of sums of both ends ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-distribute pass: parts of a product on edges are products of vertices where that is cheaper and keeps the
// accuracy of the product as it is written.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Gnn/Transforms/Signs.h"
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

/// A part of what a product on edges multiplies: neighbours in a concatenation, which rows of the parameter from
/// `offset` on belong to.
struct Term {
  SmallVector<Value> parts;
  DimExpr offset;
  bool isNegative = false;
};

/// Finds the terms that a product on edges is distributed over. Parts of a concatenation are multiplied by different
/// rows, so the error stays within that of the product as it is written, a multiple of |x| |w|. The products of the
/// terms of a sum have errors relative to the terms: terms with opposite signs may be far larger than their sum.
class Distribution {
public:
  /// With `mayCancel`, sums are distributed over whatever the signs of their terms.
  explicit Distribution(bool mayCancel) : mayCancel(mayCancel) {}

  /// The terms that a product of `x` is the sum of; itself alone where no part can be computed at an end of the edges.
  SmallVector<Term> divide(Value x) const {
    SmallVector<Term> terms;
    collect(x, DimExpr(0), /*isNegative=*/false, terms);
    return terms;
  }

private:
  bool isSum(Operation *op) const { return isa<AddOp, SubOp>(op) && (mayCancel || !gnn::mayCancel(op)); }

  static bool joinsLast(Operation *op) {
    auto concat = dyn_cast<ConcatOp>(op);
    return concat && concat.getDim() + 1 == fieldOf(concat.getResult()).getRank();
  }

  /// Whether `x` is made of fields of one end each.
  bool isOfEnds(Value x) const {
    if (fieldOf(x).getKind() != GraphKind::E)
      return true;
    Operation *op = x.getDefiningOp();
    return (isSum(op) || joinsLast(op)) && llvm::all_of(op->getOperands(), [&](Value part) { return isOfEnds(part); });
  }

  /// Whether some part of `x` is a field of one end.
  bool isDivisible(Value x) const {
    return isOfEnds(x) || (joinsLast(x.getDefiningOp()) && llvm::any_of(x.getDefiningOp()->getOperands(),
                                                                        [&](Value part) { return isDivisible(part); }));
  }

  void collect(Value x, DimExpr offset, bool isNegative, SmallVector<Term> &terms) const {
    Operation *op = x.getDefiningOp();
    if (fieldOf(x).getKind() != GraphKind::E || !isDivisible(x)) {
      terms.push_back({{x}, offset, isNegative});
    } else if (!joinsLast(op)) {
      collect(op->getOperand(0), offset, isNegative, terms);
      collect(op->getOperand(1), offset, isNegative != isa<SubOp>(op), terms);
    } else {
      bool extends = false; // neighbours that stay on the edges stay one product
      for (Value part : op->getOperands()) {
        if (isDivisible(part))
          collect(part, offset, isNegative, terms);
        else if (extends)
          terms.back().parts.push_back(part);
        else
          terms.push_back({{part}, offset, isNegative});
        extends = !isDivisible(part);
        offset = *offset.add(fieldOf(part).getDim(fieldOf(part).getRank() - 1));
      }
    }
  }

  bool mayCancel;
};

/// `type` with `size` as its dimension `dim`.
FieldType resized(FieldType type, unsigned dim, const DimExpr &size) {
  SmallVector<StringAttr> dims = llvm::to_vector(type.getDims());
  dims[dim] = StringAttr::get(type.getContext(), size.str());
  return type.withDims(dims);
}

/// The product of `term`, a part of what `op` multiplies, with its rows of the parameter.
Value multiply(OpBuilder &builder, MatMulOp op, const Term &term) {
  Value x = term.parts.front(), w = op.getW();
  FieldType type = fieldOf(op.getX());
  const unsigned last = type.getRank() - 1;
  DimExpr size;
  for (Value part : term.parts)
    size = *size.add(fieldOf(part).getDim(last));
  if (term.parts.size() > 1)
    x = builder.create<ConcatOp>(op.getLoc(), resized(type, last, size), term.parts, last);
  if (fieldOf(w).getDim(0) != size)
    w = builder.create<SliceOp>(op.getLoc(), resized(fieldOf(w), 0, size), w, 0, term.offset.str());
  return builder.create<MatMulOp>(op.getLoc(), x, w);
}

/// The fields of `terms` that stay on the edges.
SmallVector<Value> findRest(ArrayRef<Term> terms) {
  SmallVector<Value> rest;
  for (const Term &term : terms)
    if (fieldOf(term.parts.front()).getKind() == GraphKind::E)
      llvm::append_range(rest, term.parts);
  return rest;
}

/// Bytes that edges read at one end to compute `fields`, at the end where that is more.
int64_t bytesRead(const CostModel &cost, ArrayRef<Value> fields) {
  int64_t bytes[2] = {0, 0};
  SmallVector<Value> pending(fields);
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

/// Whether reading products of an end, and what the `rest` is made of, takes no longer than reading what all is made of
/// and multiplying that.
bool isCheaperOnVertices(const CostModel &cost, MatMulOp op, ArrayRef<Value> rest) {
  constexpr int64_t flopsPerByte = 8; // what a panel of edges computes while a byte of another vertex is read
  int64_t contracted = cost.width(fieldOf(op.getX())), columns = cost.width(fieldOf(op.getResult()));
  for (Value part : rest)
    contracted -= cost.width(fieldOf(part));
  return cost.bytes(fieldOf(op.getResult())) + bytesRead(cost, rest) <=
         bytesRead(cost, {op.getX()}) + 2 * contracted * columns / flopsPerByte;
}

/// Whether gradients are asked for: those of products on edges are sums over edges of whole matrices.
bool isTrained(ProgramOp program) {
  return llvm::any_of(program.getReturn().getRoles().getAsRange<ResultAttr>(),
                      [](ResultAttr result) { return result.getRole() == ResultRole::VertexLoss; });
}

struct DistributeProduct : OpRewritePattern<MatMulOp> {
  DistributeProduct(MLIRContext *context, const CostModel &cost, EdgeProducts form, bool isTrained,
                    Pass::Statistic &count)
      : OpRewritePattern(context), cost(cost), form(form), isTrained(isTrained), count(count) {}

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    if (form == EdgeProducts::Edges || op.getTransposeW() || fieldOf(op.getX()).getKind() != GraphKind::E)
      return rewriter.notifyMatchFailure(op, "is no product on edges, or is to stay there");
    SmallVector<Term> terms = Distribution(/*mayCancel=*/form == EdgeProducts::Vertices).divide(op.getX());
    if (terms.size() == 1)
      return rewriter.notifyMatchFailure(op, "has no part that may be multiplied at an end of the edges");
    if (form == EdgeProducts::Auto && !isTrained && !isCheaperOnVertices(cost, op, findRest(terms)))
      return rewriter.notifyMatchFailure(op, "edges read more than the product costs");
    Value sum;
    for (const Term &term : terms) {
      Value product = multiply(rewriter, op, term);
      if (!sum)
        sum = product;
      else
        sum = term.isNegative ? rewriter.create<SubOp>(op.getLoc(), sum, product).getResult()
                              : rewriter.create<AddOp>(op.getLoc(), sum, product).getResult();
    }
    rewriter.replaceOp(op, sum);
    ++count;
    return success();
  }

  const CostModel &cost;
  EdgeProducts form;
  bool isTrained;
  Pass::Statistic &count;
};

struct DistributePass : gnn::impl::DistributeBase<DistributePass> {
  using DistributeBase::DistributeBase;

  void runOnOperation() override {
    CostModel cost(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<DistributeProduct>(&getContext(), cost, form, isTrained(getOperation()), numDistributed);
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
