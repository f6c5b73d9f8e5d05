//===- Protocol.cpp - Our structures as JSON --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Protocol.h"
#include "compiler/LanguageServer/Uri.h"
#include "compiler/Version.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc;
using namespace gnnc::lsp;
using nlohmann::json;

Position lsp::readPosition(const json &position) {
  return {position.at("line").get<uint32_t>(), position.at("character").get<uint32_t>()};
}

Range lsp::readRange(const json &range) { return {readPosition(range.at("start")), readPosition(range.at("end"))}; }

json lsp::toJson(const Position &position) { return {{"line", position.line}, {"character", position.character}}; }

json lsp::toJson(const Range &range) { return {{"start", toJson(range.start)}, {"end", toJson(range.end)}}; }

json lsp::toJson(const Location &location) {
  if (location.path.empty())
    return nullptr;
  return {{"uri", uriOfPath(location.path)}, {"range", toJson(location.range)}};
}

json lsp::toJson(const Edit &edit) { return {{"range", toJson(edit.range)}, {"newText", edit.text}}; }

json lsp::toJson(const CompletionItem &item) {
  // CompletionItemKind: Keyword, Function, Class, Field, Value, Property, Module
  static constexpr int kinds[] = {14, 3, 7, 5, 12, 10, 9};
  json result = {{"label", item.label}, {"kind", kinds[static_cast<unsigned>(item.kind)]}};
  if (!item.detail.empty())
    result["detail"] = item.detail;
  if (!item.doc.empty())
    result["documentation"] = {{"kind", "markdown"}, {"value", item.doc}};
  return result;
}

json lsp::toJson(const Signature &signature) {
  json parameters = json::array();
  for (auto [begin, end] : signature.parameters)
    parameters.push_back({{"label", signature.label.substr(begin, end - begin)}});
  json shown = {{"label", signature.label}, {"parameters", std::move(parameters)}};
  if (!signature.doc.empty())
    shown["documentation"] = {{"kind", "markdown"}, {"value", signature.doc}};
  return {
      {"signatures", json::array({std::move(shown)})}, {"activeSignature", 0}, {"activeParameter", signature.active}};
}

json lsp::toJson(const Symbol &symbol, const Analysis &analysis) {
  // SymbolKind: Class, Module, Function, TypeParameter, Property, Object, Method, Variable, Struct, Interface
  static constexpr int kinds[] = {5, 2, 12, 26, 7, 19, 6, 13, 23, 11};
  json children = json::array();
  for (const Symbol &child : symbol.children)
    children.push_back(toJson(child, analysis));
  const SemanticIndex::Fact *fact = analysis.factOfName(symbol.nameRange);
  return {{"name", symbol.name},
          {"detail", fact ? fact->type : ""},
          {"kind", kinds[static_cast<unsigned>(symbol.kind)]},
          {"range", toJson(analysis.range(symbol.range))},
          {"selectionRange", toJson(analysis.range(symbol.nameRange))},
          {"children", std::move(children)}};
}

json lsp::toJson(const Diagnostic &diagnostic, const Analysis &analysis) {
  std::string message = diagnostic.message;
  json related = json::array();
  // A diagnostic about another file, such as a layer of the library, is shown at the call in the document; one without
  // a place in the document is shown at its beginning.
  Range place;
  auto shown = llvm::find_if(diagnostic.labels,
                             [&](const Diagnostic::Label &label) { return analysis.isInDocument(label.range); });
  bool isPlaced = shown != diagnostic.labels.end();
  if (isPlaced)
    place = analysis.range(shown->range);
  for (const Diagnostic::Label &label : diagnostic.labels) {
    if (isPlaced && &label == &*shown) {
      message += label.text.empty() ? "" : ": " + label.text;
    } else if (json location = toJson(analysis.location(label.range)); !location.is_null()) {
      related.push_back({{"location", std::move(location)}, {"message", label.text}});
    }
  }
  for (const std::string &note : diagnostic.notes)
    message += "\nnote: " + note;
  for (const Diagnostic::Help &help : diagnostic.helps)
    message += "\nhelp: " + help.text;
  if (!isPlaced && !diagnostic.labels.empty())
    message += "\nin another file";
  json result = {{"range", toJson(place)},
                 {"severity", isError(diagnostic.code) ? 1 : 2},
                 {"code", codeName(diagnostic.code).str()},
                 {"source", "gnnc"},
                 {"message", std::move(message)},
                 {"relatedInformation", std::move(related)}};
  constexpr int unnecessary = 1;
  if (diagnostic.code == DiagnosticCode::W1003)
    result["tags"] = {unnecessary};
  return result;
}

json lsp::capabilities() {
  json types = json::array();
  for (llvm::StringRef type : tokenTypes())
    types.push_back(type.str());
  return {{"capabilities",
           {{"positionEncoding", "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", 2}}}, // incremental
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"completionProvider", {{"triggerCharacters", {"."}}}},
            {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
            {"semanticTokensProvider",
             {{"legend", {{"tokenTypes", types}, {"tokenModifiers", {declarationModifier.str()}}}}, {"full", true}}},
            {"renameProvider", {{"prepareProvider", true}}},
            {"inlayHintProvider", true},
            {"documentSymbolProvider", true},
            {"documentFormattingProvider", true},
            {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}}}},
          {"serverInfo", {{"name", "gnnc"}, {"version", gnncVersion}}}};
}
