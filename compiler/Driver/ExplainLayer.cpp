//===- ExplainLayer.cpp - gnnc explain GCNConv ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page on layers of the site is made of these pages (scripts/reference-pages).
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/ExplainLayer.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gnnc;

namespace {

std::string code(llvm::SMRange range) { return "`" + sourceText(range) + "`"; }
std::string code(llvm::StringRef text) { return ("`" + text + "`").str(); }

/// A table with a row for each of `rows`; nothing if there are none.
void printTable(llvm::raw_ostream &os, llvm::ArrayRef<llvm::StringRef> heads,
                const std::vector<std::vector<std::string>> &rows) {
  if (rows.empty())
    return;
  os << "\n|";
  for (llvm::StringRef head : heads)
    os << " " << head << " |";
  os << "\n|";
  for (size_t i = 0; i < heads.size(); ++i)
    os << "---|";
  for (const std::vector<std::string> &row : rows) {
    os << "\n|";
    for (const std::string &cell : row)
      os << " " << cell << " |";
  }
  os << "\n";
}

void printOptions(llvm::raw_ostream &os, const ast::ComponentDecl &layer) {
  std::vector<std::vector<std::string>> rows;
  for (const ast::ComponentParam &param : layer.params)
    rows.push_back({code(param.name.text), code(ast::spelling(param.kind)),
                    param.fallback ? code(param.fallback->range) : "required"});
  printTable(os, {"option", "kind", "default"}, rows);
}

void printInputs(llvm::raw_ostream &os, const ast::BodyDecl &body) {
  std::vector<std::vector<std::string>> rows;
  for (const ast::FormalDecl &formal : body.formals)
    rows.push_back({code(formal.name.text), formal.ofEdges ? "edge" : "vertex", code(formal.type->range),
                    formal.fallback    ? "where it is left out: " + code(formal.fallback->range)
                    : formal.condition ? "may be left out"
                                       : "required"});
  rows.push_back({"result", body.isEdge ? "edge" : "vertex", code(body.result->range), ""});
  printTable(os, {"input", "of each", "type", ""}, rows);
}

std::string initialValue(const ast::WeightDecl &weight) {
  const std::string argument = weight.initArgument ? "(" + sourceText(weight.initArgument->range) + ")" : "";
  return weight.initializer->text.str() + argument;
}

void printWeights(llvm::raw_ostream &os, const ast::ComponentDecl &layer) {
  std::vector<std::vector<std::string>> rows;
  for (const ast::WeightDecl &weight : layer.weights)
    rows.push_back({code(weight.name.text), weight.isState ? "state" : "weight", code(weight.type.range),
                    code(weight.initializer ? initialValue(weight) : "glorot_uniform"),
                    weight.condition ? "if " + code(weight.condition->range) : "always"});
  for (const ast::InstanceDecl &instance : layer.instances)
    rows.push_back({code(instance.name.text), "layer", code(instance.layer.text), "", "always"});
  printTable(os, {"weight", "kind", "type", "begins as", "exists"}, rows);
}

} // namespace

std::optional<std::string> gnnc::explainLayer(const FrontendOptions &options, const std::string &name,
                                              std::string &suggestion) {
  Frontend frontend(options);
  if (!frontend.loadBuffer("import nn\n", "-"))
    return std::nullopt;
  const auto &layers = frontend.declared().layers;
  auto found = layers.find(name);
  if (found == layers.end()) {
    suggestion = suggest(name, std::vector<std::string>(layers.keys().begin(), layers.keys().end()));
    return std::nullopt;
  }
  const ast::ComponentDecl &layer = *found->second;
  const ast::BodyDecl &body = layer.bodies.front();
  const llvm::StringRef file = frontend.sources()
                                   .getMemoryBuffer(frontend.sources().FindBufferContainingLoc(layer.range.Start))
                                   ->getBufferIdentifier();
  const llvm::StringRef head =
      llvm::StringRef(layer.range.Start.getPointer()).take_until([](char c) { return c == '{'; });
  const std::string comment = documentation(layer.doc);
  const auto [text, inPyG] = llvm::StringRef(comment).split("PyG: ");

  std::string page;
  llvm::raw_string_ostream os(page);
  os << "# " << name << "\n\n" << text.trim() << "\n\n```gnn\n" << head.trim() << "\n```\n";
  printOptions(os, layer);
  printInputs(os, body);
  printWeights(os, layer);
  if (!inPyG.empty())
    os << "\nPyG: " << inPyG.trim() << "\n";
  os << "\nSource: `nn/" << llvm::sys::path::filename(file) << "`\n";
  return os.str();
}
