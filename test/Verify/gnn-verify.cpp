//===- gnn-verify.cpp - Compile a model and compare with the oracle -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program behind test/Execution: compiles a .gnn file in each precision, runs all of its programs over small graphs
// and compares outputs, losses and gradients with the oracle's. Prints a line for each precision; status 1 if anything
// differs.
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/Installation.h"
#include "gnn/error.hpp"
#include "test/Verify/Compile.h"
#include "test/Verify/DeviceLibrary.h"
#include "test/Verify/InProcess.h"
#include "test/Verify/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include <CLI/CLI.hpp>
#include <cstdio>

using namespace gnnc;
using namespace gnnc::verify;

namespace {

struct Options {
  CompileOptions compile;
  std::string source;
  std::vector<std::string> reals = {"f32", "f64"};
  std::vector<std::string> graphs = graphNames();
  std::vector<std::string> isas; // none: that of this machine
  uint64_t seed = 1;
  int64_t rounds = 0;
  bool onDevice = false, onGpu = false, isStreamed = false, hasRanks = false, isPulledBack = false, withOffset = false,
       withPoison = false;
  std::vector<std::string> schedule;
  std::string storage = "f32", productInputs = "f32";

  bool isNarrow() const { return storage != "f32" || productInputs != "f32"; }
  /// What rounds most.
  const std::string &narrowest() const { return productInputs != "f32" ? productInputs : storage; }
};

} // namespace

/// What is allowed where compiled code computes with `real`, stores as `storage` and multiplies `productInputs`.
static VerifyOptions allowed(const Options &options, const std::map<std::string, int64_t> &dims,
                             const std::string &real) {
  VerifyOptions verify;
  verify.checksReach = true;
  verify.dims = dims;
  verify.seed = options.seed;
  verify.withOffset = options.withOffset;
  verify.withPoison = options.withPoison;
  if (real == "f64") {
    verify.tolerance = 1e-10;
    verify.rounding = 0x1p-52;
    verify.nearTie = 1e-8;
  } else if (options.isNarrow()) {
    allowNarrow(verify, options.narrowest());
  }
  return verify;
}

/// Numbers for dimensions that stay open, as `bind` takes them: `in=7`.
static std::map<std::string, int64_t> parseDims(const std::vector<std::string> &bindings) {
  std::map<std::string, int64_t> dims;
  for (const std::string &binding : bindings) {
    const size_t equals = binding.find('=');
    if (equals != std::string::npos)
      dims[binding.substr(0, equals)] = std::strtoll(binding.c_str() + equals + 1, nullptr, 10);
  }
  return dims;
}

static bool namesTarget(const CompileOptions &options) {
  return llvm::any_of(options.arguments, [](llvm::StringRef argument) { return argument.starts_with("--target"); });
}

/// What is run, and no more: code for an instruction set takes as long to compile as all else.
static std::string targetsOf(const Options &options) {
  return options.onGpu ? gpuTargets() : options.isas.empty() ? "host" : llvm::join(options.isas, ",");
}

/// Prints what was found; whether all is well. Of storage in 16 bits, whose rounding decides much, graphs may be left
/// out, as long as nothing on them is grossly wrong.
static bool report(const Options &options, const std::string &what, const VerifyReport &total) {
  const bool isRough = options.isNarrow();
  const char *const advice = isRough ? "" : ": choose another --seed";
  for (const std::string &failure : total.failures)
    std::printf("%s: %s\n", what.c_str(), failure.c_str());
  if (total.nearTies > 0)
    std::printf("%s: %lld graphs are too near a tie%s\n", what.c_str(), static_cast<long long>(total.nearTies), advice);
  if (total.cancellations > 0)
    std::printf("%s: rounding alone moves %lld graphs by more than is allowed%s\n", what.c_str(),
                static_cast<long long>(total.cancellations), advice);
  if (total.withoutBound > 0)
    std::printf("%s: %lld graphs are not run, as rounding decides there\n", what.c_str(),
                static_cast<long long>(total.withoutBound));
  if (options.withPoison)
    std::printf("%s: %lld rows of data are NaN\n", what.c_str(), static_cast<long long>(total.poisonedRows));
  std::printf("%s: %lld arrays compared, %zu differ, largest %s error %.2g\n", what.c_str(),
              static_cast<long long>(total.arrays), total.failures.size(), options.withOffset ? "bounded" : "relative",
              total.largestError);
  constexpr double grossly = 5e-2;
  const bool isFine = isRough ? total.largestError <= grossly : total.nearTies + total.cancellations == 0;
  return total.failures.empty() && isFine && (total.arrays > 0 || total.withoutBound > 0);
}

static bool verifyReal(const Options &options, const CheckedModel &model, const std::map<std::string, int64_t> &dims,
                       const std::string &real) {
  TemporaryFolder folder;
  const std::string library = folder.file("model.so");
  CompileOptions compile = options.compile;
  compile.real = real;
  compile.arguments.push_back("--storage=" + options.storage);
  compile.arguments.push_back("--product-inputs=" + options.productInputs);
  if (options.isPulledBack)
    compile.arguments.push_back("--vjp");
  if (!namesTarget(compile))
    compile.arguments.push_back("--target=" + targetsOf(options));
  const std::string error = compileSource(compile, options.source, library);
  if (!error.empty()) {
    std::printf("%s: %s\n", real.c_str(), error.c_str());
    return false;
  }
  const VerifyOptions verify = allowed(options, dims, real);
  std::vector<std::string> isas;
  for (const std::string &isa : options.isas)
    if (llvm::is_contained(isas, isa))
      continue; // given twice, as by a test and a campaign
    else if (canRun(library, isa))
      isas.push_back(isa);
    else
      std::fprintf(stderr, "skipped: no %s on this machine\n", isa.c_str());
  if (isas.empty())
    isas.push_back(""); // the best that is there
  const std::vector<RunOptions> runs = options.onGpu          ? options.isStreamed ? gpuStreamRuns() : gpuRuns()
                                                : options.isStreamed ? streamRuns(isas.back())
                                       : options.hasRanks     ? rankRuns(isas.back())
                                       : options.isPulledBack ? pullbackRuns(isas.back())
                                                              : allRuns(isas);
  VerifyReport total;
  for (const std::string &name : options.graphs) {
    if (!isGraphName(name)) {
      std::printf("there is no graph `%s`\n", name.c_str());
      return false;
    }
    total.add(verifyOn(model, {{library, runs}}, name, verify));
  }
  return report(options, options.isNarrow() ? options.narrowest() : real, total);
}

static bool verifyOracle(const Options &options, const CheckedModel &model,
                         const std::map<std::string, int64_t> &dims) {
  const VerifyOptions verify = allowed(options, dims, "f64");
  int64_t checked = 0;
  const std::vector<std::string> failures = checkOracle(model, verify, checked);
  for (const std::string &failure : failures)
    std::printf("%s\n", failure.c_str());
  std::printf("oracle: %lld gradients against differences, %zu arrays differ\n", static_cast<long long>(checked),
              failures.size());
  return failures.empty();
}

/// The kernels of the same model on the emulated device.
static bool verifyDevice(const Options &options, const CheckedModel &model, const Frontend &frontend,
                         const std::map<std::string, int64_t> &dims) {
  TemporaryFolder folder;
  const std::string library = folder.file("model.so");
  std::unique_ptr<device::EmulatedDevice> emulated;
  InProcessCompiler compiler;
  const star::Storage storage = star::symbolizeStorage(options.storage).value_or(star::Storage::Elements);
  const std::string error =
      compiler.compile(model, frontend, {true, true, CodeEffort::Quick, RealType::F32, storage}, library, &emulated);
  if (!error.empty()) {
    std::printf("device: %s\n", error.c_str());
    return false;
  }
  auto device = std::make_shared<DeviceLibrary>(library, std::move(emulated));
  const VerifyOptions verify = allowed(options, dims, "f32");
  VerifyReport total;
  for (const std::string &name : options.graphs)
    total.add(verifyOn(model, {{library, deviceRuns(device)}}, name, verify));
  return report(options, "device", total);
}

/// One model with the sizes that are given.
static bool verifyModel(Options options, const std::map<std::string, int64_t> &dims) {
  Frontend frontend(frontendOptions(options.compile));
  std::string messages;
  std::optional<CheckedModel> model = checkSource(frontend, options.source, messages);
  if (!model) {
    std::printf("%s", messages.c_str());
    return false;
  }
  for (const std::string &text : options.schedule) {
    options.compile.arguments.push_back("--schedule=" + text);
    model->schedule.push_back(llvm::cantFail(parseScheduleRequest(text)));
  }
  if (options.onDevice)
    return verifyDevice(options, *model, frontend, dims);
  if (options.onGpu)
    return verifyReal(options, *model, dims, "f32");
  // How numbers are stored is nothing to the oracle.
  bool good = options.isNarrow() || options.isStreamed || options.hasRanks || options.isPulledBack ||
              verifyOracle(options, *model, dims);
  for (const std::string &real : options.reals)
    good = verifyReal(options, *model, dims, real) && good;
  return good;
}

/// Sizes from 1 to 17 for the dimensions that are not given; none if the model takes none of those that are drawn.
static std::optional<std::map<std::string, int64_t>>
drawWidths(const CheckedModel &model, const std::map<std::string, int64_t> &given, uint64_t seed) {
  Draw draw(seed);
  for (int attempt = 0; attempt < 50; ++attempt) {
    std::map<std::string, int64_t> dims = given;
    for (const Dimension &dim : model.dims)
      if (dim.fixed < 0 && dim.vertexType < 0)
        dims.insert({dim.name, 1 + draw.below(17)});
    if (checkBindings(model, drawScenario(model, "multi", dims, seed).bindings).empty())
      return dims;
  }
  return std::nullopt;
}

/// The model with drawn sizes, which code knows when it is compiled in every other round.
static bool verifyWidths(Options options, const std::map<std::string, int64_t> &given, int64_t round) {
  Frontend frontend(frontendOptions(options.compile));
  std::string messages;
  const std::optional<CheckedModel> model = checkSource(frontend, options.source, messages);
  if (!model)
    return false; // as without drawn sizes
  const std::optional<std::map<std::string, int64_t>> dims = drawWidths(*model, given, options.seed + 7919 * round);
  if (!dims) {
    std::printf("no sizes are drawn that the model takes\n");
    return true;
  }
  const bool areKnown = round % 2 == 0;
  std::string text;
  for (const auto &[name, size] : *dims) {
    text += " " + name + "=" + std::to_string(size);
    if (areKnown && !given.count(name))
      options.compile.defines.push_back(name + "=" + std::to_string(size));
  }
  std::printf("%s:%s\n", areKnown ? "compiled with" : "bound to", text.c_str());
  return verifyModel(options, *dims);
}

int mainOfVerify(int argc, char **argv) {
  Options options;
  std::vector<std::string> bindings;
  options.compile.gnnc = siblingGnnc(argv[0]);
  options.compile.stdlib = stdlibFolder(argv[0]);
  CLI::App app("Compiles a model and compares what it computes with the oracle.");
  app.add_option("source", options.source, "the .gnn file")->required();
  app.add_option("-D", options.compile.defines, "compiled-in value, NAME=VALUE")->allow_extra_args(false);
  app.add_option("--bind", bindings, "value of an open dimension, NAME=VALUE")->allow_extra_args(false);
  app.add_option("--real", options.reals, "precisions")->delimiter(',')->allow_extra_args(false);
  app.add_option("--graphs", options.graphs, "which graphs")->delimiter(',')->allow_extra_args(false);
  app.add_option("--isas", options.isas,
                 "instruction sets to compile for, and to run where this machine has them (default: its own)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--device", options.onDevice, "only the device functions, on the emulated device, in f32");
  app.add_flag("--gpu", options.onGpu, "only on the first GPU, with this machine's driver, in f32");
  app.add_flag("--stream", options.isStreamed,
               "only streamed, in a dozen ways of which any two settings are in one; with --gpu in six");
  app.add_flag("--ranks", options.hasRanks,
               "only by 2, 3 and 4 ranks, in nine such ways: with the bits of one process");
  app.add_flag("--vjp", options.isPulledBack,
               "only as a differentiable function, in inference and training: outputs, and gradients by parameters and "
               "inputs for drawn cotangents");
  app.add_flag(
      "--offset", options.withOffset,
      "inputs around a common offset of 1e3 to 1e7, compared within the rounding error of the model as written");
  app.add_flag("--poison", options.withPoison,
               "NaN in data that must not matter: features of edges that a filter leaves out, labels outside of the "
               "mask; for training steps also features of vertices without a loss that no other vertex reads")
      ->excludes("--offset");
  app.add_option(
         "--storage", options.storage,
         "of several reals of a vertex or an edge; in 16 bits: with f32 only, bf16 within 1e-2, f16 within 2e-3")
      ->check(CLI::IsMember({"f32", "bf16", "f16"}));
  app.add_option("--product-inputs", options.productInputs,
                 "what dense products multiply; with bf16: with f32 only, within 1e-2")
      ->check(CLI::IsMember({"f32", "bf16"}));
  app.add_option("--seed", options.seed, "of all numbers");
  app.add_option("--widths", options.rounds,
                 "also this many times with sizes from 1 to 17 in the place of those that are open or have a default, "
                 "compiled in every other time");
  app.add_option("--gnnc", options.compile.gnnc, "the compiler (default: beside this program)");
  app.add_option("--schedule", options.schedule, "a knob, as gnnc takes it")->allow_extra_args(false);
  app.add_option("--pass", options.compile.arguments, "an argument for gnnc")->allow_extra_args(false);
  CLI11_PARSE(app, argc, argv);
  if (options.isNarrow())
    options.reals = {"f32"};

  try {
    bool good = verifyModel(options, parseDims(bindings));
    for (int64_t round = 0; round < options.rounds; ++round)
      good = verifyWidths(options, parseDims(bindings), round) && good;
    return good ? 0 : 1;
  } catch (const ::gnn::Error &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
