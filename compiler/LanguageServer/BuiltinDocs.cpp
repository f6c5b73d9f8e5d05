//===- BuiltinDocs.cpp - What editors say of the language's functions -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/BuiltinDocs.h"

using namespace gnnc;
using llvm::StringRef;

namespace {

struct BuiltinDoc {
  llvm::StringLiteral name, usage, doc;
};

constexpr BuiltinDoc docs[] = {
#define UNARY(KIND, NAME, USAGE, DOC) {NAME, USAGE, DOC},
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) {NAME, USAGE, DOC},
#define FUNCTION(NAME, USAGE, DOC) {NAME, USAGE, DOC},
#define LOSS(NAME, USAGE, DOC) {NAME, USAGE, DOC},
#include "compiler/Frontend/Functions.def"
};

const BuiltinDoc *find(StringRef name) {
  for (const BuiltinDoc &doc : docs)
    if (doc.name == name)
      return &doc;
  return nullptr;
}

} // namespace

StringRef lsp::builtinUsage(StringRef name) {
  const BuiltinDoc *doc = find(name);
  return doc ? StringRef(doc->usage) : "";
}

StringRef lsp::builtinDoc(StringRef name) {
  const BuiltinDoc *doc = find(name);
  return doc ? StringRef(doc->doc) : "";
}
