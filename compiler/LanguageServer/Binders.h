//===- Binders.h - What vertices and edges have fields ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of `u`, `v` and `e` at a position of a text that may not parse, and the fields that they have: found by
// the tokens of the component up to the position, and by the pattern behind it (`sum(e. for e: u -> v)`).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_BINDERS_H
#define GNNC_LANGUAGESERVER_BINDERS_H

#include "compiler/Frontend/Lexer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <vector>

namespace gnnc::lsp {

class Binders {
public:
  /// `component`: the tokens of a layer or model up to the place; `behind`: those from there on.
  Binders(llvm::ArrayRef<Token> component, llvm::ArrayRef<Token> behind);

  struct Choice {
    bool ofVertices = false, ofEdges = false; // both: it is not known what the name is
    std::vector<llvm::StringRef> fields;
  };
  /// The names that may follow `name.`.
  Choice choices(llvm::StringRef name) const;

private:
  /// `e: a: A -r-> b: B`, or of the head of a vertex body the source alone; what is not written is empty.
  struct Pattern {
    llvm::StringRef edge, source, sourceType, relation, target, targetType;
  };
  struct Field {
    llvm::StringRef name, place; // the vertex type or relation, where it is written
    bool ofEdges;
  };

  Pattern readPattern(llvm::ArrayRef<Token> tokens) const;
  void readSchema(llvm::ArrayRef<Token> tokens);
  void readBodies(llvm::ArrayRef<Token> tokens);
  void readPatternAround(llvm::ArrayRef<Token> before, llvm::ArrayRef<Token> behind);
  void addField(llvm::ArrayRef<Token> tokens, size_t name);
  llvm::StringRef typeOf(const Pattern &pattern, bool isSource) const;

  llvm::StringSet<> vertexTypes;
  std::map<llvm::StringRef, std::pair<llvm::StringRef, llvm::StringRef>> relations; // the types at their ends
  std::vector<Field> fields;
  Pattern body, comprehension; // that the place is in
  bool isEdgeBody = false;
};

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_BINDERS_H
