//===- Sarif.cpp - Diagnostics for other tools ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sarif.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/SourcePosition.h"
#include "llvm/ADT/StringExtras.h"

using namespace gnnc;
using llvm::json::Array;
using llvm::json::Object;

/// A path as a URI: relative as it is, absolute as a file's.
static std::string uriOf(llvm::StringRef path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (unsigned char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += "%" + llvm::toHex(llvm::StringRef(reinterpret_cast<const char *>(&c), 1));
  }
  return uri;
}

static Object textOf(llvm::StringRef text) { return Object{{"text", sanitize(text)}}; }

static Object artifact(const SourcePosition &position) { return Object{{"uri", uriOf(position.file)}}; }

static Object region(llvm::SMRange range, const llvm::SourceMgr &sources) {
  SourcePosition start = locate(sources, range.Start), end = locate(sources, range.End);
  return Object{{"startLine", start.lineNumber},
                {"startColumn", start.column},
                {"endLine", end.lineNumber},
                {"endColumn", end.column}};
}

static Object location(const Diagnostic::Label &label, const llvm::SourceMgr &sources) {
  Object place{{"physicalLocation", Object{{"artifactLocation", artifact(locate(sources, label.range.Start))},
                                           {"region", region(label.range, sources)}}}};
  if (!label.text.empty())
    place["message"] = textOf(label.text);
  return place;
}

static Object fix(const Diagnostic::Help &help, const llvm::SourceMgr &sources) {
  Object replacement{{"deletedRegion", region(help.range, sources)}, {"insertedContent", textOf(help.replacement)}};
  Object change{{"artifactLocation", artifact(locate(sources, help.range.Start))},
                {"replacements", Array{std::move(replacement)}}};
  return Object{{"description", textOf(help.text)}, {"artifactChanges", Array{std::move(change)}}};
}

void SarifLog::add(const DiagnosticEngine &engine, const llvm::SourceMgr &sources) {
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    codes.insert(diagnostic.code);
    std::string message = diagnostic.message;
    if (!diagnostic.labels.empty() && !diagnostic.labels.front().text.empty())
      message += ": " + diagnostic.labels.front().text;
    for (const std::string &note : diagnostic.notes)
      message += "\nnote: " + note;
    Array locations, related, fixes;
    for (const Diagnostic::Label &label : diagnostic.labels)
      (label.primary ? locations : related).push_back(location(label, sources));
    for (const Diagnostic::Help &help : diagnostic.helps) {
      message += "\nhelp: " + help.text;
      if (help.range.isValid())
        fixes.push_back(fix(help, sources));
    }
    std::string lines; // of a message of several, each by itself
    for (llvm::StringRef rest = message; !rest.empty();) {
      auto [line, next] = rest.split('\n');
      lines += (lines.empty() ? "" : "\n") + sanitize(line);
      rest = next;
    }
    Object result{{"ruleId", codeName(diagnostic.code)},
                  {"level", isError(diagnostic.code) ? "error" : "warning"},
                  {"message", Object{{"text", lines}}},
                  {"locations", std::move(locations)}};
    if (!related.empty())
      result["relatedLocations"] = std::move(related);
    if (!fixes.empty())
      result["fixes"] = std::move(fixes);
    results.push_back(std::move(result));
  }
}

std::string SarifLog::text(llvm::StringRef version) const {
  Array rules;
  for (DiagnosticCode code : codes) {
    llvm::StringRef page = explanation(codeName(code)).value_or("");
    rules.push_back(Object{{"id", codeName(code)},
                           {"shortDescription", Object{{"text", codeTitle(code)}}},
                           {"help", Object{{"text", "gnnc explain " + codeName(code).str()}, {"markdown", page}}}});
  }
  Object driver{{"name", "gnnc"}, {"version", version}, {"rules", std::move(rules)}};
  Object run{{"tool", Object{{"driver", std::move(driver)}}},
             {"columnKind", "unicodeCodePoints"},
             {"results", Array(results)}};
  Object log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
             {"version", "2.1.0"},
             {"runs", Array{std::move(run)}}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", llvm::json::Value(std::move(log))) << '\n';
  return text;
}
