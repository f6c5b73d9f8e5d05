//===- ElementwiseChecker.cpp - Elementwise operands ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alignment of operands by the names of their dimensions, their element types and the edges that they are fields of.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gnnc;
using namespace gnnc::ast;

//===----------------------------------------------------------------------===//
// Edge sets
//===----------------------------------------------------------------------===//

bool gnnc::isWithin(const EdgeSet &inner, const EdgeSet &outer) {
  bool sameDirection = !outer.toward || !inner.toward || inner.toward == outer.toward;
  return sameDirection && inner.relation == outer.relation && (inner.byType || !outer.byType) &&
         std::includes(inner.filter.begin(), inner.filter.end(), outer.filter.begin(), outer.filter.end());
}

/// Outside of a comprehension: whether all edge fields are over the same edges, and no vertex field is among them.
bool ElementwiseChecker::checkSameEdges(llvm::ArrayRef<Operand> operands, llvm::SMRange range) {
  const Operand *edge = nullptr, *vertex = nullptr;
  for (const Operand &operand : operands) {
    if (operand.isField() && kind(operand) == GraphKind::V)
      vertex = &operand;
    if (!operand.edges)
      continue;
    if (edge && !(isWithin(*operand.edges, *edge->edges) && isWithin(*edge->edges, *operand.edges))) {
      error(DiagnosticCode::E0402, range, "two edge fields over different edges")
          .at("which edges is this for?")
          .label(edge->range, "over `" + edge->edges->spelling + "`")
          .label(operand.range, "over `" + operand.edges->spelling + "`");
      return false;
    }
    if (!edge || !edge->edges->toward)
      edge = &operand;
  }
  if (!edge || !vertex)
    return true;
  error(DiagnosticCode::E0203, range,
        "`" + sourceText(vertex->range) + "` has a value for every vertex, `" + sourceText(edge->range) +
            "` one for every edge")
      .at("which vertex of the edge is meant?")
      .label(vertex->range, "for every vertex")
      .label(edge->range, "for every edge (`" + edge->edges->spelling + "`)")
      .help("say it in a comprehension: `" + sourceText(range) + " for " + edge->edges->spelling + "`")
      .help("aggregated, it is one value for every vertex: `sum(... for " + edge->edges->spelling + ")`");
  return false;
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

namespace {

enum class Embedding { Exact, Unique, Ambiguous, None };

/// How `inner` is a subsequence of `outer`; `positions[i]`: where inner's dimension i is in outer.
Embedding embed(const Shape &inner, const Shape &outer, std::vector<unsigned> &positions) {
  if (inner == outer)
    return Embedding::Exact;
  size_t next = 0;
  bool ambiguous = false;
  for (const DimExpr &dim : inner) {
    while (next < outer.size() && outer[next] != dim)
      ++next;
    if (next == outer.size())
      return Embedding::None;
    ambiguous |= llvm::count(outer, dim) > 1;
    positions.push_back(next++);
  }
  return ambiguous ? Embedding::Ambiguous : Embedding::Unique;
}

} // namespace

std::optional<DimExpr> gnnc::numElements(llvm::ArrayRef<DimExpr> shape) {
  std::optional<DimExpr> size = DimExpr(1);
  for (const DimExpr &dim : shape)
    size = size ? size->mul(dim) : std::nullopt;
  return size;
}

std::optional<Shape> gnnc::alignedShape(const Shape &a, const Shape &b) {
  const Shape &inner = a.size() < b.size() ? a : b, &outer = a.size() < b.size() ? b : a;
  std::vector<unsigned> positions;
  Embedding embedding = embed(inner, outer, positions);
  return embedding == Embedding::Exact || embedding == Embedding::Unique ? std::optional<Shape>(outer) : std::nullopt;
}

Operand ElementwiseChecker::broadcast(const Operand &operand, const Shape &shape, llvm::ArrayRef<unsigned> positions) {
  return apply(ValueKind::Broadcast, {operand}, shape, element(operand), operand.range,
               [&](Value &value) { value.dims = positions.vec(); });
}

/// Broadcasts the operands to the shape of the one with the most dimensions.
bool ElementwiseChecker::alignShapes(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range,
                                     llvm::StringRef what) {
  const Operand *widest = &operands.front();
  for (const Operand &operand : operands)
    if (operand.shape.size() > widest->shape.size())
      widest = &operand;
  Operand target = *widest;
  for (Operand &operand : operands) {
    std::vector<unsigned> positions;
    switch (embed(operand.shape, target.shape, positions)) {
    case Embedding::Exact:
      break;
    case Embedding::Unique:
      operand = broadcast(operand, target.shape, positions);
      break;
    case Embedding::Ambiguous:
      error(DiagnosticCode::E0302, range,
            "it is ambiguous how " + str(operand.shape) + " aligns with " + str(target.shape))
          .at("elementwise operands align by the names of their dimensions")
          .label(operand.range, str(operand.shape))
          .label(target.range, str(target.shape) + " has a dimension twice")
          .help("give the two dimensions different names");
      return false;
    case Embedding::None: {
      Diagnostic &mismatch =
          error(DiagnosticCode::E0301, range,
                "the operands of " + what + " do not align: " + str(target.shape) + " and " + str(operand.shape));
      mismatch.at("the dimensions of one must be among the dimensions of the other, in the same order");
      for (const Operand *side : {static_cast<const Operand *>(&target), static_cast<const Operand *>(&operand)}) {
        mismatch.label(side->range, "`" + sourceText(side->range) + "` is " + str(side->shape));
        if (side->origin.isValid())
          mismatch.label(side->origin, "defined here");
      }
      return false;
    }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Element types and graph kinds
//===----------------------------------------------------------------------===//

Operand ElementwiseChecker::materialize(const Operand &number, ElementKind element) {
  Operand field = fieldOperand(builder.constant(number.number, element, number.range), {}, nullptr, number.range);
  field.origin = number.origin;
  return field;
}

Operand ElementwiseChecker::materializeTruth(const Operand &truth) {
  Operand one = materialize(numberOperand(1, /*isInteger=*/true, truth.range), ElementKind::Real);
  return apply(truth.truth ? ValueKind::Equal : ValueKind::NotEqual, {one, one}, {}, ElementKind::Bool, truth.range);
}

/// Whether a number literal is exact in the type. Constants are doubles, so wide integers stop where those stop being
/// exact.
static bool holds(ElementKind element, const Operand &number) {
  double limit = element == ElementKind::I32 ? 2147483647.0 : 9007199254740992.0;
  return isFloat(element) ||
         (isInteger(element) && number.isInteger && number.number >= -limit && number.number <= limit);
}

/// Suggests which of two fields to convert to the type of the other: a condition to a number, an integer to a float.
std::string ElementwiseChecker::conversion(const Operand &a, const Operand &b) const {
  bool convertsB = element(b) == ElementKind::Bool || (isInteger(element(b)) && element(a) != ElementKind::Bool);
  const Operand &from = convertsB ? b : a;
  std::string text = sourceText(from.range);
  if (element(from) == ElementKind::Bool)
    return "`select(" + text + ", 1, 0)` makes a number of a condition";
  return "convert one: `" + spelling(element(convertsB ? a : b)).str() + "(" + text + ")`";
}

/// Makes numbers fields of the element type of the others; reports if types differ.
bool ElementwiseChecker::unifyElements(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range) {
  const Operand *first = nullptr;
  for (const Operand &operand : operands)
    if (!operand.isNumber()) {
      first = &operand;
      break;
    }
  ElementKind common = first ? element(*first) : ElementKind::Real;
  for (Operand &operand : operands) {
    if (operand.isNumber() && holds(common, operand)) {
      operand = materialize(operand, common);
    } else if (operand.isNumber() || element(operand) != common) {
      Operand other = *first;
      error(DiagnosticCode::E0201, range, "the operands are " + describeType(other) + " and " + describeType(operand))
          .at("element types differ")
          .label(other.range, describeType(other))
          .label(operand.range, describeType(operand))
          .help(operand.isNumber() ? "convert the field with `real(...)`" : conversion(other, operand));
      return false;
    }
  }
  return true;
}

bool ElementwiseChecker::requireFloat(Operand &operand, llvm::SMRange range, llvm::StringRef what) {
  if (operand.isError())
    return false;
  if (operand.isNumber()) {
    operand = materialize(operand, ElementKind::Real);
    return true;
  }
  if (operand.isSparse()) {
    sparseElsewhere(operand, range, what);
    return false;
  }
  if (isFloat(element(operand)))
    return true;
  error(DiagnosticCode::E0201, operand.range, what + " needs a float, not " + describeType(operand))
      .at("this is " + describeType(operand))
      .help("convert it with `real(...)`");
  return false;
}

bool ElementwiseChecker::requireConstant(const Operand &operand, llvm::StringRef what) {
  if (operand.isNumber() || operand.isError())
    return operand.isNumber();
  if (operand.isTruth()) {
    error(DiagnosticCode::E0209, operand.range, what + " is a number").at("this is bool");
    return false;
  }
  error(DiagnosticCode::E0209, operand.range, what + " is a constant")
      .at("known only at run time")
      .help("a number, a `real` parameter of the layer, or arithmetic of these");
  return false;
}

bool ElementwiseChecker::requireTruth(const Operand &operand, llvm::StringRef what) {
  if (operand.isTruth() || operand.isError())
    return operand.isTruth();
  Diagnostic &wrong = error(DiagnosticCode::E0209, operand.range, what + " is `true` or `false`");
  wrong.at(element(operand) == ElementKind::Bool ? "known only at run time" : "this is " + describeType(operand));
  if (operand.isNumber() && (operand.number == 0 || operand.number == 1))
    wrong.fix("write `" + llvm::StringRef(operand.number == 1 ? "true" : "false") + "`", operand.range,
              operand.number == 1 ? "true" : "false");
  return false;
}

/// Appends a value computed from fields that have been checked and aligned.
Operand ElementwiseChecker::apply(ValueKind kind, llvm::ArrayRef<Operand> operands, Shape shape, ElementKind element,
                                  llvm::SMRange range, llvm::function_ref<void(Value &)> details) {
  std::vector<unsigned> ids;
  const EdgeSet *edges = nullptr;
  for (const Operand &operand : operands) {
    ids.push_back(operand.id);
    // A set that names an end is the better one to remember.
    if (operand.edges && (!edges || !edges->toward))
      edges = operand.edges;
  }
  unsigned id = builder.elementwise(kind, ids, dims.translate(shape, range), element, range);
  if (details)
    details(model.values[id]);
  return fieldOperand(id, std::move(shape), edges, range);
}

/// Anything but products, scaling, dropout and row sums.
Operand ElementwiseChecker::sparseElsewhere(const Operand &sparse, llvm::SMRange range, llvm::StringRef what) {
  const std::string &input = model.relations[builder.type(sparse.id).type].name;
  const bool isDeclaredHere = sourceText(sparse.origin) == input; // not a formal of a layer
  error(DiagnosticCode::E0210, range,
        "the sparse input `" + (isDeclaredHere ? sourceText(sparse.range) : input) + "` cannot be used in " + what)
      .at("needs a dense value")
      .label(sparse.origin,
             isDeclaredHere ? "sparse because it is declared so" : "`" + input + "`, which is declared sparse")
      .note("a sparse input can be multiplied by a parameter (`x @ W`), scaled by a scalar, dropped out and summed "
            "over its row")
      .help("multiply by a parameter first, or declare the input dense");
  return {};
}
