//===- CoraTest.cpp - Compiled models against reference results -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The example GCN and an attention layer, compiled in f32 and f64, on Cora with fixed weights against float64 results
// that NumPy computed (shared/data/ref): within 1e-5 and 1e-10 of the largest reference value.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Npy.h"
#include "test/Verify/Compile.h"
#include "test/Verify/CompiledRun.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

using namespace gnnc;
using namespace gnnc::verify;

static const std::string sharedData = GNNC_SHARED_DATA;
static const std::string gatFolder = "ref/cora_gat/dense64_heads8/";

static std::vector<double> load(const std::string &file) {
  const gnn::rt::Tensor tensor = gnn::rt::readNpy(sharedData + "/" + file);
  const gnn::rt::Tensor doubles = tensor.element() == GNN_F64 ? tensor : tensor.converted(GNN_F64, file);
  return {doubles.data<double>(), doubles.data<double>() + doubles.count()};
}

static std::vector<int64_t> loadIds(const std::string &file) {
  const std::vector<double> numbers = load(file);
  return {numbers.begin(), numbers.end()};
}

static bool dataIsHere() {
  if (!sharedData.empty() && std::ifstream(sharedData + "/cora/edge_index.npy"))
    return true;
  WARN("skipped: no reference results at GNNC_SHARED_DATA (" << sharedData << ")");
  return false;
}

static void checkClose(const std::string &what, const std::vector<double> &actual, const std::vector<double> &expected,
                       double tolerance) {
  INFO(what);
  REQUIRE(actual.size() == expected.size());
  double largest = 0, error = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    largest = std::max(largest, std::fabs(expected[i]));
    error = std::max(error, std::fabs(actual[i] - expected[i]));
  }
  CHECK(largest > 0);
  CHECK(error <= tolerance * largest);
}

/// A model of the project, checked and compiled.
struct Compiled {
  explicit Compiled(const std::string &source, const std::string &real)
      : tolerance(real == "f64" ? 1e-10 : 1e-5), frontend(FrontendOptions()) {
    const std::string path = std::string(GNNC_SOURCE_DIR) + "/" + source;
    std::string messages;
    model = checkSource(frontend, path, messages);
    INFO(messages);
    REQUIRE(model);
    CompileOptions options;
    options.gnnc = GNNC_PROGRAM;
    options.real = real;
    library = folder.file("model.so");
    REQUIRE(compileSource(options, path, library) == "");
  }

  CompiledResults run(const Scenario &scenario, Program program) {
    return runCompiled(library, *model, scenario, program);
  }

  double tolerance;
  std::optional<CheckedModel> model;
  std::string library;

private:
  TemporaryFolder folder;
  Frontend frontend;
};

static Scenario coraScenario(const CheckedModel &model) {
  Scenario scenario;
  const std::vector<int64_t> edges = loadIds("cora/edge_index.npy");
  const auto middle = edges.begin() + edges.size() / 2;
  OracleGraph cora;
  cora.src.assign(edges.begin(), middle);
  cora.dst.assign(middle, edges.end());
  scenario.bindings.numVertices = {2708};
  for (const Relation &relation : model.relations)
    scenario.bindings.relations.push_back(relation.isSparseInput ? OracleGraph()
                                                                 : transformGraph(cora, 2708, relation.transforms));
  scenario.given = {cora};
  return scenario;
}

static Scenario gcnScenario(const CheckedModel &model) {
  Scenario scenario = coraScenario(model);
  OracleGraph &words = scenario.bindings.relations[1];
  const std::vector<int64_t> indptr = loadIds("cora/x_indptr.npy");
  words.src = loadIds("cora/x_indices.npy");
  for (int64_t v = 0; v < 2708; ++v)
    words.dst.insert(words.dst.end(), indptr[v + 1] - indptr[v], v);
  scenario.bindings.dims = {{"in", 1433}, {"hidden", 16}, {"classes", 7}};
  scenario.bindings.inputs = {{"x", load("cora/x_values.npy")}, {"label", load("cora/y.npy")}};
  scenario.bindings.params = {{"conv1.W", load("ref/cora_gcn/W0.npy")}, {"conv2.W", load("ref/cora_gcn/W1.npy")}};
  scenario.lossRows = loadIds("cora/train.npy");
  return scenario;
}

TEST_CASE("the compiled GCN has the logits of the reference") {
  for (const char *real : {"f32", "f64"}) {
    if (!dataIsHere())
      return;
    Compiled gcn("examples/gcn/gcn.gnn", real);
    const CompiledResults results = gcn.run(gcnScenario(*gcn.model), Program::Infer);
    checkClose("logits", results.outputs.at("logits"), load("ref/cora_gcn/logits.npy"), gcn.tolerance);
  }
}

TEST_CASE("the compiled GCN without dropout has the gradients of the reference") {
  for (const char *real : {"f32", "f64"}) {
    if (!dataIsHere())
      return;
    Compiled gcn("test/Execution/Inputs/gcn-without-dropout.gnn", real);
    const CompiledResults results = gcn.run(gcnScenario(*gcn.model), Program::Train);
    checkClose("loss", {results.loss}, load("ref/cora_gcn/loss.npy"), gcn.tolerance);
    checkClose("dW0", results.gradients.at("conv1.W"), load("ref/cora_gcn/dW0.npy"), gcn.tolerance);
    checkClose("dW1", results.gradients.at("conv2.W"), load("ref/cora_gcn/dW1.npy"), gcn.tolerance);
  }
}

/// The reference's loss is sum(y * R). Squared errors to y - R * size / 2, averaged over `size` numbers, have the same
/// gradient.
static std::vector<double> goalWithGradient(const std::vector<double> &y, const std::vector<double> &weights) {
  std::vector<double> goal(y.size());
  for (size_t i = 0; i < goal.size(); ++i)
    goal[i] = y[i] - weights[i] * y.size() / 2;
  return goal;
}

static Scenario gatScenario(const CheckedModel &model) {
  Scenario scenario = coraScenario(model);
  scenario.bindings.dims = {{"in", 64}, {"heads", 8}, {"out", 8}};
  scenario.bindings.inputs = {{"x", load(gatFolder + "x.npy")},
                              {"goal", goalWithGradient(load(gatFolder + "out.npy"), load(gatFolder + "R.npy"))}};
  for (const char *param : {"W", "a_src", "a_dst"})
    scenario.bindings.params[param] = load(gatFolder + param + ".npy");
  for (int64_t v = 0; v < 2708; ++v)
    scenario.lossRows.push_back(v);
  return scenario;
}

TEST_CASE("the compiled attention layer has the results and gradients of the reference") {
  for (const char *real : {"f32", "f64"}) {
    if (!dataIsHere())
      return;
    Compiled gat("test/Execution/Inputs/gat-layer.gnn", real);
    const Scenario scenario = gatScenario(*gat.model);
    const CompiledResults inference = gat.run(scenario, Program::Infer), step = gat.run(scenario, Program::Train);
    checkClose("out", inference.outputs.at("y"), load(gatFolder + "out.npy"), gat.tolerance);
    checkClose("alpha", inference.outputs.at("alpha"), load(gatFolder + "alpha.npy"), gat.tolerance);
    for (const char *param : {"W", "a_src", "a_dst"})
      checkClose(std::string("d") + param, step.gradients.at(param), load(gatFolder + "d" + param + ".npy"),
                 gat.tolerance);
  }
}
