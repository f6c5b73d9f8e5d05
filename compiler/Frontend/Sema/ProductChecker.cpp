//===- ProductChecker.cpp - Matrix products ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x @ W`, and with a weight for each edge type: `x @ W[e.type]`, `x @ W[r]` (laws 5, 6 and 12).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ProductChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/SparseChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

/// The shape of `x @ w` if the two fit.
static std::optional<Shape> productShape(const Shape &x, const Shape &w) {
  if (x.empty() || w.empty() || x.back() != w.front())
    return std::nullopt;
  Shape shape(x.begin(), x.end() - 1);
  shape.insert(shape.end(), w.begin() + 1, w.end());
  return shape;
}

Shape ProductChecker::Weight::shape() const {
  bool isIndexed = (index || over) && !table.shape.empty();
  return Shape(table.shape.begin() + (isIndexed ? 1 : 0), table.shape.end());
}

/// `W[i]` in `transpose(W[i])`.
static const Expr *transposedEntry(const Expr &expr) {
  const auto *call = llvm::dyn_cast<CallExpr>(&expr);
  const bool isTranspose = call && call->callee.text == "transpose" && !call->receiver && call->args.size() == 1;
  const Expr *argument = isTranspose && !call->args.front().label ? call->args.front().value : nullptr;
  return argument && llvm::isa<IndexExpr>(argument) ? argument : nullptr;
}

ProductChecker::Weight ProductChecker::evalWeight(const Expr &expr) {
  if (const Expr *entry = transposedEntry(expr)) {
    Weight weight = evalWeight(*entry);
    if (weight.table.isError())
      return weight;
    if (weight.shape().size() == 2) {
      const bool isIndexed = weight.table.shape.size() == 3;
      weight.table = operators.transpose(
          weight.table, isIndexed ? std::vector<unsigned>{0, 2, 1} : std::vector<unsigned>{1, 0}, expr.range);
      weight.range = expr.range;
      return weight;
    }
  }
  const auto *access = llvm::dyn_cast<IndexExpr>(&expr);
  Weight weight;
  weight.range = expr.range;
  weight.table = evaluator.eval(access ? *access->base : expr);
  weight.table.range = access ? access->base->range : expr.range;
  if (!access || weight.table.isError())
    return weight;
  weight.index = edgeTypes.evalIndexValue(*access->index, weight.over);
  if (!edgeTypes.checkIndex(weight.table, weight.index, weight.over, *access)) {
    weight.table = Operand();
    return weight;
  }
  bool isTyped = weight.over || kind(*weight.index) != GraphKind::P;
  if (isTyped && kind(weight.table) == GraphKind::P)
    return weight;
  weight.table = edgeTypes.indexed(weight.table, weight.index, weight.over, expr.range);
  weight.index = std::nullopt;
  weight.over = nullptr;
  return weight;
}

/// Contracts the last dimension of `a` with the first of a parameter, or of a row of one.
Operand ProductChecker::matmul(const BinaryExpr &expr, Operand a, const Weight &weight) {
  if (a.isError() || weight.table.isError() || !checkProduct(expr, a, weight))
    return {};
  if (a.isSparse())
    return sparseInputs.sparseMatmul(a, weight.table, expr.range);
  Operand operands[] = {a, weight.table};
  if (!elementwise.unifyElements(operands, expr.range))
    return {};
  if (kind(weight.table) != GraphKind::P)
    return matmulFields(operands[0], operands[1], expr.range);
  if (weight.over)
    return matmulEachType(operands[0], weight, expr.range);
  Shape shape = *productShape(a.shape, weight.shape());
  if (!weight.index)
    return elementwise.apply(ValueKind::MatMul, operands, shape, element(a), expr.range);
  Operand typed[] = {operands[0], operands[1], *weight.index};
  if (!elementwise.checkSameEdges(typed, expr.range))
    return {};
  return elementwise.apply(ValueKind::TypedMatMul, typed, shape, element(a), expr.range);
}

/// `h @ m` for a matrix m of each vertex or edge: a `[a.., k]`, b `[k, b..]`
Operand ProductChecker::matmulFields(Operand a, Operand b, llvm::SMRange range) {
  Operand factors[] = {a, b};
  if (!elementwise.checkSameEdges(factors, range))
    return {};
  const unsigned contracted = a.shape.size() - 1;
  Shape wide = a.shape;
  wide.insert(wide.end(), b.shape.begin() + 1, b.shape.end());
  std::vector<unsigned> ofA, ofB;
  for (unsigned i = 0; i < wide.size(); ++i) {
    if (i <= contracted)
      ofA.push_back(i);
    if (i >= contracted)
      ofB.push_back(i);
  }
  return operators.reduce(operators.spreadProduct(a, ofA, b, ofB, wide, range), Reduction::Sum, contracted, range);
}

/// `m @ x` is written with the field first: by the shapes it is `x @ transpose(m)`, which is what the matrix does to a
/// column, or `x @ m`.
static void adviseFieldFirst(Diagnostic &diagnostic, const Operand &matrix, const Operand &field,
                             llvm::StringRef matrixText, llvm::StringRef fieldText) {
  const std::string start = "the field stands first: `" + fieldText.str() + " @ ";
  if (matrix.shape.size() == 2 && !field.shape.empty() && matrix.shape.back() == field.shape.back())
    diagnostic.help(start + "transpose(" + matrixText.str() + ")`");
  else
    diagnostic.help(start + matrixText.str() + "`, with a parameter of shape [in, out]");
}

bool ProductChecker::checkProduct(const BinaryExpr &expr, Operand &a, const Weight &weight) {
  const Operand &b = weight.table;
  const bool isField = b.isField() && kind(b) != GraphKind::P;
  const Value *value = isField ? &builder.value(b.id) : nullptr;
  // Written `x @ W[i]`, no vertex and no edge has a matrix of its own.
  const bool isEntry =
      value && value->kind == ValueKind::Index && builder.type(value->operands[0]).kind == GraphKind::P;
  // Computed of `W[r]`, it has a dimension of types, which the product would contract.
  const bool isComputed = b.isField() && !weight.over && !weight.index &&
                          builder.value(b.id).kind != ValueKind::Param && builder.value(b.id).kind != ValueKind::State;
  const bool isOfTypes = isComputed && context.numTypeDims(b.shape) > 0;
  if (b.isSparse() || isEntry || isOfTypes || (isField && b.shape.size() < 2)) {
    Diagnostic &noParameter =
        error(DiagnosticCode::E0204, weight.range,
              "`@` multiplies with a parameter or a matrix, and `" + sourceText(weight.range) + "` is " +
                  (b.isSparse() ? "a sparse input"
                   : isEntry    ? "an entry of a parameter"
                   : isOfTypes  ? (isField ? "a field for each type" : "computed of a parameter for each type")
                                : "a field"));
    noParameter.at(isField && !b.shape.empty() ? "this is " + str(b.shape) : "expected a parameter")
        .label(b.origin, "defined here");
    if (isEntry)
      noParameter.help("index the parameter in the product: `x @ W[i]`");
    else if (isOfTypes && !isField)
      noParameter.help("multiply by the entry itself, `x @ W[i]`, and change what comes out");
    else if (isOfTypes)
      noParameter.help("multiply and sum it yourself: products with a matrix for each type are those with parameters");
    else if (a.isField() && kind(a) == GraphKind::P)
      adviseFieldFirst(noParameter, a, b, sourceText(a.range), sourceText(weight.range));
    else
      noParameter.help("`dot(a, b)` contracts the last dimensions of two fields");
    return false;
  }
  if (a.isSparse()) {
    if (!weight.index && !weight.over && !isField)
      return true;
    elementwise.sparseElsewhere(a, expr.range,
                                isField ? "a product with a field" : "a product with an indexed parameter");
    return false;
  }
  Shape inner = weight.shape();
  for (const Operand *operand : {&static_cast<const Operand &>(a), &b}) {
    bool isScalar = operand->isNumber() || (operand == &b ? inner.empty() : a.shape.empty());
    if (!isScalar)
      continue;
    error(DiagnosticCode::E0306, expr.range,
          "`@` needs dimensions to contract, and `" + sourceText(operand->range) + "` is a scalar")
        .label(operand->range, "a scalar")
        .label(operand->origin, "defined here")
        .help("`*` scales by a scalar");
    return false;
  }
  if (productShape(a.shape, inner))
    return elementwise.requireFloat(a, expr.range, "`@`");
  Diagnostic &mismatch =
      error(DiagnosticCode::E0311, expr.opRange,
            "`" + sourceText(a.range) + "` and `" + sourceText(weight.range) + "` do not fit in this product");
  mismatch.at("inner dimensions `" + a.shape.back().str() + "` and `" + inner.front().str() + "` differ");
  mismatch.label(a.range, "this is " + str(a.shape));
  mismatch.label(a.origin, "`" + sourceText(a.range) + "` is defined here");
  mismatch.label(weight.range, "this is " + str(inner));
  mismatch.label(b.origin, "`" + sourceText(b.range) + "` is defined here");
  if (a.shape.back() == inner.back() && inner.size() == 2 && !weight.index && !weight.over)
    mismatch.help("the dimensions of `" + sourceText(b.range) + "` may be in the wrong order: declare it as [" +
                  inner[1].str() + ", " + inner[0].str() + "], or multiply by `transpose(" + sourceText(b.range) +
                  ")`");
  else
    mismatch.help("`x @ W` contracts the last dimension of `x` with the first of `W`");
  return false;
}

/// `x @ W[r]` for every edge type r: x `[types, a.., k]` or `[a.., k]`, W `[types, k, b..]` -> `[types, a.., b..]`.
Operand ProductChecker::matmulEachType(const Operand &a, const Weight &weight, llvm::SMRange range) {
  const Shape &w = weight.table.shape;
  bool hasTypes = a.shape.size() > 1 && a.shape.front() == w.front();
  Shape wide{w.front()};
  std::vector<unsigned> ofX, ofW{0};
  for (size_t i = 0; i < a.shape.size(); ++i) {
    ofX.push_back(hasTypes ? i : i + 1);
    if (!hasTypes || i > 0)
      wide.push_back(a.shape[i]);
  }
  unsigned contracted = wide.size() - 1;
  for (size_t i = 1; i < w.size(); ++i)
    ofW.push_back(contracted + i - 1);
  wide.insert(wide.end(), w.begin() + 2, w.end());
  Operand factors[] = {a, weight.table};
  if (a.shape != wide)
    factors[0] = elementwise.broadcast(a, wide, ofX);
  if (w != wide)
    factors[1] = elementwise.broadcast(weight.table, wide, ofW);
  Operand product = elementwise.apply(ValueKind::Mul, factors, wide, element(a), range);
  return operators.reduce(product, Reduction::Sum, contracted, range);
}

/// `sum(x @ W[r] over r in types)` for x `[types, k]`: one product, over types and k at once.
Operand ProductChecker::contractTypes(const Operand &a, const Weight &weight, llvm::SMRange range) {
  const Shape &w = weight.table.shape;
  std::optional<DimExpr> inner = w[0].mul(w[1]);
  if (!inner) {
    error(DiagnosticCode::E0305, range, "the dimension `" + w[0].str() + " * " + w[1].str() + "` is too large");
    return {};
  }
  Shape flat{*inner};
  Operand x = elementwise.apply(ValueKind::Reshape, {a}, flat, element(a), range);
  flat.insert(flat.end(), w.begin() + 2, w.end());
  Operand y = elementwise.apply(ValueKind::Reshape, {weight.table}, flat, element(weight.table), range);
  return elementwise.apply(ValueKind::MatMul, {x, y}, Shape(w.begin() + 2, w.end()), element(a), range);
}

/// Law 5: `c * x @ W` is `(c * x) @ W`. Warns if `c * (x @ W)` is possible too and has another shape.
void ProductChecker::lintGrouping(const BinaryExpr &expr, const Operand &scale, const Operand &product,
                                  const Shape &weight, const Shape &result) {
  std::optional<Shape> inner = productShape(product.shape, weight);
  std::optional<Shape> other = inner ? alignedShape(scale.shape, *inner) : std::nullopt;
  const auto &left = llvm::cast<BinaryExpr>(*expr.lhs);
  if (!other || *other == result)
    return;
  error(DiagnosticCode::W1001, expr.range,
        "`" + spelling(left.op) + "` and `@` bind equally, and the two groupings differ in shape")
      .at("this is `(" + sourceText(left.range) + ") @ " + sourceText(expr.rhs->range) + "`")
      .help("put parentheses around the operation that comes first");
}
