//===- RegimenTest.cpp - Rates, clipping, weights of classes --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers without a formula beside them are those of PyTorch 2.2.1.
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "gnn/error.hpp"
#include "runtime/src/cpu/ClipGradients.h"
#include "runtime/src/train/ClassWeights.h"
#include "runtime/src/train/Schedule.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace gnn::rt;
using Catch::Matchers::Contains;

TEST_CASE("schedules have the rates of PyTorch") {
  auto check = [](const Schedule &schedule, const std::vector<double> &rates, const std::vector<int64_t> &cuts = {}) {
    CAPTURE(schedule.text());
    for (size_t epoch = 0; epoch < rates.size(); ++epoch) {
      CAPTURE(epoch);
      CHECK(0.1 * schedule.factor(int64_t(epoch), 10, cuts.empty() ? 0 : cuts[epoch]) ==
            Approx(rates[epoch]).epsilon(1e-12));
    }
  };
  check(Schedule::parse("constant"), {0.1, 0.1});
  const std::vector<double> cosine{0.1,
                                   0.09755282581475769,
                                   0.09045084971874738,
                                   0.07938926261462367,
                                   0.06545084971874739,
                                   0.05000000000000001,
                                   0.03454915028125264,
                                   0.020610737385376353,
                                   0.009549150281252635,
                                   0.002447174185242324};
  check(Schedule::parse("cosine"), cosine);
  check(Schedule::parse("cosine=10"), cosine);
  check(Schedule::parse("cosine", 3),
        {0.025, 0.05, 0.075, 0.1, 0.09504844339512096, 0.08117449009293669, 0.061126046697815725, 0.03887395330218429,
         0.018825509907063328, 0.004951556604879048});
  check(Schedule::parse("step=3,0.5"), {0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025, 0.025, 0.025, 0.0125});
  check(Schedule::parse("plateau=2,0.5"), {0.1, 0.05, 0.025}, {0, 1, 2});
  CHECK(Schedule::parse("cosine=5").factor(7, 10, 0) == Approx(0).margin(1e-15)); // and not up again
  CHECK(Schedule::parse("cosine", 20).factor(19, 10, 0) == Approx(20.0 / 21));
}

TEST_CASE("the text of a schedule is read, or refused") {
  for (const char *text : {"constant", "cosine", "cosine=200", "step=30,0.5", "plateau=10,0"})
    CHECK(Schedule::parse(text).text() == text);
  CHECK(Schedule::parse("step=30").text() == "step=30,0.1");
  CHECK(Schedule::parse("plateau=4").plateauEpochs() == 4);
  for (const char *text : {"",
                           "cosin",
                           "cosine=",
                           "cosine=0",
                           "cosine=-5",
                           "cosine=1.5",
                           "cosine=5,0.1",
                           "step",
                           "step=",
                           "step=0,0.5",
                           "step=3,",
                           "step=3,1",
                           "step=3,-1",
                           "step=3,nan",
                           "step,3",
                           "plateau",
                           "plateau=99999999999999999999",
                           "constant=3",
                           "constant,3",
                           "step=3,0.5,0.5"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(Schedule::parse(text), Contains("expected constant, cosine"));
  }
  CHECK_THROWS_WITH(Schedule::parse("cosine", -1), Contains("warm-up"));
}

TEST_CASE("gradients are clipped as PyTorch does") {
  Team team(2);
  std::vector<double> a{0.5, -1.25, 3.0};
  std::vector<float> b{2.0f, -0.75f};
  auto updates = [&] {
    return std::vector<Update>{{GNN_F64, 3, nullptr, a.data(), nullptr, nullptr, 0, 1},
                               {GNN_F32, 2, nullptr, b.data(), nullptr, nullptr, 0, 1}};
  };
  clipGradients(team, 3.93, updates()); // the norm is 3.9211
  CHECK(a == std::vector<double>{0.5, -1.25, 3.0});
  clipGradients(team, 1.5, updates());
  CHECK(a[0] == Approx(0.1912729651385261).epsilon(1e-12));
  CHECK(a[2] == Approx(1.1476377908311566).epsilon(1e-12));
  CHECK(b[1] == Approx(-0.28690944770778914).epsilon(1e-6));
}

TEST_CASE("clipped gradients have the same bits at any number of threads") {
  const size_t count = 100001;
  std::vector<float> clipped[3];
  const unsigned threads[] = {1, 2, 5};
  for (int run = 0; run < 3; ++run) {
    Team team(threads[run]);
    std::vector<float> &g = clipped[run];
    for (size_t i = 0; i < count; ++i)
      g.push_back(std::sin(float(i) * 0.37f) * (i % 1000 == 0 ? 1e18f : 1.0f)); // whose squares are beyond f32
    std::vector<Update> updates{{GNN_F32, int64_t(count) - 7, nullptr, g.data(), nullptr, nullptr, 0, 1},
                                {GNN_F32, 7, nullptr, g.data() + count - 7, nullptr, nullptr, 0, 1}};
    clipGradients(team, 2, updates);
    double squares = 0;
    for (float number : g)
      squares += double(number) * double(number);
    CHECK(std::sqrt(squares) == Approx(2).epsilon(1e-5));
  }
  CHECK(clipped[0] == clipped[1]);
  CHECK(clipped[0] == clipped[2]);
}

TEST_CASE("weights of classes") {
  const std::vector<double> classes{0, 0, 0, 2, 0, 2};
  CHECK(ClassWeights::parse("balanced").of(classes, "train") ==
        std::vector<double>{0.75, 0.75, 0.75, 1.5, 0.75, 1.5}); // 6 / (2 * 4) and 6 / (2 * 2)
  CHECK(ClassWeights::parse("1,7,0.5").of(classes, "train") == std::vector<double>{1, 1, 1, 0.5, 1, 0.5});
  CHECK(ClassWeights::parse("1,7,0.50").text() == "1,7,0.5");
  CHECK(ClassWeights::parse("").text() == "equal");
  CHECK(ClassWeights::parse("equal").areEqual());
  CHECK_THROWS_WITH(ClassWeights::parse("1,1").of(classes, "train of x"),
                    Contains("train of x has the class 2, but there are weights of 2 classes"));
  CHECK_THROWS_WITH(ClassWeights::parse("balanced").of({0.5}, "train"), Contains("has the target 0.5"));
  CHECK_THROWS_WITH(ClassWeights::parse("0,1,0").of(classes, "train"), Contains("weigh nothing"));
  for (const char *text : {"1,,2", "1,-2", "a", ",", "1,inf", "nan", "1 2"})
    CHECK_THROWS_WITH(ClassWeights::parse(text), Contains("expected balanced"));
}

TEST_CASE("rows weigh in the loss what is said") {
  FakeData data(100, 300);
  FakeLibrary fake;
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 1);
  Binding &binding = run.binding;
  const std::vector<int64_t> rows{7, 3, 7};
  const std::vector<double> weights{0.5, 2, 1.5};
  binding.setLossRows({rows.data(), rows.size()}, {weights.data(), weights.size()});
  CHECK(numberAt(binding.data(FakeLibrary::Scale), 0) == 0.25);
  CHECK(numberAt(binding.data(FakeLibrary::Mask), 7) == 2);
  CHECK(numberAt(binding.data(FakeLibrary::Mask), 3) == 2);
  CHECK(numberAt(binding.data(FakeLibrary::Mask), 0) == 0);
}
