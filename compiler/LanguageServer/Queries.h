//===- Queries.h - Answers about a place in a document ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_QUERIES_H
#define GNNC_LANGUAGESERVER_QUERIES_H

#include "compiler/LanguageServer/Analysis.h"

namespace gnnc::lsp {

struct Hover {
  std::string markdown;
  Range range;
};

struct InlayHint {
  Position position;
  std::string label;
};

/// The declaration, type, graph type, hops and documentation of the name or expression at `offset`.
std::optional<Hover> hover(const Analysis &analysis, size_t offset);
/// Where the name at `offset` is defined; all files of an import.
std::vector<Location> definitions(const Analysis &analysis, size_t offset);
/// The inferred types of the `let`s and outputs between two offsets.
std::vector<InlayHint> inlayHints(const Analysis &analysis, size_t begin, size_t end);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_QUERIES_H
