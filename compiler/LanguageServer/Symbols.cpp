//===- Symbols.cpp - What a file declares -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Symbols.h"
#include "compiler/Frontend/Lexer.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;
using namespace gnnc::lsp;

namespace {

/// The source from `begin` to `end`, on one line.
std::string textBetween(llvm::SMLoc begin, llvm::SMLoc end) {
  std::string line;
  if (!begin.isValid() || !end.isValid() || end.getPointer() < begin.getPointer())
    return line;
  for (char c : llvm::StringRef(begin.getPointer(), end.getPointer() - begin.getPointer())) {
    bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isBlank || (!line.empty() && line.back() != ' '))
      line += isBlank ? ' ' : c;
  }
  return llvm::StringRef(line).rtrim().str();
}

/// A declaration's text up to its body.
std::string headOf(llvm::SMRange range) {
  llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  llvm::StringRef head = text.take_front(std::min(text.size(), text.find('{')));
  return textBetween(range.Start, llvm::SMLoc::getFromPointer(head.end()));
}

Symbol make(Symbol::Kind kind, const Name &name, llvm::SMRange range, llvm::StringRef doc) {
  Symbol symbol;
  symbol.kind = kind;
  symbol.name = name.text.str();
  symbol.nameRange = name.range;
  symbol.range = range;
  symbol.text = textBetween(range.Start, range.End);
  symbol.doc = documentation(doc);
  return symbol;
}

void addStatements(Symbol &parent, llvm::ArrayRef<Stmt *> statements) {
  for (const Stmt *stmt : statements) {
    addStatements(parent, stmt->body);
    if (stmt->weight)
      parent.children.push_back(make(Symbol::Kind::Weight, stmt->weight->name, stmt->weight->range, stmt->weight->doc));
    bool declares = stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Input ||
                    stmt->kind == Stmt::Kind::Target || (stmt->kind == Stmt::Kind::Output && stmt->value);
    if (!declares)
      continue;
    parent.children.push_back(make(Symbol::Kind::Field, stmt->name, stmt->range, stmt->doc));
    parent.children.back().isComputed = stmt->value != nullptr;
  }
}

void addFormals(Symbol &parent, llvm::ArrayRef<FormalDecl> formals) {
  for (const FormalDecl &formal : formals) {
    llvm::SMRange range = formal.name.range;
    if (formal.type)
      range.End = formal.type->range.End;
    parent.children.push_back(make(Symbol::Kind::Field, formal.name, range, formal.doc));
  }
}

/// A body has no name: it goes by its pattern.
Symbol symbolOfBody(const BodyDecl &body) {
  Symbol symbol = make(Symbol::Kind::Body, Name{"", body.head}, body.range, "");
  const Name &vertex = body.vertexType ? *body.vertexType : body.vertex;
  symbol.name = textBetween(body.head.Start, (body.isEdge ? body.pattern.range : vertex.range).End);
  symbol.text = textBetween(body.head.Start, body.head.End);
  addFormals(symbol, body.formals);
  addStatements(symbol, body.statements);
  return symbol;
}

} // namespace

Symbol lsp::symbolOf(const ComponentDecl &component) {
  Symbol symbol = make(component.isModel ? Symbol::Kind::Model : Symbol::Kind::Layer, component.name, component.range,
                       component.doc);
  symbol.text = headOf(component.range);
  for (const ComponentParam &param : component.params) {
    llvm::SMRange range = param.name.range;
    symbol.children.push_back(make(Symbol::Kind::Parameter, param.name, range, param.doc));
    symbol.children.back().text += ": " + param.type();
  }
  for (const VertexTypeDecl &type : component.vertexTypes) {
    symbol.children.push_back(make(Symbol::Kind::VertexType, type.name, type.name.range, type.doc));
    symbol.children.back().text = "vertex " + type.name.text.str();
  }
  for (const RelationDecl &relation : component.relations) {
    llvm::SMRange range = relation.name.range;
    if (relation.source && relation.target)
      range = {relation.source->range.Start, relation.target->range.End};
    symbol.children.push_back(make(Symbol::Kind::Relation, relation.name, range, relation.doc));
    symbol.children.back().text.insert(0, relation.isPairs ? "pairs " : "edge ");
  }
  for (const WeightDecl &weight : component.weights)
    symbol.children.push_back(make(Symbol::Kind::Weight, weight.name, weight.range, weight.doc));
  for (const InstanceDecl &instance : component.instances)
    symbol.children.push_back(make(Symbol::Kind::Instance, instance.name, instance.range, ""));
  for (const BodyDecl &body : component.bodies)
    symbol.children.push_back(symbolOfBody(body));
  return symbol;
}

Symbol lsp::symbolOf(const FunctionDecl &function) {
  Symbol symbol = make(Symbol::Kind::Function, function.name, function.range, function.doc);
  symbol.text = headOf(function.range);
  addFormals(symbol, function.formals);
  addStatements(symbol, function.statements);
  return symbol;
}
