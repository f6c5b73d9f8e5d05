//===- Compile.cpp - A source text to model and library -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Compile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

namespace gnnc::verify {

FrontendOptions frontendOptions(const CompileOptions &options) {
  FrontendOptions result;
  result.stdlibPath = options.stdlib;
  for (const std::string &define : options.defines) {
    const size_t equals = define.find('=');
    result.defines.push_back({define.substr(0, equals), equals == std::string::npos ? "" : define.substr(equals + 1)});
  }
  return result;
}

std::optional<CheckedModel> checkSource(Frontend &frontend, const std::string &path, std::string &messages) {
  std::optional<CheckedModel> model;
  if (frontend.loadFile(path))
    model = frontend.check();
  llvm::raw_string_ostream stream(messages);
  frontend.renderDiagnostics(stream, DiagnosticFormat::Short);
  return model;
}

std::string compileSource(const CompileOptions &options, const std::string &source, const std::string &output) {
  std::vector<std::string> arguments = {options.gnnc, source, "-o", output, "--real=" + options.real};
  for (const std::string &define : options.defines)
    arguments.insert(arguments.end(), {"-D", define});
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());

  const std::string log = output + ".log";
  const std::vector<llvm::StringRef> references(arguments.begin(), arguments.end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  std::string message;
  const int status =
      llvm::sys::ExecuteAndWait(options.gnnc, references, std::nullopt, redirects, /*SecondsToWait=*/120, 0, &message);
  if (status == 0)
    return "";
  if (auto said = llvm::MemoryBuffer::getFile(log))
    message += (*said)->getBuffer().str();
  return "gnnc ended with status " + std::to_string(status) + "\n" + message;
}

TemporaryFolder::TemporaryFolder() {
  llvm::SmallString<128> created;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("gnn-verify", created))
    llvm::report_fatal_error(llvm::Twine("cannot make a temporary folder: ") + error.message());
  path = created.str().str();
}

TemporaryFolder::~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }

std::string siblingGnnc(const char *argv0) {
  llvm::SmallString<128> path(llvm::sys::fs::getMainExecutable(argv0, reinterpret_cast<void *>(&siblingGnnc)));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "gnnc");
  return path.str().str();
}

} // namespace gnnc::verify
