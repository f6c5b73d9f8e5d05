//===- DiagnosticsTest.cpp - Every code and how it is shown -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each code has a page with a program that gives it and one that does not; how the former is shown is a golden file, as
// are further programs.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <catch2/catch.hpp>
#include <set>

using namespace gnnc;
using namespace gnnc::testing;

static const std::string goldens = "test/unit/Frontend/Diagnostics";

static std::vector<std::string> allCodes() {
  return {
#define DIAGNOSTIC(CODE, TITLE) #CODE,
#include "compiler/Frontend/DiagnosticCodes.def"
  };
}

TEST_CASE("every code has a page whose first program gives it and whose second does not") {
  FrontendOptions options = defaultOptions();
  options.warnsOfUnused = true;
  for (const std::string &code : allCodes()) {
    INFO(code);
    std::optional<llvm::StringRef> page = explanation(code);
    REQUIRE(page);
    CHECK(page->starts_with("# " + code + ": " + codeTitle(*parseCode(code)).str() + "\n"));
    std::vector<Block> blocks = fencedBlocks(*page);
    REQUIRE(blocks.size() == 2);
    if (blocks[0].info == "sh") // about files and the command line
      continue;
    CHECK(blocks[0].info == "gnn error " + code);
    Outcome failing = check(blocks[0].text, options), fixed = check(blocks[1].text, options);
    CHECK(failing.codes == std::vector<std::string>{code});
    INFO(fixed.rendered);
    CHECK(fixed.codes.empty());
    requireGolden(goldens + "/" + code + ".txt", failing.rendered);
  }
  CHECK(!explanation("E9999"));
}

/// Options in the first line of a golden program: `// -D hidden=16 --layer=L --model=M`.
static FrontendOptions optionsOf(llvm::StringRef text) {
  FrontendOptions options = defaultOptions();
  llvm::StringRef line = text.split('\n').first;
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-D" && i + 1 < words.size()) {
      auto [name, value] = words[++i].split('=');
      options.defines.push_back({name.str(), value.str()});
    } else if (words[i].consume_front("--layer=")) {
      options.layer = words[i].str();
    } else if (words[i].consume_front("--model=")) {
      options.model = words[i].str();
    }
  }
  return options;
}

TEST_CASE("golden diagnostics") {
  std::set<std::string> shown;
  for (const std::string &file : listSources(goldens, ".gnn")) {
    INFO(file);
    std::string text = readSource(file);
    Outcome outcome = check(text, optionsOf(text));
    CHECK(!outcome.codes.empty());
    shown.insert(outcome.codes.begin(), outcome.codes.end());
    requireGolden(llvm::StringRef(file).drop_back(4).str() + ".txt", outcome.rendered);
  }
  CHECK(shown.size() >= 30);
}

TEST_CASE("short and JSON forms") {
  Frontend frontend(defaultOptions());
  frontend.loadBuffer("layer L(d: dim) {\n  vertex v (h: real[d]) -> real[d] {\n\treturn é + hh\n  }\n}\n", "a.gnn");
  frontend.check(/*needsModel=*/false);
  std::string brief, json;
  llvm::raw_string_ostream briefStream(brief), jsonStream(json);
  frontend.renderDiagnostics(briefStream, DiagnosticFormat::Short);
  frontend.renderDiagnostics(jsonStream, DiagnosticFormat::Json);
  CHECK(brief == "a.gnn:3:9: error: `é` is no name [E0001]\n"
                 "a.gnn:3:13: error: unknown name `hh` [E0101]\n");
  CHECK(json.find(R"("code":"E0001")") != std::string::npos);
  CHECK(json.find(R"("end":{"byte":65,"col":10,"line":3})") != std::string::npos);
}

TEST_CASE("a name is written out only if each of its letters is known") {
  CHECK(check("fn \u03b1_1(x) = x\n").rendered.find("write it out: `alpha_1`") != std::string::npos);
  for (const char *source : {"fn na\u00efve(x) = x\n", "fn \u03b1\u00e9(x) = x\n"}) {
    Outcome outcome = check(source);
    CHECK(outcome.codes == std::vector<std::string>{"E0001"});
    CHECK(outcome.rendered.find("help:") == std::string::npos);
  }
}

TEST_CASE("an error of a layer that is used twice is reported once, and a suggestion replaces the name only") {
  Outcome outcome = check("layer L(d: dim) {\n  vertex v (h: real[d]) -> real[d] { return sum(u.hh for u -> v) }\n}\n"
                          "model M(d: dim) {\n  layer a = L(d)\n  layer b = L(d)\n  vertex v { input x: real[d]; "
                          "output y = b(a(x)) }\n}\n");
  CHECK(outcome.codes == std::vector<std::string>{"E0101"});
  CHECK(outcome.rendered.find("return sum(u.h for u -> v)") != std::string::npos);
}

TEST_CASE("at most 20 errors are shown") {
  std::string text = "layer L(d: dim) {\n  vertex v (h: real[d]) -> real[d] {\n";
  for (int i = 0; i < 30; ++i)
    text += "    let x" + std::to_string(i) + " = missing" + std::to_string(100 + i) + "\n";
  Outcome outcome = check(text + "    return h\n  }\n}\n");
  CHECK(outcome.codes.size() == 20);
  CHECK(outcome.rendered.find("10 more not shown") != std::string::npos);
}

TEST_CASE("hostile text does not reach the terminal") {
  Outcome outcome = check("layer \x1b[31m\x9b");
  CHECK(!outcome.codes.empty());
  CHECK(outcome.rendered.find('\x1b') == std::string::npos);
  CHECK(outcome.brief.find('\x1b') == std::string::npos);
}

TEST_CASE("a source is UTF-8 in its comments too") {
  Outcome outcome =
      check("/// caf\xe9\nmodel M(d: dim) {\n  vertex v { input x: real[d]; output y = x } // \xc3\xa9 \xff\n}\n");
  CHECK(outcome.brief == "test.gnn:1:8: error: the source is not valid UTF-8 [E0001]\n"
                         "test.gnn:3:52: error: the source is not valid UTF-8 [E0001]\n");
  CHECK(check("/// caf\xc3\xa9\nmodel M(d: dim) {\n  vertex v { input x: real[d]; output y = x }\n}\n").codes.empty());
}

TEST_CASE("no line of an excerpt is longer than what is shown of the source") {
  std::string sum;
  for (int i = 0; i < 1000; ++i)
    sum += "x + ";
  Outcome outcome = check("model M(d: dim) {\n  vertex v { input x: real[d]; output y = (" + sum + "x) @ x }\n}\n");
  CHECK(!outcome.codes.empty());
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(outcome.rendered).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.contains(" | "))
      continue;
    INFO(line.str());
    CHECK(line.size() < 300);
  }
}

TEST_CASE("a parenthesised operand is quoted with its parentheses") {
  Outcome outcome = check("model M(d: dim) {\n  vertex v { input x: real[d]; output y = x @ (x + x)[0] }\n}\n");
  CHECK(outcome.rendered.find("and `(x + x)[0]` is a field") != std::string::npos);
}

TEST_CASE("what is said to be aggregated in a field of edges by a layer can be") {
  std::string start = "layer L(d: dim) {\n  edge e: u -> v (h: real[d]) -> real[d] { return u.h - v.h }\n}\n"
                      "model M(d: dim) {\n  layer l = L(d)\n  vertex v {\n    input x: real[d]\n";
  Outcome outcome = check(start + "    output y = sum(l(x))\n  }\n}\n");
  CHECK(outcome.rendered.find("give it a name, `let s = l(x)`; then `sum(s for u -> v)`") != std::string::npos);
  outcome = check(start + "    let s = l(x)\n    output y = sum(s for u -> v)\n  }\n}\n");
  CHECK(outcome.rendered.empty());
}
