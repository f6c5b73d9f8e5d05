//===- SliceChecker.cpp - Ranges of dimensions ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `y[a:b]`, `y[:, a:b]` (law 6). A range of known dimensions is checked here. For one that depends on open dimensions
// the library holds three numbers that must not be negative: its begin, its length less one, and what is behind its
// end.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SliceChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/Wording.h"

using namespace gnnc;
using namespace gnnc::ast;

Operand SliceChecker::evalSlice(const SliceExpr &expr) {
  Operand x = evaluator.eval(*expr.base);
  if (x.isError())
    return {};
  x.range = expr.base->range;
  if (x.isSparse())
    return elementwise.sparseElsewhere(x, expr.range, "a slice");
  const unsigned first = context.numTypeDims(x.shape);
  const size_t numDims = x.shape.size() - first;
  if (expr.ranges.size() > numDims) {
    error(DiagnosticCode::E0306, expr.range,
          numDims == 0 ? "`[a:b]` needs a dimension to take a range of"
                       : plural(expr.ranges.size(), "range") + " of a value with " + plural(numDims, "dimension"))
        .label(x.range, x.shape.empty() ? "a scalar" : "this is " + str(x.shape))
        .label(x.origin, "defined here");
    return {};
  }
  const llvm::SMRange origin = x.origin;
  for (size_t i = 0; i < expr.ranges.size() && !x.isError(); ++i)
    x = slice(x, first + i, expr.ranges[i], expr.range);
  x.origin = origin;
  return x;
}

Operand SliceChecker::slice(const Operand &x, unsigned dim, const SliceExpr::Range &range, llvm::SMRange all) {
  const DimExpr whole = x.shape[dim];
  const std::optional<Bounds> bounds = evalBounds(range, whole);
  if (!bounds || !checkBounds(*bounds, range, whole, x))
    return {};
  const std::optional<DimExpr> offset = dims.inModel(bounds->begin, range.range);
  if (!offset)
    return {};
  if (bounds->size == whole)
    return x;
  Shape shape = x.shape;
  shape[dim] = bounds->size;
  return elementwise.apply(ValueKind::Slice, {x}, shape, element(x), all, [&](Value &value) {
    value.dims = {dim};
    value.offset = *offset;
  });
}

std::optional<SliceChecker::Bounds> SliceChecker::evalBounds(const SliceExpr::Range &range, const DimExpr &whole) {
  const std::optional<DimExpr> begin = range.begin ? dims.evalDim(*range.begin) : DimExpr(0);
  const std::optional<DimExpr> end = range.end ? dims.evalDim(*range.end) : whole;
  if (!begin || !end)
    return std::nullopt;
  Bounds bounds{dims.canonical(*begin), dims.canonical(*end), {}};
  const std::optional<DimExpr> size = bounds.end.sub(bounds.begin);
  if (!size) {
    error(DiagnosticCode::E0305, range.range, "this range is too large").at("its polynomial overflows");
    return std::nullopt;
  }
  bounds.size = *size;
  return bounds;
}

/// Reports a range that is out of bounds for every value of the open dimensions. Returns false if it is.
bool SliceChecker::checkBounds(const Bounds &bounds, const SliceExpr::Range &range, const DimExpr &whole,
                               const Operand &x) {
  const std::optional<DimExpr> behind = whole.sub(bounds.end);
  if (!behind) {
    error(DiagnosticCode::E0305, range.range, "this range is too large").at("its polynomial overflows");
    return false;
  }
  auto known = [&](const DimExpr &dim) {
    const std::optional<DimExpr> translated = dims.inModel(dim, range.range);
    return translated ? translated->constant() : std::nullopt;
  };
  const std::optional<int64_t> begin = known(bounds.begin), size = known(bounds.size), room = known(*behind);
  auto wrong = [&](std::string message, llvm::SMRange where, std::string label) -> Diagnostic & {
    return error(DiagnosticCode::E0310, where, message)
        .at(label)
        .label(x.range, "this is " + str(x.shape))
        .label(x.origin, "defined here");
  };
  if (begin && *begin < 0) {
    Diagnostic &negative =
        wrong("a range begins at 0 or later", range.begin->range, "this is " + std::to_string(*begin));
    const std::optional<int64_t> written = bounds.begin.constant(); // as in Python, if it is a number
    if (written && *written < 0 && *written > INT32_MIN && !range.end)
      negative.help("to take the last " + (*written == -1 ? "entry" : std::to_string(-*written) + " entries") +
                    ", begin at `" + whole.str() + " - " + std::to_string(-*written) + "`");
    return false;
  }
  if (room && *room < 0) {
    wrong("a range ends within its dimension", range.end->range,
          "`" + bounds.end.str() + "` is more than `" + whole.str() + "`");
    return false;
  }
  if (size && *size < 1) {
    Diagnostic &empty = wrong("a range has at least one entry", range.range, "ends where it begins, or before");
    if (const std::optional<int64_t> end = bounds.end.constant(); end && *end < 0 && *end > INT32_MIN)
      empty.help("to leave out the last " + (*end == -1 ? "entry" : std::to_string(-*end) + " entries") + ", end at `" +
                 whole.str() + " - " + std::to_string(-*end) + "`");
    return false;
  }
  return true;
}
