//===- BuiltinChecker.cpp - The functions of the language -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in functions other than aggregations. Activations are not among them: they are written in the language
// (Prelude.gnn).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/BuiltinChecker.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/AggregationChecker.h"
#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/SparseChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace gnnc;
using namespace gnnc::ast;

namespace {

struct ElementwiseFunction {
  llvm::StringLiteral name;
  ValueKind kind;
};

constexpr ElementwiseFunction unaryFunctions[] = {
#define UNARY(KIND, NAME, USAGE, DOC) {NAME, ValueKind::KIND},
#include "compiler/Frontend/Functions.def"
};

constexpr ElementwiseFunction binaryFunctions[] = {
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) {NAME, ValueKind::KIND},
#include "compiler/Frontend/Functions.def"
};

constexpr llvm::StringLiteral lossFunctions[] = {
#define LOSS(NAME, USAGE, DOC) NAME,
#include "compiler/Frontend/Functions.def"
};

std::optional<ElementKind> castTarget(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ElementKind>>(name)
      .Case("real", ElementKind::Real)
      .Case("f32", ElementKind::F32)
      .Case("f64", ElementKind::F64)
      .Case("i32", ElementKind::I32)
      .Case("i64", ElementKind::I64)
      .Case("bool", ElementKind::Bool)
      .Default(std::nullopt);
}

} // namespace

std::optional<Operand> BuiltinChecker::evalBuiltin(const CallExpr &call) {
  llvm::StringRef name = call.callee.text;
  for (const ElementwiseFunction &function : unaryFunctions)
    if (function.name == name)
      return unaryBuiltin(call, function.kind);
  for (const ElementwiseFunction &function : binaryFunctions)
    if (function.name == name)
      return binaryBuiltin(call, function.kind);
  if (std::optional<ElementKind> target = castTarget(name))
    return castBuiltin(call, *target);
  bool isReduction = reductionNamed(name) || name == "var" || name == "std";
  if (!call.dims.empty() && (isReduction || name == "softmax"))
    return reduceBuiltin(call);
  if (isReduction)
    return aggregations.aggregateBuiltin(call);
  if (name == "count")
    return aggregations.countBuiltin(call);
  if (name == "softmax") {
    std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "an edge field");
    return args ? aggregations.softmaxOverEdges(call, args->front()) : Operand();
  }
  if (name == "select")
    return selectBuiltin(call);
  if (name == "given")
    return givenBuiltin(call);
  if (name == "length") {
    std::optional<DimExpr> length = dims.evalDim(call);
    return length ? numberOperand(*length->constant(), /*isInteger=*/true, call.range) : Operand();
  }
  if (name == "dot")
    return dotBuiltin(call);
  if (name == "concat")
    return concatBuiltin(call);
  if (name == "flatten")
    return flattenBuiltin(call);
  if (name == "reshape")
    return reshapeBuiltin(call);
  if (name == "transpose")
    return transposeBuiltin(call);
  if (name == "outer_product")
    return outerBuiltin(call);
  if (name == "pad")
    return padBuiltin(call);
  if (name == "dropout")
    return dropoutBuiltin(call);
  if (name == "stop_gradient")
    return stopGradientBuiltin(call);
  if (llvm::is_contained(lossFunctions, name)) {
    error(DiagnosticCode::E0207, call.range, "`" + name + "` is a loss, not a function")
        .at("used as a value")
        .help("`loss " + sourceText(call.range) + "`");
    return Operand();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Operand BuiltinChecker::unaryBuiltin(const CallExpr &call, ValueKind valueKind) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "1 argument");
  if (!args || !elementwise.requireFloat(args->front(), call.range, "`" + call.callee.text.str() + "`"))
    return {};
  return elementwise.apply(valueKind, *args, args->front().shape, element(args->front()), call.range);
}

Operand BuiltinChecker::binaryBuiltin(const CallExpr &call, ValueKind valueKind) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 2, 2, "2 arguments");
  return args ? operators.arithmetic(valueKind, (*args)[0], (*args)[1], call.range, call.callee.text) : Operand();
}

/// `select(condition, then, else)`
Operand BuiltinChecker::selectBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 3, 3, "a condition and two values");
  if (!args)
    return {};
  for (const Operand &operand : *args)
    if (operand.isSparse())
      return elementwise.sparseElsewhere(operand, call.range, "`select`");
  const Operand &condition = args->front();
  if (element(condition) != ElementKind::Bool) {
    error(DiagnosticCode::E0205, condition.range, "the condition of `select` is bool, not " + describeType(condition))
        .at("this is " + describeType(condition));
    return {};
  }
  llvm::MutableArrayRef<Operand> values = llvm::MutableArrayRef<Operand>(*args).drop_front();
  if (condition.isTruth() && values[0].isConstant() && values[1].isConstant())
    return values[condition.truth ? 0 : 1];
  if (!elementwise.checkSameEdges(*args, call.range) || !elementwise.unifyElements(values, call.range))
    return {};
  if (values[0].isTruth() || values[1].isTruth())
    return selectTruth(condition, values[0], values[1], call.range);
  if (condition.isTruth()) {
    if (!elementwise.alignShapes(values, call.range, "`select`"))
      return {};
    const Operand &taken = values[condition.truth ? 0 : 1], &other = values[condition.truth ? 1 : 0];
    if (kind(taken) != GraphKind::P || kind(other) == GraphKind::P)
      return taken;
    args->front() = elementwise.materializeTruth(condition); // the result has a value for each vertex or edge
  }
  if (!elementwise.alignShapes(*args, call.range, "`select`"))
    return {};
  return elementwise.apply(ValueKind::Select, *args, args->back().shape, element(args->back()), call.range);
}

/// `given(x)`: whether the layer's input x, which may be left out, is there
Operand BuiltinChecker::givenBuiltin(const CallExpr &call) {
  const auto *input = call.args.size() == 1 && !call.args.front().label && call.dims.empty()
                          ? llvm::dyn_cast<NameExpr>(call.args.front().value)
                          : nullptr;
  if (!input) {
    error(DiagnosticCode::E0104, call.range, "`given` takes an input of the layer").at("expected `given(x)`");
    return {};
  }
  const ComponentDecl &component = *context.frame->component;
  std::vector<std::string> optional;
  const bool isInFunction = !expansion.callStack.empty() && expansion.callStack.back().first != &component;
  for (const BodyDecl &body : component.bodies)
    for (const FormalDecl &formal : body.formals) {
      if (!formal.isOptional() || isInFunction)
        continue;
      if (formal.name.text == input->name.text) {
        symbols.noteUse(input->name, formal.name.range);
        return truthOperand(context.frame->given.count(formal.name.text), call.range);
      }
      optional.push_back(formal.name.text.str());
    }
  Diagnostic &wrong = error(DiagnosticCode::E0101, input->range,
                            "`" + input->name.text + "` is no input that a call of the layer may leave out");
  wrong.at(isInFunction ? "inside a function" : "not such an input");
  if (std::string suggestion = suggest(input->name.text, optional); !suggestion.empty())
    wrong.help(suggestion);
  else
    wrong.help("such an input of a layer has a `?` behind its type, `edge a: real[k]?`, or a constant, `edge weight: "
               "real = 1`");
  return {};
}

/// `select` of bools of which one is a constant, by `and`, `or` and `not`.
Operand BuiltinChecker::selectTruth(const Operand &condition, const Operand &a, const Operand &b, llvm::SMRange range) {
  Operand taken = operators.logical(ValueKind::And, condition, a, range);
  Operand otherwise = operators.logical(ValueKind::Not, condition, condition, range);
  return operators.logical(ValueKind::Or, taken, operators.logical(ValueKind::And, otherwise, b, range), range);
}

Operand BuiltinChecker::castBuiltin(const CallExpr &call, ElementKind target) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "1 argument");
  if (!args)
    return {};
  Operand &operand = args->front();
  if (operand.isSparse())
    return elementwise.sparseElsewhere(operand, call.range, "a conversion");
  if (operand.isNumber())
    operand = elementwise.materialize(operand, isInteger(target) && operand.isInteger ? target : ElementKind::Real);
  if (element(operand) == target)
    return operand;
  if (operand.isTruth())
    return numberOperand(operand.truth, /*isInteger=*/true, call.range);
  if (target == ElementKind::Bool)
    return operators.comparison(ValueKind::NotEqual, operand, numberOperand(0, /*isInteger=*/true, call.range),
                                call.range);
  return elementwise.apply(ValueKind::Cast, {operand}, operand.shape, target, call.range);
}

/// `stop_gradient(x)`: x, as if it were a constant
Operand BuiltinChecker::stopGradientBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "1 argument");
  if (!args)
    return {};
  const Operand &operand = args->front();
  if (operand.isSparse())
    return elementwise.sparseElsewhere(operand, call.range, "`stop_gradient`");
  if (operand.isNumber() || !isFloat(element(operand)))
    return operand;
  return elementwise.apply(ValueKind::StopGradient, {operand}, operand.shape, element(operand), call.range);
}

static std::string decimal(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

/// `dropout(x, p)`: every call is a site of its own (law 10)
Operand BuiltinChecker::dropoutBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 2, 2, "a value and a probability");
  if (!args || !elementwise.requireConstant((*args)[1], "the probability of `dropout`"))
    return {};
  Operand &value = (*args)[0];
  double probability = (*args)[1].number;
  if (expansion.isHypothetical())
    probability = 0;
  if (!(probability >= 0 && probability < 1)) {
    error(DiagnosticCode::E0211, (*args)[1].range, "a probability of `dropout` is at least 0 and less than 1")
        .at("this is " + decimal(probability));
    return {};
  }
  value = graph.onEdges(value);
  if (value.isNumber() || kind(value) == GraphKind::P) {
    error(DiagnosticCode::E0211, value.range, "`dropout` is drawn for every vertex or edge")
        .at("this is the same everywhere")
        .label(value.origin, "defined here");
    return {};
  }
  if (!value.isSparse() && !elementwise.requireFloat(value, call.range, "`dropout`"))
    return {};
  uint64_t site = builder.nextSite();
  if (probability == 0)
    return value;
  Value mask{ValueKind::DropoutMask, builder.type(value.id), {}, "", call.range};
  mask.type.kind = kind(value) == GraphKind::V ? GraphKind::V : GraphKind::E;
  mask.number = probability;
  mask.site = site;
  Shape shape = value.isSparse() ? Shape() : value.shape;
  Operand maskOperand = fieldOperand(builder.append(std::move(mask)), shape, value.edges, call.range);
  Operand result = elementwise.apply(ValueKind::Mul, {value, maskOperand}, shape, element(value), call.range);
  if (value.isSparse()) {
    value.id = result.id;
    value.range = call.range;
    return value;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// `dot(a, b)`: aligned by name, contracts the last dimension
Operand BuiltinChecker::dotBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 2, 2, "2 arguments");
  if (!args)
    return {};
  for (Operand &operand : *args) {
    if (operand.isNumber() || operand.shape.empty()) {
      error(DiagnosticCode::E0306, operand.range, "`dot` needs dimensions to contract")
          .at("a scalar")
          .label(operand.origin, "defined here");
      return {};
    }
    if (!elementwise.requireFloat(operand, call.range, "`dot`"))
      return {};
  }
  const Operand &a = (*args)[0], &b = (*args)[1];
  if (a.shape.back() != b.shape.back()) {
    Diagnostic &mismatch =
        error(DiagnosticCode::E0311, call.range,
              "`" + sourceText(a.range) + "` and `" + sourceText(b.range) + "` do not fit in this product");
    mismatch.at("last dimensions `" + a.shape.back().str() + "` and `" + b.shape.back().str() + "` differ");
    for (const Operand *side : {&a, &b})
      mismatch.label(side->range, "this is " + str(side->shape)).label(side->origin, "defined here");
    return {};
  }
  if (!elementwise.checkSameEdges(*args, call.range) || !elementwise.unifyElements(*args, call.range) ||
      !elementwise.alignShapes(*args, call.range, "`dot`"))
    return {};
  Operand product = elementwise.apply(ValueKind::Mul, *args, a.shape, element(a), call.range);
  return operators.reduce(product, Reduction::Sum, product.shape.size() - 1, call.range);
}

/// `concat(a, b, ...)`: along the last dimension
Operand BuiltinChecker::concatBuiltin(const CallExpr &call) {
  const bool isOfList = llvm::any_of(call.args, [&](const Argument &arg) { return arguments.listOf(arg); });
  std::optional<std::vector<Operand>> args =
      arguments.evalArgs(call, isOfList ? 1 : 2, 16, isOfList ? "at most 16 values" : "2 to 16 arguments");
  if (!args)
    return {};
  for (const Operand &operand : *args) {
    if (operand.isSparse())
      return elementwise.sparseElsewhere(operand, call.range, "`concat`");
    if (!operand.isNumber() && !operand.shape.empty())
      continue;
    error(DiagnosticCode::E0306, operand.range, "`concat` joins values along their last dimension")
        .at("a scalar")
        .label(operand.origin, "defined here");
    return {};
  }
  const Operand &first = args->front();
  std::optional<DimExpr> last = DimExpr(0);
  for (const Operand &operand : *args) {
    bool fits = operand.shape.size() == first.shape.size() &&
                std::equal(first.shape.begin(), first.shape.end() - 1, operand.shape.begin());
    if (!fits) {
      error(DiagnosticCode::E0301, call.range,
            "the arguments of `concat` differ in more than their last dimension: " + str(first.shape) + " and " +
                str(operand.shape))
          .label(first.range, "this is " + str(first.shape))
          .label(operand.range, "this is " + str(operand.shape));
      return {};
    }
    last = last ? last->add(operand.shape.back()) : std::nullopt;
  }
  if (args->size() == 1)
    return first;
  if (!last) {
    error(DiagnosticCode::E0305, call.range, "the joined dimension is too large");
    return {};
  }
  if (!elementwise.checkSameEdges(*args, call.range) || !elementwise.unifyElements(*args, call.range))
    return {};
  Shape shape = first.shape;
  shape.back() = *last;
  unsigned dim = shape.size() - 1;
  return elementwise.apply(ValueKind::Concat, *args, shape, element(first), call.range,
                           [&](Value &value) { value.dims = {dim}; });
}

/// `transpose(x)`: two dimensions, exchanged
Operand BuiltinChecker::transposeBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "1 argument");
  if (!args)
    return {};
  Operand &operand = args->front();
  if (operand.isSparse())
    return elementwise.sparseElsewhere(operand, call.range, "`transpose`");
  const unsigned first = context.numTypeDims(operand.shape);
  if (operand.isNumber() || operand.shape.size() != first + 2) {
    Diagnostic &wrong = error(DiagnosticCode::E0306, operand.range, "`transpose` exchanges two dimensions");
    wrong.at(operand.shape.empty() ? "a scalar" : "this is " + str(operand.shape))
        .label(operand.origin, "defined here");
    if (operand.shape.size() > first + 2)
      wrong.help("`reshape` or `flatten` join dimensions first");
    return {};
  }
  if (!elementwise.requireFloat(operand, call.range, "`transpose`"))
    return {};
  std::vector<unsigned> permutation = {first + 1, first};
  if (first)
    permutation.insert(permutation.begin(), 0);
  return operators.transpose(operand, std::move(permutation), call.range);
}

/// `outer_product(a, b)`: every element of a times every one of b
Operand BuiltinChecker::outerBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 2, 2, "2 arguments");
  if (!args)
    return {};
  for (Operand &operand : *args) {
    if (operand.isSparse())
      return elementwise.sparseElsewhere(operand, call.range, "`outer_product`");
    if (operand.isNumber() || operand.shape.size() == context.numTypeDims(operand.shape)) {
      error(DiagnosticCode::E0306, operand.range, "`outer_product` multiplies values that have dimensions")
          .at("a scalar")
          .label(operand.origin, "defined here")
          .help("`*` scales by a scalar");
      return {};
    }
    if (!elementwise.requireFloat(operand, call.range, "`outer_product`"))
      return {};
  }
  if (!elementwise.checkSameEdges(*args, call.range) || !elementwise.unifyElements(*args, call.range))
    return {};
  const Operand &a = (*args)[0], &b = (*args)[1];
  const unsigned ofTypes[] = {context.numTypeDims(a.shape), context.numTypeDims(b.shape)},
                 shared = std::max(ofTypes[0], ofTypes[1]);
  Shape shape;
  if (shared)
    shape.push_back(ofTypes[0] ? a.shape.front() : b.shape.front());
  std::vector<unsigned> positions[2];
  for (unsigned i : {0, 1}) {
    const Shape &dims = (*args)[i].shape;
    if (ofTypes[i])
      positions[i].push_back(0);
    for (const DimExpr &dim : llvm::ArrayRef(dims).drop_front(ofTypes[i])) {
      positions[i].push_back(shape.size());
      shape.push_back(dim);
    }
  }
  return operators.spreadProduct(a, positions[0], b, positions[1], shape, call.range);
}

/// `flatten(x)`: all dimensions as one, in row-major order; under `over` all but that of the types
Operand BuiltinChecker::flattenBuiltin(const CallExpr &call) {
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "1 argument");
  if (!args)
    return {};
  const Operand &operand = args->front();
  if (operand.isSparse())
    return elementwise.sparseElsewhere(operand, call.range, "`flatten`");
  if (operand.isNumber() || operand.shape.empty()) {
    error(DiagnosticCode::E0306, operand.range, "`flatten` joins dimensions")
        .at("a scalar")
        .label(operand.origin, "defined here");
    return {};
  }
  Shape shape(operand.shape.begin(), operand.shape.begin() + context.numTypeDims(operand.shape));
  if (operand.shape.size() <= shape.size() + 1)
    return operand;
  if (std::optional<DimExpr> size = numElements(llvm::ArrayRef(operand.shape).drop_front(shape.size()))) {
    shape.push_back(*size);
    return elementwise.apply(ValueKind::Reshape, {operand}, shape, element(operand), call.range);
  }
  error(DiagnosticCode::E0305, call.range, "the joined dimension is too large");
  return {};
}

/// `reshape(x, a, b)`: the elements of all dimensions of x, in row-major order, in others
Operand BuiltinChecker::reshapeBuiltin(const CallExpr &call) {
  if (call.args.size() < 2 || llvm::any_of(call.args, [](const Argument &arg) { return arg.label.has_value(); })) {
    error(DiagnosticCode::E0104, call.range, "`reshape` takes a value and its dimensions")
        .at("expected `reshape(x, a, b)`");
    return {};
  }
  Operand operand = evaluator.eval(*call.args[0].value);
  Shape shape;
  for (const Argument &arg : llvm::drop_begin(call.args)) {
    std::optional<DimExpr> dim = dims.evalDim(*arg.value);
    if (!dim)
      return {};
    shape.push_back(dims.canonical(*dim));
  }
  if (operand.isError())
    return {};
  operand.range = call.args[0].value->range;
  if (!elementwise.requireFloat(operand, call.range, "`reshape`"))
    return {};
  const std::optional<DimExpr> before = numElements(operand.shape), after = numElements(shape);
  if (!before || !after || *before != *after) {
    error(DiagnosticCode::E0301, call.range,
          "`reshape` keeps the elements: " + str(operand.shape) + " is not " + str(shape))
        .at(before && after ? "`" + after->str() + "` elements of `" + before->str() + "`" : "too many to count")
        .label(operand.range, "this is " + str(operand.shape))
        .label(operand.origin, "defined here");
    return {};
  }
  return elementwise.apply(ValueKind::Reshape, {operand}, shape, element(operand), call.range);
}

/// `pad(x, d)`: zeros after the last dimension, up to `d`
Operand BuiltinChecker::padBuiltin(const CallExpr &call) {
  if (call.args.size() != 2 || call.args[0].label || call.args[1].label) {
    error(DiagnosticCode::E0104, call.range, "`pad` takes a value and a dimension").at("expected `pad(x, d)`");
    return {};
  }
  Operand operand = evaluator.eval(*call.args[0].value);
  std::optional<DimExpr> to = dims.evalDim(*call.args[1].value);
  if (operand.isError() || !to)
    return {};
  operand.range = call.args[0].value->range;
  if (operand.isSparse())
    return elementwise.sparseElsewhere(operand, call.range, "`pad`");
  if (operand.isNumber() || operand.shape.empty()) {
    error(DiagnosticCode::E0306, operand.range, "`pad` widens the last dimension")
        .at("a scalar")
        .label(operand.origin, "defined here");
    return {};
  }
  Shape shape = operand.shape;
  shape.back() = dims.canonical(*to);
  if (shape == operand.shape)
    return operand;
  std::optional<DimExpr> added =
      dims.translate(shape.back(), call.range).sub(dims.translate(operand.shape.back(), call.range));
  if (std::optional<int64_t> constant = added ? added->constant() : std::nullopt; constant && *constant < 0) {
    error(DiagnosticCode::E0305, call.args[1].value->range,
          "`pad` cannot make `" + operand.shape.back().str() + "` smaller")
        .at("smaller by " + llvm::Twine(-*constant));
    return {};
  }
  return elementwise.apply(ValueKind::Pad, {operand}, shape, element(operand), call.range);
}

//===----------------------------------------------------------------------===//
// Reductions over dimensions
//===----------------------------------------------------------------------===//

/// The dimension that `expr` names: one of the value's, or one that the layer which computed the value calls so.
std::optional<size_t> BuiltinChecker::findDimension(const Expr &expr, const Operand &value, llvm::StringRef reduction) {
  std::vector<size_t> found;
  const auto *name = llvm::dyn_cast<NameExpr>(&expr);
  if (name)
    for (size_t i = 0; i < value.labels.size(); ++i)
      if (value.labels[i] == name->name.text)
        found.push_back(i);
  if (found.empty() || context.scope->find(name->name.text)) {
    std::optional<DimExpr> evaluated = dims.evalDim(expr);
    if (!evaluated)
      return std::nullopt;
    DimExpr dim = dims.canonical(*evaluated);
    for (size_t i = 0; i < value.shape.size(); ++i)
      if (value.shape[i] == dim && !llvm::is_contained(found, i))
        found.push_back(i);
  }
  if (found.size() == 1)
    return found.front();
  Diagnostic &wrong =
      error(found.empty() ? DiagnosticCode::E0304 : DiagnosticCode::E0302, expr.range,
            "`" + sourceText(expr.range) + "` is " + (found.empty() ? "no dimension" : "more than one dimension") +
                " of " + str(value.shape));
  wrong.label(value.range, "this is " + str(value.shape)).label(value.origin, "defined here");
  if (found.empty() && llvm::is_contained(value.labels, "heads * out")) // of a layer of the library
    wrong.help("the layer joins its heads: declared with `concat = false` it gives their mean")
        .help("`reshape(" + sourceText(value.range) + ", heads, out)` has a row for each head");
  else
    wrong.help("to aggregate over edges, leave the dimension out: `" + reduction + "(u.h for u -> v)`");
  return std::nullopt;
}

/// `sum<heads>(x)`, `mean`, `max`, `min`, `prod`, `var`, `std`, `logsumexp`, `softmax` (law 7)
Operand BuiltinChecker::reduceBuiltin(const CallExpr &call) {
  llvm::StringRef name = call.callee.text;
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, 1, "1 argument");
  if (!args)
    return {};
  Operand value = args->front();
  bool takesOne = name == "softmax" || name == "var" || name == "std";
  if (takesOne && call.dims.size() != 1) {
    error(DiagnosticCode::E0104, call.range, "`" + name + "` takes one dimension: `" + name + "<d>(x)`")
        .at("over which dimension?");
    return {};
  }
  for (const Expr *expr : call.dims) {
    std::optional<size_t> position = findDimension(*expr, value, name);
    if (!position)
      return {};
    if (value.isSparse() && name == "sum")
      return sparseInputs.sparseRowSum(value, call.range);
    if (!elementwise.requireFloat(value, call.range, "`" + name.str() + "`"))
      return {};
    if (name != "softmax") {
      value = operators.reduceBy(name, value, *position, call.range);
      continue;
    }
    Operand reduced = operators.reduce(value, Reduction::LogSumExp, *position, call.range);
    Operand spread = elementwise.broadcast(reduced, value.shape, allBut(*position, value.shape));
    Operand shifted = elementwise.apply(ValueKind::Sub, {value, spread}, value.shape, element(value), call.range);
    return elementwise.apply(ValueKind::Exp, {shifted}, value.shape, element(value), call.range);
  }
  return value;
}
