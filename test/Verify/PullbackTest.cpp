//===- PullbackTest.cpp - Calls that wait, in turn and from threads -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ interface of differentiable models, over graph attention with edge features in f64. Numbers are held against
// differences of the outputs themselves; test/Execution/vjp.test holds many models against the oracle.
//
//===----------------------------------------------------------------------===//

#include "gnn/gnn.hpp"
#include "runtime/src/core/Random.h"
#include "test/Verify/Compile.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

using namespace gnnc::verify;

namespace {

const char source[] = R"(
layer Attention(in: dim, out: dim) {
  param W: real[in, out]
  param a: real[out]
  vertex v (h: real[in], edge w: real) -> real[out] {
    let z = h @ W
    let s = leaky_relu(dot(u.z, a) + e.w * v.z[0], 0.2) for e: u -> v
    return sum(softmax(s) * u.z for u -> v)
  }
}
model Net(in: dim = 3, classes: dim = 2) {
  graph { symmetric; self_loops }
  layer conv = Attention(in, classes)
  edge u -> v { input w: real }
  vertex v {
    input x: real[in]
    input kind: i32
    output y = conv(x, w) + select(kind == 0, 0, 1)
    output p = tanh(dropout(x, 0.5))
  }
}
)";

const char squares[] = R"(
import nn
model Squares(in: dim = 3) {
  layer conv = SAGEConv(in, 4)
  param a: real[4] = normal(0.5)
  vertex v {
    input  x: real[in]
    output y = dot(tanh(conv(x)), a)
    target t: real
    loss   mean_squared_error(y, t)
  }
}
)";

std::string compiled(const TemporaryFolder &folder, const char *text, const char *products = "both") {
  const std::string model = folder.file("net.gnn"), made = folder.file("net.so");
  std::ofstream(model) << text;
  CompileOptions options;
  options.gnnc = GNNC_PROGRAM;
  options.real = "f64";
  options.arguments = {"--vjp", "--target=host", std::string("--products=") + products};
  REQUIRE(compileSource(options, model, made) == "");
  return made;
}

/// The library of `source`, compiled once.
const std::string &library() {
  static TemporaryFolder folder;
  static const std::string path = compiled(folder, source);
  return path;
}

gnn::Tensor drawn(uint64_t seed, const std::vector<int64_t> &shape) {
  gnn::Tensor table = gnn::Tensor::zeros<double>(shape);
  gnn::rt::RandomSequence random(seed);
  std::generate_n(table.mutableData<double>(), table.count(), [&] { return 2 * random.uniform() - 1; });
  return table;
}

gnn::Graph graph() { return gnn::Graph::fromEdges({0, 1, 2, 3, 0, 2, 2}, {1, 2, 0, 0, 1, 2, 2}, 5); }

gnn::Inputs inputs(uint64_t seed) {
  return {{"x", drawn(seed, {5, 3})},
          {"w", drawn(seed + 100, {7})},
          {"kind", gnn::Tensor::copy<int32_t>({0, 1, 0, 1, 0}, {5})}};
}

bool isSame(const gnn::Tensor &a, const gnn::Tensor &b) {
  return a.shape() == b.shape() && std::memcmp(a.data<double>(), b.data<double>(), size_t(a.count()) * 8) == 0;
}

using Tensors = std::map<std::string, gnn::Tensor>;

bool areSame(const Tensors &a, const Tensors &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto &one, auto &other) {
    return one.first == other.first && isSame(one.second, other.second);
  });
}

double dot(const gnn::Tensor &a, const gnn::Tensor &b) {
  double sum = 0;
  for (int64_t i = 0; i < a.count(); ++i)
    sum += a.data<double>()[i] * b.data<double>()[i];
  return sum;
}

/// Checks the derivative by each entry of `table`, which `inputsOf` reads, against differences.
void checkAgainstDifferences(const gnn::Pullback &pullback, const gnn::Inputs &given, gnn::Tensor table,
                             const std::string &name, const Tensors &cotangents) {
  const Tensors gradients = pullback.forward(given).backward(cotangents);
  auto value = [&] {
    const gnn::Pullback::Call call = pullback.forward(given);
    return dot(call.outputs().at("y"), cotangents.at("y")) + dot(call.outputs().at("p"), cotangents.at("p"));
  };
  constexpr double step = 1e-6;
  for (int64_t i = 0; i < table.count(); ++i) {
    double &entry = table.mutableData<double>()[i];
    const double before = entry;
    entry = before + step;
    const double above = value();
    entry = before - step;
    const double below = value();
    entry = before;
    INFO(name << "[" << i << "]");
    CHECK(gradients.at(name).data<double>()[i] == Approx((above - below) / (2 * step)).margin(1e-8));
  }
}

struct Opened {
  gnn::Model model{library()};
  gnn::Graph edges = graph();
  Opened() { model.initialize(3); }
};

} // namespace

TEST_CASE("gradients are the slopes of the outputs") {
  Opened net;
  const gnn::Inputs given = inputs(1);
  const gnn::Pullback pullback(net.model, net.edges, given);
  const Tensors cotangents = {{"y", drawn(7, {5, 2})}, {"p", drawn(8, {5, 3})}};
  checkAgainstDifferences(pullback, given, given[0].dense, "x", cotangents);
  checkAgainstDifferences(pullback, given, given[1].dense, "w", cotangents);
  const Tensors gradients = pullback.forward(given).backward(cotangents);
  CHECK(gradients.size() == 4); // conv.W, conv.a, x, w
  CHECK(isSame(pullback.forward(given).outputs().at("y"), net.model.infer(net.edges, given).at("y")));
}

TEST_CASE("calls wait for each other in any order") {
  Opened net;
  const gnn::Inputs one = inputs(1), other = inputs(2);
  const gnn::Pullback pullback(net.model, net.edges, one);
  const Tensors cotangents = {{"y", drawn(7, {5, 2})}};
  const Tensors ofOne = pullback.forward(one).backward(cotangents),
                ofOther = pullback.forward(other).backward(cotangents);
  const gnn::Pullback::Call first = pullback.forward(one), second = pullback.forward(other);
  CHECK(areSame(second.backward(cotangents), ofOther));
  CHECK(areSame(first.backward(cotangents), ofOne));
  CHECK(areSame(first.backward(cotangents), ofOne));
  CHECK_FALSE(areSame(ofOne, ofOther));
}

TEST_CASE("threads call at the same time") {
  Opened net;
  const gnn::Inputs given = inputs(1);
  const gnn::Pullback pullback(net.model, net.edges, given);
  const Tensors cotangents = {{"y", drawn(7, {5, 2})}, {"p", drawn(8, {5, 3})}};
  const Tensors expected = pullback.forward(given).backward(cotangents);
  std::vector<int> same(8, 0);
  std::vector<std::thread> threads;
  for (int &count : same)
    threads.emplace_back([&] {
      for (int call = 0; call < 20; ++call) {
        const gnn::Pullback::Call one = pullback.forward(given), another = pullback.forward(inputs(9));
        count += areSame(one.backward(cotangents), expected);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(same == std::vector<int>(8, 20));
}

TEST_CASE("only what is wanted is computed and kept") {
  Opened net;
  const gnn::Inputs given = inputs(1);
  const Tensors cotangents = {{"y", drawn(7, {5, 2})}};
  const gnn::Pullback all(net.model, net.edges, given);
  gnn::PullbackOptions options;
  options.wanted = {"x"};
  const gnn::Pullback some(net.model, net.edges, given, options);
  const Tensors gradients = some.forward(given).backward(cotangents);
  CHECK(gradients.size() == 1);
  CHECK(isSame(gradients.at("x"), all.forward(given).backward(cotangents).at("x")));
  CHECK(some.workspaceBytes() <= all.workspaceBytes());
}

TEST_CASE("dropout is that of seed and step, forward and back") {
  Opened net;
  const gnn::Inputs given = inputs(1);
  gnn::PullbackOptions options;
  options.isTraining = true;
  const gnn::Pullback pullback(net.model, net.edges, given, options);
  const Tensors cotangents = {{"p", drawn(8, {5, 3})}};
  const gnn::Pullback::Call call = pullback.forward(given, 5, 2), again = pullback.forward(given, 5, 2),
                            other = pullback.forward(given, 5, 3);
  CHECK(isSame(call.outputs().at("p"), again.outputs().at("p")));
  CHECK_FALSE(isSame(call.outputs().at("p"), other.outputs().at("p")));
  const gnn::Tensor slopes = call.backward(cotangents).at("x");
  for (int64_t i = 0; i < slopes.count(); ++i) // 0 where the number was dropped
    CHECK((slopes.data<double>()[i] == 0) == (call.outputs().at("p").data<double>()[i] == 0));
}

TEST_CASE("gradients that training computes have training's bits") {
  const TemporaryFolder folder;
  gnn::Model model(compiled(folder, squares, "first")); // training, whose inputs stay, would prefer another order
  model.initialize(3);
  const gnn::Graph edges = graph();
  const gnn::Tensor x = drawn(1, {5, 3}), t = drawn(2, {5});
  const gnn::Pullback::Call call = gnn::Pullback(model, edges, {{"x", x}}).forward({{"x", x}});
  gnn::Tensor slopes = gnn::Tensor::zeros<double>({5}); // of the mean of all losses
  for (int64_t v = 0; v < 5; ++v)
    slopes.mutableData<double>()[v] = 1.0 / 5 * (2 * (call.outputs().at("y").data<double>()[v] - t.data<double>()[v]));
  Tensors expected;
  for (const auto &[name, gradient] : call.backward({{"y", slopes}}))
    if (name != "x") {
      gnn::Tensor next = gnn::Tensor::zeros<double>(gradient.shape()), before = model.parameter(name);
      for (int64_t i = 0; i < next.count(); ++i)
        next.mutableData<double>()[i] = before.data<double>()[i] - gradient.data<double>()[i];
      expected[name] = next;
    }
  gnn::TrainerOptions options;
  options.optimizer = "sgd";
  options.learning_rate = 1;
  options.weight_decay = 0;
  gnn::Trainer trainer(model, edges, {{"x", x}, {"t", t}}, gnn::Tensor::copy<int64_t>({0, 1, 2, 3, 4}, {5}), options);
  trainer.step();
  for (const auto &[name, next] : expected) {
    INFO(name);
    CHECK(isSame(model.parameter(name), next));
  }
}

TEST_CASE("mistakes of the caller are said by name") {
  Opened net;
  const gnn::Inputs given = inputs(1);
  auto message = [](auto &&body) -> std::string {
    try {
      body();
    } catch (const gnn::Error &error) {
      return error.what();
    }
    return "";
  };
  gnn::PullbackOptions options;
  options.wanted = {"kind"};
  CHECK(message([&] { gnn::Pullback(net.model, net.edges, given, options); }) ==
        "gnn_pullback_options_t: wanted: there is no gradient by kind: its numbers are integers");
  options.wanted = {"z"};
  CHECK(message([&] { gnn::Pullback(net.model, net.edges, given, options); }) ==
        "gnn_pullback_options_t: wanted: Net has no parameter or input 'z'");
  const gnn::Pullback pullback(net.model, net.edges, given);
  const gnn::Pullback::Call call = pullback.forward(given);
  CHECK(message([&] {
          call.backward({{"y", drawn(7, {5, 3})}});
        }) == "cotangents[0], y, is f64 [5, 3], expected f64 [5, 2] in memory of this process");
  net.model.initialize(4);
  CHECK(message([&] {
          call.backward({{"y", drawn(7, {5, 2})}});
        }) ==
        "gnn_pullback_backward: the parameters are not those of the forward call: since then another call, such as "
        "loading or training, had the model");
}
