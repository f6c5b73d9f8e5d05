//===- Completion.h - What can be written here ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on the tokens before the cursor, because a text that is being written seldom parses.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_COMPLETION_H
#define GNNC_LANGUAGESERVER_COMPLETION_H

#include "compiler/LanguageServer/Analysis.h"

namespace gnnc::lsp {

struct CompletionItem {
  enum class Kind { Keyword, Function, Layer, Field, Constant, Setting, Import };

  std::string label;
  Kind kind = Kind::Keyword;
  std::string detail; // its type or declaration
  std::string doc;
};

/// The names that may replace the (possibly empty) name that ends at `offset`, sorted. They are not filtered by that
/// name, since editors filter.
std::vector<CompletionItem> complete(const Analysis &analysis, size_t offset);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_COMPLETION_H
