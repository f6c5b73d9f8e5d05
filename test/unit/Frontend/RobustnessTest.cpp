//===- RobustnessTest.cpp - Any bytes at all --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever the input, the front end ends, and either accepts it or says why not, with locations inside the file.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <catch2/catch.hpp>
#include <random>

using namespace gnnc;
using namespace gnnc::testing;

/// Runs everything on `text`; fails on silence.
static void survive(const std::string &text) {
  Frontend frontend(defaultOptions());
  frontend.loadBuffer(text, "fuzz.gnn");
  std::optional<CheckedModel> model = frontend.check();
  INFO(text);
  REQUIRE(model.has_value() != frontend.diagnostics().hasErrors());
  REQUIRE((model || !frontend.diagnostics().diagnostics().empty()));
  std::string sink;
  llvm::raw_string_ostream os(sink);
  frontend.printAST(os);
  frontend.renderDiagnostics(os, DiagnosticFormat::Rich, /*colour=*/true);
  frontend.renderDiagnostics(os, DiagnosticFormat::Json);
  if (model)
    model->print(os);
}

TEST_CASE("mutated programs") {
  std::vector<std::string> seeds{readSource("examples/gcn/gcn.gnn"), readSource("examples/gat/gat.gnn")};
  for (const std::string &file : listSources("stdlib/nn", ".gnn"))
    seeds.push_back(readSource(file));
  for (const std::string &file : listSources("test/Fuzz/corpus/frontend", ".gnn"))
    seeds.push_back(readSource(file));
  static const char *const pieces[] = {"{",      "}",    "(",  ")",   "[",  "]",  "let ",     "for u -> v",
                                       " if ",   "sum(", "u.", "e: ", "\0", "@",  "1e99",     "999",
                                       "repeat", "\n",   "->", "<",   ">",  "==", "dropout(", "\xff\xfe"};
  std::mt19937 random(1);
  for (int round = 0; round < 1500; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (unsigned edits = 1 + random() % 4; edits--;) {
      size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
      case 0:
        text.erase(at, random() % 20);
        break;
      case 1:
        text.insert(at, pieces[random() % std::size(pieces)]);
        break;
      case 2:
        text.insert(at, text.substr(random() % (text.size() + 1), random() % 60));
        break;
      default:
        if (at < text.size())
          text[at] = static_cast<char>(random());
      }
    }
    survive(text);
  }
}

TEST_CASE("extreme inputs") {
  survive("");
  survive(std::string(1, '\0'));
  survive("\xef\xbb\xbf// only a comment");
  survive(std::string(100'000, '('));
  survive(std::string(100'000, '{'));
  survive("fn f(x) = " + std::string(100'000, '-') + "x");
  std::string chain = "fn f(x) = x", nots = "fn f(x) = ";
  for (int i = 0; i < 50'000; ++i) {
    chain += " + x";
    nots += "not ";
  }
  survive(chain);
  survive(nots + "x");
  survive("fn f(x) = x" + std::string(100'000, '.') + "y");
  survive("model M(" + std::string(50'000, 'a') + ": dim) {}");
}

TEST_CASE("expansion is limited") {
  auto chain = [](const std::string &first, auto &&next) {
    std::string text = first;
    for (int i = 1; i < 40; ++i)
      text += next(std::to_string(i), std::to_string(i - 1));
    return text;
  };
  const std::string body = " vertex v (h: real[d]) -> real[d] { return ";
  // Functions that call twice, layers that hold two layers, repetitions of nothing.
  std::string functions = chain("fn g0(x) = x + x\n", [](const std::string &i, const std::string &previous) {
    return "fn g" + i + "(x) = g" + previous + "(g" + previous + "(x))\n";
  });
  CHECK(check(functions + "layer L(d: dim) {" + body + "g39(h) } }\n").codes == std::vector<std::string>{"E0602"});
  std::string layers =
      chain("layer A0(d: dim) {" + body + "h } }\n", [&](const std::string &i, const std::string &previous) {
        return "layer A" + i + "(d: dim) { layer a = A" + previous + "(d) layer b = A" + previous + "(d)" + body +
               "h } }\n";
      });
  CHECK(check(layers).codes == std::vector<std::string>{"E0602"});
  std::string repeats;
  for (int i = 0; i < 8; ++i)
    repeats = "repeat 4096 { " + repeats + " }";
  CHECK(check("layer L(d: dim) { vertex v (h: real[d]) -> real[d] { " + repeats + " return h } }").codes ==
        std::vector<std::string>{"E0602"});
}

TEST_CASE("operations in a row have a limit, which sums and products begin anew") {
  const auto codes = [](const std::string &between) {
    const std::string row = "repeat 1000 { z = tanh(z) } ";
    return check("layer L(d: dim, k: dim) { param W: real[d, k] param U: real[k, d] vertex v (h: real[d]) -> real[d] { "
                 "let z = h " +
                 row + between + row + " return z } }")
        .codes;
  };
  CHECK(codes("") == std::vector<std::string>{"E0602"});
  CHECK(codes("z = z + z ") == std::vector<std::string>{"E0602"});
  CHECK(codes("z = sum(u.z for u -> v) ").empty());
  CHECK(codes("z = (z @ W) @ U ").empty());
}

TEST_CASE("evaluation does not run out of stack") {
  std::string text = "fn g0(x) = x\n";
  for (int i = 1; i < 40; ++i)
    text += "fn g" + std::to_string(i) + "(x) = " + std::string(200, '-') + "g" + std::to_string(i - 1) + "(x)\n";
  Outcome outcome = check(text + "layer L(d: dim) { vertex v (h: real[d]) -> real[d] { return g39(h) } }\n");
  CHECK(outcome.codes == std::vector<std::string>{"E0005"});
}

TEST_CASE("nor do blocks that nest across layers") {
  std::string text, open, close(200, '}');
  for (int i = 0; i < 200; ++i)
    open += "repeat 1 { ";
  for (int i = 0; i < 40; ++i) {
    bool isFirst = i == 0;
    text += "layer A" + std::to_string(i) + "(d: dim) { " +
            (isFirst ? "" : "layer l = A" + std::to_string(i - 1) + "(d)") + " vertex v (h: real[d]) -> real[d] { " +
            open + (isFirst ? "h = h" : "h = l(h)") + close + " return h } }\n";
  }
  Outcome outcome = check(text);
  CHECK(outcome.codes.size() > 1);
  for (const std::string &code : outcome.codes)
    CHECK(code == "E0005");
}

TEST_CASE("very many errors take no longer") {
  std::string text = "layer L(d: dim) {\n  vertex v (h: real[d]) -> real[d] {\n";
  for (int i = 0; i < 50'000; ++i)
    text += "    let x" + std::to_string(i) + " = missing" + std::to_string(i) + "\n";
  CHECK(check(text + "    return h\n  }\n}\n").codes.size() == 20);
}

TEST_CASE("a file that is too large") {
  Frontend frontend(defaultOptions());
  CHECK(!frontend.loadBuffer(std::string((16 << 20) + 1, ' '), "large.gnn"));
  CHECK(codeName(frontend.diagnostics().diagnostics().front().code) == "E0602");
  Frontend folder(defaultOptions());
  CHECK(!folder.loadFile(GNNC_SOURCE_DIR));
  CHECK(codeName(folder.diagnostics().diagnostics().front().code) == "E0601");
}
