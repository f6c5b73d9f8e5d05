//===- TypesTest.cpp - Types of edges and vertices, indexing, totals ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values by hand and gradients against differences of what looks at types of edges, spans several types of vertices or
// goes over all vertices.
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace gnnc;
using namespace gnnc::test;

using Numbers = std::vector<double>;

/// The small graph, whose edges 0 -> 1, 2 -> 1, 1 -> 0, 2 -> 1, 3 -> 3 are of three types; the last one's is unknown.
static OracleBindings typedGraph(ModelWriter &writer) {
  writer.model.relations[0].isTyped = true;
  writer.model.relations[0].types = DimExpr(3);
  OracleBindings bindings = smallGraph();
  bindings.relations[0].types = {0, 2, 1, 0, 7};
  return bindings;
}

static Numbers lastOf(const ModelWriter &writer, const OracleBindings &bindings) {
  REQUIRE(checkBindings(writer.model, bindings) == "");
  return evaluate(writer.model, bindings).back().data;
}

TEST_CASE("edges have a type, or -1") {
  ModelWriter writer;
  OracleBindings bindings = typedGraph(writer);
  writer.edgeType();
  CHECK(lastOf(writer, bindings) == Numbers{0, 2, 1, 0, -1});
  bindings.relations[0].types.pop_back();
  CHECK(checkBindings(writer.model, bindings) == "relation `edges` has 4 edge types for 5 edges");
}

TEST_CASE("a mirrored edge has the type of its original, an added loop none") {
  OracleGraph graph = graphOf({0, 1, 1}, {1, 2, 1});
  graph.types = {4, 5, 6};
  CHECK(transformGraph(graph, 3, {true, false, true}).types == std::vector<int64_t>{4, 5, 6, 4, 5, -1, -1});
}

TEST_CASE("an index outside of a table gives zeros") {
  ModelWriter writer;
  OracleBindings bindings = typedGraph(writer);
  bindings.params["W"] = {1, 2, 10, 20, 100, 200};
  bindings.inputs["x"] = {1, 2, 3, 4, 5};
  unsigned w = writer.param("W", {3, 2}), type = writer.edgeType();
  writer.index(w, type);
  CHECK(lastOf(writer, bindings) == Numbers{1, 2, 100, 200, 10, 20, 1, 2, 0, 0});
  unsigned x = writer.input("x", {1});
  unsigned cube = writer.reshaped(ValueKind::Reshape, {w}, {3, 1, 2});
  writer.add(ValueKind::TypedMatMul, {GraphKind::E, 0, {2}, ElementKind::Real}, {writer.source(x), cube, type});
  CHECK(lastOf(writer, bindings) == Numbers{1, 2, 300, 600, 20, 40, 3, 6, 0, 0});
}

TEST_CASE("aggregations and degrees by edge type") {
  ModelWriter writer;
  OracleBindings bindings = typedGraph(writer);
  bindings.inputs["x"] = {1, 2, 3, 4, 5};
  unsigned message = writer.source(writer.input("x", {}));
  writer.aggregateByType(Reduction::Sum, {message});
  CHECK(lastOf(writer, bindings) == Numbers{0, 2, 0, 4, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  writer.aggregateByType(Reduction::Mean, {message}, End::Source);
  CHECK(lastOf(writer, bindings) == Numbers{1, 0, 0, 0, 2, 0, 3, 0, 3, 0, 0, 0, 0, 0, 0});
  writer.aggregateByType(Reduction::Count, {});
  CHECK(lastOf(writer, bindings) == Numbers{0, 1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  unsigned two = writer.constant(2);
  unsigned filter = writer.compare(ValueKind::Greater, message, two);
  writer.aggregateByType(Reduction::Max, {message, filter});
  CHECK(lastOf(writer, bindings) == Numbers{0, 0, 0, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  writer.add(ValueKind::InDegree, {GraphKind::V, 0, {3}, ElementKind::Real});
  CHECK(lastOf(writer, bindings) == Numbers{0, 1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  writer.add(ValueKind::OutDegree, {GraphKind::V, 0, {3}, ElementKind::Real});
  CHECK(lastOf(writer, bindings) == Numbers{1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a product over nothing is 1") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {5, 2, 3, 4, 5};
  bindings.params["p"] = {2, 3, 4};
  writer.aggregate(Reduction::Prod, {writer.source(writer.input("x", {}))});
  CHECK(lastOf(writer, bindings) == Numbers{2, 5 * 9, 1, 4, 1});
  writer.reduce(Reduction::Prod, writer.param("p", {3}), 0);
  CHECK(lastOf(writer, bindings) == Numbers{24});
}

TEST_CASE("totals over vertices") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {1, -2, 3, 4, 5, 6, 7, 8, 9, -10};
  unsigned x = writer.input("x", {2});
  const std::pair<Reduction, Numbers> expected[] = {
      {Reduction::Sum, {25, 6}}, {Reduction::Mean, {5, 1.2}}, {Reduction::Max, {9, 8}}, {Reduction::Min, {1, -10}}};
  for (const auto &[reduction, numbers] : expected) {
    writer.total(reduction, x);
    CHECK(lastOf(writer, bindings) == numbers);
  }
  bindings.numVertices = {0};
  bindings.relations = {{}};
  bindings.inputs["x"] = {};
  CHECK(lastOf(writer, bindings) == Numbers{0, 0});
}

TEST_CASE("`training` says in which program it stands") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  writer.add(ValueKind::Training, {GraphKind::P, 0, {}, ElementKind::Bool});
  CHECK(lastOf(writer, bindings) == Numbers{0});
  bindings.training = true;
  CHECK(lastOf(writer, bindings) == Numbers{1});
}

/// Two papers and three authors; authors 0 and 2 write paper 1, author 1 both.
static OracleBindings library(ModelWriter &writer) {
  writer.vertexType("Author");
  writer.relation("writes", 1, 0);
  OracleBindings bindings;
  bindings.numVertices = {2, 3};
  bindings.relations = {{}, graphOf({0, 1, 2, 1}, {1, 0, 1, 1})};
  bindings.inputs["x"] = {1, 2, 4};
  return bindings;
}

TEST_CASE("relations between types of vertices") {
  ModelWriter writer;
  OracleBindings bindings = library(writer);
  unsigned x = writer.input("x", {});
  writer.last().type.type = 1;
  unsigned papers = writer.aggregate(Reduction::Sum, {writer.source(x, 1)}, End::Destination, 1);
  CHECK(lastOf(writer, bindings) == Numbers{2, 7});
  writer.aggregate(Reduction::Mean, {writer.destination(papers, 1)}, End::Source, 1);
  CHECK(writer.last().type.type == 1);
  CHECK(lastOf(writer, bindings) == Numbers{7, 4.5, 7});
  bindings.relations[1].src[0] = 3;
  CHECK(checkBindings(writer.model, bindings) == "edge 0 of relation `writes` leaves the graph");
  bindings.numVertices = {2};
  CHECK(checkBindings(writer.model, bindings) == "the number of vertices of `Author` is not bound");
}

TEST_CASE("a dimension may be the number of vertices") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  Dimension count;
  count.name = "num_vertices";
  count.vertexType = 0;
  writer.model.dims.push_back(count);
  bindings.params["z"] = {1, 2, 3, 4, 5};
  unsigned z = writer.param("z", {DimExpr::name("num_vertices")});
  writer.add(ValueKind::Rows, {GraphKind::V, 0, {}, ElementKind::Real}, {z});
  CHECK(lastOf(writer, bindings) == Numbers{1, 2, 3, 4, 5});
  bindings.params["z"].pop_back();
  CHECK(checkBindings(writer.model, bindings) == "`z` has 4 elements, expected 5");
}

TEST_CASE("a loss of edges is the mean over those that have a weight") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs = {{"s", {1, 10, 2, 3, 4}}, {"t", {0, 0, 0, 0, 0}}};
  unsigned s = writer.input("s", {}, GraphKind::E);
  unsigned t = writer.named(ValueKind::Target, "t", GraphKind::E, {});
  writer.model.loss = writer.add(ValueKind::MeanSquaredError, {GraphKind::E, 0, {}, ElementKind::Real}, {s, t});
  REQUIRE(checkBindings(writer.model, bindings) == "");
  OracleValues values = evaluate(writer.model, bindings);
  CHECK(maskedLoss(writer.model, bindings, values) == 130.0 / 5);
  bindings.mask = {1, 0, 1, 1, 1};
  CHECK(differentiateLoss(writer.model, bindings, values).at("s") == Numbers{0.5, 0, 1, 1.5, 2});
  bindings.mask = {1, 1, 0, 0, 1};
  CHECK(maskedLoss(writer.model, bindings, values) == 117.0 / 3);
  bindings.mask = {1, 1};
  CHECK(checkBindings(writer.model, bindings) == "the loss mask has 2 elements, expected 5");
}

/// Checks all gradients of the squares of what `body` makes of x: V [2] and W: P [3, 2, 2] over the typed graph.
static void checkGradientsOf(const std::string &what,
                             const std::function<unsigned(ModelWriter &, unsigned, unsigned)> &body) {
  INFO(what);
  ModelWriter writer;
  OracleBindings bindings = typedGraph(writer);
  bindings.relations[0].src[3] = 4; // else edges 1 and 3 tie
  bindings.inputs["x"] = numbers(10);
  bindings.params["W"] = numbers(12, 2);
  unsigned x = writer.input("x", {2}), w = writer.param("W", {3, 2, 2});
  writer.outputSquares(body(writer, x, w));
  REQUIRE(checkBindings(writer.model, bindings) == "");
  for (const GradientCheck &check : checkGradients(writer.model, bindings, 1000, /*withInputs=*/true)) {
    CHECK(check.entries == (check.name == "x" ? 10 : 12));
    CHECK(check.maxError < 1e-7);
  }
}

TEST_CASE("gradients of what looks at types") {
  checkGradientsOf("index",
                   [](ModelWriter &writer, unsigned, unsigned w) { return writer.index(w, writer.edgeType()); });
  checkGradientsOf("index of a field by another", [](ModelWriter &writer, unsigned x, unsigned) {
    return writer.index(writer.source(x), writer.edgeType());
  });
  checkGradientsOf("typed product", [](ModelWriter &writer, unsigned x, unsigned w) {
    return writer.add(ValueKind::TypedMatMul, {GraphKind::E, 0, {2}, ElementKind::Real},
                      {writer.source(x), w, writer.edgeType()});
  });
  for (Reduction reduction :
       {Reduction::Sum, Reduction::Mean, Reduction::Max, Reduction::Min, Reduction::LogSumExp, Reduction::Prod})
    for (End toward : {End::Destination, End::Source})
      checkGradientsOf("by type " + std::to_string(int(reduction)), [&](ModelWriter &writer, unsigned x, unsigned) {
        return writer.aggregateByType(reduction, {writer.source(x)}, toward);
      });
  for (Reduction reduction : {Reduction::Sum, Reduction::Mean, Reduction::Max, Reduction::Min})
    checkGradientsOf("total " + std::to_string(int(reduction)), [&](ModelWriter &writer, unsigned x, unsigned) {
      return writer.binary(ValueKind::Mul, x, writer.total(reduction, x));
    });
  checkGradientsOf("product over a dimension",
                   [](ModelWriter &writer, unsigned, unsigned w) { return writer.reduce(Reduction::Prod, w, 0); });
}

TEST_CASE("a product passes gradients to its only zero") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params["p"] = {2, 0, 4};
  unsigned product = writer.reduce(Reduction::Prod, writer.param("p", {3}), 0);
  OracleValues values = evaluate(writer.model, bindings);
  CHECK(differentiateValue(writer.model, bindings, values, product, {1}).at("p") == Numbers{0, 8, 0});
}

TEST_CASE("stop_gradient passes none") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params["p"] = {2, 3};
  unsigned p = writer.param("p", {2});
  unsigned product = writer.binary(ValueKind::Mul, p, writer.unary(ValueKind::StopGradient, p));
  CHECK(lastOf(writer, bindings) == Numbers{4, 9});
  OracleValues values = evaluate(writer.model, bindings);
  CHECK(differentiateValue(writer.model, bindings, values, product, {1, 1}).at("p") == Numbers{2, 3});
}
