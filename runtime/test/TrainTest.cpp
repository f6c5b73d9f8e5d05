//===- TrainTest.cpp - Tests of training ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "gnn/error.hpp"
#include "runtime/src/io/Safetensors.h"
#include "runtime/src/train/Initialize.h"
#include "runtime/src/train/Trainer.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// A folder that is gone when the test ends.
struct TemporaryFolder {
  TemporaryFolder() : path(std::filesystem::temp_directory_path() / ("gnnc-train-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

struct Training {
  explicit Training(unsigned threads, int64_t vertices = 1500)
      : data(vertices, 3 * vertices), library(Library::fromTable(&fake.library, "fake.so")), model(library, threads) {
    bindDims(model.dims(), *library, data.features, "test data");
    model.materialize();
    session = std::make_unique<Session>(model, data.graph, data.features, "test data");
    request.recipe = recipeOf(*library);
    request.splits["train"] = Tensor::of(data.train);
    request.splits["val"] = Tensor::of(data.test);
  }

  TrainOutcome train() { return trainModel(model, *session, request); }
  std::vector<float> weights() { return values(model.parameter(FakeLibrary::W)); }

  FakeData data;
  FakeLibrary fake;
  std::shared_ptr<const Library> library;
  Model model;
  std::unique_ptr<Session> session;
  TrainRequest request;
};

bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace

TEST_CASE("optimizers follow their formulas") {
  const double lr = 0.1, wd = 0.01, b1 = 0.9, b2 = 0.999, eps = 1e-8;
  const std::vector<double> start{0.5, -1.0, 2.0}, gradient{0.3, -0.2, 0.05};
  Team team(2);
  for (OptimizerKind kind : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW}) {
    CAPTURE(optimizerName(kind));
    Tensor value = Tensor::of(start);
    Optimizer optimizer(kind, lr, {{"W", value, wd}});
    std::vector<double> p = start, m(3), v(3);
    for (int t = 1; t <= 5; ++t) {
      optimizer.step(team, {gradient.data()});
      for (size_t i = 0; i < 3; ++i) {
        double g = gradient[i] + (kind == OptimizerKind::AdamW ? 0 : wd * p[i]);
        if (kind == OptimizerKind::Sgd) {
          p[i] -= lr * g;
          continue;
        }
        if (kind == OptimizerKind::AdamW)
          p[i] -= lr * wd * p[i];
        m[i] = b1 * m[i] + (1 - b1) * g;
        v[i] = b2 * v[i] + (1 - b2) * g * g;
        p[i] -= lr * (m[i] / (1 - std::pow(b1, t))) / (std::sqrt(v[i] / (1 - std::pow(b2, t))) + eps);
      }
    }
    for (size_t i = 0; i < 3; ++i)
      CHECK(value.data<double>()[i] == Approx(p[i]).epsilon(1e-12));
  }
  CHECK_THROWS_WITH(parseOptimizer("adma"), Contains("adma"));
}

TEST_CASE("initialisers have their distribution and depend on seed and index alone") {
  auto made = [](uint32_t kind, uint64_t seed, uint64_t index, double argument = 0) {
    Tensor tensor = Tensor::zeros(GNN_F64, {200, 100});
    initialize(tensor, {kind, argument, 200, 100}, seed, index);
    return std::vector<double>(tensor.data<double>(), tensor.data<double>() + tensor.count());
  };
  auto moments = [](const std::vector<double> &values) {
    double sum = 0, squares = 0;
    for (double v : values) {
      sum += v;
      squares += v * v;
    }
    return std::pair(sum / double(values.size()), std::sqrt(squares / double(values.size())));
  };
  double glorot = std::sqrt(6.0 / 300);
  auto uniform = made(GNN_INIT_GLOROT_UNIFORM, 1, 0);
  for (double v : uniform)
    REQUIRE(std::abs(v) <= glorot);
  CHECK(moments(uniform).first == Approx(0).margin(0.003));
  CHECK(moments(uniform).second == Approx(glorot / std::sqrt(3)).epsilon(0.02));
  CHECK(moments(made(GNN_INIT_GLOROT_NORMAL, 1, 0)).second == Approx(std::sqrt(2.0 / 300)).epsilon(0.02));
  CHECK(moments(made(GNN_INIT_KAIMING_UNIFORM, 1, 0)).second == Approx(std::sqrt(6.0 / 200 / 3)).epsilon(0.02));
  CHECK(moments(made(GNN_INIT_NORMAL, 1, 0, 0.5)).second == Approx(0.5).epsilon(0.02));
  CHECK(made(GNN_INIT_CONSTANT, 1, 0, 0.25)[7] == 0.25);
  CHECK(made(GNN_INIT_ONES, 1, 0)[7] == 1);
  CHECK(uniform == made(GNN_INIT_GLOROT_UNIFORM, 1, 0));
  CHECK(uniform != made(GNN_INIT_GLOROT_UNIFORM, 2, 0));
  CHECK(uniform != made(GNN_INIT_GLOROT_UNIFORM, 1, 1));
}

TEST_CASE("the recipe comes from the manifest") {
  Training training(1);
  CHECK(training.request.recipe.learningRate == 0.05);
  CHECK(training.request.recipe.epochs == 20);
  CHECK(training.request.recipe.decayedLayers == std::vector<std::string>{"W"});
  training.request.recipe.decayedLayers = {"conv9"};
  CHECK_THROWS_WITH(training.train(), Contains("conv9"));
}

TEST_CASE("training lowers the loss and has the same bits at any number of threads") {
  Training one(1);
  TrainOutcome outcome = one.train();
  REQUIRE(outcome.history.size() == 20);
  CHECK(outcome.history.back().loss < outcome.history.front().loss);
  CHECK(*outcome.final.splits.at("val").accuracy > 0.3);
  for (unsigned threads : {2u, 4u}) {
    Training many(threads);
    many.train();
    CHECK(sameBits(one.weights(), many.weights()));
  }
  Training other(1);
  other.request.seed = 1;
  other.train();
  CHECK_FALSE(sameBits(one.weights(), other.weights()));
}

TEST_CASE("a resumed run has the bits of a straight one") {
  Training straight(2);
  straight.train();
  TemporaryFolder folder;
  {
    Training first(2);
    std::atomic<bool> stop(false);
    first.request.folder = folder.path;
    first.request.stop = &stop;
    first.request.onEpoch = [&](const EpochReport &report) { stop = report.epoch == 7; };
    TrainOutcome outcome = first.train();
    CHECK(outcome.interrupted);
    CHECK(outcome.progress.epoch == 7);
  }
  Training second(1);
  second.request.folder = folder.path;
  second.request.resume = true;
  TrainOutcome outcome = second.train();
  CHECK(outcome.history.size() == 13);
  CHECK(sameBits(straight.weights(), second.weights()));

  SECTION("not with another seed, optimizer or from bare weights") {
    second.request.seed = 3;
    CHECK_THROWS_WITH(second.train(), Contains("seed 0"));
    second.request.recipe.optimizer = OptimizerKind::Sgd;
    CHECK_THROWS_WITH(second.train(), Contains("adam") && Contains("sgd"));
    second.request.recipe.optimizer = OptimizerKind::Adam;
    second.model.save(folder.path / "last.safetensors");
    CHECK_THROWS_WITH(second.train(), Contains("no checkpoint"));
  }
}

TEST_CASE("early stopping ends with the best weights") {
  Training training(1);
  training.request.recipe.patience = 3;
  training.request.recipe.epochs = 500;
  TemporaryFolder folder;
  training.request.folder = folder.path;
  TrainOutcome outcome = training.train();
  REQUIRE(outcome.stoppedEarly);
  CHECK(outcome.progress.epoch == outcome.progress.bestEpoch + 3);
  CHECK(*outcome.final.splits.at("val").accuracy == outcome.progress.bestScore);
  training.model.load(folder.path / "best.safetensors");
  training.session->evaluate();
  Span<const int64_t> val = training.request.splits.at("val").values<int64_t>();
  CHECK(*training.session->metrics(val, "val").accuracy == outcome.progress.bestScore);
}

TEST_CASE("labels and weights that do not fit are refused") {
  SECTION("label out of range") {
    Training training(1, 50);
    training.data.features["y"].dense = Tensor::of(std::vector<int64_t>(50, 9));
    CHECK_THROWS_WITH(Session(training.model, training.data.graph, training.data.features, "test data"),
                      Contains("label 9 of vertex 0 in test data"));
  }
  SECTION("training on a vertex without a label") {
    Training training(1, 50);
    std::vector<int64_t> labels(50, 1);
    labels[1] = -1;
    training.data.features["y"].dense = Tensor::of(labels);
    Session session(training.model, training.data.graph, training.data.features, "test data");
    CHECK_THROWS_WITH(session.setTrainVertices(training.request.splits.at("train").values<int64_t>(), "train"),
                      Contains("vertex 1 of train"));
  }
  SECTION("weights of another shape, missing or superfluous") {
    Training training(1, 50);
    training.model.initialize(0);
    auto tensors = training.model.parameterTensors();
    tensors["W"] = Tensor::zeros(GNN_F32, {5, 3});
    CHECK_THROWS_WITH(training.model.setParameters(tensors, "w.safetensors"),
                      Contains("'in' is 6") && Contains("5 (dimension 0 of W"));
    tensors["W"] = Tensor::zeros(GNN_F32, {6, 3});
    tensors["V"] = tensors["W"];
    CHECK_THROWS_WITH(training.model.setParameters(tensors, "w.safetensors"), Contains("tensor V"));
    tensors.erase("V");
    tensors.erase("b");
    CHECK_THROWS_WITH(training.model.setParameters(tensors, "w.safetensors"), Contains("no parameter b"));
  }
}
