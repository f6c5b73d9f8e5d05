//===- main.cpp - gnn-interp: run a model on the oracle -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates a .gnn model on a data set in float64 with plain loops, prints what comes out, checks its gradients and
// writes .npy files. Exit codes: 0 success, 1 the model or the data is at fault or gradients differ, 2 the command line
// is, 3 the system is.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Frontend.h"
#include "compiler/Interpreter/Context.h"
#include "compiler/Support/Installation.h"
#include "gnn/error.hpp"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/Npy.h"
#include "runtime/src/io/Safetensors.h"
#include "support/CommandLine.h"
#include "support/NumberChecks.h"
#include "support/RunTool.h"
#include "tools/gnn-interp/DataBinding.h"
#include "tools/gnn-interp/Training.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace gnnc;
using namespace gnnc::interp;

namespace {

struct Options {
  FrontendOptions frontend;
  std::string model, data, weights, split, savedWeights, dumpFolder;
  std::vector<std::string> defines, weightFiles;
  uint64_t seed = 0, step = 0;
  int64_t epochs = 0;
  std::optional<int64_t> batch;
  PairOptions pairs;
  SamplingOptions sampling;
  bool training = false, checkGradients = false, gradients = false;
};

} // namespace

static std::pair<std::string, std::string> splitAtEquals(const std::string &text) {
  const size_t at = text.find('=');
  if (at == std::string::npos)
    throw gnn::Error(GNN_ERROR_ARGUMENT, "'" + text + "' is not NAME=VALUE");
  return {text.substr(0, at), text.substr(at + 1)};
}

static OracleBindings bind(const CheckedModel &model, const gnn::rt::Dataset &dataset, const std::string &split,
                           const Options &options) {
  OracleBindings bindings;
  bindings.seed = options.seed;
  bindings.step = options.step;
  bindings.training = options.training;
  bindData(model, dataset, split, bindings);
  if (!options.weights.empty())
    for (const auto &[name, tensor] : gnn::rt::readSafetensors(options.weights).tensors)
      bindings.params[name] = toDoubles(tensor);
  for (const std::string &weight : options.weightFiles) {
    const auto [name, file] = splitAtEquals(weight);
    bindings.params[name] = toDoubles(gnn::rt::readNpy(file));
  }
  drawMissingParameters(model, options.seed, bindings);
  const std::string error = checkBindings(model, bindings);
  if (!error.empty())
    throw gnn::Error(GNN_ERROR_MISMATCH, error);
  return bindings;
}

static void report(const Options &options, const std::string &name, const std::vector<double> &numbers,
                   std::vector<int64_t> shape) {
  double sum = 0, smallest = HUGE_VAL, largest = -HUGE_VAL;
  for (double x : numbers) {
    sum += x;
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  }
  std::printf("%s: %s", name.c_str(), gnn::rt::shapeText(shape).c_str());
  if (!numbers.empty())
    std::printf(" mean %.9g, least %.9g, greatest %.9g", sum / numbers.size(), smallest, largest);
  std::printf("\n");
  if (!options.dumpFolder.empty())
    gnn::rt::writeNpy(options.dumpFolder + "/" + name + ".npy", gnn::rt::Tensor::of(numbers, shape));
}

static void reportGradients(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values,
                            const Options &options) {
  const OracleGradients gradients = differentiateLoss(model, bindings, values);
  for (size_t i = 0; i < model.values.size(); ++i)
    if (model.values[i].kind == ValueKind::Param)
      report(options, "grad." + model.values[i].name, gradients.at(model.values[i].name), values[i].shape);
}

/// Returns whether all gradients agree with differences.
static bool reportGradientCheck(const CheckedModel &model, const OracleBindings &bindings) {
  constexpr double tolerance = 1e-5;
  bool agree = true;
  for (const GradientCheck &check : checkGradients(model, bindings)) {
    agree = agree && check.maxError < tolerance;
    std::printf("gradient of %s: largest error %.3g over %lld entries, %lld at kinks skipped\n", check.name.c_str(),
                check.maxError, static_cast<long long>(check.entries), static_cast<long long>(check.skipped));
  }
  return agree;
}

/// The parameters that training over the split `train` ends with.
static void train(const CheckedModel &model, const gnn::rt::Dataset &dataset, const Options &options,
                  OracleBindings &bindings) {
  OracleBindings learning = bind(model, dataset, "train", options);
  std::optional<SampledSteps> samples;
  if (!options.sampling.fanOuts.empty())
    samples.emplace(model, options.data, learning, options.sampling);
  const double loss =
      trainModel(model, dataset, options.epochs, options.pairs, samples ? &*samples : nullptr, learning);
  std::printf("training loss: %.15g\n", loss);
  bindings.params = std::move(learning.params);
  if (options.savedWeights.empty())
    return;
  gnn::rt::Safetensors file;
  for (const Parameter &param : model.params) {
    std::vector<int64_t> shape;
    for (const DimExpr &dim : param.shape)
      shape.push_back(*evaluateDim(model, bindings, dim));
    file.tensors[param.name] = gnn::rt::Tensor::of(bindings.params.at(param.name), shape);
  }
  gnn::rt::writeSafetensors(options.savedWeights, file);
}

static int evaluateOn(const CheckedModel &model, const Options &options) {
  const std::shared_ptr<const gnn::rt::Dataset> dataset = gnn::rt::loadDataset(options.data);
  OracleBindings bindings = bind(model, *dataset, options.split, options);
  if (options.epochs > 0)
    train(model, *dataset, options, bindings);
  const OracleValues values = evaluate(model, bindings);
  for (const Output &output : model.outputs) {
    const OracleField &field = values[output.value];
    std::vector<int64_t> shape = field.shape;
    if (field.kind != GraphKind::P)
      shape.insert(shape.begin(), field.rows);
    report(options, output.name, field.data, shape);
  }
  if (model.loss >= 0)
    std::printf("loss: %.15g\n", maskedLoss(model, bindings, values));
  if (options.gradients && model.loss >= 0)
    reportGradients(model, bindings, values, options);
  return options.checkGradients && !reportGradientCheck(model, bindings) ? 1 : 0;
}

static int run(int argc, char **argv) {
  Options options;
  options.frontend.stdlibPath = stdlibFolder(argv[0]);
  CLI::App app("Evaluates a model on the reference interpreter: float64, plain loops.", "gnn-interp");
  app.add_option("model", options.model, "the .gnn file")->required();
  app.add_option("--data", options.data, "folder of the data set")->required();
  app.add_option("-D", options.defines, "value of a dimension, NAME=VALUE")->allow_extra_args(false);
  app.add_option("--layer", options.frontend.layer, "evaluate this layer alone");
  app.add_option("--given", options.frontend.given, "inputs that the layer has, of those that calls may leave out")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--weights", options.weights, "parameters, a safetensors file; missing ones are drawn from the seed");
  app.add_option("--weights-npy", options.weightFiles, "one parameter, NAME=FILE.npy")->allow_extra_args(false);
  app.add_option("--split", options.split,
                 "vertices that the loss is the mean over, or the pairs to score: train, val or test (default: all "
                 "vertices with a label; the pairs of train)");
  app.add_option("--seed", options.seed, "seed of dropout and of missing parameters");
  app.add_option("--step", options.step, "step of training, for dropout");
  CLI::Option *epochs = app.add_option("--epochs", options.epochs,
                                       "train for so many epochs first, over the split train, as gnn-train does")
                            ->check(gnn::tools::wholeNumber(0));
  CLI::Option *fanOuts = app.add_option("--fanout", options.sampling.fanOuts,
                                        "train on batches, over the edges that gnn-train draws with this");
  CLI::Option *library = app.add_option("--library", options.sampling.library,
                                        "the compiled model, which knows how far it reads; nothing is computed by it");
  fanOuts->needs(epochs)->needs(library);
  library->needs(fanOuts);
  app.add_option("--sampler", options.sampling.sampler, "with --fanout: how edges are drawn, as of gnn-train")
      ->needs(fanOuts);
  app.add_option("--batch", options.batch,
                 "with --fanout: vertices of a step, or true pairs of links (default: 1024); of links without it: true "
                 "pairs of a step (default: all)")
      ->check(gnn::tools::wholeNumber(1))
      ->needs(epochs);
  app.add_option("--negatives", options.pairs.negatives,
                 "sampled pairs for each true one, in training a model of links")
      ->check(gnn::tools::wholeNumber(1))
      ->needs(epochs);
  app.add_option("--save", options.savedWeights, "write the trained parameters to this safetensors file")
      ->needs(epochs);
  app.add_flag("--train", options.training, "with dropout");
  app.add_flag("--gradients", options.gradients, "print the gradient of the loss with respect to every parameter");
  app.add_flag("--check-gradients", options.checkGradients,
               "compare gradients with finite differences; exit code 1 if they differ");
  app.add_option("--dump", options.dumpFolder, "write what is printed to this folder as .npy files");
  if (std::optional<int> code = gnn::tools::parseArguments(app, argc, argv))
    return *code;
  if (options.batch)
    (options.sampling.fanOuts.empty() ? options.pairs.batch : options.sampling.batch) = *options.batch;
  for (const std::string &define : options.defines)
    options.frontend.defines.push_back(splitAtEquals(define));
  Frontend frontend(options.frontend);
  if (!llvm::sys::fs::exists(options.model))
    throw gnn::Error(GNN_ERROR_IO, "there is no file '" + options.model + "'");
  std::optional<CheckedModel> model;
  if (frontend.loadFile(options.model))
    model = frontend.check();
  frontend.renderDiagnostics(llvm::errs(), DiagnosticFormat::Rich);
  return model ? evaluateOn(*model, options) : 1;
}

int main(int argc, char **argv) {
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { gnn::tools::endWithoutMemory(); });
  return gnn::tools::runTool(
      "gnn-interp", [&] { return run(argc, argv); }, gnn::rt::AtomicFiles::removeTemporaries);
}
