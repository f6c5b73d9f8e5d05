//===- ProgramsTest.cpp - Whole programs ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The examples of the specification, the standard library, the models in examples/, and the syntax tree's printed form.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include "compiler/Frontend/Parser.h"
#include "llvm/Support/Path.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

static std::string printedTree(llvm::StringRef text) {
  ast::Arena arena;
  DiagnosticEngine diagnostics;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  parse(std::string(text).c_str(), arena, diagnostics).print(os);
  CHECK(!diagnostics.hasErrors());
  return printed;
}

static std::vector<std::string> programs() {
  std::vector<std::string> files{"examples/gcn/gcn.gnn", "examples/gcn/gcn_dense.gnn", "examples/gat/gat.gnn"};
  for (const std::string &file : listSources("stdlib/nn", ".gnn"))
    files.push_back(file);
  return files;
}

TEST_CASE("programs that ship are in order") {
  for (const std::string &file : programs()) {
    FrontendOptions options = defaultOptions();
    options.importPaths = {pathInCheckout(llvm::sys::path::parent_path(file))};
    Outcome outcome = check(readSource(file), options);
    INFO(file << '\n' << outcome.rendered);
    CHECK(outcome.codes.empty());
  }
}

TEST_CASE("a printed tree parses to the same tree") {
  for (const std::string &file : programs()) {
    INFO(file);
    std::string once = printedTree(readSource(file));
    CHECK(!once.empty());
    CHECK(printedTree(once) == once);
  }
}

TEST_CASE("the specification's examples") {
  size_t failing = 0, good = 0;
  for (const Block &block : fencedBlocks(readSource("docs/language.md"))) {
    llvm::StringRef info = block.info;
    if (!info.consume_front("gnn"))
      continue;
    Outcome outcome = check(block.text);
    INFO(block.text << '\n' << outcome.rendered);
    std::vector<std::string> expected;
    if (info.consume_front(" error "))
      expected.push_back(info.str());
    CHECK(outcome.codes == expected);
    ++(expected.empty() ? good : failing);
  }
  CHECK(good >= 9);
  CHECK(failing >= 10);
}

TEST_CASE("the GCN example as a checked model") {
  Outcome outcome = check(readSource("examples/gcn/gcn.gnn"));
  requireGolden("test/unit/Frontend/gcn.txt", outcome.model);
}

TEST_CASE("the GAT layer of the standard library, alone") {
  FrontendOptions options = defaultOptions();
  options.layer = "GATConv";
  Outcome outcome = check(readSource("stdlib/nn/gat.gnn"), options);
  requireGolden("test/unit/Frontend/gat_layer.txt", outcome.model);
}

TEST_CASE("dimensions are fixed by -D after checking") {
  FrontendOptions options = defaultOptions();
  options.defines = {{"in", "1433"}, {"hidden", "32"}};
  Outcome outcome = check(readSource("examples/gcn/gcn.gnn"), options);
  CHECK(outcome.codes.empty());
  CHECK(outcome.model.find("dim in fixed 1433") != std::string::npos);
  CHECK(outcome.model.find("dim hidden fixed 32 default 16") != std::string::npos);
  CHECK(outcome.model.find("param conv1.W : [1433, 32] glorot_uniform fan 1433, 32") != std::string::npos);
  CHECK(outcome.model.find("vertices 1 x.columns rows 1433") != std::string::npos);
  CHECK(outcome.model.find("matmul") != std::string::npos);
}

TEST_CASE("a file may hold several models") {
  std::string text = "model A(d: dim) { vertex v { input x: real[d]; output a = x } }\n"
                     "model B(d: dim) { vertex v { input x: real[d]; output b = x } }\n";
  CHECK(check(text).model.find("model B") == 0);
  FrontendOptions options = defaultOptions();
  options.model = "A";
  CHECK(check(text, options).model.find("model A") == 0);
}

TEST_CASE("CRLF, a byte order mark and missing newlines make no difference") {
  std::string text = readSource("examples/gcn/gcn.gnn"), crlf;
  for (char c : text)
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(check("\xef\xbb\xbf" + crlf).model == check(text).model);
}
