//===- MistakesTest.cpp - What newcomers write ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes/*.md: programs of people who know PyTorch, Python or their subject. There is one diagnostic for each
// mistake, and it says what to write; how they are shown is a golden file. A second program is the first with the
// advice applied: it has no mistakes, and the code that a help names. Replacements that are suggested for all mistakes
// of a program are applied, too, and leave none.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

struct Mistake {
  std::string title, program, mended;
  std::vector<std::string> fixes;
};

std::vector<Mistake> readMistakes(llvm::StringRef text) {
  std::vector<Mistake> mistakes;
  llvm::StringRef rest = text.split("\n## ").second;
  while (!rest.empty()) {
    llvm::StringRef part;
    std::tie(part, rest) = rest.split("\n## ");
    Mistake &mistake = mistakes.emplace_back();
    mistake.title = part.split('\n').first.str();
    auto [head, program] = part.split("```gnn\n");
    auto [first, second] = program.split("```");
    mistake.program = first.str();
    mistake.mended = second.split("```gnn\n").second.split("```").first.str();
    llvm::SmallVector<llvm::StringRef> lines;
    head.split(lines, '\n');
    for (llvm::StringRef line : lines)
      if (line.consume_front("fix: "))
        mistake.fixes.push_back(line.str());
  }
  return mistakes;
}

/// The code between the last backticks of an advice; empty if it has none.
llvm::StringRef codeIn(llvm::StringRef advice) { return advice.rsplit('`').first.rsplit('`').second; }

bool hasHelp(const std::string &rendered, llvm::StringRef fix) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(rendered).split(lines, '\n');
  return llvm::any_of(lines, [&](llvm::StringRef line) { return line.starts_with("help: ") && line.contains(fix); });
}

} // namespace

TEST_CASE("each mistake of a newcomer is one message, which names the fix") {
  size_t count = 0, mendedCount = 0, fixedCount = 0;
  FrontendOptions options = defaultOptions();
  options.warnsOfUnused = true;
  for (const std::string &file : listSources("test/unit/Frontend/Mistakes", ".md")) {
    std::string shown;
    for (const Mistake &mistake : readMistakes(readSource(file))) {
      INFO(file << ": " << mistake.title);
      Outcome outcome = check(mistake.program, options);
      INFO(outcome.rendered);
      CHECK(!mistake.fixes.empty());
      CHECK(outcome.codes.size() == mistake.fixes.size());
      for (const std::string &fix : mistake.fixes) {
        INFO(fix);
        CHECK(hasHelp(outcome.rendered, fix));
        if (!mistake.mended.empty())
          CHECK(llvm::StringRef(mistake.mended).contains(codeIn(fix)));
      }
      if (!outcome.fixed.empty()) {
        Outcome fixed = check(outcome.fixed, options);
        for (int again = 0; again < 3 && !fixed.fixed.empty();
             ++again) // a list of parameters is read to its first mistake
          fixed = check(fixed.fixed, options);
        INFO(fixed.rendered);
        CHECK(!llvm::any_of(fixed.codes, [](const std::string &code) { return code.front() == 'E'; }));
        ++fixedCount;
      }
      if (!mistake.mended.empty()) {
        Outcome mended = check(mistake.mended, options);
        INFO(mended.rendered);
        CHECK(mended.codes.empty());
        ++mendedCount;
      }
      shown += "== " + mistake.title + "\n\n" + outcome.rendered + "\n";
      ++count;
    }
    const std::string folder = pathInCheckout(""); // that of the library
    for (size_t at = shown.find(folder); at != std::string::npos; at = shown.find(folder, at))
      shown.erase(at, folder.size());
    requireGolden(llvm::StringRef(file).drop_back(3).str() + ".txt", shown);
  }
  CHECK(count >= 100);
  CHECK(mendedCount >= 20);
  CHECK(fixedCount >= 20);
}
