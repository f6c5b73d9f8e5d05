//===- ParamChecker.cpp - Parameters of components --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of a component outside of its bodies: parameters, `where`, weights and states; and the values of -D.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ParamChecker.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/FunctionParams.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace gnnc;
using namespace gnnc::ast;

//===----------------------------------------------------------------------===//
// Parameters of components
//===----------------------------------------------------------------------===//

std::optional<std::string> ParamChecker::define(llvm::StringRef name) {
  std::optional<std::string> value;
  for (const auto &[key, text] : options.defines)
    if (key == name)
      value = text;
  return value;
}

void ParamChecker::checkDefines(const ComponentDecl &component) {
  std::vector<std::string> names;
  for (const ComponentParam &param : component.params)
    names.push_back(param.name.text.str());
  for (const auto &[key, text] : options.defines) {
    if (llvm::is_contained(names, key))
      continue;
    Diagnostic &unknown = error(DiagnosticCode::E0110, component.name.range,
                                "-D " + key + ": `" + component.name.text + "` has no parameter `" + key + "`");
    unknown.at("has no such parameter");
    if (std::string suggestion = suggest(key, names); !suggestion.empty())
      unknown.help(suggestion);
    else if (!names.empty())
      unknown.help("its parameters are `" + llvm::join(names, "`, `") + "`");
  }
}

void ParamChecker::declareParams(const ComponentDecl &component, Frame &frame) {
  for (const ComponentParam &param : component.params)
    declareModelParam(param, frame);
}

/// A dimension of the component that is compiled: fixed by -D, else what its default says of earlier ones, else open.
/// Such a default makes no two names equal: the component is checked for any argument.
void ParamChecker::declareModelDim(const ComponentParam &param, Frame &frame) {
  Dimension dim;
  dim.name = param.name.text.str();
  dim.doc = documentation(param.doc);
  std::optional<DimExpr> fallback = param.fallback ? dims.evalDim(*param.fallback) : std::nullopt;
  std::optional<int64_t> constant = fallback ? fallback->constant() : std::nullopt;
  const std::string limits = "an integer from 1 to " + std::to_string(maxDim);
  if (constant && (*constant < 1 || *constant > maxDim))
    error(DiagnosticCode::E0305, param.fallback->range, "a dimension is " + limits)
        .at("this is " + llvm::Twine(*constant));
  dim.fallback = constant.value_or(-1);
  std::optional<std::string> given = define(param.name.text);
  bool isGood = given && !llvm::StringRef(*given).getAsInteger(10, dim.fixed) && dim.fixed >= 1 && dim.fixed <= maxDim;
  if (given && !isGood) {
    error(DiagnosticCode::E0110, param.name.range, "-D " + dim.name + "=" + *given + ": a dimension is " + limits)
        .at("declared here");
    dim.fixed = -1;
  }
  Entity entity;
  entity.kind = Entity::Kind::Dim;
  entity.dim = DimExpr::name(param.name.text);
  if (dim.fixed < 0 && fallback && !constant) {
    frame.dims[dim.name] = dims.translate(*fallback, param.fallback->range);
  } else {
    if (dim.fixed >= 0)
      frame.dims[dim.name] = DimExpr(dim.fixed);
    model.dims.push_back(dim);
  }
  symbols.declare(param.name, std::move(entity));
}

/// The same of a `bool`.
void ParamChecker::declareModelBool(const ComponentParam &param) {
  bool value = false; // made up for a layer that is checked for any argument
  std::optional<std::string> given = define(param.name.text);
  if (given) {
    value = *given == "true";
    if (!value && *given != "false")
      error(DiagnosticCode::E0110, param.name.range,
            "-D " + param.name.text + "=" + *given + " is neither `true` nor `false`")
          .at("declared here");
  } else if (param.fallback) {
    Operand fallback = exprs.eval(*param.fallback);
    fallback.range = param.fallback->range;
    value = elementwise.requireTruth(fallback, "`" + param.name.text.str() + "`") && fallback.truth;
  } else if (!options.generic) {
    error(DiagnosticCode::E0110, param.name.range, "`" + param.name.text + "` needs a value")
        .at("has no default")
        .help("give one with -D " + param.name.text + "=true, or a default: `" + param.name.text + ": bool = true`");
  }
  Entity entity;
  entity.kind = Entity::Kind::Constant;
  entity.operand = truthOperand(value, param.name.range);
  symbols.declare(param.name, std::move(entity));
}

/// A constant of the component that is compiled: given by -D, else its default.
void ParamChecker::declareModelParam(const ComponentParam &param, Frame &frame) {
  if (param.kind == ComponentParam::Kind::Dim)
    return declareModelDim(param, frame);
  if (param.kind == ComponentParam::Kind::Bool)
    return declareModelBool(param);
  if (isOfFunctions(param))
    return functions.declareAlone(param);
  if (param.kind == ComponentParam::Kind::Layer)
    return; // by InstanceChecker
  bool isInt = param.kind == ComponentParam::Kind::Int;
  double number = isInt ? 1 : 0.5; // made up for a layer that is checked for any argument
  std::optional<std::string> given = define(param.name.text);
  if (given) {
    int64_t integer = 0;
    bool malformed = isInt ? llvm::StringRef(*given).getAsInteger(10, integer) || integer < 0
                           : llvm::StringRef(*given).getAsDouble(number);
    if (isInt)
      number = integer;
    if (malformed || !std::isfinite(number))
      error(DiagnosticCode::E0110, param.name.range,
            "-D " + param.name.text + "=" + *given + " is not " + (isInt ? "a natural number" : "a number"))
          .at("declared here");
  } else if (param.fallback) {
    Operand fallback = exprs.eval(*param.fallback);
    fallback.range = param.fallback->range;
    if (elementwise.requireConstant(fallback, "a default") && isInt && (!fallback.isInteger || fallback.number < 0))
      error(DiagnosticCode::E0209, fallback.range, "`" + param.name.text + "` is a natural number")
          .at("not such a number");
    number = fallback.number;
  } else if (!options.generic) {
    error(DiagnosticCode::E0110, param.name.range, "`" + param.name.text + "` needs a value")
        .at("has no default")
        .help(
            "give one with -D " + param.name.text + "=..., or a default: `" + param.name.text +
            (isInt ? ": int = 2`; a dimension that the data bind is `" + param.name.text + ": dim`" : ": real = 0.5`"));
  }
  Entity entity;
  entity.kind = Entity::Kind::Constant;
  entity.operand = numberOperand(number, isInt, param.name.range);
  symbols.declare(param.name, std::move(entity));
}

/// `where in == out`: a name on one side is replaced by the other side everywhere (law 6).
void ParamChecker::declareWhere(const ComponentDecl &component, Frame &frame) {
  for (const WhereClause &clause : component.where) {
    std::optional<DimExpr> left = dims.evalDim(*clause.left), right = dims.evalDim(*clause.right);
    if (!left || !right)
      continue;
    DimExpr l = dims.canonical(*left), r = dims.canonical(*right);
    if (l == r)
      continue;
    auto isName = [](const DimExpr &dim) {
      return dim.terms().size() == 1 && dim.terms().begin()->first.size() == 1 && dim.terms().begin()->second == 1;
    };
    auto mentions = [](const DimExpr &dim, const std::string &name) {
      return llvm::any_of(dim.terms(), [&](const auto &term) { return llvm::is_contained(term.first, name); });
    };
    auto isOwn = [&](const DimExpr &dim) { // not what a default says of others
      return llvm::any_of(model.dims, [&](const Dimension &own) { return own.name == dim.str(); });
    };
    if (!isName(l) || (&frame == &root && isName(r) && isOwn(l) && !isOwn(r)))
      std::swap(l, r);
    std::string name = isName(l) ? l.str() : "";
    if (name.empty() || mentions(r, name)) {
      error(DiagnosticCode::E0308, clause.range,
            "one side of a `where` is a dimension that the other side does not mention")
          .at("cannot be used to replace a name");
      continue;
    }
    auto lookup = [&](llvm::StringRef other) { return other == name ? std::optional<DimExpr>(r) : std::nullopt; };
    for (auto &[key, dim] : frame.equalities)
      dim = dim.substitute(lookup).value_or(dim);
    frame.equalities[name] = r;
    if (&frame == &root)
      equate(name, r, clause.range);
  }
}

/// In what defaults say of the dimension `name`.
static void replaceInDefaults(Frame &frame, const std::string &name, const DimExpr &other) {
  auto lookup = [&](llvm::StringRef dim) { return dim == name ? std::optional<DimExpr>(other) : std::nullopt; };
  for (auto &[key, dim] : frame.dims)
    dim = dim.substitute(lookup).value_or(dim);
}

/// The dimension `name` of the compiled component is replaced by `other`: so is what -D and defaults say of it.
void ParamChecker::equate(const std::string &name, const DimExpr &other, llvm::SMRange range) {
  replaceInDefaults(root, name, other);
  auto replaced = llvm::find_if(model.dims, [&](const Dimension &dim) { return dim.name == name; });
  if (replaced == model.dims.end())
    return;
  Dimension old = *replaced;
  model.dims.erase(replaced);
  auto same = llvm::find_if(model.dims, [&](const Dimension &dim) { return dim.name == other.str(); });
  if (same != model.dims.end() && same->fallback < 0)
    same->fallback = old.fallback;
  if (old.fixed < 0)
    return;
  if (same != model.dims.end() && same->fixed < 0) {
    same->fixed = old.fixed;
    replaceInDefaults(root, same->name, DimExpr(old.fixed));
    root.dims[same->name] = DimExpr(old.fixed);
  } else if (DimExpr value = dims.translate(other, range); value != DimExpr(old.fixed)) {
    error(DiagnosticCode::E0308, range,
          "-D makes `" + name + "` " + llvm::Twine(old.fixed) + " and `" + other.str() + "` " + value.str())
        .at("must be equal");
  }
}

//===----------------------------------------------------------------------===//
// Weights and states
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral initializers[] = {"zeros",           "ones",    "glorot_uniform", "glorot_normal",
                                                       "kaiming_uniform", "uniform", "normal",         "constant"};

static std::optional<Initializer> initializerNamed(llvm::StringRef name) {
  const auto *found = llvm::find(initializers, name);
  return found == std::end(initializers)
             ? std::nullopt
             : std::optional<Initializer>(static_cast<Initializer>(found - std::begin(initializers)));
}

std::optional<Initializer> ParamChecker::initializer(const WeightDecl &weight, double &argument) {
  if (!weight.initializer)
    return weight.isState ? Initializer::Zeros : Initializer::GlorotUniform;
  const Name &name = *weight.initializer;
  const std::optional<Initializer> found = initializerNamed(name.text);
  if (!found) {
    Diagnostic &unknown = error(DiagnosticCode::E0109, name.range, "unknown initialiser `" + name.text + "`");
    unknown.at("not found");
    std::vector<std::string> all(std::begin(initializers), std::end(initializers));
    if (std::optional<std::string> near = nearest(name.text, all))
      unknown.fix("did you mean `" + *near + "`?", name.range, *near);
    else
      unknown.help("initialisers are `" + llvm::join(all, "`, `") + "`");
    return std::nullopt;
  }
  const Initializer init = *found;
  bool takesArgument = init == Initializer::Uniform || init == Initializer::Normal || init == Initializer::Constant;
  if (takesArgument != (weight.initArgument != nullptr)) {
    error(DiagnosticCode::E0104, name.range,
          "`" + name.text + "` takes " + (takesArgument ? "an argument" : "no argument"))
        .at("wrong arguments")
        .help(takesArgument ? "`" + name.text + "(0.1)`" : "`" + name.text.str() + "`");
    return std::nullopt;
  }
  if (takesArgument) {
    Operand operand = exprs.eval(*weight.initArgument);
    operand.range = weight.initArgument->range;
    if (!elementwise.requireConstant(operand, "the argument of an initialiser"))
      return std::nullopt;
    argument = operand.number;
  }
  return init;
}

Operand ParamChecker::addParameter(const WeightDecl &weight, const std::string &name, std::optional<DimExpr> rows) {
  if (weight.isDamaged)
    return {};
  std::optional<Shape> shape = dims.evalShape(weight.type);
  double argument = 0;
  std::optional<Initializer> init = initializer(weight, argument);
  if (weight.type.sparse || weight.type.rowNormalized || !isFloat(weight.type.element)) {
    error(DiagnosticCode::E0201, weight.type.range, "a parameter is `real`, `f32` or `f64`").at("not such a type");
    return {};
  }
  if (!shape || !init)
    return {};
  Parameter parameter;
  parameter.name = name;
  parameter.shape = dims.translate(*shape, weight.type.range);
  if (rows) {
    shape->insert(shape->begin(), *rows);
    parameter.shape.insert(parameter.shape.begin(), *rows);
  }
  parameter.init = *init;
  parameter.initArgument = argument;
  parameter.setFans(parameter.shape);
  parameter.isState = weight.isState;
  parameter.doc = documentation(weight.doc);
  parameter.range = weight.name.range;
  Value proto{weight.isState ? ValueKind::State : ValueKind::Param,
              {GraphKind::P, 0, parameter.shape, weight.type.element},
              {},
              parameter.name,
              weight.name.range};
  model.params.push_back(std::move(parameter));
  return fieldOperand(builder.append(std::move(proto)), *shape, nullptr, weight.name.range);
}

/// Whether the condition of a weight holds. Further runs check what is not there, so that they need it all.
bool ParamChecker::exists(const WeightDecl &weight, const Frame &frame) {
  Operand condition = exprs.eval(*weight.condition);
  condition.range = weight.condition->range;
  if (!elementwise.requireTruth(condition, "the condition of a weight"))
    return true;
  const bool isThrownAway = options.generic || (options.branches && options.branches->isFurtherRun());
  return condition.truth || (isThrownAway && &frame == &root);
}

/// The constant that stands for a weight whose condition does not hold: its first values.
Operand ParamChecker::constantOf(const WeightDecl &weight) {
  std::optional<Shape> shape = dims.evalShape(weight.type);
  double number = 0;
  std::optional<Initializer> init = initializer(weight, number);
  if (!shape || !init)
    return {};
  if (*init != Initializer::Constant)
    number = *init == Initializer::Ones;
  Operand scalar =
      elementwise.materialize(numberOperand(number, /*isInteger=*/false, weight.name.range), weight.type.element);
  Operand constant = shape->empty() ? scalar : elementwise.broadcast(scalar, *shape, {});
  constant.uniform = number;
  return constant;
}

/// Whether a weight begins as the same number everywhere.
static bool isConstant(const WeightDecl &weight) {
  const std::optional<Initializer> init =
      weight.initializer ? initializerNamed(weight.initializer->text)
                         : std::optional(weight.isState ? Initializer::Zeros : Initializer::GlorotUniform);
  return init == Initializer::Zeros || init == Initializer::Ones || init == Initializer::Constant;
}

void ParamChecker::declareWeights(const ComponentDecl &component, Frame &frame) {
  for (const WeightDecl &weight : component.weights) {
    Entity entity;
    entity.condition = weight.condition;
    entity.isConstantElse = isConstant(weight);
    const bool isDeclared = !weight.condition || exists(weight, frame);
    if (isDeclared)
      entity.operand = addParameter(weight, frame.prefix + weight.name.text.str());
    else if (!weight.isDamaged && entity.isConstantElse)
      entity.operand = constantOf(weight);
    if (weight.isState && isDeclared && !entity.operand.isError())
      entity.state = model.params.size() - 1;
    symbols.declare(weight.name, std::move(entity));
  }
}
