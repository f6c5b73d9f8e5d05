//===- Compile.cpp - A source text to model and library -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Compile.h"
#include "compiler/Support/ChildProgram.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

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
  const int status = runProgram(options.gnnc, references, redirects, message, /*secondsToWait=*/120);
  if (status == 0)
    return "";
  if (auto said = llvm::MemoryBuffer::getFile(log))
    message += (*said)->getBuffer().str();
  return "gnnc ended with status " + std::to_string(status) + "\n" + message;
}

namespace {

/// The folder that all those of this process and of its forks are in. It goes with this process, also by a signal.
class ProcessFolder {
public:
  ProcessFolder() : owner(::getpid()) {
    if (std::error_code error = llvm::sys::fs::createUniqueDirectory("gnn-verify", path))
      llvm::report_fatal_error(llvm::Twine("cannot make a temporary folder: ") + error.message());
    path.c_str(); // ends with a 0 from now on, for the handler
    opened = this;
    for (int number : {SIGINT, SIGTERM, SIGHUP})
      if (std::signal(number, removeAndEnd) == SIG_IGN)
        std::signal(number, SIG_IGN);
  }
  ~ProcessFolder() {
    opened = nullptr;
    if (::getpid() == owner)
      llvm::sys::fs::remove_directories(path);
  }

  llvm::SmallString<128> path;

private:
  /// Another program does it: a signal handler may not ask for memory.
  static void removeAndEnd(int number) {
    if (opened && ::getpid() == opened->owner) {
      if (const pid_t child = ::fork(); child == 0) {
        ::execl("/bin/rm", "rm", "-rf", "--", opened->path.data(), static_cast<char *>(nullptr));
        ::_exit(127);
      } else {
        ::waitpid(child, /*status=*/nullptr, 0);
      }
    }
    std::signal(number, SIG_DFL);
    std::raise(number);
  }

  static ProcessFolder *opened;
  const pid_t owner;
};

ProcessFolder *ProcessFolder::opened = nullptr;

} // namespace

TemporaryFolder::TemporaryFolder() {
  static ProcessFolder all;
  llvm::SmallString<128> created;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory(all.path + "/folder", created))
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
