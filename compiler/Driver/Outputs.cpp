//===- Outputs.cpp - The files that gnnc writes ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Outputs.h"
#include "compiler/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gnnc;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string gnnc::outputPath(const Options &options) {
  if (!options.output.empty())
    return options.output;
  llvm::StringRef extension = options.emit == Emit::Object ? ".o" : options.emit == Emit::Cubin ? ".cubin" : ".so";
  return (path::stem(options.file) + extension).str();
}

std::string gnnc::companionPath(const Options &options, llvm::StringRef extension) {
  llvm::SmallString<128> file(outputPath(options));
  path::replace_extension(file, extension);
  return file.str().str();
}

/// Each with what names it on the command line.
static std::vector<std::pair<llvm::StringRef, std::string>> outputsOf(const Options &options) {
  std::vector<std::pair<llvm::StringRef, std::string>> outputs = {{"-o", options.output},
                                                                  {"--sarif", options.sarif},
                                                                  {"--depfile", options.depfile},
                                                                  {"--remarks", options.remarks}};
  const bool isLinked = options.emit == Emit::SharedLibrary || options.emit == Emit::Object;
  if (options.command == Command::Compile && (isLinked || options.emit == Emit::Cubin))
    outputs.emplace_back("-o", outputPath(options));
  if (options.command == Command::Compile && isLinked)
    for (llvm::StringRef extension : {headerExtension, cppHeaderExtension, manifestExtension})
      outputs.emplace_back("-o", companionPath(options, extension));
  return outputs;
}

bool gnnc::wouldLoseSource(const Options &options, llvm::ArrayRef<std::string> read) {
  for (const auto &[option, file] : outputsOf(options)) {
    if (file.empty() || file == "-" || !fs::exists(file) || isSpecialFile(file))
      continue;
    const bool isRead =
        llvm::any_of(read, [&, &file = file](const std::string &other) { return fs::equivalent(file, other); });
    if (!isRead && path::extension(file) != ".gnn")
      continue;
    llvm::errs() << "gnnc: " << option << ": " << file << (isRead ? " was read" : " is a source")
                 << ", and would be overwritten; name another file to write\n";
    return true;
  }
  return false;
}
