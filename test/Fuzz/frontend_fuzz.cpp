//===- frontend_fuzz.cpp - Any bytes as a model ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lexer, parser, semantic analysis and the renderers of diagnostics. Besides not crashing and not hanging: a model
// comes out exactly when no error was reported, an error is visible in every format, and saying it again gives the same
// words.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Frontend.h"

using namespace gnnc;

namespace {

void expect(bool holds) {
  if (!holds)
    __builtin_trap();
}

std::string render(const Frontend &frontend, DiagnosticFormat format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  frontend.renderDiagnostics(os, format);
  return text;
}

/// Compiles `source`; what the user would see.
std::string compile(llvm::StringRef source, DiagnosticFormat format) {
  Frontend frontend({});
  bool loaded = frontend.loadBuffer(source, "fuzz.gnn");
  expect(loaded != frontend.diagnostics().hasErrors());
  std::string output;
  llvm::raw_string_ostream os(output);
  frontend.printAST(os);
  std::optional<CheckedModel> model = frontend.check();
  expect(model.has_value() != frontend.diagnostics().hasErrors());
  if (model)
    model->print(os);
  std::string text = render(frontend, format);
  expect(!frontend.diagnostics().hasErrors() || !text.empty());
  return output + text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef source(reinterpret_cast<const char *>(data), size);
  auto format = static_cast<DiagnosticFormat>(size % 3);
  std::string first = compile(source, format);
  if (size % 16 == 0)
    expect(compile(source, format) == first);
  return 0;
}
