//===- ValuesTest.cpp - Every kind of value by hand -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations, shapes, graph operations and losses against numbers computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace gnnc;
using namespace gnnc::test;

static std::vector<double> lastOf(const ModelWriter &writer, const OracleBindings &bindings) {
  REQUIRE(checkBindings(writer.model, bindings) == "");
  return evaluate(writer.model, bindings).back().data;
}

static std::vector<double> unaryOf(ValueKind kind, std::vector<double> x) {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params["x"] = x;
  writer.unary(kind, writer.param("x", {int64_t(x.size())}));
  return lastOf(writer, bindings);
}

static std::vector<double> binaryOf(ValueKind kind, std::vector<double> x, std::vector<double> y) {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params = {{"x", x}, {"y", y}};
  unsigned a = writer.param("x", {int64_t(x.size())}), b = writer.param("y", {int64_t(y.size())});
  writer.binary(kind, a, b);
  return lastOf(writer, bindings);
}

using Numbers = std::vector<double>;
static const double notANumber = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("unary operations") {
  CHECK(unaryOf(ValueKind::Neg, {2, -3}) == Numbers{-2, 3});
  CHECK(unaryOf(ValueKind::Exp, {0, 1}) == Numbers{1, std::exp(1.0)});
  CHECK(unaryOf(ValueKind::Log, {1, 2}) == Numbers{0, std::log(2.0)});
  CHECK(unaryOf(ValueKind::Sqrt, {4, 0}) == Numbers{2, 0});
  CHECK(unaryOf(ValueKind::Rsqrt, {4, 0.25}) == Numbers{0.5, 2});
  CHECK(unaryOf(ValueKind::Sigmoid, {0, -1000}) == Numbers{0.5, 0});
  CHECK(unaryOf(ValueKind::Tanh, {0, 1000}) == Numbers{0, 1});
  CHECK(unaryOf(ValueKind::Erf, {0, 1000, -0.5}) == Numbers{0, 1, -std::erf(0.5)});
  CHECK(unaryOf(ValueKind::Abs, {-2, 3}) == Numbers{2, 3});
  CHECK(unaryOf(ValueKind::Not, {0, 1}) == Numbers{1, 0});
}

TEST_CASE("casts to integers drop the fraction") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params["x"] = {2.9, -2.9};
  writer.unary(ValueKind::Cast, writer.param("x", {2}));
  writer.last().type.element = ElementKind::I32;
  CHECK(lastOf(writer, bindings) == Numbers{2, -2});
}

TEST_CASE("binary operations") {
  CHECK(binaryOf(ValueKind::Add, {1}, {2}) == Numbers{3});
  CHECK(binaryOf(ValueKind::Sub, {1}, {2}) == Numbers{-1});
  CHECK(binaryOf(ValueKind::Mul, {3}, {2}) == Numbers{6});
  CHECK(binaryOf(ValueKind::Div, {3}, {2}) == Numbers{1.5});
  CHECK(binaryOf(ValueKind::Maximum, {3, 1}, {2, 2}) == Numbers{3, 2});
  CHECK(binaryOf(ValueKind::Minimum, {3, 1}, {2, 2}) == Numbers{2, 1});
  CHECK(binaryOf(ValueKind::Pow, {3, 4}, {2, 0.5}) == Numbers{9, 2});
  CHECK(binaryOf(ValueKind::Equal, {1, 2}, {1, 1}) == Numbers{1, 0});
  CHECK(binaryOf(ValueKind::NotEqual, {1, 2}, {1, 1}) == Numbers{0, 1});
  CHECK(binaryOf(ValueKind::Less, {1, 2}, {2, 2}) == Numbers{1, 0});
  CHECK(binaryOf(ValueKind::LessEqual, {3, 2}, {2, 2}) == Numbers{0, 1});
  CHECK(binaryOf(ValueKind::Greater, {3, 2}, {2, 2}) == Numbers{1, 0});
  CHECK(binaryOf(ValueKind::GreaterEqual, {1, 2}, {2, 2}) == Numbers{0, 1});
  CHECK(binaryOf(ValueKind::And, {1, 1}, {1, 0}) == Numbers{1, 0});
  CHECK(binaryOf(ValueKind::Or, {0, 1}, {0, 0}) == Numbers{0, 1});
}

TEST_CASE("NaN propagates through maximum and minimum") {
  for (double x : binaryOf(ValueKind::Maximum, {notANumber, 1}, {1, notANumber}))
    CHECK(std::isnan(x));
  for (double x : binaryOf(ValueKind::Minimum, {notANumber, 1}, {1, notANumber}))
    CHECK(std::isnan(x));
}

TEST_CASE("select takes the side that the condition names, row by row") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {1, -2, 3, -4, 5};
  unsigned x = writer.input("x", {}), zero = writer.constant(0);
  unsigned positive = writer.compare(ValueKind::Greater, x, zero);
  writer.add(ValueKind::Select, writer.type(x), {positive, x, zero});
  CHECK(lastOf(writer, bindings) == Numbers{1, 0, 3, 0, 5});
}

TEST_CASE("a parameter joins every row") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {1, 2, 3, 4, 5};
  bindings.params["b"] = {10};
  writer.binary(ValueKind::Add, writer.param("b", {}), writer.input("x", {}));
  CHECK(lastOf(writer, bindings) == Numbers{11, 12, 13, 14, 15});
}

TEST_CASE("shapes") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params = {{"x", {1, 2, 3, 4, 5, 6}}, {"y", {7, 8}}};
  unsigned x = writer.param("x", {2, 3}), y = writer.param("y", {2});

  SECTION("broadcast repeats along the new dimension") {
    writer.reshaped(ValueKind::Broadcast, {y}, {3, 2}, {1});
    CHECK(lastOf(writer, bindings) == Numbers{7, 8, 7, 8, 7, 8});
    writer.reshaped(ValueKind::Broadcast, {y}, {2, 3}, {0});
    CHECK(lastOf(writer, bindings) == Numbers{7, 7, 7, 8, 8, 8});
    writer.reshaped(ValueKind::Broadcast, {x}, {2, 2, 3}, {0, 2});
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  }
  SECTION("reduce") {
    writer.reduce(Reduction::Sum, x, 0);
    CHECK(lastOf(writer, bindings) == Numbers{5, 7, 9});
    writer.reduce(Reduction::Mean, x, 1);
    CHECK(lastOf(writer, bindings) == Numbers{2, 5});
    writer.reduce(Reduction::Max, x, 1);
    CHECK(lastOf(writer, bindings) == Numbers{3, 6});
    writer.reduce(Reduction::Min, x, 0);
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3});
    writer.reduce(Reduction::LogSumExp, x, 1);
    CHECK(lastOf(writer, bindings)[1] ==
          Approx(std::log(std::exp(4.0) + std::exp(5.0) + std::exp(6.0))).epsilon(1e-15));
  }
  SECTION("matmul contracts the last dimension with the first") {
    writer.reshaped(ValueKind::MatMul, {y, x}, {3});
    CHECK(lastOf(writer, bindings) == Numbers{7 * 1 + 8 * 4, 7 * 2 + 8 * 5, 7 * 3 + 8 * 6});
  }
  SECTION("reshape, concat, pad and slice") {
    writer.reshaped(ValueKind::Reshape, {x}, {6});
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3, 4, 5, 6});
    unsigned pair = writer.reshaped(ValueKind::Broadcast, {y}, {2, 1}, {0});
    writer.reshaped(ValueKind::Concat, {x, pair}, {2, 4}, {1});
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3, 7, 4, 5, 6, 8});
    writer.reshaped(ValueKind::Concat, {x, x}, {4, 3}, {0});
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
    writer.reshaped(ValueKind::Transpose, {x}, {3, 2}, {1, 0});
    CHECK(lastOf(writer, bindings) == Numbers{1, 4, 2, 5, 3, 6});
    unsigned wide = writer.reshaped(ValueKind::Reshape, {x}, {1, 2, 3});
    writer.reshaped(ValueKind::Transpose, {wide}, {3, 1, 2}, {2, 0, 1});
    CHECK(lastOf(writer, bindings) == Numbers{1, 4, 2, 5, 3, 6});
    writer.reshaped(ValueKind::Pad, {x}, {2, 4});
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3, 0, 4, 5, 6, 0});
    writer.reshaped(ValueKind::Slice, {x}, {2, 2}, {1});
    CHECK(lastOf(writer, bindings) == Numbers{1, 2, 4, 5});
    writer.last().offset = 1;
    CHECK(lastOf(writer, bindings) == Numbers{2, 3, 5, 6});
    writer.reshaped(ValueKind::Slice, {x}, {1, 3}, {0});
    writer.last().offset = 1;
    CHECK(lastOf(writer, bindings) == Numbers{4, 5, 6});
  }
}

TEST_CASE("aggregation over the edges of a vertex") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {1, 2, 3, 4, 5};
  unsigned x = writer.input("x", {});
  unsigned atSource = writer.source(x), atDestination = writer.destination(x);

  auto of = [&](Reduction reduction, std::vector<unsigned> operands, End toward = End::Destination) {
    writer.aggregate(reduction, operands, toward);
    return lastOf(writer, bindings);
  };
  CHECK(of(Reduction::Sum, {atSource}) == Numbers{2, 7, 0, 4, 0});
  CHECK(of(Reduction::Mean, {atSource}) == Numbers{2, 7.0 / 3, 0, 4, 0});
  CHECK(of(Reduction::Max, {atSource}) == Numbers{2, 3, 0, 4, 0});
  CHECK(of(Reduction::Min, {atSource}) == Numbers{2, 1, 0, 4, 0});
  CHECK(of(Reduction::Count, {}) == Numbers{1, 3, 0, 1, 0});
  CHECK(of(Reduction::LogSumExp, {atSource})[1] == Approx(std::log(std::exp(1.0) + 2 * std::exp(3.0))).epsilon(1e-15));
  CHECK(of(Reduction::Sum, {atDestination}, End::Source) == Numbers{2, 1, 4, 4, 0});

  unsigned two = writer.constant(2);
  unsigned filter = writer.compare(ValueKind::Greater, atSource, two);
  CHECK(of(Reduction::Sum, {atSource, filter}) == Numbers{0, 6, 0, 4, 0});
  CHECK(of(Reduction::Max, {writer.unary(ValueKind::Neg, atSource), filter}) == Numbers{0, -3, 0, -4, 0});
  CHECK(of(Reduction::Count, {filter}) == Numbers{0, 2, 0, 1, 0});
}

TEST_CASE("softmax over the edges that share an end") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["w"] = {std::log(1.0), std::log(2.0), 1000, std::log(5.0), -1000};
  unsigned w = writer.input("w", {}, GraphKind::E);
  auto check = [&](const Numbers &expected) {
    Numbers alpha = lastOf(writer, bindings);
    for (size_t i = 0; i < expected.size(); ++i)
      CHECK(alpha[i] == Approx(expected[i]).epsilon(1e-14));
  };
  writer.softmax({w});
  check({1.0 / 8, 2.0 / 8, 1, 5.0 / 8, 1});
  writer.softmax({w}, End::Source);
  check({1, 2.0 / 7, 1, 5.0 / 7, 1});
  unsigned one = writer.constant(std::log(1.5));
  unsigned filter = writer.compare(ValueKind::Greater, w, one);
  writer.softmax({w, filter});
  check({0, 2.0 / 7, 1, 5.0 / 7, 0});
}

TEST_CASE("degrees count multi-edges and the graph as transformed") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  writer.add(ValueKind::InDegree, {GraphKind::V, 0, {}, ElementKind::Real});
  CHECK(lastOf(writer, bindings) == Numbers{1, 3, 0, 1, 0});
  writer.add(ValueKind::OutDegree, {GraphKind::V, 0, {}, ElementKind::Real});
  CHECK(lastOf(writer, bindings) == Numbers{1, 1, 2, 1, 0});
}

TEST_CASE("a sparse input is a relation from columns to vertices") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  writer.sparseRelation("x", DimExpr(3));
  Input sparse;
  sparse.name = "x";
  sparse.type = {GraphKind::E, 1, {}, ElementKind::Real};
  sparse.sparse = sparse.rowNormalized = true;
  sparse.relation = 1;
  writer.model.inputs.push_back(sparse);
  bindings.relations.push_back(graphOf({0, 2, 1}, {0, 0, 4}));
  bindings.inputs["x"] = {1, 3, 2};
  bindings.params["W"] = {1, 2, 10, 20, 100, 200};

  unsigned x = writer.named(ValueKind::Input, "x", GraphKind::E, {});
  writer.last().type.type = 1;
  unsigned w = writer.param("W", {3, 2});
  unsigned table = writer.add(ValueKind::Rows, {GraphKind::V, 1, {2}, ElementKind::Real}, {w});
  unsigned row = writer.source(table, 1);
  unsigned wide = writer.reshaped(ValueKind::Broadcast, {x}, {2});
  unsigned product = writer.binary(ValueKind::Mul, wide, row);
  writer.aggregate(Reduction::Sum, {product}, End::Destination, 1);
  CHECK(lastOf(writer, bindings) == Numbers{75.25, 150.5, 0, 0, 0, 0, 0, 0, 10, 20});
}

TEST_CASE("losses of one vertex") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.numVertices = {2};
  bindings.relations[0] = graphOf({}, {});
  bindings.inputs = {{"x", {1, 2, 3, 4}}, {"t", {0, 1, 1, 0}}, {"label", {1, -1}}};
  unsigned x = writer.input("x", {2});
  auto loss = [&](ValueKind kind, unsigned target) {
    writer.add(kind, {GraphKind::V, 0, {}, ElementKind::Real}, {x, target});
    return lastOf(writer, bindings);
  };
  unsigned label = writer.named(ValueKind::Target, "label", GraphKind::V, {}, ElementKind::I32);
  Numbers crossEntropy = loss(ValueKind::CrossEntropy, label);
  CHECK(crossEntropy[0] == Approx(std::log1p(std::exp(-1.0))).epsilon(1e-14));
  CHECK(crossEntropy[1] == 0); // unlabelled

  unsigned target = writer.named(ValueKind::Target, "t", GraphKind::V, {2});
  CHECK(loss(ValueKind::MeanSquaredError, target) == Numbers{(1.0 + 1.0) / 2, (4.0 + 16.0) / 2});
  Numbers binary = loss(ValueKind::BinaryCrossEntropy, target);
  CHECK(binary[0] == Approx((std::log(1 + std::exp(1.0)) + std::log(1 + std::exp(-2.0))) / 2).epsilon(1e-14));

  writer.model.loss = writer.model.values.size() - 1;
  OracleValues values = evaluate(writer.model, bindings);
  CHECK(maskedLoss(writer.model, bindings, values) == Approx((binary[0] + binary[1]) / 2).epsilon(1e-14));
  bindings.mask = {0, 2};
  CHECK(maskedLoss(writer.model, bindings, values) == Approx(binary[1]).epsilon(1e-14));
  bindings.mask = {0, 0};
  CHECK(maskedLoss(writer.model, bindings, values) == 0);
}

TEST_CASE("the empty graph is legal") {
  ModelWriter writer;
  OracleBindings bindings;
  bindings.numVertices = {0};
  bindings.relations.resize(1);
  bindings.inputs["x"] = {};
  unsigned x = writer.input("x", {3});
  writer.aggregate(Reduction::Max, {writer.softmax({writer.source(x)})});
  CHECK(lastOf(writer, bindings).empty());
}

TEST_CASE("a model is evaluated without its target up to the loss") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {1, 2, 3, 4, 5};
  unsigned x = writer.input("x", {}), t = writer.named(ValueKind::Target, "t", GraphKind::V, {});
  writer.add(ValueKind::MeanSquaredError, {GraphKind::V, 0, {}, ElementKind::Real}, {x, t});
  CHECK(checkBindings(writer.model, bindings) == "`t` is not bound");
  CHECK(checkBindings(writer.model, bindings, /*withTargets=*/false) == "");
  CHECK(evaluate(writer.model, bindings).back().data.empty());
}
