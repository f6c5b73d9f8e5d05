//===- FrontendTesting.cpp - Helpers of the front end's tests ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running the front end, Markdown blocks, golden files.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace gnnc;
using namespace gnnc::testing;

std::string testing::pathInCheckout(llvm::StringRef relativePath) {
  return (std::filesystem::path(GNNC_SOURCE_DIR) / relativePath.str()).string();
}

FrontendOptions testing::defaultOptions() {
  FrontendOptions options;
  options.stdlibPath = pathInCheckout("stdlib");
  options.warnsOfUnused = false; // most programs of tests leave something out
  return options;
}

/// `text`, as `sources` has it, with the first replacement that each diagnostic suggests. Empty if one suggests none.
static std::string withFixes(llvm::StringRef text, const DiagnosticEngine &engine, const llvm::SourceMgr &sources) {
  std::map<size_t, std::pair<size_t, std::string>> edits; // by offset: the length that is replaced, and by what
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    auto help = llvm::find_if(diagnostic.helps, [](const Diagnostic::Help &each) { return each.range.isValid(); });
    const unsigned buffer = help == diagnostic.helps.end() ? 0 : sources.FindBufferContainingLoc(help->range.Start);
    if (buffer == 0 || sources.getMemoryBuffer(buffer)->getBuffer() != text)
      return "";
    const char *begin = help->range.Start.getPointer();
    edits[begin - sources.getMemoryBuffer(buffer)->getBufferStart()] = {help->range.End.getPointer() - begin,
                                                                        help->replacement};
  }
  std::string fixed = edits.empty() ? "" : text.str();
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    fixed.replace(edit->first, edit->second.first, edit->second.second);
  return fixed;
}

Outcome testing::check(llvm::StringRef text, FrontendOptions options) {
  Frontend frontend(std::move(options));
  frontend.loadBuffer(text, "test.gnn");
  std::optional<CheckedModel> model = frontend.check(/*needsModel=*/false);
  Outcome outcome;
  for (const Diagnostic &diagnostic : frontend.diagnostics().diagnostics())
    outcome.codes.push_back(codeName(diagnostic.code).str());
  llvm::raw_string_ostream rendered(outcome.rendered), brief(outcome.brief), printed(outcome.model);
  frontend.renderDiagnostics(rendered, DiagnosticFormat::Rich);
  frontend.renderDiagnostics(brief, DiagnosticFormat::Short);
  if (model)
    model->print(printed);
  outcome.fixed = withFixes(text, frontend.diagnostics(), frontend.sources());
  return outcome;
}

std::string testing::layerModel(llvm::StringRef text) {
  FrontendOptions options = defaultOptions();
  options.layer = "L";
  Outcome outcome = check(text, options);
  INFO(outcome.rendered);
  CHECK(outcome.codes.empty());
  return outcome.model;
}

std::vector<Block> testing::fencedBlocks(llvm::StringRef markdown) {
  std::vector<Block> blocks;
  bool inside = false;
  while (!markdown.empty()) {
    auto [line, rest] = markdown.split('\n');
    markdown = rest;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside)
        blocks.push_back({line.drop_front(3).trim().str(), ""});
    } else if (inside) {
      blocks.back().text += line.str() + "\n";
    }
  }
  return blocks;
}

std::string testing::readSource(llvm::StringRef relativePath) {
  std::ifstream file(pathInCheckout(relativePath), std::ios::binary);
  INFO(relativePath.str());
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> testing::listSources(llvm::StringRef folder, llvm::StringRef ending) {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(pathInCheckout(folder)))
    if (llvm::StringRef(entry.path().filename().string()).ends_with(ending))
      files.push_back(folder.str() + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

void testing::requireGolden(llvm::StringRef relativePath, llvm::StringRef actual) {
  if (std::getenv("GNNC_UPDATE_GOLDEN")) {
    std::ofstream(pathInCheckout(relativePath), std::ios::binary) << actual.str();
    return;
  }
  INFO("golden file " << relativePath.str() << "; set GNNC_UPDATE_GOLDEN=1 to rewrite it");
  CHECK(readSource(relativePath) == actual.str());
}
