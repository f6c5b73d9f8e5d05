//===- ArgumentChecker.cpp - Arguments of functions -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The positional arguments of built-in functions and of those that are defined in the language.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

std::string gnnc::withoutLabels(llvm::StringRef callee, const CallExpr &call, std::string receiver) {
  std::string &text = receiver;
  for (const Argument &arg : call.args)
    text += (text.empty() ? "" : ", ") + sourceText(arg.value->range);
  return callee.str() + "(" + text + ")";
}

/// Guesses what was meant by a call with too few or too many arguments, and suggests how to write that.
static void adviseOnCount(Diagnostic &wrong, const CallExpr &call) {
  llvm::StringRef name = call.callee.text;
  std::string first = call.args.empty() ? "x" : sourceText(call.args.front().value->range);
  bool isReduction = reductionNamed(name) || name == "var" || name == "std" || name == "softmax";
  bool hasAxis = call.args.size() == 2 && call.args.back().label;
  if (name == "cross_entropy" || name == "binary_cross_entropy" || name == "mean_squared_error")
    wrong.help("`" + name + "(" + first + ", label)`, where `target label: " +
               llvm::StringRef(name == "cross_entropy" ? "i32" : "real") + "` declares the labels");
  else if (name == "dropout")
    wrong.help("the probability stands second: `dropout(" + first + ", 0.5)`");
  else if (isReduction && hasAxis)
    wrong.help("dimensions stand in angle brackets: `" + name + "<d>(" + first + ")`");
  else if ((name == "max" || name == "min") && call.args.size() == 2)
    wrong.help("`" + llvm::StringRef(name == "max" ? "maximum" : "minimum") +
               withoutLabels(call.callee.text, call).substr(name.size()) + "` is elementwise");
  else if (isReduction && call.args.size() == 2)
    wrong.help("dimensions stand in angle brackets: `" + name + "<d>(" + first + ")`");
}

const Entity *ArgumentChecker::listOf(const Argument &arg) const {
  const auto *over = llvm::dyn_cast<OverExpr>(arg.value);
  const auto *name = over ? llvm::dyn_cast<NameExpr>(over->dim) : nullptr;
  const Entity *list = name ? context.scope->find(name->name.text) : nullptr;
  return list && list->kind == Entity::Kind::Function && list->isList ? list : nullptr;
}

bool ArgumentChecker::evalForEach(const OverExpr &over, const Entity &list, std::vector<Operand> &args) {
  symbols.noteUse(llvm::cast<NameExpr>(over.dim)->name, list.range);
  for (llvm::StringRef function : list.functions) {
    Scope scope(context.scope);
    llvm::SaveAndRestore inside(context.scope, &scope);
    Entity one;
    one.kind = Entity::Kind::Function;
    one.functions = {function};
    Operand operand = symbols.declare(over.binder, std::move(one)) ? evaluator.eval(*over.body) : Operand();
    if (operand.isError())
      return false;
    operand.range = over.body->range;
    args.push_back(std::move(operand));
  }
  return true;
}

/// Evaluates positional arguments; none if there are too few or many, or one is an error.
std::optional<std::vector<Operand>> ArgumentChecker::evalArgs(const CallExpr &call, unsigned min, unsigned max,
                                                              llvm::StringRef usage) {
  size_t count = 0;
  for (const Argument &arg : call.args) {
    const Entity *list = listOf(arg);
    count += list ? list->functions.size() : 1;
  }
  if (count < min || count > max) {
    Diagnostic &wrong = error(DiagnosticCode::E0104, call.range, "`" + call.callee.text + "` takes " + usage);
    wrong.at(plural(count, "argument") + " given");
    adviseOnCount(wrong, call);
    return std::nullopt;
  }
  llvm::StringRef name = call.callee.text;
  bool takesEdges = reductionNamed(name) || name == "var" || name == "std" || name == "softmax";
  std::vector<Operand> args;
  bool good = true;
  for (const Argument &arg : call.args) {
    if (arg.label) {
      error(DiagnosticCode::E0104, arg.label->range, "`" + call.callee.text + "` has no named arguments")
          .at("drop the name")
          .fix("`" + withoutLabels(call.callee.text, call) + "`", {arg.label->range.Start, arg.value->range.Start}, "");
      good = false;
    } else if (llvm::isa<ComprehensionExpr>(arg.value) && !takesEdges) {
      error(DiagnosticCode::E0006, arg.value->range, "`for` in an argument of `" + call.callee.text + "`")
          .at("an edge field is made by a `let` or inside an aggregation")
          .help("write `" + call.callee.text + "(...) for u -> v`");
      good = false;
    } else if (const Entity *list = listOf(arg)) {
      good &= evalForEach(*llvm::cast<OverExpr>(arg.value), *list, args);
    } else {
      Operand operand = evaluator.eval(*arg.value);
      operand.range = arg.value->range;
      good &= !operand.isError();
      args.push_back(std::move(operand));
    }
  }
  return good ? std::optional<std::vector<Operand>>(std::move(args)) : std::nullopt;
}
