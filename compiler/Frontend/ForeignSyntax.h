//===- ForeignSyntax.h - What other languages write -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// People who know Python, C++ or mathematics write what they know; the parser says what it is called here.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_FOREIGNSYNTAX_H
#define GNNC_FRONTEND_FOREIGNSYNTAX_H

#include "compiler/Frontend/Lexer.h"
#include <string>

namespace gnnc {

/// What to write instead of `found`, where `expected` should stand ("an expression", "a setting", …); empty: nothing is
/// known of it. `found` is a token of a source, so what stands before it may be looked at.
std::string adviceOn(const Token &found, llvm::StringRef expected);

/// The same for a character that begins no token.
std::string adviceOnCharacter(llvm::StringRef character);

} // namespace gnnc

#endif // GNNC_FRONTEND_FOREIGNSYNTAX_H
