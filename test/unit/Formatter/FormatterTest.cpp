//===- FormatterTest.cpp - What holds for all formatted texts ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every .gnn file of the repository, as it is and with its blanks and line breaks changed at random. What the style
// looks like is in test/Tools/fmt.
//
//===----------------------------------------------------------------------===//

#include "compiler/Formatter/Formatter.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Parser.h"
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace gnnc;
namespace fs = std::filesystem;

namespace {

/// The tree, with the documentation of every token; empty if the text does not parse.
std::string meaning(const std::string &text) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  DiagnosticEngine diagnostics;
  ast::Arena arena;
  parse(text, arena, diagnostics).print(os);
  Lexer lexer(text, diagnostics);
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next())
    if (!token.is(TokenKind::Semicolon)) // separates; what it separated shows in the tree
      os << documentation(token.doc) << '\n';
  return diagnostics.hasErrors() ? "" : printed;
}

std::string formatted(const std::string &text) {
  DiagnosticEngine diagnostics;
  std::optional<std::string> result = format(text, diagnostics);
  REQUIRE(result);
  return *result;
}

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char *folder : {"compiler", "editors", "examples", "stdlib", "test"})
    if (fs::exists(fs::path(GNNC_SOURCE_DIR) / folder))
      for (const auto &entry : fs::recursive_directory_iterator(fs::path(GNNC_SOURCE_DIR) / folder))
        if (entry.path().extension() == ".gnn")
          files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The text with other blanks between its tokens; line breaks only where there are some, or (for `breaks`) anywhere.
std::string disturb(const std::string &text, std::mt19937 &random, bool breaks) {
  DiagnosticEngine diagnostics;
  Lexer lexer(text, diagnostics);
  std::string result;
  const char *end = text.data();
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next()) {
    std::string gap(end, token.text.begin());
    if (gap.find("//") == std::string::npos) {
      bool hasBreak = gap.find('\n') != std::string::npos;
      if (hasBreak || (breaks && random() % 4 == 0))
        gap = std::string(1 + random() % 3, '\n') + std::string(random() % 9, ' ');
      else if (!gap.empty())
        gap = std::string(1 + random() % 5, random() % 5 ? ' ' : '\t');
    }
    result += gap;
    result += token.text;
    end = token.text.end();
  }
  return result + std::string(end);
}

} // namespace

TEST_CASE("formatting keeps what every file of the repository means, and formatting twice is formatting once") {
  size_t checked = 0;
  for (const fs::path &path : sources()) {
    std::string text = read(path), before = meaning(text);
    if (before.empty())
      continue;
    INFO(path);
    std::string once = formatted(text);
    CHECK(meaning(once) == before);
    CHECK(formatted(once) == once);
    ++checked;
  }
  CHECK(checked > 40);
}

TEST_CASE("formatting holds for any blanks and line breaks") {
  std::mt19937 random(1);
  for (const fs::path &path : sources()) {
    std::string original = read(path);
    if (meaning(original).empty())
      continue;
    INFO(path);
    for (int round = 0; round < 8; ++round) {
      std::string text = disturb(original, random, round % 2);
      std::string before = meaning(text);
      if (before.empty()) // a setting that lost its value to the next line
        continue;
      INFO(text);
      std::string once = formatted(text);
      CHECK(meaning(once) == before);
      CHECK(formatted(once) == once);
    }
  }
}

TEST_CASE("only blanks within lines were changed: the canonical text comes back") {
  std::mt19937 random(2);
  std::string canonical = formatted(read(fs::path(GNNC_SOURCE_DIR) / "stdlib/nn/gated.gnn"));
  std::string disturbed;
  for (char c : canonical) {
    bool atStart = disturbed.empty() || disturbed.back() == '\n';
    disturbed += c == ' ' && !atStart ? std::string(1 + random() % 3, ' ') : std::string(1, c);
  }
  // Comments are text: only the lines without are comparable.
  auto code = [](const std::string &text) {
    std::string lines;
    std::stringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      lines += line.find("//") == std::string::npos ? line + "\n" : "";
    return lines;
  };
  CHECK(code(formatted(disturbed)) == code(canonical));
}

TEST_CASE("an `if` starts a line if it is a statement") {
  const std::string head = "layer L(d: dim, c: bool) {\n  vertex v (h: real[d]) {\n";
  CHECK(formatted(head + "let s = u.h for u -> v if (c) { s = 2*s }\nelse if c {s = s\n}\n else\n{ s = 3 }\n"
                         "return sum(s for u -> v if c) if c\nelse h } }") ==
        head + "    let s = u.h for u -> v\n    if (c) { s = 2 * s } else if c {\n      s = s\n    } else { s = 3 }\n"
               "    return sum(s for u -> v if c) if c\n        else h\n  }\n}\n");
}

TEST_CASE("a text with errors is not formatted") {
  DiagnosticEngine diagnostics;
  CHECK_FALSE(format("layer L(", diagnostics));
  CHECK(diagnostics.hasErrors());
}

TEST_CASE("empty texts and texts of comments are formatted") {
  CHECK(formatted("") == "");
  CHECK(formatted(" \n\t\n") == "");
  CHECK(formatted("\n\n// a\n\n\n//b  \n") == "// a\n\n//b\n");
  CHECK(formatted("\xef\xbb\xbf// a\r\nimport nn\r\n") == "// a\nimport nn\n");
}
