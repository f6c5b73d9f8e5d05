//===- SemanticTokens.h - What names are, for colours -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_SEMANTICTOKENS_H
#define GNNC_LANGUAGESERVER_SEMANTICTOKENS_H

#include "compiler/LanguageServer/Analysis.h"

namespace gnnc::lsp {

/// The protocol's names of the kinds and of the one modifier that tokens have.
llvm::ArrayRef<llvm::StringLiteral> tokenTypes();
inline constexpr llvm::StringLiteral declarationModifier = "declaration";

/// Five numbers for each name whose meaning is known, as the protocol has them: lines and columns since the one before,
/// length, kind, modifiers. Words and signs are left to the grammar of the editor.
std::vector<uint32_t> semanticTokens(const Analysis &analysis);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_SEMANTICTOKENS_H
