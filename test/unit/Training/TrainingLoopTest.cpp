//===- TrainingLoopTest.cpp - Tests of the training loop ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/TrainingLoop.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/test/FakeTraining.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <set>

using namespace gnn::rt;
using namespace gnn::train_tool;
using Catch::Matchers::Contains;

namespace {

struct TrainedFake : FakeTraining {
  explicit TrainedFake(unsigned threads, int64_t vertices = 1500, const MemoryLimit *limit = nullptr)
      : FakeTraining(threads, vertices, limit) {
    request.recipe = recipeOf(*library);
    request.splits["train"] = Tensor::of(data.train);
    request.splits["val"] = Tensor::of(data.test);
  }

  TrainOutcome train() { return trainModel(training, request); }
  std::vector<float> weights() { return values(model.parameter(FakeLibrary::W)); }

  TrainRequest request;
};

bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace

TEST_CASE("the recipe comes from the manifest") {
  TrainedFake training(1);
  CHECK(training.request.recipe.learningRate == 0.05);
  CHECK(training.request.recipe.epochs == 20);
  CHECK(training.request.recipe.decayedLayers == std::vector<std::string>{"W"});
  training.request.recipe.decayedLayers = {"conv9"};
  CHECK_THROWS_WITH(training.train(), Contains("conv9"));
}

TEST_CASE("training lowers the loss and has the same bits at any number of threads") {
  TrainedFake one(1);
  TrainOutcome outcome = one.train();
  REQUIRE(outcome.history.size() == 20);
  CHECK(outcome.history.back().loss < outcome.history.front().loss);
  CHECK(outcome.final.splits.at("val").others.at("accuracy").value() > 0.3);
  for (unsigned threads : {2u, 4u}) {
    TrainedFake many(threads);
    many.train();
    CHECK(sameBits(one.weights(), many.weights()));
  }
  TrainedFake other(1);
  other.request.seed = 1;
  other.train();
  CHECK_FALSE(sameBits(one.weights(), other.weights()));
}

TEST_CASE("a resumed run has the bits of a straight one") {
  TrainedFake straight(2);
  straight.train();
  TemporaryFolder folder;
  {
    TrainedFake first(2);
    std::atomic<bool> stop(false);
    first.request.folder = folder.path();
    first.request.stop = &stop;
    first.request.onEpoch = [&](const EpochReport &report) { stop = report.epoch == 7; };
    TrainOutcome outcome = first.train();
    CHECK(outcome.interrupted);
    CHECK(outcome.progress.epoch == 7);
  }
  TrainedFake second(1);
  second.request.folder = folder.path();
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
    second.model.save(folder.path("last.safetensors"));
    CHECK_THROWS_WITH(second.train(), Contains("no checkpoint"));
  }
  SECTION("not by another plan, but from a checkpoint that has none") {
    const std::string last = folder.path("last.safetensors");
    Safetensors file = readSafetensors(last);
    auto noted = [&](const std::string &plan) {
      file.metadata["plan"] = plan;
      writeSafetensors(last, file);
    };
    Plan plan = second.training.steps->plan();
    CHECK(file.metadata["plan"] == plan.json());
    plan.orders.begin()->second = "checksum 7";
    noted(plan.json());
    CHECK_THROWS_WITH(second.train(), Contains("in its plan orders/" + plan.orders.begin()->first) &&
                                          Contains("is \"checksum 7\", here it is \"ids\""));
    plan = second.training.steps->plan();
    plan.inputs["y"] = "sparse f32";
    noted(plan.json());
    CHECK_THROWS_WITH(second.train(), Contains("inputs/y is \"sparse f32\", here it is missing"));
    noted("{\"version\": 2}");
    CHECK_THROWS_WITH(second.train(), Contains("a plan of version 2; this runtime knows 1"));
    noted("{\"version\": 1, \"executor\": 3}");
    CHECK_THROWS_WITH(second.train(), Contains("a plan that is none"));
    file.metadata.erase("plan");
    writeSafetensors(last, file);
    second.train();
  }
}

TEST_CASE("a streamed run that is stopped anywhere in an epoch goes on to the bits of a straight one") {
  TemporaryFolder spill;
  const MemoryLimit limit{SIZE_MAX, spill.path(), /*intervals=*/3};
  auto training = [&](const std::string &folder) {
    auto made = std::make_unique<TrainedFake>(2, /*vertices=*/300, &limit);
    made->request.recipe.epochs = 3;
    made->request.folder = folder;
    return made;
  };
  std::vector<double> shares;
  const auto straight = training("");
  straight->request.onShare = [&](int64_t, double share) { shares.push_back(share); };
  const TrainOutcome expected = straight->train();
  REQUIRE(shares.size() > 30);
  REQUIRE(shares.size() % 3 == 0);
  const size_t ofEpoch = shares.size() / 3;
  CHECK(std::is_sorted(shares.begin(), shares.begin() + ptrdiff_t(ofEpoch)));
  CHECK(shares[0] == 0);
  CHECK(shares[ofEpoch - 1] == 1);

  std::set<int64_t> stepsDone;
  for (size_t stopAt = ofEpoch; stopAt + 1 < 2 * ofEpoch; ++stopAt) {
    TemporaryFolder folder;
    std::atomic<bool> stop(false);
    size_t told = 0;
    const auto first = training(folder.path());
    first->request.stop = &stop;
    first->request.onShare = [&](int64_t epoch, double) {
      stop = told++ == stopAt || stop;
      CHECK(epoch <= 2);
    };
    const TrainOutcome cut = first->train();
    CHECK(cut.interrupted);
    CHECK(cut.progress.epoch == 1);
    CHECK(cut.history.size() == 1);
    CHECK(told <= stopAt + 2); // at once, but for what ends the line
    stepsDone.insert(cut.progress.step);
    const auto second = training(folder.path());
    second->request.resume = true;
    const TrainOutcome outcome = second->train();
    CHECK(sameBits(straight->weights(), second->weights()));
    REQUIRE(outcome.history.size() == 2);
    for (size_t i = 0; i < 2; ++i)
      CHECK(outcome.history[i].loss == expected.history[i + 1].loss);
    CHECK(outcome.final.loss == expected.final.loss);
    CHECK(outcome.final.splits.at("val").loss == expected.final.splits.at("val").loss);
    CHECK(outcome.progress.bestEpoch == expected.progress.bestEpoch);
  }
  CHECK(stepsDone == std::set<int64_t>{1, 2}); // in the step, and in the evaluation after it
}

TEST_CASE("early stopping ends with the best weights") {
  TrainedFake training(1);
  training.request.recipe.patience = 3;
  training.request.recipe.epochs = 500;
  TemporaryFolder folder;
  training.request.folder = folder.path();
  TrainOutcome outcome = training.train();
  REQUIRE(outcome.stoppedEarly);
  CHECK(outcome.progress.epoch == outcome.progress.bestEpoch + 3);
  CHECK(outcome.final.splits.at("val").score() == outcome.progress.bestScore);
  training.model.load(folder.path("best.safetensors"));
  training.training.evaluation->run();
  CHECK(training.training.evaluation->metrics(training.request.splits.at("val"), "val").score() ==
        outcome.progress.bestScore);
}
