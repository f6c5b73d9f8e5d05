//===- FiniteCheckTest.cpp - Tests of what no step learns -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/FiniteCheck.h"
#include "FakeData.h"
#include "gnn/error.hpp"
#include "runtime/src/core/Finite.h"
#include "runtime/src/cpu/StepEnd.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/Training.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// One number of a result, and which result that is.
struct Spot {
  uint32_t result;
  int64_t element;
};

std::vector<float> bitsOf(const std::vector<Tensor> &tensors) {
  std::vector<float> all;
  for (const Tensor &tensor : tensors)
    for (float x : values(tensor))
      all.push_back(x);
  return all;
}

} // namespace

TEST_CASE("a table's numbers that are infinite or none are counted, and the first row named") {
  CHECK(findNotFinite(Tensor::of<float>({1, -0.0f, 3.4e38f, 1e-45f})).count == 0);
  CHECK(findNotFinite(Tensor::empty(GNN_F32, {0, 3})).count == 0);
  CHECK(findNotFinite(Tensor::of<int64_t>({0x7ff0000000000000, -1})).count == 0);
  NotFinite found = findNotFinite(Tensor::of<float>({0, 1, 2, NAN, INFINITY, 5}, {3, 2}));
  CHECK(found.count == 2);
  CHECK(found.firstRow == 1);
  found = findNotFinite(Tensor::of<double>({1.7e308, -INFINITY}).converted(GNN_F16, "x"));
  CHECK(found.count == 2); // 1.7e308 is too large for 16 bits
  CHECK(findNotFinite(Tensor::of<double>({1, -INFINITY}).converted(GNN_BF16, "x")).firstRow == 1);
  CHECK(findNotFinite(Tensor::of<double>({1, NAN})).firstRow == 1);
}

TEST_CASE("a step whose loss, gradient or next state is not finite changes nothing") {
  FakeLibrary fake;
  const auto library = Library::fromTable(&fake.library, "fake.so");
  const int64_t wide = 200000; // several tasks
  for (unsigned threads : {1, 3})
    for (bool hasMoments : {false, true}) {
      Team team(threads);
      std::vector<Tensor> results;
      for (int64_t count : {int64_t(1), wide, int64_t(0), int64_t(5), int64_t(7)})
        results.push_back(Tensor::of(std::vector<float>(size_t(count), 0.5f)));
      std::vector<Tensor> kept; // parameter, first and second moment of each of three; then the state
      std::vector<Update> updates;
      for (int64_t count : {wide, int64_t(0), int64_t(5)}) {
        for (float number : {2.0f, 0.0f, 0.0f})
          kept.push_back(Tensor::of(std::vector<float>(size_t(count), number)));
        auto at = [&](size_t back) { return kept[kept.size() - back].mutableData(); };
        updates.push_back({GNN_F32, count, at(3), nullptr, hasMoments ? at(2) : nullptr, hasMoments ? at(1) : nullptr,
                           /*l2=*/0.01, /*shrink=*/0.99});
      }
      kept.push_back(Tensor::of(std::vector<float>(7, 3.0f)));
      const std::vector<StateUpdate> states{{kept.back().mutableData(), 4, GNN_F32, 28}};
      const TrainingStep step{0, {hasMoments, 0.1, 0.1, 1.5}, updates, states};
      const std::vector<float> before = bitsOf(kept);
      for (float bad : {NAN, INFINITY, -INFINITY})
        for (Spot spot : {Spot{0, 0}, {1, 0}, {1, wide - 1}, {3, 4}, {4, 6}}) {
          CAPTURE(threads, hasMoments, bad, spot.result, spot.element);
          float &number = results[spot.result].mutableData<float>()[spot.element];
          const float good = number;
          number = bad;
          const StepOutcome outcome = endStep(team, step, results);
          CHECK(outcome.refusedBy == spot.result);
          CHECK((outcome.loss == 0.5) == (spot.result > 0));
          CHECK(bitsOf(kept) == before);
          number = good;
        }
      results[4].mutableData<float>()[0] = NAN;
      results[1].mutableData<float>()[wide / 2] = NAN;
      CHECK(endStep(team, step, results).refusedBy == 1u); // the first
      results[4].mutableData<float>()[0] = results[1].mutableData<float>()[wide / 2] = 0.5f;
      CHECK(!endStep(team, step, results).refusedBy);
      CHECK(kept[0].data<float>()[wide - 1] < 2);
      CHECK(kept.back().data<float>()[6] == 0.5f);
    }
}

namespace {

/// Why the first step on `features` is refused; "" if it is not.
std::string refusal(FakeData &data, double largeWeight = 0) {
  FakeLibrary fake;
  const auto library = Library::fromTable(&fake.library, "fake.so");
  Model model(library, 1);
  bindDims(model.dims(), *library, *data.graph, data.features, "test data");
  model.materialize();
  const Training training =
      openTraining(model, {data.graph, data.features, "test data"}, Tensor::of(data.train), "train", {});
  model.initialize(/*seed=*/0);
  Optimizer optimizer = makeOptimizer(model, recipeOf(*library));
  Tensor &weights = model.parameter(FakeLibrary::W);
  if (largeWeight != 0)
    weights.mutableData<float>()[0] = float(largeWeight);
  const std::vector<float> before = values(weights);
  try {
    training.steps->step(/*seed=*/0, /*step=*/0, optimizer);
  } catch (const gnn::Error &error) {
    CHECK(error.code() == GNN_ERROR_NUMERIC);
    CHECK(optimizer.steps() == 0);
    CHECK(std::memcmp(before.data(), weights.data(), weights.bytes()) == 0);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("who asks why a step was refused is told what is not finite") {
  FakeData data(40, 120);
  CHECK(refusal(data) == "");
  CHECK_THAT(refusal(data, INFINITY), Contains("value of W is infinite or not a number, the first in row 0"));
  CHECK_THAT(refusal(data, 3e38), Contains("inputs and weights are finite, but not what the model makes of them"));
  Tensor &x = data.features.at("x").dense;
  x = x.as(GNN_F32, "x").converted(GNN_F64, "x");
  x.mutableData<double>()[x.dim(1) * 17] = NAN;
  x.mutableData<double>()[x.dim(1) * 17 + 1] = 1e300; // infinite as f32
  CHECK_THAT(refusal(data), Contains("2 values of x are infinite or not a number, the first in row 17 of test data"));
}
