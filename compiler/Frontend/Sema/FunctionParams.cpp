//===- FunctionParams.cpp - Parameters that are functions ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/FunctionParams.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

static constexpr llvm::StringLiteral aggregations[] = {"sum", "mean", "max", "min", "prod", "var", "std", "logsumexp"};

bool FunctionParams::isFunction(ComponentParam::Kind kind, llvm::StringRef name) const {
  const bool isAggregation = llvm::is_contained(aggregations, name);
  return kind == ComponentParam::Kind::Aggregation
             ? isAggregation
             : !isAggregation && (isBuiltin(name) || declarations.functions.count(name));
}

/// Adds what a name stands for: a function, or a parameter that is one or a list.
bool FunctionParams::addFunction(const ComponentParam &param, const Name &name, Entity &entity) {
  if (const Entity *passed = context.scope->find(name.text); passed && passed->kind == Entity::Kind::Function) {
    const bool fits =
        (param.isList || !passed->isList) && llvm::all_of(passed->functions, [&](llvm::StringRef function) {
          return function.empty() || isFunction(param.kind, function);
        });
    symbols.noteUse(name, passed->range);
    entity.functions.insert(entity.functions.end(), passed->functions.begin(), passed->functions.end());
    if (fits)
      return true;
  } else if (isFunction(param.kind, name.text)) {
    if (auto found = declarations.functions.find(name.text); found != declarations.functions.end())
      symbols.noteUse(name, found->second->name.range);
    entity.functions.push_back(name.text);
    return true;
  }
  std::vector<std::string> known;
  if (param.kind == ComponentParam::Kind::Aggregation) {
    known.assign(std::begin(aggregations), std::end(aggregations));
  } else {
    for (const std::string &builtin : builtinNames())
      if (isFunction(param.kind, builtin))
        known.push_back(builtin);
    for (const auto &entry : declarations.functions)
      known.push_back(entry.getKey().str());
  }
  const std::string what = param.kind == ComponentParam::Kind::Aggregation ? "aggregation" : "function";
  Diagnostic &wrong = error(DiagnosticCode::E0103, name.range, "`" + name.text + "` is no " + what);
  wrong.at("not such a name").label(param.name.range, "`" + param.name.text + ": " + param.type() + "` takes one");
  if (std::optional<std::string> near = nearest(name.text, known))
    wrong.fix("did you mean `" + *near + "`?", name.range, *near);
  else if (param.kind == ComponentParam::Kind::Aggregation)
    wrong.help("aggregations are `" + llvm::join(known, "`, `") + "`");
  else if (llvm::is_contained(aggregations, name.text))
    wrong.help("`" + name.text + "` is an aggregation, which a parameter `aggregation` takes");
  else
    wrong.help("functions are those of the language, and `fn " + name.text + "(x) = ...`");
  return false;
}

std::optional<Entity> FunctionParams::evaluate(const ComponentParam &param, const Expr &value) {
  Entity entity;
  entity.kind = Entity::Kind::Function;
  entity.isList = param.isList;
  const auto *list = param.isList ? llvm::dyn_cast<ListExpr>(&value) : nullptr;
  const Expr *only = &value;
  for (const Expr *item : list ? list->items : llvm::ArrayRef<const Expr *>(only)) {
    const auto *name = llvm::dyn_cast<NameExpr>(item);
    if (!name) {
      error(DiagnosticCode::E0104, item->range, "`" + param.name.text + "` takes names of functions")
          .at("no name")
          .label(param.name.range, "declared as `" + param.type() + "` here")
          .help(param.isList ? "a list is written as `[mean, max]`" : "one name, as `mean` or `relu`");
      return std::nullopt;
    }
    if (!addFunction(param, name->name, entity))
      return std::nullopt;
  }
  if (!entity.functions.empty())
    return entity;
  error(DiagnosticCode::E0104, value.range, "`" + param.name.text + "` is a list of one function or more")
      .at("an empty list");
  return std::nullopt;
}

/// The functions that a name or a list of names means. `isParameter`: set if a parameter is among them.
std::optional<std::vector<llvm::StringRef>> FunctionParams::namesOf(const Expr &expr, bool &isParameter) {
  std::vector<llvm::StringRef> names;
  const auto *list = llvm::dyn_cast<ListExpr>(&expr);
  const Expr *only = &expr;
  for (const Expr *item : list ? list->items : llvm::ArrayRef<const Expr *>(only)) {
    const auto *name = llvm::dyn_cast<NameExpr>(item);
    const Entity *entity = name ? context.scope->find(name->name.text) : nullptr;
    if (entity && entity->kind == Entity::Kind::Function) {
      symbols.noteUse(name->name, entity->range);
      names.insert(names.end(), entity->functions.begin(), entity->functions.end());
      isParameter = true;
    } else if (name && !entity &&
               (isFunction(ComponentParam::Kind::Aggregation, name->name.text) ||
                isFunction(ComponentParam::Kind::Function, name->name.text))) {
      names.push_back(name->name.text);
    } else {
      return std::nullopt;
    }
  }
  return names;
}

std::optional<Operand> FunctionParams::comparison(const BinaryExpr &expr) {
  if (expr.op != BinaryOp::Equal && expr.op != BinaryOp::NotEqual)
    return std::nullopt;
  bool isParameter = false;
  std::optional<std::vector<llvm::StringRef>> left = namesOf(*expr.lhs, isParameter);
  std::optional<std::vector<llvm::StringRef>> right = namesOf(*expr.rhs, isParameter);
  if (!left || !right || !isParameter)
    return std::nullopt;
  return truthOperand((*left == *right) == (expr.op == BinaryOp::Equal), expr.range);
}

void FunctionParams::declareAlone(const ComponentParam &param) {
  std::optional<Entity> entity;
  auto given = llvm::find_if(options.defines, [&](const auto &define) { return define.first == param.name.text; });
  if (given != options.defines.end()) {
    entity.emplace();
    entity->kind = Entity::Kind::Function;
    entity->isList = param.isList;
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(given->second).split(names, ',');
    for (llvm::StringRef name : names)
      entity->functions.push_back(name);
    const bool isGood = (param.isList || names.size() == 1) &&
                        llvm::all_of(names, [&](llvm::StringRef name) { return isFunction(param.kind, name); });
    if (!isGood)
      error(DiagnosticCode::E0110, param.name.range,
            "-D " + param.name.text + "=" + given->second + " does not name " +
                (param.kind == ComponentParam::Kind::Aggregation ? "an aggregation" : "a function"))
          .at("declared here");
    if (!isGood)
      return;
  } else if (param.fallback) {
    entity = evaluate(param, *param.fallback);
  } else {
    entity.emplace();
    entity->kind = Entity::Kind::Function;
    entity->isList = param.isList;
    entity->functions = {param.kind == ComponentParam::Kind::Aggregation ? "sum" : ""}; // made up
    if (!options.generic)
      error(DiagnosticCode::E0110, param.name.range, "`" + param.name.text + "` needs a value")
          .at("has no default")
          .help("give one with -D " + param.name.text + "=..., or a default: `" + param.name.text + ": " +
                param.type() + " = " + (param.isList ? "[mean, max]`" : "mean`"));
  }
  if (entity)
    symbols.declare(param.name, std::move(*entity));
}
