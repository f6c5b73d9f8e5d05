//===- ModelTest.cpp - Tests of compiled models in C++ --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an application does with a compiled library, over the shared runtime and a library of hand-written kernels.
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"
#include "gnn/gnn.hpp"
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>

using Catch::Matchers::Contains;

namespace {

const std::vector<int64_t> src{0, 1, 2, 3, 0}, dst{1, 2, 3, 0, 2};

gnn::Tensor features() { return gnn::Tensor::copy<float>({1, 0, 0, 1, 1, 1, 0, 0}, {4, 2}); }

std::vector<float> values(const gnn::Tensor &tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.count()};
}

std::atomic<bool> isHolding{false}, isReleased{false};

/// A kernel that does not end before it is told to.
void hold(const gnn_kernel_args_t *, int64_t, int64_t) {
  isHolding = true;
  while (!isReleased)
    std::this_thread::yield();
}

struct HoldingLibrary : FakeLibrary {
  HoldingLibrary() { run[Aggregate] = hold; }
};

/// Entries of a sparse matrix, in memory that stays where it is.
struct Entries {
  std::vector<int64_t> indptr{0, 1, 2, 4, 4};
  std::vector<int32_t> indices{0, 1, 0, 1};
  std::vector<float> numbers{1, 1, 1, 1};

  gnn::Inputs inputs() {
    gnn::SparseFeature x;
    x.indptr = gnn::Tensor::view(indptr.data(), {int64_t(indptr.size())});
    x.indices = gnn::Tensor::view(indices.data(), {int64_t(indices.size())});
    x.values = gnn::Tensor::view(numbers.data(), {int64_t(numbers.size())});
    x.columns = 2;
    return {{"x", x}};
  }
  gnn::Tensor dense() const {
    std::vector<float> rows(8);
    for (size_t row = 0; row < 4; ++row)
      for (int64_t i = indptr[row]; i < indptr[row + 1]; ++i)
        rows[2 * row + size_t(indices[size_t(i)])] += numbers[size_t(i)];
    return gnn::Tensor::copy<float>(rows, {4, 2});
  }
};

} // namespace

TEST_CASE("a model infers, trains, saves and loads") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Model model(FAKE_MODEL, 2);
  CHECK(model.name() == "Fake");
  CHECK(model.parameters() == std::vector<std::string>{"W", "b"});
  CHECK_THROWS_WITH(model.infer(graph, {{"x", features()}}), Contains("no parameters yet"));
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4});
  gnn::Tensor vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices);
  CHECK(model.dim("in") == 2);
  double first = trainer.step(), last = first;
  for (int i = 0; i < 100; ++i)
    last = trainer.step();
  CHECK(last < first);
  gnn_metrics_t metrics = trainer.evaluate(vertices);
  CHECK(metrics.accuracy >= 0.5);

  gnn::Tensor logits = model.infer(graph, {{"x", features()}}).at("logits");
  CHECK(logits.shape() == std::vector<int64_t>{4, 3});
  std::string path = "/tmp/gnnc-model-test-" + std::to_string(getpid()) + ".safetensors";
  model.save(path);
  gnn::Model other(FAKE_MODEL, 1);
  other.load(path);
  std::remove(path.c_str());
  gnn::Tensor again = other.infer(graph, {{"x", features()}}).at("logits");
  for (int i = 0; i < 12; ++i)
    CHECK(again.data<float>()[i] == logits.data<float>()[i]);

  // The second call reuses what was prepared and must not disturb the first one's result.
  gnn::Tensor zeros = gnn::Tensor::zeros<float>({4, 2});
  gnn::Tensor biases = other.infer(graph, {{"x", zeros}}).at("logits");
  CHECK(biases.data<float>()[0] == other.parameter("b").data<float>()[0]);
  CHECK(again.data<float>()[0] == logits.data<float>()[0]);
}

TEST_CASE("training goes on at the rates of its checkpoint, or at those that are said") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4});
  gnn::Tensor vertices = gnn::Tensor::copy<int64_t>({0, 1, 2}, {3});
  const std::string path = "/tmp/gnnc-resume-test-" + std::to_string(getpid()) + ".safetensors";
  gnn::TrainerOptions given;
  given.learning_rate = 0.3;
  given.weight_decay = 0.2;
  given.seed = 5;
  auto weightsAfter = [&](const gnn_trainer_options_t &options) {
    gnn::Model model(FAKE_MODEL, 1);
    gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices, options);
    trainer.resume(path);
    for (int i = 0; i < 3; ++i)
      trainer.step();
    gnn::Tensor weights = model.parameter("W");
    return std::vector<float>(weights.data<float>(), weights.data<float>() + 6);
  };
  gnn::Model model(FAKE_MODEL, 1);
  gnn::Trainer straight(model, graph, {{"x", features()}, {"y", labels}}, vertices, given);
  straight.step();
  straight.save(path);
  const std::vector<float> resumed = weightsAfter(gnn::TrainerOptions());
  gnn::TrainerOptions slower;
  slower.learning_rate = 0.01;
  const std::vector<float> other = weightsAfter(slower);
  std::remove(path.c_str());
  for (int i = 0; i < 3; ++i)
    straight.step();
  gnn::Tensor weights = model.parameter("W");
  CHECK(resumed == std::vector<float>(weights.data<float>(), weights.data<float>() + 6));
  CHECK(other != resumed);
}

TEST_CASE("a trainer follows a schedule, clips gradients and weighs classes") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4});
  gnn::Tensor vertices = gnn::Tensor::copy<int64_t>({0, 1, 2}, {3});
  auto weightsAfter = [&](int steps, const gnn_trainer_options_t &options) {
    gnn::Model model(FAKE_MODEL, 1);
    gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices, options);
    for (int i = 0; i < steps; ++i)
      trainer.step();
    gnn::Tensor weights = model.parameter("W");
    return std::vector<float>(weights.data<float>(), weights.data<float>() + 6);
  };
  gnn::TrainerOptions options;
  options.optimizer = "sgd";
  const std::vector<float> once = weightsAfter(1, options), twice = weightsAfter(2, options);
  CHECK(once != twice);
  options.schedule = "step=1,0"; // no rate after the first step
  CHECK(weightsAfter(2, options) == once);
  options.schedule = nullptr;
  options.most_norm = 1e-3;
  CHECK(weightsAfter(1, options) != once);
  options.most_norm = 0;
  options.class_weights = "1,1,1";
  CHECK(weightsAfter(2, options) == twice);
  options.class_weights = "0,0,1";
  CHECK(weightsAfter(2, options) != twice);
  options.class_weights = nullptr;
  for (auto [schedule, why] : {std::pair("plateau=3", "requires validation results (a trainer has none)"),
                               {"cosine", "requires a number of epochs: cosine=200 has one"},
                               {"falling", "expected constant, cosine"}}) {
    options.schedule = schedule;
    CHECK_THROWS_WITH(weightsAfter(1, options), Contains(why));
  }
}

TEST_CASE("answers for some vertices are those of the whole graph") {
  const int64_t n = 500;
  std::mt19937_64 random(7);
  std::vector<int64_t> sources, destinations;
  for (int i = 0; i < 1500; ++i) { // some vertices have no edges, a few many
    sources.push_back(int64_t(random() % n));
    destinations.push_back(int64_t(random() % (i % 3 ? n / 2 : 4)));
  }
  std::vector<float> numbers(2 * n);
  for (float &number : numbers)
    number = float(int64_t(random() % 200) - 100) / 64;
  const gnn::Tensor x = gnn::Tensor::copy<float>(numbers, {n, 2});
  gnn_graph_options_t byDegree{};
  byDegree.size = sizeof byDegree;
  byDegree.order = GNN_ORDER_DEGREE;
  gnn::Model model(FAKE_MODEL, 2);
  model.bindDim("in", 2);
  model.initialize(3);
  for (const gnn::Graph &graph :
       {gnn::Graph::fromEdges(sources, destinations, n), gnn::Graph::fromEdges(sources, destinations, n, &byDegree)}) {
    const std::vector<float> all = values(model.infer(graph, {{"x", x}}).at("logits"));
    auto alone = [&](int64_t vertex) { return values(model.inferAt(graph, {{"x", x}}, {vertex}).at("logits")); };
    for (std::vector<int64_t> asked : {std::vector<int64_t>{499}, {0, 1, 2, 3}, {17, 3, 17, 260}, {}, {5}}) {
      const gnn::Tensor some = model.inferAt(graph, {{"x", x}}, asked).at("logits");
      CHECK(some.shape() == std::vector<int64_t>{int64_t(asked.size()), 3});
      std::vector<float> expected; // with the bits that each has alone; products of the whole graph are others
      for (int64_t vertex : asked) {
        const std::vector<float> row = alone(vertex);
        expected.insert(expected.end(), row.begin(), row.end());
        for (size_t i = 0; i < 3; ++i)
          CHECK(row[i] == Approx(all[size_t(vertex) * 3 + i]).margin(1e-6));
      }
      CHECK(values(some) == expected);
    }
    CHECK_THROWS_WITH(model.inferAt(graph, {{"x", x}}, {2, 500}), Contains("vertex 500") && Contains("500 of"));
    CHECK_THROWS_WITH(model.inferAt(graph, {{"x", x}}, {-1}), Contains("vertex -1"));
    CHECK_THROWS_WITH(model.inferAt(graph, {{"x", x}}, {1}, "Paper"), Contains("Paper") && Contains("vertex"));
  }
}

TEST_CASE("answers for some vertices read features anew") {
  const gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  std::vector<float> numbers{1, 0, 0, 1, 1, 1, 0, 0};
  const gnn::Tensor x = gnn::Tensor::view(numbers.data(), {4, 2});
  gnn::Model model(FAKE_MODEL, 1);
  model.bindDim("in", 2);
  model.initialize(3);
  const std::vector<float> before = values(model.inferAt(graph, {{"x", x}}, {2}).at("logits"));
  numbers.assign(8, 0);
  const std::vector<float> after = values(model.inferAt(graph, {{"x", x}}, {2}).at("logits"));
  CHECK(before != after);
  CHECK(after == std::vector<float>(3, 0)); // the bias is 0
}

TEST_CASE("a model reports what is wrong") {
  CHECK_THROWS_WITH(gnn::Model("no-such.so"), Contains("no-such.so"));
  gnn::ModelOptions elsewhere(1);
  elsewhere.isa = "mips";
  CHECK_THROWS_WITH(gnn::Model(FAKE_MODEL, elsewhere), Contains("mips"));
  gnn::Model model(FAKE_MODEL, 1);
  CHECK_THROWS_WITH(model.initialize(0), Contains("'in'"));
  CHECK_THROWS_WITH(model.bindDim("classes", -4), Contains("classes"));
  model.bindDim("in", 3);
  model.initialize(0);
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  CHECK_THROWS_WITH(model.infer(graph, {{"x", features()}}), Contains("[4, 2]") && Contains("[4, 3]"));
  CHECK_THROWS_WITH(model.infer(graph, {}), Contains("input 'x'"));
}

TEST_CASE("sparse inputs are read anew in every call, wherever they lie") {
  FakeSparseLibrary fake;
  const uint32_t order = GENERATE(GNN_ORDER_GIVEN, GNN_ORDER_DEGREE);
  gnn_graph_options_t options{sizeof options, 0, order, 0, nullptr};
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4, &options);
  gnn::Model model(fake.library, 2), fresh(fake.library, 2);
  for (gnn::Model *each : {&model, &fresh}) {
    each->bindDim("in", 2);
    each->initialize(7);
  }
  Entries entries;
  auto logits = [&] { return values(model.infer(graph, entries.inputs()).at("logits")); };
  auto expected = [&] {
    gnn::Graph same = gnn::Graph::fromEdges(src, dst, 4, &options); // another each time: nothing that is kept serves
    return values(fresh.infer(same, {{"x", entries.dense()}}).at("logits"));
  };
  std::vector<float> first = logits();
  CHECK(first == expected());
  SECTION("other values in the same memory") { entries.numbers = {3, -1, 2, 5}; }
  SECTION("other columns in the same memory") { entries.indices = {1, 0, 1, 0}; }
  SECTION("other rows in the same memory") { entries.indptr = {0, 0, 2, 3, 4}; }
  SECTION("more entries with the same beginnings") {
    entries.indptr = {0, 1, 2, 4, 6};
    entries.indices.insert(entries.indices.end(), {0, 1});
    entries.numbers.insert(entries.numbers.end(), {4, 4});
  }
  SECTION("the same in other memory") {
    Entries other;
    CHECK(values(model.infer(graph, other.inputs()).at("logits")) == first);
  }
  SECTION("a dense table in the place of entries") {
    entries.indptr = {0, 0, 2, 3, 4};
    CHECK(values(model.infer(graph, {{"x", entries.dense()}}).at("logits")) == expected());
    entries.numbers[0] = 9;
    CHECK(values(model.infer(graph, {{"x", entries.dense()}}).at("logits")) == expected());
  }
  CHECK(logits() == expected());
  CHECK(logits() == expected());
}

TEST_CASE("inputs may be called after their type of vertices in every call") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Model model(FAKE_MODEL, 1);
  model.bindDim("in", 2);
  model.initialize(0);
  std::vector<float> first = values(model.infer(graph, {{"vertex.x", features()}}).at("logits"));
  CHECK(values(model.infer(graph, {{"vertex.x", features()}}).at("logits")) == first);
  CHECK_THROWS_WITH(model.infer(graph, {{"z", features()}}), Contains("input 'x'"));
  CHECK_THROWS_WITH(model.infer(graph, {{"x", gnn::Tensor::zeros<float>({4, 3})}}), Contains("[4, 3]"));
  CHECK(values(model.infer(graph, {{"x", features()}}).at("logits")) == first);
}

TEST_CASE("a model that infers refuses calls that change it and comes to no harm") {
  HoldingLibrary holding;
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Model model(holding.library, 1);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Inputs inputs{{"x", features()}, {"y", labels}};
  gnn::Trainer trainer(model, graph, inputs, vertices);
  isHolding = isReleased = false;
  std::thread other([&] { model.infer(graph, {{"x", features()}}); });
  while (!isHolding)
    std::this_thread::yield();
  const auto isRefused = Contains("in use by another call");
  CHECK_THROWS_WITH(model.initialize(1), isRefused);
  CHECK_THROWS_WITH(model.bindDim("in", 2), isRefused);
  CHECK_THROWS_WITH(model.load("no-such-file"), isRefused);
  CHECK_THROWS_WITH(model.save("/no/such/folder/file"), isRefused);
  CHECK_THROWS_WITH(model.parameter("W"), isRefused);
  CHECK_THROWS_WITH(model.deviceSeconds(), isRefused);
  CHECK_THROWS_WITH(gnn::Trainer(model, graph, inputs, vertices), isRefused);
  CHECK_THROWS_WITH(trainer.step(), isRefused);
  CHECK_THROWS_WITH(trainer.evaluate(vertices), isRefused);
  CHECK_THROWS_WITH(trainer.save("/no/such/folder/file"), isRefused);
  CHECK_THROWS_WITH(trainer.resume("no-such-file"), isRefused);
  CHECK(model.dim("in") == 2); // what only reads is for any thread
  CHECK(model.name() == "Fake");
  isReleased = true;
  other.join();
  CHECK(model.infer(graph, {{"x", features()}}).size() == 1);
}

TEST_CASE("a model whose trainer works refuses all other calls") {
  HoldingLibrary holding;
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Model model(holding.library, 1);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices);
  isHolding = isReleased = false;
  std::thread other([&] { trainer.evaluate(vertices); });
  while (!isHolding)
    std::this_thread::yield();
  const auto isRefused = Contains("in use by another call");
  CHECK_THROWS_WITH(model.infer(graph, {{"x", features()}}), isRefused);
  CHECK(gnn_model_infer(model.get(), graph.get(), nullptr, 0, nullptr) == GNN_ERROR_ARGUMENT);
  CHECK_THROWS_WITH(model.dim("in"), isRefused);
  CHECK_THROWS_WITH(model.save("/no/such/folder/file"), isRefused);
  CHECK_THROWS_WITH(trainer.step(), isRefused);
  isReleased = true;
  other.join();
  CHECK(model.infer(graph, {{"x", features()}}).size() == 1);
}

TEST_CASE("any number of threads infer with one model, over two graphs") {
  gnn::Graph graphs[2] = {gnn::Graph::fromEdges(src, dst, 4), gnn::Graph::fromEdges(dst, src, 4)};
  gnn::Model model(FAKE_MODEL, 2);
  model.bindDim("in", 2);
  model.initialize(0);
  gnn::Tensor inputs[2] = {features(), gnn::Tensor::copy<float>({9, 1, -2, 0, 1, 3, 5, 4}, {4, 2})};
  auto logits = [&](int i) { return values(model.infer(graphs[i % 2], {{"x", inputs[i / 2]}}).at("logits")); };
  std::vector<float> expected[4];
  for (int i = 0; i < 4; ++i)
    expected[i] = logits(i);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int call = 0; call < 300; ++call) {
        const int i = (t + call / 10) % 4;
        wrong += logits(i) != expected[i];
        wrong += model.dim("in") != 2;
        const int64_t vertex = (t + call) % 4;
        const auto row = expected[i].begin() + vertex * 3;
        wrong += values(model.inferAt(graphs[i % 2], {{"x", inputs[i / 2]}}, {vertex}).at("logits")) !=
                 std::vector<float>(row, row + 3);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("threads that infer and one that trains each get numbers or an error, and no harm is done") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Model model(FAKE_MODEL, 2);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices);
  std::atomic<int> otherErrors{0}, inferred{0}, steps{0};
  auto tryTo = [&](std::atomic<int> &done, auto call) {
    try {
      call();
      ++done;
    } catch (const gnn::Error &error) {
      otherErrors += error.code() != GNN_ERROR_ARGUMENT;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int call = 0; call < 300; ++call)
        tryTo(inferred, [&] { model.infer(graph, {{"x", features()}}); });
    });
  for (int step = 0; step < 300; ++step)
    tryTo(steps, [&] { trainer.step(); });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(otherErrors == 0);
  CHECK(inferred + steps > 0);
  CHECK(trainer.step() > 0);
}

TEST_CASE("threads with a model each share a graph") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  auto logits = [&](gnn::Model &model, uint32_t transforms) {
    return values(model.infer(graph.transformed(transforms), {{"x", features()}}).at("logits"));
  };
  auto initialized = [] {
    gnn::Model model(FAKE_MODEL, 2);
    model.bindDim("in", 2);
    model.initialize(0);
    return model;
  };
  gnn::Model model = initialized();
  std::vector<float> expected[2] = {logits(model, 0), logits(model, GNN_GRAPH_SELF_LOOPS)};
  std::atomic<int> wrong{0};
  auto serve = [&] {
    gnn::Model own = initialized();
    for (int call = 0; call < 100; ++call)
      wrong += logits(own, call % 2 ? GNN_GRAPH_SELF_LOOPS : 0) != expected[call % 2];
  };
  std::thread first(serve), second(serve);
  first.join();
  second.join();
  CHECK(wrong == 0);
}

namespace {

/// Sets the metadata of a safetensors file: `from` becomes `to`, which must be as long.
void changeText(const std::string &path, const std::string &from, const std::string &to) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  REQUIRE(from.size() == to.size());
  REQUIRE(bytes.find(from) != std::string::npos);
  std::ofstream(path, std::ios::binary) << bytes.replace(bytes.find(from), from.size(), to);
}

gnn_status_t dimStatus(gnn::Model &model, const char *name) {
  int64_t value = 0;
  return gnn_model_dim(model.get(), name, &value);
}

} // namespace

TEST_CASE("a trainer counts classes in the labels where the model's default is too few, and nothing was bound") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  auto classesOf = [&](const std::vector<int64_t> &labels) {
    gnn::Model model(FAKE_MODEL, 1);
    gnn::Trainer(model, graph, {{"x", features()}, {"y", gnn::Tensor::copy(labels, {4})}}, vertices).step();
    return model.dim("classes");
  };
  CHECK(classesOf({0, 3, 1, 2}) == 4);
  CHECK(classesOf({0, 1, 1, 0}) == 3);
  gnn::Model model(FAKE_MODEL, 1); // more classes than labels, but no more than the model has
  gnn::Trainer(model, gnn::Graph::fromEdges({0}, {1}, 2),
               {{"x", gnn::Tensor::zeros<float>({2, 2})}, {"y", gnn::Tensor::copy<int64_t>({0, 2}, {2})}},
               gnn::Tensor::copy<int64_t>({0, 1}, {2}));
  CHECK(model.dim("classes") == 3);
}

TEST_CASE("what fails leaves dimensions and parameters as they were") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4}), outside = gnn::Tensor::copy<int64_t>({4}, {1});
  gnn::Model model(FAKE_MODEL, 1);
  SECTION("a trainer over data that do not fit") {
    gnn::Tensor wrong = gnn::Tensor::copy<int64_t>({0, 1, 2, 7}, {4});
    CHECK_THROWS_WITH(gnn::Trainer(model, graph, {{"x", features()}, {"y", wrong}}, vertices),
                      Contains("the largest y in") && Contains("is 7, of 4 labels"));
    CHECK_THROWS_WITH(gnn::Trainer(model, graph, {{"x", features()}, {"y", labels}}, outside), Contains("vertex 4"));
    CHECK_THROWS_WITH(gnn::Trainer(model, graph, {{"x", features()}}, vertices), Contains("target 'y'"));
  }
  SECTION("a trainer whose labels are of more classes than were bound") {
    model.bindDim("classes", 3);
    gnn::Tensor fourth = gnn::Tensor::copy<int64_t>({0, 1, 3, 0}, {4});
    CHECK_THROWS_WITH(gnn::Trainer(model, graph, {{"x", features()}, {"y", fourth}}, vertices), Contains("label 3"));
    CHECK(model.dim("classes") == 3);
    return;
  }
  SECTION("parameters before all dimensions are known, and one that is not there") {
    CHECK_THROWS_WITH(model.initialize(0), Contains("'in'"));
    CHECK_THROWS_WITH(model.parameter("W"), Contains("'in'"));
    CHECK_THROWS_WITH(model.parameter("nonsense"), Contains("'nonsense'"));
  }
  CHECK(dimStatus(model, "in") == GNN_ERROR_MISMATCH);
  CHECK(dimStatus(model, "classes") == GNN_ERROR_MISMATCH);
  CHECK_THROWS_WITH(model.infer(graph, {{"x", features()}}), Contains("no parameters yet"));
  model.bindDim("in", 2);
  model.bindDim("classes", 8);
  CHECK_THROWS_WITH(model.parameter("nonsense"), Contains("'nonsense'"));
  gnn::Tensor fitting = gnn::Tensor::copy<int64_t>({0, 1, 2, 7}, {4});
  gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", fitting}}, vertices);
  CHECK(trainer.step() > 0);
}

TEST_CASE("a checkpoint that cannot be is refused before anything is taken from it") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Model model(FAKE_MODEL, 1);
  gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices);
  for (int i = 0; i < 10; ++i)
    trainer.step();
  const std::string path = "/tmp/gnnc-model-test-" + std::to_string(getpid()) + ".checkpoint";
  trainer.save(path);
  trainer.step();
  std::vector<float> weights = values(model.parameter("W"));
  auto [from, to] = GENERATE(std::pair<const char *, const char *>{R"("step":"10")", R"("step":"-1")"},
                             std::pair<const char *, const char *>{R"("step":"10")", R"("step":"1x")"},
                             std::pair<const char *, const char *>{R"("epoch":"10")", R"("epoch":"-1")"},
                             std::pair<const char *, const char *>{R"("best_epoch":"-1")", R"("best_epoch":"-2")"},
                             std::pair<const char *, const char *>{R"("optimizer":"adam")", R"("optimizer":"adax")"});
  changeText(path, from, to);
  CHECK_THROWS_AS(trainer.resume(path), gnn::Error);
  CHECK(values(model.parameter("W")) == weights);
  changeText(path, to, from);
  const double next = trainer.step();
  trainer.resume(path);
  trainer.step();
  CHECK(values(model.parameter("W")) == weights);
  CHECK(trainer.step() == next);
  std::remove(path.c_str());
}

TEST_CASE("a seed below 0 is no seed") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Model model(FAKE_MODEL, 1);
  gnn::TrainerOptions options;
  options.seed = 17;
  gnn::Trainer trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices, options);
  const std::string path = "/tmp/gnnc-model-test-" + std::to_string(getpid()) + ".checkpoint";
  trainer.save(path);
  changeText(path, R"("seed":"17")", R"("seed":"-7")");
  CHECK_THROWS_WITH(trainer.resume(path), Contains("'seed'"));
  std::remove(path.c_str());
}

TEST_CASE("a rate that is no finite number is refused, and not taken for none") {
  gnn::Graph graph = gnn::Graph::fromEdges(src, dst, 4);
  gnn::Tensor labels = gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4}),
              vertices = gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4});
  gnn::Model model(FAKE_MODEL, 1);
  auto train = [&](double rate, double decay) {
    gnn::TrainerOptions options;
    options.learning_rate = rate;
    options.weight_decay = decay;
    gnn::Trainer(model, graph, {{"x", features()}, {"y", labels}}, vertices, options);
  };
  for (double bad : {double(NAN), double(INFINITY)}) {
    CHECK_THROWS_WITH(train(bad, -1), Contains("the learning rate is "));
    CHECK_THROWS_WITH(train(-1, bad), Contains("the weight decay is "));
  }
}

TEST_CASE("a model whose header is of another library is refused") {
  std::unique_ptr<void, int (*)(void *)> library(dlopen(FAKE_MODEL, RTLD_NOW | RTLD_LOCAL), dlclose);
  REQUIRE(library);
  auto *table = static_cast<const gnn_library_t *>(dlsym(library.get(), GNN_LIBRARY_SYMBOL));
  const char *digest = ""; // its manifest has none
  gnn_model_t *model = nullptr;
  CHECK(gnn_model_from_linked(table, "Fake", "0123456789abcdef", nullptr, &model) == GNN_ERROR_MISMATCH);
  CHECK(gnn_model_from_linked(table, "Other", digest, nullptr, &model) == GNN_ERROR_MISMATCH);
  CHECK_THAT(gnn_last_error(), Contains("linked with a library of Fake with the digest"));
  CHECK(model == nullptr);
  REQUIRE(gnn_model_from_linked(table, "Fake", digest, nullptr, &model) == GNN_OK);
  gnn_model_destroy(model);
}

TEST_CASE("what options of models and trainers do not have has its default") {
  gnn_model_options_t options{};
  options.size = offsetof(gnn_model_options_t, isa);
  options.threads = 2;
  options.isa = "none";
  gnn_model_t *model = nullptr;
  REQUIRE(gnn_model_open(FAKE_MODEL, &options, &model) == GNN_OK);
  gnn_model_destroy(model);

  gnn_trainer_options_t shorter{};
  shorter.size = offsetof(gnn_trainer_options_t, learning_rate);
  shorter.optimizer = "sgd";
  shorter.learning_rate = shorter.weight_decay = 1e30;
  gnn::TrainerOptions whole;
  whole.optimizer = "sgd";
  std::vector<double> losses;
  for (const gnn_trainer_options_t &given : {shorter, gnn_trainer_options_t(whole)}) {
    gnn::Model trained(FAKE_MODEL, 1);
    gnn::Trainer trainer(trained, gnn::Graph::fromEdges(src, dst, 4),
                         {{"x", features()}, {"y", gnn::Tensor::copy<int64_t>({0, 1, 2, 0}, {4})}},
                         gnn::Tensor::copy<int64_t>({0, 1, 2, 3}, {4}), given);
    trainer.step();
    losses.push_back(trainer.step());
  }
  CHECK(losses[0] == losses[1]);
}
