//===- Signatures.h - What a call takes -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_SIGNATURES_H
#define GNNC_LANGUAGESERVER_SIGNATURES_H

#include "compiler/LanguageServer/Analysis.h"

namespace gnnc::lsp {

/// `GCNConv(in: dim, out: dim)`, with the parts of it that are parameters, as ranges of bytes.
struct Signature {
  std::string label, doc;
  std::vector<std::pair<size_t, size_t>> parameters;
  unsigned active = 0; // the parameter that `offset` is at
};

/// The signature of the innermost call whose parentheses are open at `offset`, also in texts that do not parse yet.
std::optional<Signature> signatureAt(const Analysis &analysis, size_t offset);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_SIGNATURES_H
