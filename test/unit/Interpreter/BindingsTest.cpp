//===- BindingsTest.cpp - Graphs, dimensions and dropout of the oracle ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph transforms, checks of bindings, and dropout masks against words computed apart.
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include <catch2/catch.hpp>
#include <cmath>

using namespace gnnc;
using namespace gnnc::test;

using Ids = std::vector<int64_t>;

static constexpr GraphTransforms symmetric{true, false, false}, loops{false, false, true};

TEST_CASE("symmetry adds one reverse edge for each edge without one") {
  OracleGraph graph = transformGraph(graphOf({0, 1, 2, 2, 3, 0}, {1, 0, 1, 1, 3, 1}), 4, symmetric);
  CHECK(graph.src == Ids{0, 1, 2, 2, 3, 0, 1, 1, 1});
  CHECK(graph.dst == Ids{1, 0, 1, 1, 3, 1, 2, 2, 0});
  CHECK(graph.addedFrom == Ids{2, 3, 5});
}

TEST_CASE("self loops: all stay, missing ones come last") {
  OracleGraph graph = transformGraph(graphOf({1, 1, 0}, {1, 1, 2}), 3, loops);
  CHECK(graph.src == Ids{1, 1, 0, 0, 2});
  CHECK(graph.dst == Ids{1, 1, 2, 0, 2});
  CHECK(extendEdges(graph, {5, 6, 7}, 1) == std::vector<double>{5, 6, 7, 1, 1});

  ModelWriter writer;
  OracleBindings bindings;
  bindings.numVertices = {3};
  bindings.relations = {graph};
  writer.add(ValueKind::InDegree, {GraphKind::V, 0, {}, ElementKind::Real});
  CHECK(checkBindings(writer.model, bindings) == "");
  CHECK(evaluate(writer.model, bindings)[0].data == std::vector<double>{1, 2, 2});
}

TEST_CASE("one loop: the last of a vertex stays with its id, missing ones come last") {
  GraphTransforms oneLoop;
  oneLoop.oneLoop = oneLoop.marksLoops = true;
  OracleGraph graph = transformGraph(graphOf({1, 1, 0, 1}, {1, 1, 2, 0}), 3, oneLoop);
  CHECK(graph.src == Ids{1, 0, 1, 0, 2});
  CHECK(graph.dst == Ids{1, 2, 0, 0, 2});
  CHECK(graph.ids == Ids{1, 2, 3, 4, 5});
  CHECK(graph.types == Ids{0, 0, 0, -1, -1});
  CHECK(graph.numGiven() == 4);
  CHECK(extendEdges(graph, {5, 6, 7, 8}, 1) == std::vector<double>{6, 7, 8, 1, 1});
}

TEST_CASE("no loops: the others keep their ids") {
  GraphTransforms noLoops;
  noLoops.noLoops = true;
  OracleGraph graph = transformGraph(graphOf({1, 0, 2}, {1, 2, 2}), 3, noLoops);
  CHECK(graph.src == Ids{0});
  CHECK(graph.ids == Ids{1});
  CHECK(graph.numIds() == 3);
  CHECK(extendEdges(graph, {5, 6, 7}, 1) == std::vector<double>{6});
  CHECK(transformGraph(graphOf({1}, {1}), 3, noLoops).numIds() == 1);
}

TEST_CASE("kinds of loops: all stay, missing ones come last, and types tell them apart") {
  GraphTransforms kinds;
  kinds.loopKinds = true;
  OracleGraph graph = transformGraph(graphOf({1, 1, 0, 1}, {1, 1, 2, 0}), 3, kinds);
  CHECK(graph.src == Ids{1, 1, 0, 1, 0, 2});
  CHECK(graph.dst == Ids{1, 1, 2, 0, 0, 2});
  CHECK(graph.types == Ids{2, 1, 0, 0, 3, 3});
  CHECK(extendEdges(graph, {5, 6, 7, 8}, 1) == std::vector<double>{5, 6, 7, 8, 1, 1});
}

TEST_CASE("a mirrored edge has the features of its original") {
  OracleGraph graph = transformGraph(graphOf({0, 1}, {1, 2}), 3, {true, false, true});
  CHECK(extendEdges(graph, {1, 2, 3, 4}, 2) == std::vector<double>{1, 2, 3, 4, 1, 2, 3, 4, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("inverse relations: one against each edge, of a type of its own") {
  OracleGraph graph = graphOf({0, 1, 1}, {1, 2, 1});
  graph.types = {1, 0, 1};
  graph.numTypes = 2;
  OracleGraph inverse = transformGraph(graph, 3, {false, true, false});
  CHECK(inverse.src == Ids{0, 1, 1, 1, 2, 1});
  CHECK(inverse.dst == Ids{1, 2, 1, 0, 1, 1});
  CHECK(inverse.types == Ids{1, 0, 1, 3, 2, 3});
  CHECK(inverse.numTypes == 4);
  CHECK(extendEdges(inverse, {5, 6, 7}, 1) == std::vector<double>{5, 6, 7, 5, 6, 7});

  // Symmetry comes before, loops after: what symmetry adds has inverses, and so has a loop.
  OracleGraph all = transformGraph(graph, 3, {true, true, true});
  CHECK(all.types == Ids{1, 0, 1, 1, 0, 3, 2, 3, 3, 2, -1, -1});
  CHECK(all.src == Ids{0, 1, 1, 1, 2, 1, 2, 1, 0, 1, 0, 2});
  CHECK(extendEdges(all, {5, 6, 7}, 1) == std::vector<double>{5, 6, 7, 5, 6, 5, 6, 7, 5, 6, 1, 1});
}

TEST_CASE("bindings are checked against the model") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  writer.input("x", {DimExpr::name("in")});
  CHECK(checkBindings(writer.model, bindings) == "dimension `in` is not bound");
  writer.model.dims.push_back({"in", -1, 2, ""});
  CHECK(checkBindings(writer.model, bindings) == "`x` is not bound");
  bindings.inputs["x"] = std::vector<double>(9);
  CHECK(checkBindings(writer.model, bindings) == "`x` has 9 elements, expected 10");
  bindings.dims["in"] = 3;
  CHECK(checkBindings(writer.model, bindings) == "`x` has 9 elements, expected 15");
  bindings.relations[0].dst[2] = 5;
  CHECK(checkBindings(writer.model, bindings) == "edge 2 of relation `edges` leaves the graph");
  bindings.relations.clear();
  CHECK(checkBindings(writer.model, bindings) == "the model has 1 relations, the data 0");
}

static OracleField maskOf(GraphKind kind, Shape shape, double probability, uint64_t site, OracleBindings bindings) {
  ModelWriter writer;
  writer.add(ValueKind::DropoutMask, {kind, 0, std::move(shape), ElementKind::Real});
  writer.last().number = probability;
  writer.last().site = site;
  return evaluate(writer.model, bindings)[0];
}

TEST_CASE("dropout masks are drawn in training only and keep 1 - p") {
  OracleBindings bindings;
  bindings.numVertices = {1000};
  bindings.relations = {graphOf({}, {})};
  for (double x : maskOf(GraphKind::V, {16}, 0.5, 1, bindings).data)
    REQUIRE(x == 1);
  bindings.training = true;
  double kept = 0;
  for (double x : maskOf(GraphKind::V, {16}, 0.25, 1, bindings).data) {
    REQUIRE((x == 0 || x == 1 / 0.75));
    kept += x != 0;
  }
  CHECK(kept / 16000 == Approx(0.75).margin(0.02));
  for (double x : maskOf(GraphKind::V, {16}, 1.0, 1, bindings).data)
    REQUIRE(x == 0);
  for (double x : maskOf(GraphKind::V, {16}, 0.0, 1, bindings).data)
    REQUIRE(x == 1);
}

TEST_CASE("dropout masks depend on seed, step and site, and not on how often they are drawn") {
  OracleBindings bindings;
  bindings.numVertices = {64};
  bindings.relations = {graphOf({}, {})};
  bindings.training = true;
  const std::vector<double> mask = maskOf(GraphKind::V, {4}, 0.5, 1, bindings).data;
  CHECK(maskOf(GraphKind::V, {4}, 0.5, 1, bindings).data == mask);
  CHECK(maskOf(GraphKind::V, {4}, 0.5, 2, bindings).data != mask);
  bindings.step = 1;
  CHECK(maskOf(GraphKind::V, {4}, 0.5, 1, bindings).data != mask);
  bindings.step = 0;
  bindings.seed = 1;
  CHECK(maskOf(GraphKind::V, {4}, 0.5, 1, bindings).data != mask);
}

TEST_CASE("sparse and dense inputs draw the same mask") {
  OracleBindings bindings;
  bindings.numVertices = {2};
  bindings.relations = {graphOf({}, {}), graphOf({2, 0, 1, 2}, {0, 1, 1, 1})};
  bindings.training = true;
  const std::vector<double> dense = maskOf(GraphKind::V, {3}, 0.5, 3, bindings).data;

  ModelWriter writer;
  writer.sparseRelation("x", DimExpr(3));
  writer.add(ValueKind::DropoutMask, {GraphKind::E, 1, {}, ElementKind::Real});
  writer.last().number = 0.5;
  writer.last().site = 3;
  CHECK(evaluate(writer.model, bindings)[0].data == std::vector<double>{dense[2], dense[3], dense[4], dense[5]});
}

TEST_CASE("dropout masks are the specified words") {
  OracleBindings bindings;
  bindings.numVertices = {3};
  bindings.relations = {graphOf({}, {})};
  bindings.training = true;
  bindings.seed = 7;
  bindings.step = 3;
  // Computed by a Python transcription of docs/dev/abi.md.
  CHECK(maskOf(GraphKind::V, {8}, 0.5, 2, bindings).data ==
        std::vector<double>{0, 2, 2, 2, 2, 0, 0, 0, 2, 2, 2, 0, 2, 0, 2, 2, 2, 0, 0, 2, 2, 2, 0, 0});
}
