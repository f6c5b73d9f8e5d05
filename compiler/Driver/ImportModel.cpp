//===- ImportModel.cpp - gnnc import --------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/ImportModel.h"
#include "compiler/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace gnnc;

static int fail(const llvm::Twine &message, int code) {
  llvm::errs() << "gnnc: " << message << "\n";
  return code;
}

int gnnc::importExportedModel(const Options &options) {
  pt2::ImportedModel imported;
  try {
    imported = pt2::importModel(options.file, options.importStage, options.frontend.stdlibPath);
  } catch (const pt2::ImportError &error) {
    return fail(error.what(), exitDiagnostics);
  }
  if (options.importStage != pt2::Stage::Program) {
    llvm::Error error = writeOutput(options.output.empty() ? "-" : options.output, imported.text);
    return error ? fail(llvm::toString(std::move(error)), exitFiles) : exitOk;
  }
  llvm::SmallString<128> model(options.output.empty() ? llvm::sys::path::filename(options.file) : options.output);
  if (options.output.empty())
    llvm::sys::path::replace_extension(model, ".gnn");
  llvm::SmallString<128> weights(model);
  llvm::sys::path::replace_extension(weights, ".safetensors");
  if (llvm::Error error = writeOutput(model, imported.text))
    return fail(llvm::toString(std::move(error)), exitFiles);
  if (model != "-")
    if (llvm::Error error = writeOutput(weights, imported.weights))
      return fail(llvm::toString(std::move(error)), exitFiles);
  if (!options.quiet && model != "-")
    llvm::outs() << model << ", " << weights << ": " << imported.report << "\n";
  return exitOk;
}
