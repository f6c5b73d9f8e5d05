//===- GivenInputs.cpp - Inputs that calls give ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over the statements and expressions of bodies.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/GivenInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

namespace {

using Side = llvm::function_ref<std::optional<bool>(const Expr &condition)>;

/// Visits the calls that a program may make.
class CallWalker {
public:
  CallWalker(Side side, llvm::function_ref<void(const CallExpr &)> visit) : side(side), visit(visit) {}

  void walk(llvm::ArrayRef<Stmt *> statements) {
    for (const Stmt *stmt : statements) {
      walk(stmt->value);
      const std::optional<bool> taken =
          stmt->kind == Stmt::Kind::If && stmt->value ? side(*stmt->value) : std::nullopt;
      if (taken != false)
        walk(stmt->body);
      if (taken != true)
        walk(stmt->otherwise);
    }
  }

  void walk(const Expr *expr) {
    if (!expr)
      return;
    switch (expr->kind) {
    case Expr::Kind::Error:
    case Expr::Kind::Number:
    case Expr::Kind::Truth:
    case Expr::Kind::Name:
    case Expr::Kind::List:
      return;
    case Expr::Kind::Member:
      return walk(llvm::cast<MemberExpr>(expr)->base);
    case Expr::Kind::Index:
      walk(llvm::cast<IndexExpr>(expr)->base);
      return walk(llvm::cast<IndexExpr>(expr)->index);
    case Expr::Kind::Slice:
      return walk(llvm::cast<SliceExpr>(expr)->base); // bounds are dimensions
    case Expr::Kind::Call: {
      const auto &call = *llvm::cast<CallExpr>(expr);
      visit(call);
      walk(call.receiver);
      for (const Argument &arg : call.args)
        walk(arg.value);
      return;
    }
    case Expr::Kind::Unary:
      return walk(llvm::cast<UnaryExpr>(expr)->operand);
    case Expr::Kind::Binary:
      walk(llvm::cast<BinaryExpr>(expr)->lhs);
      return walk(llvm::cast<BinaryExpr>(expr)->rhs);
    case Expr::Kind::If: {
      const auto &choice = *llvm::cast<IfExpr>(expr);
      const std::optional<bool> taken = side(*choice.condition);
      walk(choice.condition);
      if (taken != false)
        walk(choice.value);
      if (taken != true)
        walk(choice.otherwise);
      return;
    }
    case Expr::Kind::Comprehension:
      walk(llvm::cast<ComprehensionExpr>(expr)->body);
      return walk(llvm::cast<ComprehensionExpr>(expr)->filter);
    case Expr::Kind::Over:
      return walk(llvm::cast<OverExpr>(expr)->body);
    }
  }

private:
  Side side;
  llvm::function_ref<void(const CallExpr &)> visit;
};

} // namespace

std::set<llvm::StringRef> gnnc::givenInputs(const ComponentDecl &caller, llvm::StringRef instance,
                                            const ComponentDecl &layer, Side side,
                                            llvm::function_ref<bool(llvm::StringRef name)> isLeftOut) {
  std::set<llvm::StringRef> given;
  const llvm::ArrayRef<FormalDecl> formals = layer.bodies.front().formals;
  auto visit = [&](const CallExpr &call) {
    if (call.callee.text != instance)
      return;
    for (size_t position = 0; position < call.args.size(); ++position) {
      const Argument &arg = call.args[position];
      const FormalDecl *formal = position < formals.size() ? &formals[position] : nullptr;
      if (arg.label)
        formal = llvm::find_if(formals, [&](const FormalDecl &each) { return each.name.text == arg.label->text; });
      const auto *over = llvm::dyn_cast<ComprehensionExpr>(arg.value);
      const auto *name = llvm::dyn_cast_or_null<NameExpr>(over ? over->body : arg.value);
      if (formal && formal != formals.end() && formal->isOptional() && !(name && isLeftOut(name->name.text)))
        given.insert(formal->name.text);
    }
  };
  CallWalker walker(side, visit);
  for (const BodyDecl &body : caller.bodies)
    walker.walk(body.statements);
  return given;
}

bool gnnc::mentionsGiven(const Expr &condition) {
  bool found = false;
  auto visit = [&](const CallExpr &call) { found |= call.callee.text == "given"; };
  auto either = [](const Expr &) { return std::optional<bool>(); };
  CallWalker(either, visit).walk(&condition);
  return found;
}
