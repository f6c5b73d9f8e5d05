//===- GivenInputs.h - Inputs that calls give -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer is one set of weights, and some weights exist only if the layer is called with an input that may be left out:
// `param W_edge: real[k, out] if given(a)`. So the calls of a layer are looked at before its weights are declared.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_GIVENINPUTS_H
#define GNNC_FRONTEND_SEMA_GIVENINPUTS_H

#include "compiler/Frontend/AST.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace gnnc {

/// The inputs that may be left out and that any call of `layer` as `instance`, in the bodies of `caller`, gives.
/// `side` returns which side of an `if` the program takes; none: it may be either. `isLeftOut` is true of names of
/// inputs of `caller` that no call of it gives: to pass on such an input is to leave it out.
std::set<llvm::StringRef> givenInputs(const ast::ComponentDecl &caller, llvm::StringRef instance,
                                      const ast::ComponentDecl &layer,
                                      llvm::function_ref<std::optional<bool>(const ast::Expr &condition)> side,
                                      llvm::function_ref<bool(llvm::StringRef name)> isLeftOut);

/// True if `condition` has a `given(...)` in it.
bool mentionsGiven(const ast::Expr &condition);

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_GIVENINPUTS_H
