//===- TrainTest.cpp - Tests of training ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeTraining.h"
#include "gnn/error.hpp"
#include "runtime/src/core/Random.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/src/model/Initialize.h"
#include "runtime/src/train/PairSteps.h"
#include "runtime/src/train/Recipe.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace gnn::rt;
using Catch::Matchers::Contains;

TEST_CASE("optimizers follow their formulas") {
  const double lr = 0.1, wd = 0.01, b1 = 0.9, b2 = 0.999, eps = 1e-8;
  const std::vector<double> start{0.5, -1.0, 2.0}, gradient{0.3, -0.2, 0.05};
  FakeLibrary fake;
  CpuEngine engine(Library::fromTable(&fake.library, "fake.so"), 2);
  for (OptimizerKind kind : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW}) {
    CAPTURE(optimizerName(kind));
    Tensor value = Tensor::of(start);
    Optimizer optimizer(engine, kind, lr, {{"W", value, wd}});
    std::vector<double> p = start, m(3), v(3);
    for (int t = 1; t <= 5; ++t) {
      std::vector<Update> updates = optimizer.updates();
      updates[0].gradient = gradient.data();
      applyUpdate(optimizer.nextRule(), updates[0], 0, value.count());
      optimizer.noteStep();
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

TEST_CASE("an epoch's batches are its rows, each once, in an order of the seed, the epoch and the ids") {
  Batches batches({7, 3, 11, 3, 5, 2}, 2);
  CHECK(batches.stepsOfEpoch() == 3);
  CHECK(batches.shareOf(0) == Approx(2. / 5));
  CHECK(batches.shareOf(5) == Approx(1. / 5));
  auto epoch = [](Batches &of, uint64_t seed, int64_t first) {
    std::vector<int64_t> rows;
    for (int64_t step = first; step < first + of.stepsOfEpoch(); ++step)
      for (int64_t row : of.rowsOf(seed, step))
        rows.push_back(row);
    return rows;
  };
  const std::vector<int64_t> first = epoch(batches, 1, 0), second = epoch(batches, 1, 3);
  CHECK(first != second);
  CHECK(first != epoch(batches, 2, 0));
  CHECK(first == epoch(batches, 1, 0));
  for (std::vector<int64_t> rows : {first, second}) {
    std::sort(rows.begin(), rows.end());
    CHECK(rows == std::vector<int64_t>{2, 3, 5, 7, 11});
  }
  Batches larger({11, 7, 5, 3, 2}, 4);
  CHECK(first == epoch(larger, 1, 0)); // cut otherwise, in the same order
  CHECK(Batches().stepsOfEpoch() == 1);
  CHECK(Batches().shareOf(8) == 1);
}

static Training reopen(FakeTraining &fake) {
  return openTraining(fake.model, {fake.data.graph, fake.data.features, "test data"}, Tensor::of(fake.data.train),
                      "train", {});
}

TEST_CASE("labels and weights that do not fit are refused") {
  SECTION("label out of range") {
    FakeTraining training(1, 50);
    training.data.features["y"].dense = Tensor::of(std::vector<int64_t>(50, 9));
    CHECK_THROWS_WITH(reopen(training), Contains("label 9 of vertex 0 in test data"));
  }
  SECTION("training on a vertex without a label") {
    FakeTraining training(1, 50);
    std::vector<int64_t> labels(50, 1);
    labels[1] = -1;
    training.data.features["y"].dense = Tensor::of(labels);
    CHECK_THROWS_WITH(reopen(training), Contains("vertex 1 of train"));
  }
  SECTION("weights of another shape, missing or superfluous") {
    FakeTraining training(1, 50);
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

namespace {

/// FakeLibrary with a state that becomes what the gradient of W is.
struct StateLibrary : FakeLibrary {
  enum { Memory = FakeLibrary::NumTensors, MemoryNext };

  StateLibrary() {
    tensors.push_back(tensors[W]);
    tensors.back().name = "memory";
    tensors.back().role = GNN_ROLE_STATE;
    tensors.back().init = GNN_INIT_ONES;
    tensors.push_back(tensors[GradW]);
    tensors.back().name = "next.memory";
    tensors.back().role = GNN_ROLE_STATE_NEXT;
    tensors.back().source = Memory;
    library.tensors = tensors.data();
    library.num_tensors = uint32_t(tensors.size());
    trainSteps.push_back(trainSteps.back());
    trainSteps.back().tensors = product;
    programs[1].steps = trainSteps.data();
    programs[1].num_steps = uint32_t(trainSteps.size());
    programs[1].results = results;
    programs[1].num_results = 4;
    describe();
  }

  uint32_t product[3] = {X, DZ, MemoryNext};
  uint32_t results[4] = {LossTotal, GradW, GradB, MemoryNext};
};

} // namespace

TEST_CASE("states get their next values after a step and only then") {
  FakeData data(200, 600);
  StateLibrary fake;
  auto library = Library::fromTable(&fake.library, "state.so");
  Model model(library, 1);
  bindDims(model.dims(), *library, *data.graph, data.features, "test data");
  model.initialize(0);
  const Training training =
      openTraining(model, {data.graph, data.features, "test data"}, Tensor::of(data.train), "train", {});
  Optimizer optimizer = makeOptimizer(model, recipeOf(*library));
  CHECK(optimizer.state().size() == 4); // of W and b alone
  training.evaluation->run();
  CHECK(values(model.parameter(StateLibrary::Memory))[3] == 1);
  training.steps->step(0, 0, optimizer);
  std::vector<float> memory = values(model.parameter(StateLibrary::Memory));
  CHECK(memory == values(training.steps->executor().result(1)));
  CHECK(memory != std::vector<float>(memory.size(), 1.0f));
  TemporaryFolder folder;
  model.save(folder.path("w.safetensors"));
  CHECK(readSafetensors(folder.path("w.safetensors")).tensors.count("memory") == 1);

  fake.tensors[StateLibrary::MemoryNext].source = FakeLibrary::W;
  CHECK_THROWS_WITH(Library::fromTable(&fake.library, "state.so"), Contains("tensor"));
  fake.tensors[StateLibrary::MemoryNext].source = StateLibrary::Memory;
  fake.tensors[StateLibrary::MemoryNext].rank = 1;
  CHECK_THROWS_WITH(Library::fromTable(&fake.library, "state.so"), Contains("tensor"));
}

TEST_CASE("sampled pairs differ in one end, are not known, and depend on the key alone") {
  Pairs positives{{0, 1, 2}, {5, 6, 7}, {0, 1, 0}};
  PairSet known;
  known.add(positives);
  const Pairs all = withNegatives(positives, 20, {10, 12}, known, 7).pairs;
  REQUIRE(all.count() == 63);
  CHECK(all.src == withNegatives(positives, 20, {10, 12}, known, 7).pairs.src);
  CHECK(all.src != withNegatives(positives, 20, {10, 12}, known, 8).pairs.src);
  int sources = 0;
  for (int64_t i = 3; i < all.count(); ++i) {
    size_t of = size_t(i - 3) / 20, at = size_t(i);
    CHECK(all.types[at] == positives.types[of]);
    CHECK((all.src[at] == positives.src[of]) != (all.dst[at] == positives.dst[of]));
    CHECK(!known.contains(all.src[at], all.types[at], all.dst[at]));
    CHECK((all.src[at] < 10 && all.dst[at] < 12));
    sources += all.dst[at] == positives.dst[of];
  }
  CHECK(sources > 10);
  CHECK(sources < 50);
  CHECK(pairTargets(2, 6) == std::vector<double>{1, 1, 0, 0, 0, 0});
}

TEST_CASE("in an epoch each true pair comes once, with the same negatives in batches of any size") {
  const Pairs positives{{0, 1, 2, 3, 4, 0, 0}, {5, 6, 7, 8, 9, 5, 5}, {0, 1, 0, 1, 0, 0, 1}}; // two are the same
  PairSet known;
  known.add(positives);
  const PairEnds ends{10, 12};
  const uint64_t seed = 3;
  using Row = std::array<int64_t, 4>; // source, type, destination, target
  auto epochOf = [&](int64_t batch, int64_t number) {
    PairSteps steps(positives, batch, 2);
    const int64_t begin = steps.batches().stepsBefore(number), end = steps.batches().stepsBefore(number + 1);
    std::vector<Row> rows;
    double share = 0;
    for (int64_t step = begin; step < end; ++step) {
      const PairSteps::Step drawn = steps.at(seed, step, ends, known);
      CHECK(drawn.pairs.count() == steps.pairsOfStep());
      CHECK(int64_t(drawn.targets.size()) == steps.pairsOfStep());
      for (size_t i = 0; i < size_t(drawn.counted); ++i)
        rows.push_back({drawn.pairs.src[i], drawn.pairs.types[i], drawn.pairs.dst[i], int64_t(drawn.targets[i])});
      share += steps.batches().shareOf(step);
    }
    CHECK(share == Approx(1));
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  const std::vector<Row> whole = epochOf(/*batch=*/0, 0);
  CHECK(whole.size() == 21);
  for (int64_t batch : {1, 2, 3, 7, 100})
    CHECK(epochOf(batch, 0) == whole);
  CHECK(epochOf(/*batch=*/2, 1) != whole);
  CHECK(epochOf(/*batch=*/2, 1) == epochOf(/*batch=*/0, 1));

  PairSteps steps(positives, 3, 2), again(positives, 3, 2);
  CHECK(steps.batches().stepsOfEpoch() == 3);
  CHECK(steps.at(seed, 2, ends, known).counted == 3); // of the seventh pair
  CHECK(steps.at(seed, 4, ends, known).pairs.src == again.at(seed, 4, ends, known).pairs.src);
  CHECK(steps.at(seed, 4, ends, known).pairs.src != again.at(seed, 1, ends, known).pairs.src);
}

namespace {

/// The negative at place `j` of `perPair` for positive `i`, by going through all vertices; none: {-1, -1}.
std::pair<int64_t, int64_t> naiveNegative(const Pairs &positives, size_t i, uint64_t j, uint64_t perPair, PairEnds ends,
                                          const std::set<std::array<int64_t, 3>> &known, uint64_t key) {
  const uint64_t rowKey = mix64(key + (i * perPair + j + 1) * goldenGamma);
  bool replacesSource = rowKey & 1;
  auto pairWith = [&](int64_t vertex) {
    return replacesSource ? std::pair(vertex, positives.dst[i]) : std::pair(positives.src[i], vertex);
  };
  auto isKnown = [&](std::pair<int64_t, int64_t> pair) {
    return known.count({pair.first, positives.types[i], pair.second}) > 0;
  };
  auto choices = [&] { return uint64_t(replacesSource ? ends.numSources : ends.numDestinations); };
  for (uint64_t attempt = 1; attempt <= 32; ++attempt)
    if (const auto pair = pairWith(int64_t(mix64(rowKey + attempt * goldenGamma) % choices())); !isKnown(pair))
      return pair;
  for (int end = 0; end < 2; ++end, replacesSource = !replacesSource) {
    std::vector<std::pair<int64_t, int64_t>> others;
    for (int64_t vertex = 0; vertex < int64_t(choices()); ++vertex)
      if (!isKnown(pairWith(vertex)))
        others.push_back(pairWith(vertex));
    if (!others.empty())
      return others[mix64(rowKey + 33 * goldenGamma) % others.size()];
  }
  return {-1, -1};
}

} // namespace

TEST_CASE("negatives of nearly complete graphs are no known pairs, and are left out where there are none") {
  const PairEnds ends{9, 40};
  int64_t numLeftOut = 0, numSampled = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) { // the more, the denser: of the last ones nearly nothing is missing
    std::set<std::array<int64_t, 3>> pairs;
    Pairs positives;
    for (int64_t src = 0; src < ends.numSources; ++src)
      for (int64_t type = 0; type < 2; ++type)
        for (int64_t dst = 0; dst < ends.numDestinations; ++dst)
          if (mix64(seed * 1000003 + uint64_t((src * 2 + type) * 64 + dst)) % 64 < seed + 5) {
            pairs.insert({src, type, dst});
            positives.src.push_back(src);
            positives.types.push_back(type);
            positives.dst.push_back(dst);
          }
    PairSet known;
    known.add(positives);
    const PairsWithNegatives sampled = withNegatives(positives, 3, ends, known, seed);
    size_t place = size_t(positives.count());
    int64_t leftOut = 0;
    for (size_t i = 0; i < size_t(positives.count()); ++i)
      for (uint64_t j = 0; j < 3; ++j) {
        const auto [src, dst] = naiveNegative(positives, i, j, 3, ends, pairs, seed);
        if (src < 0) {
          ++leftOut;
          continue;
        }
        REQUIRE(place < size_t(sampled.pairs.count()));
        REQUIRE(sampled.pairs.src[place] == src);
        REQUIRE(sampled.pairs.dst[place] == dst);
        REQUIRE(sampled.pairs.types[place] == positives.types[i]);
        ++place;
      }
    CHECK(place == size_t(sampled.pairs.count()));
    CHECK(sampled.numLeftOut == leftOut);
    numLeftOut += leftOut;
    numSampled += int64_t(place) - positives.count();
  }
  CHECK(numLeftOut > 100);
  CHECK(numSampled > 10000);
}

TEST_CASE("a negative of a hub is each of the others with the same probability") {
  PairSet known;
  for (int64_t dst = 0; dst < 1000; ++dst)
    if (dst % 250 != 7) // 7, 257, 507, 757
      known.add({{0}, {dst}, {}});
  const Pairs all = withNegatives({{0}, {0}, {}}, 8000, {1, 1000}, known, 5).pairs; // sources cannot be replaced
  REQUIRE(all.count() == 8001);
  std::map<int64_t, int> counts;
  for (size_t i = 1; i < all.src.size(); ++i)
    ++counts[all.dst[i]];
  REQUIRE(counts.size() == 4);
  for (const auto &[dst, count] : counts)
    CHECK(std::abs(count - 2000) < 200); // five standard deviations
}

TEST_CASE("steps of pairs without negatives are filled up, and what fills them is not counted") {
  const Pairs positives{{0, 0}, {0, 1}, {}}; // all pairs that there can be
  PairSet known;
  known.add(positives);
  PairSteps steps(positives, /*batch=*/0, /*negatives=*/2);
  const PairSteps::Step step = steps.at(1, 0, {1, 2}, known);
  CHECK(step.counted == 2);
  CHECK(step.pairs.count() == 6);
  CHECK(step.targets.size() == 6);
}

TEST_CASE("shares of a batch have all of its negatives, though some true pairs have none") {
  Seeds batch;
  batch.targets = {1, 1, 1, 0, 0, 0, 0}; // of six negatives two do not exist
  for (int64_t i = 0; i < 7; ++i) {
    batch.pairs.src.push_back(i);
    batch.pairs.dst.push_back(i);
  }
  std::vector<int64_t> found;
  for (const Shares::Range &range : {Shares::Range{0, 1}, Shares::Range{1, 2}, Shares::Range{2, 3}}) {
    const Seeds share = batch.slice(range);
    CHECK(share.count() == 1);
    CHECK(share.targets.size() == share.pairs.src.size());
    found.insert(found.end(), share.pairs.src.begin(), share.pairs.src.end());
  }
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("metrics of links follow their definitions") {
  CHECK(areaUnderCurve({3, 2}, {1, 0}) == 1);
  CHECK(areaUnderCurve({1}, {0, 1, 2}).value() == Approx(0.5));
  CHECK(areaUnderCurve({0.5, 2}, {1, 1}).value() == Approx(0.5));
  CHECK(!areaUnderCurve({}, {1}));
  CHECK(!areaUnderCurve({1}, {}));
  CHECK(!averagePrecision({}, {1}));
  CHECK(!averagePrecision({1}, {}));
  for (double where : {0, 1}) {
    const std::vector<double> positives{1, where == 0 ? NAN : 3, 2}, negatives{0, where == 1 ? NAN : 2};
    CHECK(std::isnan(areaUnderCurve(positives, negatives).value()));
    CHECK(std::isnan(averagePrecision(positives, negatives).value()));
  }
  RankMetrics ranked = rankMetrics({1, 2, 4, 20});
  CHECK(ranked.meanReciprocalRank.value() == Approx((1 + 0.5 + 0.25 + 0.05) / 4));
  CHECK(ranked.hits.at(1) == 0.25);
  CHECK(ranked.hits.at(3) == 0.5);
  CHECK(ranked.hits.at(10) == 0.75);
  CHECK(!rankMetrics({}).meanReciprocalRank);
  CHECK(!rankMetrics({}).hits.at(10));
}
