//===- Diagnostics.cpp - Errors and warnings of the front end ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of codes and the engine that collects diagnostics.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace gnnc;

namespace {

struct CodeEntry {
  llvm::StringLiteral name, title;
};

constexpr CodeEntry codeTable[] = {
#define DIAGNOSTIC(CODE, TITLE) {#CODE, TITLE},
#include "compiler/Frontend/DiagnosticCodes.def"
};

} // namespace

llvm::StringRef gnnc::codeName(DiagnosticCode code) { return codeTable[static_cast<size_t>(code)].name; }
llvm::StringRef gnnc::codeTitle(DiagnosticCode code) { return codeTable[static_cast<size_t>(code)].title; }

std::optional<DiagnosticCode> gnnc::parseCode(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(codeTable); ++i)
    if (codeTable[i].name == name)
      return static_cast<DiagnosticCode>(i);
  return std::nullopt;
}

Diagnostic &Diagnostic::at(const llvm::Twine &text) {
  if (place < labels.size())
    labels[place].text = text.str();
  return *this;
}

Diagnostic &Diagnostic::label(llvm::SMRange range, const llvm::Twine &text) {
  if (range.isValid())
    labels.push_back({range, text.str(), /*primary=*/false});
  return *this;
}

Diagnostic &Diagnostic::note(const llvm::Twine &text) {
  notes.push_back(text.str());
  return *this;
}

Diagnostic &Diagnostic::help(const llvm::Twine &text) {
  helps.push_back({text.str(), {}, {}});
  return *this;
}

Diagnostic &Diagnostic::fix(const llvm::Twine &text, llvm::SMRange range, const llvm::Twine &replacement) {
  if (place != 0)
    return help(text);
  helps.push_back({text.str(), range, replacement.str()});
  return *this;
}

void DiagnosticEngine::clear() {
  errors = suppressed = 0;
  kept.clear();
  seen.clear();
}

Diagnostic &DiagnosticEngine::report(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message) {
  Diagnostic diagnostic{code, message.str(), {}, {}, {}};
  if (range.isValid())
    diagnostic.labels.push_back({range, "", /*primary=*/true});
  discarded = diagnostic;
  if (muted || !seen.insert({code, range.Start.getPointer(), diagnostic.message}).second)
    return discarded;
  if (isError(code))
    ++errors;
  if (limit && kept.size() >= limit) {
    ++suppressed;
    return discarded;
  }
  kept.push_back(std::move(diagnostic));
  return kept.back();
}

Diagnostic &DiagnosticEngine::reportAtCall(DiagnosticCode code, llvm::SMRange call, llvm::SMRange range,
                                           const llvm::Twine &message) {
  Diagnostic &diagnostic = report(code, call, message);
  diagnostic.at("in this call").label(range, "");
  diagnostic.place = 1;
  return diagnostic;
}

bool DiagnosticEngine::isInLibrary(llvm::SMLoc place) const {
  const char *at = place.getPointer();
  return llvm::any_of(libraries, [&](llvm::StringRef text) { return text.begin() <= at && at <= text.end(); });
}
