//===- gnn-smith.cpp - Random models against the oracle -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes random models, compiles them and compares every number with the oracle's. Prints the seed that it starts from;
// models that fail are kept.
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Compile.h"
#include "test/Verify/ModelSmith.h"
#include "test/Verify/Verify.h"
#include "llvm/Support/FileSystem.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <random>

using namespace gnnc;
using namespace gnnc::verify;

namespace {

struct Options {
  CompileOptions compile;
  uint64_t seed = 0;
  int64_t count = 50;
  bool print = false;
  std::string keep = ".";
};

} // namespace

/// Empty if the model of `seed` passes; else what is wrong with it.
static std::string tryModel(const Options &options, uint64_t seed, const TemporaryFolder &folder,
                            const std::string &source) {
  Frontend frontend(frontendOptions(options.compile));
  std::string messages;
  const std::optional<CheckedModel> model = checkSource(frontend, source, messages);
  if (!model)
    return messages;
  const std::string library = folder.file("smith" + std::to_string(seed) + ".so");
  const std::string error = compileSource(options.compile, source, library);
  if (!error.empty())
    return error;
  VerifyOptions verify;
  verify.seed = seed;
  // Random compositions amplify rounding, so f32 can only show what is grossly wrong.
  verify.tolerance = options.compile.real == "f64" ? 1e-8 : 1e-3;
  std::string failures;
  std::vector<std::string> graphs = {"random", seed % 2 ? "multi" : "isolated", seed % 3 ? "one" : "empty"};
  if (seed % 5 == 0)
    graphs.push_back("hub");
  for (const std::string &name : graphs)
    for (const std::string &failure : verifyOn(*model, library, name, verify).failures)
      failures += failure + "\n";
  return failures;
}

int main(int argc, char **argv) {
  Options options;
  options.seed = std::random_device()() % 1000000 * 1000;
  options.compile.gnnc = siblingGnnc(argv[0]);
  options.compile.real = "f64";
  CLI::App app("Compiles random models and compares what they compute with the oracle.");
  app.add_option("--seed", options.seed, "of the first model (default: another one every time)");
  app.add_option("--count", options.count, "how many models, with consecutive seeds");
  app.add_option("--real", options.compile.real, "f32 or f64");
  app.add_option("--gnnc", options.compile.gnnc, "the compiler (default: beside this program)");
  app.add_option("--pass", options.compile.arguments, "an argument for gnnc")->allow_extra_args(false);
  app.add_option("--keep", options.keep, "folder for the models that fail");
  app.add_flag("--print", options.print, "print the models and do nothing else");
  CLI11_PARSE(app, argc, argv);

  std::printf("gnn-smith --seed %llu --count %lld --real %s\n", static_cast<unsigned long long>(options.seed),
              static_cast<long long>(options.count), options.compile.real.c_str());
  std::fflush(stdout);
  TemporaryFolder folder;
  int64_t failed = 0;
  for (int64_t i = 0; i < options.count; ++i) {
    const uint64_t seed = options.seed + i;
    const std::string text = ModelSmith(seed).write(), name = "smith" + std::to_string(seed) + ".gnn";
    if (options.print) {
      std::printf("// seed %llu\n%s\n", static_cast<unsigned long long>(seed), text.c_str());
      continue;
    }
    std::ofstream(folder.file(name)) << text;
    const std::string failure = tryModel(options, seed, folder, folder.file(name));
    if (failure.empty())
      continue;
    ++failed;
    std::ofstream(options.keep + "/" + name) << text;
    std::printf("%s/%s fails:\n%s\n", options.keep.c_str(), name.c_str(), failure.c_str());
    std::fflush(stdout);
  }
  std::printf("%lld of %lld models fail\n", static_cast<long long>(failed), static_cast<long long>(options.count));
  return failed ? 1 : 0;
}
