//===- Symbols.h - What a file declares -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declarations of a syntax tree with their texts: what an outline and a hover show.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_SYMBOLS_H
#define GNNC_LANGUAGESERVER_SYMBOLS_H

#include "compiler/Frontend/AST.h"

namespace gnnc::lsp {

struct Symbol {
  enum class Kind { Layer, Model, Function, Parameter, Weight, Instance, Body, Field, VertexType, Relation };

  Kind kind = Kind::Field;
  std::string name;
  llvm::SMRange nameRange, range; // `range` holds `nameRange`
  std::string text;               // of the declaration, without bodies, on one line
  std::string doc;
  bool isComputed = false; // a `let` or `output` with a value: its type is inferred
  std::vector<Symbol> children;
};

Symbol symbolOf(const ast::ComponentDecl &component);
Symbol symbolOf(const ast::FunctionDecl &function);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_SYMBOLS_H
