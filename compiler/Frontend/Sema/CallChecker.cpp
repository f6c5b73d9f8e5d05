//===- CallChecker.cpp - Calls ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function or layer a call means; calls of functions that are defined in the language.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/CallChecker.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Sema/BuiltinChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/LayerCallChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

Operand CallChecker::evalCall(const CallExpr &call) {
  const Entity *parameter = call.receiver ? nullptr : context.scope->find(call.callee.text);
  if (parameter && parameter->kind == Entity::Kind::Function)
    return callParameter(call, *parameter);
  if (degreeKind(call.callee.text))
    return edgeTypes.degreeCall(call);
  if (call.receiver)
    return methodCall(call);
  if (std::optional<Operand> result = builtins.evalBuiltin(call))
    return *result;
  Entity *entity = symbols.lookup(call.callee);
  if (entity && entity->kind == Entity::Kind::Instance)
    return layerCalls.callLayer(call, *entity);
  if (auto it = declarations.functions.find(call.callee.text); it != declarations.functions.end()) {
    symbols.noteUse(call.callee, it->second->name.range);
    return callFunction(call, *it->second);
  }
  if (entity) {
    error(DiagnosticCode::E0103, call.callee.range, "`" + call.callee.text + "` is not a function")
        .at("called like one")
        .label(entity->range, "defined here");
    return {};
  }
  if (declarations.layers.count(call.callee.text)) {
    error(DiagnosticCode::E0103, call.callee.range,
          "layer `" + call.callee.text + "` has no parameters of its own here")
        .at("a kind of layer, not a layer")
        .help("declare one beside the bodies: `layer conv = " + call.callee.text + "(...)`, and apply it: `conv(h)`");
    return {};
  }
  if (symbols.mayBeLost(call.callee.text))
    return {};
  std::vector<std::string> names = builtinNames();
  for (const auto &entry : declarations.functions)
    names.push_back(entry.getKey().str());
  for (Scope *scope = context.scope; scope; scope = scope->parent)
    for (const auto &entry : scope->names)
      if (entry.getValue().kind == Entity::Kind::Instance)
        names.push_back(entry.getKey().str());
  Diagnostic &unknown =
      error(DiagnosticCode::E0103, call.callee.range, "unknown function or layer `" + call.callee.text + "`");
  unknown.at("not found here");
  std::string lower = call.callee.text.lower();
  std::optional<std::string> near = llvm::is_contained(names, lower) ? lower : nearest(call.callee.text, names);
  if (std::string advice = adviceOnFunction(call.callee.text); !advice.empty())
    unknown.help(advice);
  else if (near)
    unknown.fix("did you mean `" + *near + "`?", call.callee.range, *near);
  else
    unknown.help("functions are `fn " + call.callee.text +
                 "(x) = ...` in this file or in one that it imports; "
                 "docs/language.md lists those of the language");
  return {};
}

/// `aggr(u.h for u -> v)`, `f(x)` of a parameter that is an aggregation or a function, or of one of a list
Operand CallChecker::callParameter(const CallExpr &call, const Entity &parameter) {
  symbols.noteUse(call.callee, parameter.range);
  if (parameter.isList) {
    error(DiagnosticCode::E0103, call.callee.range, "`" + call.callee.text + "` is a list of functions")
        .at("called like one")
        .label(parameter.range, "defined here")
        .help("apply them one by one: `concat(f(x) over f in " + call.callee.text + ")`");
    return {};
  }
  CallExpr named = call;
  named.callee.text = parameter.functions.front();
  if (named.callee.text.empty()) { // any function: taken to give something like its first argument
    constexpr unsigned most = 16;
    std::optional<std::vector<Operand>> args = arguments.evalArgs(call, 1, most, "1 argument or more");
    return args ? args->front() : Operand();
  }
  if (std::optional<Operand> result = builtins.evalBuiltin(named))
    return *result;
  return callFunction(named, *declarations.functions.find(named.callee.text)->second);
}

/// Whether `name` stands before the dot of functions in Python: `F.relu(h)`.
static bool isForeignModule(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("torch", "F", "nn", "np", "tf", "dgl", "pyg", "math", true)
      .Default(false);
}

/// The source of `expr` with its chain of methods as functions: `relu(conv1(x))` for `conv1(x).relu()`.
static std::string withoutMethods(const Expr &expr) {
  const auto *call = llvm::dyn_cast<CallExpr>(&expr);
  if (!call || !call->receiver)
    return sourceText(expr.range);
  const auto *name = llvm::dyn_cast<NameExpr>(call->receiver);
  const bool isFunction = name && (name->name.text == "self" || isForeignModule(name->name.text));
  return withoutLabels(call->callee.text, *call, isFunction ? "" : withoutMethods(*call->receiver));
}

/// `h.relu()`, `F.relu(h)`, `self.conv1(h)`: in other languages.
Operand CallChecker::methodCall(const CallExpr &call) {
  llvm::StringRef callee = call.callee.text;
  std::string receiver = withoutMethods(*call.receiver);
  const auto *name = llvm::dyn_cast<NameExpr>(call.receiver);
  Entity *entity = name ? context.scope->find(name->name.text) : nullptr;
  bool isModule = name && !entity && isForeignModule(receiver);
  Entity *layer = context.scope->find(callee);
  Diagnostic &wrong = error(DiagnosticCode::E0103, call.range, "values have no methods");
  wrong.at("called as a method");
  if (entity && entity->kind == Entity::Kind::Instance)
    wrong.help("a layer is called by its name: `" + withoutLabels(receiver, call) + "`");
  else if (layer && layer->kind == Entity::Kind::Instance)
    wrong.help("a layer is called by its name: `" + callee + "(...)`");
  else if (std::string advice = adviceOnFunction(callee); !advice.empty())
    wrong.help(advice);
  else if (callee == "transpose" && !isModule) // its dimensions are not named
    wrong.help("`transpose(" + receiver + ")` exchanges two dimensions");
  else if (isModule)
    wrong.help("functions have no module before their name: `" + withoutLabels(callee, call) + "`");
  else if (name && !entity) // a vertex or an edge
    wrong.help("a function is applied to a field: `" + withoutLabels(callee, call, receiver + ".x") + "`");
  else
    wrong.help("a function is applied to a field: `" + withoutLabels(callee, call, receiver) + "`");
  return {};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Operand CallChecker::callFunction(const CallExpr &call, const FunctionDecl &function) {
  size_t count = function.formals.size();
  std::optional<std::vector<Operand>> args = arguments.evalArgs(call, count, count, plural(count, "argument"));
  if (!args || function.isDamaged || !expansion.enter(call.callee, &function))
    return {};
  auto leave = llvm::make_scope_exit([&] { expansion.callStack.pop_back(); });
  Scope scope(nullptr);
  llvm::SaveAndRestore restore(context);
  context.scope = &scope;
  context.body = nullptr;
  context.comprehension = nullptr;
  context.over = nullptr;
  context.atOtherEnd = false;
  for (size_t i = 0; i < count; ++i)
    if (!bindFunctionFormal(function.formals[i], (*args)[i], (*args)[i].range))
      return {};
  std::optional<Operand> result = evaluator.evalBlock(function.statements);
  if (!result) {
    error(DiagnosticCode::E0008, function.name.range, "function `" + function.name.text + "` returns nothing")
        .at("needs a `return`");
    return {};
  }
  result->range = call.range;
  result->origin = {};
  return *result;
}

/// Binds a parameter. One without a type takes a number or a float field of any shape; new names in a type's dimensions
/// are bound to those of the argument.
bool CallChecker::bindFunctionFormal(const FormalDecl &formal, const Operand &argument, llvm::SMRange call) {
  if (argument.isSparse()) {
    elementwise.sparseElsewhere(argument, argument.range, "a call of a function");
    return false;
  }
  ElementKind expected = formal.type ? formal.type->element : ElementKind::Real;
  bool rightElement =
      argument.isNumber() || element(argument) == expected || (!formal.type && isFloat(element(argument)));
  if (!rightElement) {
    error(DiagnosticCode::E0201, argument.range,
          "`" + formal.name.text + "` is " + spelling(expected) + ", not " + describeType(argument))
        .at("this is " + describeType(argument))
        .help("convert it with `" + spelling(expected) + "(...)`");
    return false;
  }
  Entity entity;
  entity.kind = argument.isConstant() ? Entity::Kind::Constant : Entity::Kind::Field;
  entity.operand = argument;
  entity.range = formal.name.range;
  if (!formal.type)
    return symbols.declare(formal.name, std::move(entity));
  if (formal.type->dims.size() != argument.shape.size()) {
    error(DiagnosticCode::E0303, argument.range,
          "`" + formal.name.text + "` has " + plural(formal.type->dims.size(), "dimension") + ", the argument " +
              str(argument.shape))
        .at("this is " + str(argument.shape))
        .label(formal.type->range, "declared here");
    return false;
  }
  for (size_t i = 0; i < argument.shape.size(); ++i) {
    const auto *name = llvm::dyn_cast<NameExpr>(formal.type->dims[i]);
    if (name && !context.scope->find(name->name.text)) {
      Entity dim;
      dim.kind = Entity::Kind::Dim;
      dim.dim = argument.shape[i];
      dim.range = name->range;
      if (!symbols.declare(name->name, std::move(dim)))
        return false;
      continue;
    }
    std::optional<DimExpr> expectedDim = dims.evalDim(*formal.type->dims[i]);
    if (!expectedDim)
      return false;
    if (dims.canonical(*expectedDim) != argument.shape[i]) {
      error(DiagnosticCode::E0303, argument.range,
            "`" + formal.name.text + "` has the dimension `" + expectedDim->str() + "`, the argument `" +
                argument.shape[i].str() + "`")
          .at("this is " + str(argument.shape))
          .label(formal.type->range, "declared here");
      return false;
    }
  }
  return symbols.declare(formal.name, std::move(entity));
}
