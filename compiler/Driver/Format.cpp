//===- Format.cpp - gnnc fmt ----------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Format.h"
#include "compiler/Formatter/Formatter.h"
#include "compiler/Support/InputFile.h"
#include "compiler/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <filesystem>

using namespace gnnc;
namespace fs = llvm::sys::fs;

/// The file itself, or all `.gnn` files in and below the folder; none of them if one of its folders cannot be read.
static llvm::Expected<std::vector<std::string>> filesOf(const std::string &path) {
  if (!fs::is_directory(path))
    return std::vector<std::string>{path};
  std::vector<std::string> files;
  std::error_code failure;
  for (std::filesystem::recursive_directory_iterator it(path, failure), end; !failure && it != end;
       it.increment(failure))
    if (it->path().extension() == ".gnn")
      files.push_back(it->path().string());
  if (failure)
    return llvm::createStringError(failure, "cannot read " + path + ": " + failure.message());
  llvm::sort(files);
  return files;
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "gnnc: " << message << "\n";
  return exitFiles;
}

static int formatFile(const Options &options, const std::string &path) {
  if (path != "-" && isSpecialFile(path))
    return fail("cannot read " + path + ": it is no file");
  constexpr size_t maxBytes = size_t(16) << 20; // as when it is compiled
  llvm::Expected<std::string> contents = readAtMost(path, maxBytes + 1);
  if (!contents)
    return fail("cannot read " + path + ": " + llvm::toString(contents.takeError()));
  if (contents->size() > maxBytes)
    return fail("cannot read " + path + ": a source has at most " + llvm::Twine(maxBytes >> 20) + " MiB");
  auto buffer = copyToBuffer(*contents, path == "-" ? "<stdin>" : path);
  llvm::StringRef text = buffer->getBuffer();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  DiagnosticEngine diagnostics;
  std::optional<std::string> formatted = format(text, diagnostics);
  render(diagnostics, sources, llvm::errs(), options.diagnostics, options.colour);
  if (!formatted)
    return exitDiagnostics;
  if (options.checkOnly) {
    if (*formatted == text)
      return exitOk;
    llvm::outs() << path << "\n";
    return exitDiagnostics;
  }
  if (path != "-" && *formatted == text)
    return exitOk;
  if (llvm::Error error = writeOutput(path, *formatted))
    return fail(llvm::toString(std::move(error)));
  return exitOk;
}

int gnnc::formatFiles(const Options &options) {
  int result = exitOk;
  for (const std::string &argument : options.files) {
    llvm::Expected<std::vector<std::string>> files = filesOf(argument);
    if (!files)
      result = std::max(result, fail(llvm::toString(files.takeError())));
    else
      for (const std::string &file : *files)
        result = std::max(result, formatFile(options, file));
  }
  return result;
}
