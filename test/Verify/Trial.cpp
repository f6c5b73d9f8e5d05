//===- Trial.cpp - One model, compiled in every way -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Trial.h"
#include "compiler/Interpreter/Context.h"
#include "test/Verify/DeviceLibrary.h"
#include "test/Verify/Scenario.h"
#include <fstream>

namespace gnnc::verify {

static FrontendOptions frontendOptions(const TrialOptions &options) {
  FrontendOptions result;
  result.stdlibPath = options.stdlib;
  return result;
}

/// What is drawn of a trial beside its graphs and numbers.
namespace {
struct Draws {
  bool hasSizes; // the sizes of dimensions are given, as by -D: other ways through the compiler
  bool isDouble; // computes in f64
  Isa isa;       // one of those that this machine runs
  bool withOffset, withPoison;

  explicit Draws(uint64_t seed) {
    Draw draw(seed ^ 0x7472696c); // no bit of the seed may decide two things
    hasSizes = draw.chance(0.5);
    isDouble = draw.chance(0.5);
    isa = allIsas()[draw.below(int64_t(hostIsa().value()) + 1)];
    withOffset = draw.chance(0.5);
    withPoison = draw.chance(0.5);
  }
};
} // namespace

static std::vector<std::pair<std::string, std::string>> sizesFor(uint64_t seed, const CheckedModel &model) {
  std::vector<std::pair<std::string, std::string>> defines;
  if (Draws(seed).hasSizes)
    for (const Dimension &dim : model.dims)
      if (dim.fallback > 0)
        defines.emplace_back(dim.name, std::to_string(dim.fallback));
  return defines;
}

/// `options` with the sizes that `source` has in the trial.
static FrontendOptions sizedOptions(FrontendOptions options, const std::string &source, uint64_t seed) {
  Frontend open(options);
  if (open.loadBuffer(source, "smith.gnn"))
    if (const std::optional<CheckedModel> model = open.check())
      options.defines = sizesFor(seed, *model);
  return options;
}

bool Trial::isModel(const std::string &source) const {
  Frontend frontend(frontendOptions(options));
  return frontend.loadBuffer(source, "smith.gnn") && frontend.check();
}

/// How many numbers the oracle keeps of all values of the model, over a graph of kind `graph`.
static int64_t numNumbers(const CheckedModel &model, const std::string &graph, uint64_t seed) {
  const OracleBindings bindings = drawScenario(model, graph, /*dims=*/{}, seed).bindings;
  const OracleContext context(model, bindings);
  int64_t numbers = 0;
  for (const Value &value : model.values) {
    if (value.type.kind == GraphKind::P)
      continue;
    int64_t size = value.type.kind == GraphKind::V ? context.numVertices(value.type.type)
                                                   : int64_t(context.relation(value.type.type).src.size());
    for (const DimExpr &dim : value.type.shape)
      size *= evaluateDim(model, bindings, dim).value_or(1);
    numbers += size;
  }
  return numbers;
}

/// A few kinds of graphs for each seed, so that all come up often. The hub has up to 10,000 edges, of which the oracle
/// keeps all numbers several times: a model with many numbers for each edge is not tried on it, for want of memory.
static std::vector<std::string> graphsFor(uint64_t seed, const CheckedModel &model) {
  constexpr int64_t mostNumbers = 80000000; // some 4 GB
  static const std::vector<std::string> small = {"multi", "isolated", "loop", "lopsided"}, tiny = {"one", "empty"};
  std::vector<std::string> graphs = {seed % 2 ? "random" : "half", small[seed % 4], tiny[seed / 4 % 2]};
  if (seed % 16 == 5 && numNumbers(model, "hub", seed) <= mostNumbers)
    graphs.push_back("hub");
  return graphs;
}

namespace {
struct Way {
  const char *name;
  CompileVariant variant;
  std::vector<RunOptions> runs;
};
} // namespace

static void add(TrialResult &result, const VerifyReport &report) {
  for (const std::string &failure : report.failures)
    result.failure += failure + "\n";
  result.scenarios += report.scenarios;
  result.nearTies += report.nearTies;
  result.cancellations += report.cancellations;
  result.withoutBound += report.withoutBound;
  result.arrays += report.arrays;
}

/// The optimised model with numbers stored in 16 bits. What rounding so much makes of random compositions says little,
/// so what rounding or a near tie may explain is no skipped graph here.
void Trial::runNarrow(const CheckedModel &model, const Frontend &frontend, uint64_t seed, TrialResult &result) {
  const star::Storage storage = seed % 8 < 4 ? star::Storage::Bf16 : star::Storage::F16;
  const std::string name = star::stringifyStorage(storage).str();
  TemporaryFolder folder;
  const std::string library = folder.file("narrow.so");
  const CompileVariant variant = {true, true, CodeEffort::Quick, RealType::F32, storage};
  if (const std::string error = compiler.compile(model, frontend, variant, library); !error.empty()) {
    result.failure += name + ": " + error + "\n";
    return;
  }
  VerifyOptions verify;
  verify.seed = seed;
  allowNarrow(verify, name);
  for (const std::string &graph : graphsFor(seed, model)) {
    VerifyReport report = verifyOn(model, {{library, allRuns({""}), name}}, graph, verify);
    report.nearTies = report.cancellations = 0;
    add(result, report);
  }
}

/// The kernels of the optimised model on the emulated device, which computes with f32.
void Trial::runOnDevice(const CheckedModel &model, const Frontend &frontend, uint64_t seed, TrialResult &result) {
  TemporaryFolder folder;
  const std::string library = folder.file("device.so");
  std::unique_ptr<device::EmulatedDevice> emulated;
  const std::string error =
      compiler.compile(model, frontend, {true, true, CodeEffort::Quick, RealType::F32}, library, &emulated);
  if (!error.empty()) {
    result.failure += "device: " + error + "\n";
    return;
  }
  auto device = std::make_shared<DeviceLibrary>(library, std::move(emulated));
  VerifyOptions verify;
  verify.seed = seed;
  verify.tolerance = 1e-3; // of f32, as below
  for (const std::string &name : graphsFor(seed, model))
    add(result, verifyOn(model, {{library, deviceRuns(device), "device"}}, name, verify));
}

/// In half of the trials a given number of threads of a device share a row.
static int64_t forcedThreads(uint64_t seed) { return seed % 2 == 0 ? int64_t(1) << seed / 2 % 6 : 0; }

/// The library of the optimised model through the machine's driver, compiled as users do.
void Trial::runOnGpu(const CheckedModel &model, const std::string &source, const FrontendOptions &sized, uint64_t seed,
                     TrialResult &result) {
  TemporaryFolder folder;
  const std::string file = folder.file("smith.gnn"), library = folder.file("gpu.so");
  std::ofstream(file) << source;
  CompileOptions compile;
  compile.gnnc = options.gnnc;
  compile.arguments = {"--target=" + gpuTargets()};
  if (const int64_t threads = forcedThreads(seed))
    compile.arguments.push_back("--schedule=threads=" + std::to_string(threads));
  for (const auto &[name, size] : sized.defines)
    compile.defines.push_back(name + "=" + size);
  if (const std::string error = compileSource(compile, file, library); !error.empty()) {
    result.failure += "gpu: " + error + "\n";
    return;
  }
  VerifyOptions verify;
  verify.seed = seed;
  verify.tolerance = 1e-3; // of f32, as below
  for (const std::string &name : graphsFor(seed, model))
    add(result, verifyOn(model, {{library, gpuRuns(), "gpu"}}, name, verify));
}

/// What `Draws` adds of numbers that hide nothing: on graphs that are neither large nor without edges.
void Trial::runHostile(const CheckedModel &model, const std::vector<Candidate> &candidates, VerifyOptions verify,
                       uint64_t seed, TrialResult &result) {
  const Draws draws(seed);
  const std::vector<std::string> graphs = graphsFor(seed, model);
  if (options.withOffsets && draws.withOffset) {
    verify.withOffset = true;
    add(result, verifyOn(model, candidates, graphs[0], verify));
    add(result, verifyOn(model, candidates, graphs[1], verify));
    verify.withOffset = false;
  }
  if (options.withPoison && draws.withPoison) {
    verify.withPoison = true;
    add(result, verifyOn(model, candidates, seed % 2 ? "multi" : "isolated", verify));
  }
}

TrialResult Trial::run(const std::string &source, uint64_t seed) {
  TrialResult result;
  const FrontendOptions sized = sizedOptions(frontendOptions(options), source, seed);
  Frontend frontend(sized);
  std::optional<CheckedModel> model;
  if (frontend.loadBuffer(source, "smith.gnn"))
    model = frontend.check();
  if (!model) {
    llvm::raw_string_ostream stream(result.failure);
    frontend.renderDiagnostics(stream, DiagnosticFormat::Short);
    return result;
  }
  if (const int64_t threads = forcedThreads(seed))
    model->schedule.push_back({"", findKnob("threads"), threads, /*mayMiss=*/true});
  const Draws draws(seed);
  const RealType real = options.real.value_or(draws.isDouble ? RealType::F64 : RealType::F32);
  TemporaryFolder folder;
  // Code is worth LLVM's effort once: what is compared is our own passes.
  std::vector<Way> ways = {{"optimised", {true, true, CodeEffort::Full, real}, allRuns({""})},
                           {"unoptimised", {false, true, CodeEffort::Quick, real}, {RunOptions()}},
                           {"unfused", {true, false, CodeEffort::Quick, real}, {RunOptions()}}};
  const bool isOneExecutor = options.isStreamed || options.hasRanks;
  if (isOneExecutor)
    ways = {{"optimised", {true, true, CodeEffort::Quick, real}, options.isStreamed ? streamRuns("") : rankRuns("")}};
  else if (seed % 4 == 1)
    ways.push_back({"keeping the least",
                    {true, true, CodeEffort::Quick, real, star::Storage::Elements, gnn::Keep::Least},
                    {RunOptions()}});
  std::vector<Candidate> candidates;
  for (Way &way : ways) {
    way.variant.isa = draws.isa;
    const std::string library = folder.file(std::string(way.name) + ".so");
    const std::string error = compiler.compile(*model, frontend, way.variant, library);
    if (error.empty())
      candidates.push_back({library, way.runs, way.name});
    else
      result.failure += std::string(way.name) + ": " + error + "\n";
  }
  VerifyOptions verify;
  verify.seed = seed;
  // Random compositions amplify rounding, so f32 can only show what is grossly wrong.
  const bool isDouble = real == RealType::F64;
  verify.tolerance = isDouble ? 1e-8 : 1e-3;
  verify.rounding = isDouble ? 0x1p-52 : 0x1p-23;
  verify.nearTie = isDouble ? 1e-6 : 1e-4;
  for (const std::string &name : graphsFor(seed, *model))
    add(result, verifyOn(*model, candidates, name, verify));
  runHostile(*model, candidates, verify, seed, result);
  if (seed % 4 == 3 && !isOneExecutor)
    runNarrow(*model, frontend, seed, result);
  if (options.onDevice)
    runOnDevice(*model, frontend, seed, result);
  if (!options.gnnc.empty())
    runOnGpu(*model, source, sized, seed, result);
  if (!result.failure.empty()) {
    result.failure +=
        "compiled with --real=" + std::string(isDouble ? "f64" : "f32") + " --target=" + isaName(draws.isa).str();
    for (const auto &[name, size] : sized.defines)
      result.failure += " -D " + name + "=" + size;
    result.failure += "\n";
  }
  return result;
}

} // namespace gnnc::verify
