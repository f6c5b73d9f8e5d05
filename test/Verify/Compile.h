//===- Compile.h - A source text to model and library -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a source for the oracle in this process and compiles it with the gnnc program in another, so that a crash is a
// result.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_COMPILE_H
#define GNNC_TEST_VERIFY_COMPILE_H

#include "compiler/Frontend/Frontend.h"

namespace gnnc::verify {

struct CompileOptions {
  std::string gnnc;   // path of the program
  std::string stdlib; // folder that holds nn/, for the model that the oracle gets
  std::string real = "f32";
  std::vector<std::string> defines;   // NAME=VALUE
  std::vector<std::string> arguments; // passed on as they are
};

/// The checked model, or none and what the front end says in `messages`. `frontend` keeps the source and must outlive
/// the model.
std::optional<CheckedModel> checkSource(Frontend &frontend, const std::string &path, std::string &messages);

FrontendOptions frontendOptions(const CompileOptions &options);

/// Compiles `source` to the library `output`. Empty on success, else what gnnc said or how it ended.
std::string compileSource(const CompileOptions &options, const std::string &source, const std::string &output);

/// A folder for this process's files, removed with all that is in it at the end, or when a signal ends the process. Those
/// that its forks leave behind are removed too, if it has made a folder before.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

/// The gnnc program beside the one that runs.
std::string siblingGnnc(const char *argv0);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_COMPILE_H
