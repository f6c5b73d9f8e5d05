//===- Parser.h - From source text to syntax tree ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one entry of the parser.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_H
#define GNNC_FRONTEND_PARSER_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Diagnostics.h"
#include "compiler/Frontend/Lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gnnc {

/// Parses one file. Reports every error that it can tell apart and returns what could be read; whether anything was
/// wrong is for `diagnostics` to say. `text` is followed by a NUL and outlives the tree, as does the arena.
ast::File parse(llvm::StringRef text, ast::Arena &arena, DiagnosticEngine &diagnostics);

/// Whether `callee` takes dimensions in angle brackets: `sum<heads>(x)`. After other names `<` compares.
bool takesDims(llvm::StringRef callee);

/// The construct that a token `if` is a part of.
enum class IfRole {
  Statement,  // `if c { ... }`
  Expression, // `a if c else b`
  Condition,  // `for u -> v if c`, `param b: real if c`
};

/// The role of an `if`. `kindBehind(n)` is the kind of the n-th token behind it.
IfRole roleOfIf(llvm::function_ref<TokenKind(unsigned)> kindBehind);

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_H
