//===- gnn-smith.cpp - Random models against the oracle -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles models that nobody wrote, as the compiler does, without optimisations and without fusion, runs them over
// graphs of several kinds as a whole and in chunks, and compares every number with the oracle's. A model that fails is
// made as small as it can be.
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/Installation.h"
#include "test/Verify/Compile.h"
#include "test/Verify/Isolate.h"
#include "test/Verify/ModelSmith.h"
#include "test/Verify/Shrink.h"
#include "test/Verify/Trial.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <random>

using namespace gnnc;
using namespace gnnc::verify;

namespace {

struct Options {
  uint64_t seed = 0;
  int64_t count = 50;
  std::vector<uint64_t> seeds;
  bool print = false, first = false;
  std::string keep = ".", file;
};

struct Campaign {
  const Options &options;
  Trial &trial;
  int64_t failed = 0, scenarios = 0, nearTies = 0, cancellations = 0, withoutBound = 0, arrays = 0;

  /// Tries one text in a process of its own; empty if all is well.
  std::string run(const std::string &source, uint64_t seed) {
    const TrialResult result = isolate([&] { return trial.run(source, seed); });
    scenarios += result.scenarios;
    nearTies += result.nearTies;
    cancellations += result.cancellations;
    withoutBound += result.withoutBound;
    arrays += result.arrays;
    return result.failure;
  }

  void runSeed(uint64_t seed) { report(ModelSmith(seed).write(), seed); }

  void report(const std::string &source, uint64_t seed) {
    const std::string failure = run(source, seed);
    if (failure.empty())
      return;
    ++failed;
    std::printf("seed %llu fails:\n%s\n", static_cast<unsigned long long>(seed), failure.c_str());
    std::fflush(stdout);
    if (options.first)
      return;
    const std::string small = shrink(source, [&](const std::string &candidate) {
      return trial.isModel(candidate) && !run(candidate, seed).empty();
    });
    const std::string path = options.keep + "/smith" + std::to_string(seed) + ".gnn";
    std::ofstream(path) << small;
    std::printf("as small as it gets (gnn-smith --file %s --seed %llu):\n%s%s\n", path.c_str(),
                static_cast<unsigned long long>(seed), small.c_str(), run(small, seed).c_str());
    std::fflush(stdout);
  }
};

} // namespace

static void printModels(const Options &options) {
  for (int64_t i = 0; i < options.count; ++i)
    std::printf("// seed %llu\n%s\n", static_cast<unsigned long long>(options.seed + i),
                ModelSmith(options.seed + i).write().c_str());
}

static std::string textOf(const std::string &path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

static int runCampaign(const Options &options, Trial &trial) {
  Campaign campaign{options, trial};
  const auto start = std::chrono::steady_clock::now();
  int64_t models = options.seeds.size();
  for (uint64_t seed : options.seeds)
    campaign.runSeed(seed);
  if (!options.file.empty()) {
    campaign.report(textOf(options.file), options.seed);
    ++models;
  }
  auto goesOn = [&] { return !options.first || campaign.failed == 0; };
  for (int64_t i = 0; i < options.count && options.file.empty() && goesOn(); ++i, ++models)
    campaign.runSeed(options.seed + i);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const int64_t skipped = campaign.nearTies + campaign.cancellations;
  std::printf(
      "%lld of %lld models fail; %lld arrays compared over %lld graphs, of which %lld are skipped as near ties and "
      "%lld as cancellations (%.2f %%), and %lld are not run around an offset; %.1f models/s\n",
      static_cast<long long>(campaign.failed), static_cast<long long>(models), static_cast<long long>(campaign.arrays),
      static_cast<long long>(campaign.scenarios), static_cast<long long>(campaign.nearTies),
      static_cast<long long>(campaign.cancellations), 100.0 * skipped / std::max<int64_t>(1, campaign.scenarios),
      static_cast<long long>(campaign.withoutBound), models / seconds);
  return campaign.failed || skipped * 100 > campaign.scenarios ? 1 : 0;
}

int mainOfSmith(int argc, char **argv) {
  Options options;
  TrialOptions trial;
  options.seed = std::random_device()() % 1000000 * 1000;
  trial.stdlib = stdlibFolder(argv[0]);
  std::string real = "either";
  CLI::App app("Compiles random models and compares what they compute with the oracle.");
  app.add_option("--seed", options.seed, "of the first model (default: another one every time)");
  app.add_option("--count", options.count, "how many models, with consecutive seeds");
  app.add_option("--seeds", options.seeds, "these models before")->delimiter(',');
  app.add_option("--file", options.file, "this model instead; --seed is of its numbers");
  app.add_option("--real", real, "f32, f64, or either by the seed")->check(CLI::IsMember({"f32", "f64", "either"}));
  app.add_flag("--offset", trial.withOffsets,
               "also inputs around a common offset, in half of the trials, as gnn-verify --offset");
  app.add_flag("--poison", trial.withPoison,
               "also NaN in data that must not matter, in half of the trials, as gnn-verify --poison");
  app.add_flag("--stream", trial.isStreamed, "only streamed, in a dozen ways of which any two settings are in one");
  app.add_flag("--ranks", trial.hasRanks, "only by 2, 3 and 4 ranks, in nine such ways: with the bits of one process");
  app.add_flag("--device", trial.onDevice, "also run the device functions, on the emulated device");
  app.add_flag_callback(
      "--gpu", [&] { trial.gnnc = siblingGnnc(argv[0]); }, "also on the first GPU, with this machine's driver");
  app.add_option("--keep", options.keep, "folder for the models that fail");
  app.add_flag("--first", options.first, "end at the first model that fails, and leave it as large as it is");
  app.add_flag("--print", options.print, "print the models and do nothing else");
  CLI11_PARSE(app, argc, argv);
  if (options.print) {
    printModels(options);
    return 0;
  }
  if (real != "either")
    trial.real = real == "f64" ? RealType::F64 : RealType::F32;
  std::printf("gnn-smith --seed %llu --count %lld --real %s\n", static_cast<unsigned long long>(options.seed),
              static_cast<long long>(options.count), real.c_str());
  std::fflush(stdout);
  const TemporaryFolder first; // so that what a crash leaves goes with this process
  Trial runner(trial);
  return runCampaign(options, runner);
}
