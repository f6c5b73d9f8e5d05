//===- ForeignSyntax.h - What other languages write -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// People who know Python, C++ or mathematics write what they know; messages say what it is called here. Advice is
// empty where nothing is known of what was written.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_FOREIGNSYNTAX_H
#define GNNC_FRONTEND_FOREIGNSYNTAX_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Lexer.h"
#include <string>

namespace gnnc {

/// Advice for `found` where `expected` should be ("an expression", "`)`", …): what to write instead. `found` must be a
/// token of a source, since the text before it is examined.
std::string adviceOn(const Token &found, llvm::StringRef expected);

/// A name with its Greek letters written out: `alpha`. Empty if it has others.
std::string inAscii(llvm::StringRef name);

/// Advice for a word at the beginning of a statement.
std::string adviceOnStatement(llvm::StringRef word);

/// A sign that no token begins with, as people type or paste it.
struct ForeignSign {
  llvm::StringLiteral text;
  TokenKind meant; // Error: nothing stands for it
  llvm::StringLiteral advice;
};
/// The sign that `rest` begins with; null: none that is known.
const ForeignSign *foreignSign(llvm::StringRef rest);

/// `float` and its like.
struct ForeignElement {
  ElementKind element;
  llvm::StringLiteral spelling;
};
std::optional<ForeignElement> foreignElement(llvm::StringRef word);

/// Advice for a function or method, and for a name without a call, that PyTorch, PyTorch Geometric or Python has.
std::string adviceOnFunction(llvm::StringRef name);
std::string adviceOnName(llvm::StringRef name);

/// The name in layers of the library for a parameter that PyTorch Geometric or DGL calls `name`; empty if unknown.
llvm::StringRef parameterMeant(llvm::StringRef name);

/// The block that the setting belongs in, `graph` or `train`; empty if `name` is no setting.
llvm::StringRef blockOfSetting(llvm::StringRef name);

/// A setting that is called otherwise elsewhere: what it is called here.
llvm::StringRef settingMeant(llvm::StringRef name);

} // namespace gnnc

#endif // GNNC_FRONTEND_FOREIGNSYNTAX_H
