//===- Signatures.cpp - What a call takes ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Signatures.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/LanguageServer/BuiltinDocs.h"

using namespace gnnc;
using namespace gnnc::lsp;

namespace {

/// An open parenthesis before the cursor.
struct OpenCall {
  Token callee;
  unsigned commas = 0;
  llvm::StringRef label; // of the argument that the cursor is in
};

std::optional<OpenCall> openCall(const std::string &prefix) {
  DiagnosticEngine ignored;
  Lexer lexer(prefix, ignored);
  std::vector<OpenCall> open;
  Token last, beforeLast, beforeAngle;
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next()) {
    if (token.is(TokenKind::Less))
      beforeAngle = last;
    if (token.is(TokenKind::LParen))
      open.push_back({last.is(TokenKind::Greater) ? beforeAngle : last, 0, ""});
    else if (token.is(TokenKind::LBracket) || token.is(TokenKind::LBrace))
      open.push_back({});
    else if (!open.empty() &&
             (token.is(TokenKind::RParen) || token.is(TokenKind::RBracket) || token.is(TokenKind::RBrace)))
      open.pop_back();
    else if (!open.empty() && token.is(TokenKind::Comma))
      open.back() = {open.back().callee, open.back().commas + 1, ""};
    else if (!open.empty() && token.is(TokenKind::Equal) && last.is(TokenKind::Identifier))
      open.back().label = last.text;
    beforeLast = last;
    last = token;
  }
  if (open.empty() || !open.back().callee.is(TokenKind::Identifier))
    return std::nullopt;
  return open.back();
}

/// The parameters of `f(a, b)`: what stands between its parentheses, parted by commas.
void findParameters(Signature &signature) {
  llvm::StringRef label = signature.label;
  size_t begin = label.find('('), depth = 0;
  if (begin == llvm::StringRef::npos)
    return;
  for (size_t i = ++begin; i < label.size(); ++i) {
    bool closes = label[i] == ')' || label[i] == ']';
    if (depth == 0 && (label[i] == ',' || closes)) {
      size_t start = begin + (label.substr(begin).size() - label.substr(begin).ltrim().size());
      if (start < i)
        signature.parameters.push_back({start, i});
      begin = i + 1;
      if (closes)
        return;
    }
    depth += label[i] == '(' || label[i] == '[';
    depth -= closes && depth > 0;
  }
}

std::string fieldsOf(llvm::ArrayRef<ast::FormalDecl> formals) {
  std::string text;
  for (const ast::FormalDecl &formal : formals)
    text += (text.empty() ? "" : ", ") + formal.text();
  return text;
}

/// The layer that a model or layer of the document declares as `name`, the one around `offset` first.
const ast::ComponentDecl *layerOf(const Analysis &analysis, llvm::StringRef name, size_t offset) {
  const char *place = analysis.text().data() + offset;
  const ast::ComponentDecl *found = nullptr;
  for (const ast::ComponentDecl *component : analysis.file().components) {
    bool isAround = component->range.Start.getPointer() <= place && place <= component->range.End.getPointer();
    for (const ast::InstanceDecl &instance : component->instances) {
      auto layer = analysis.declarations().layers.find(instance.layer.text);
      if (instance.name.text == name && layer != analysis.declarations().layers.end() && (!found || isAround))
        found = layer->second;
    }
  }
  return found;
}

/// `nn(in) -> out` for a parameter that is a layer of the component around `offset`.
std::string layerParameter(const Analysis &analysis, llvm::StringRef name, size_t offset) {
  const char *place = analysis.text().data() + offset;
  auto source = [](llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); };
  for (const ast::ComponentDecl *component : analysis.file().components)
    for (const ast::ComponentParam &param : component->params)
      if (param.kind == ast::ComponentParam::Kind::Layer && param.name.text == name &&
          component->range.Start.getPointer() <= place && place <= component->range.End.getPointer())
        return name.str() + "(h: real[" + source(param.takes->range) + "]) -> real[" + source(param.gives->range) + "]";
  return "";
}

} // namespace

std::optional<Signature> lsp::signatureAt(const Analysis &analysis, size_t offset) {
  std::optional<OpenCall> call = openCall(analysis.text().take_front(offset).str());
  if (!call)
    return std::nullopt;
  llvm::StringRef name = call->callee.text;
  Signature signature;
  const Declarations &declared = analysis.declarations();
  if (const ast::ComponentDecl *layer = layerOf(analysis, name, offset); layer && !layer->bodies.empty()) {
    signature.label = name.str() + "(" + fieldsOf(layer->bodies.front().formals) + ")";
    signature.doc = documentation(layer->doc);
  } else if (std::string parameter = layerParameter(analysis, name, offset); !parameter.empty()) {
    signature.label = std::move(parameter);
  } else if (auto kind = declared.layers.find(name); kind != declared.layers.end()) {
    const Symbol *symbol = analysis.symbolAt(kind->second->name.range);
    signature.label =
        symbol ? llvm::StringRef(symbol->text).drop_while([](char c) { return c != ' '; }).ltrim().str() : "";
    signature.doc = symbol ? symbol->doc : "";
  } else if (auto function = declared.functions.find(name); function != declared.functions.end()) {
    signature.label = name.str() + "(" + fieldsOf(function->second->formals) + ")";
    signature.doc = documentation(function->second->doc);
  } else {
    signature.label = builtinUsage(name).str();
    signature.doc = builtinDoc(name).str();
  }
  if (signature.label.empty())
    return std::nullopt;
  findParameters(signature);
  signature.active = call->commas;
  for (size_t i = 0; i < signature.parameters.size() && !call->label.empty(); ++i) {
    auto [begin, end] = signature.parameters[i];
    llvm::StringRef parameter = llvm::StringRef(signature.label).slice(begin, end);
    if (parameter.split(':').first.trim() == call->label)
      signature.active = i;
  }
  return signature;
}
