//===- ImportModel.cpp - gnnc import --------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/ImportModel.h"
#include "compiler/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gnnc;

static int fail(const llvm::Twine &message, int code) {
  llvm::errs() << "gnnc: " << message << "\n";
  return code;
}

/// Whether there is a regular file of another content, such as a model that was edited.
static bool holdsOther(llvm::StringRef file, llvm::StringRef text) {
  if (file == "-" || !llvm::sys::fs::is_regular_file(file))
    return false;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(file);
  return !buffer || (*buffer)->getBuffer() != text;
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
  for (auto [file, text] : {std::pair(llvm::StringRef(model), llvm::StringRef(imported.text)),
                            std::pair(llvm::StringRef(weights), llvm::StringRef(imported.weights))})
    if (!options.existOk && model != "-" && holdsOther(file, text))
      return fail("`" + file +
                      "` exists and was changed; give `--exist-ok` to replace it, or `-o FILE` to write elsewhere",
                  exitFiles);
  if (llvm::Error error = writeOutput(model, imported.text))
    return fail(llvm::toString(std::move(error)), exitFiles);
  if (model != "-")
    if (llvm::Error error = writeOutput(weights, imported.weights))
      return fail(llvm::toString(std::move(error)), exitFiles);
  if (!options.quiet && model != "-")
    llvm::outs() << model << ", " << weights << ": " << imported.report << "\n"
                 << "next: gnnc --vjp " << model << "\n";
  return exitOk;
}
