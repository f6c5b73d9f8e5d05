//===- Scenario.cpp - Graphs and numbers to compare on --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named graphs, and seeded numbers for whatever a model leaves open.
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Scenario.h"
#include "compiler/Interpreter/Context.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace gnnc::verify {

uint64_t Draw::word() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double Draw::number() {
  const double size = 1.0 / 64 + (63.0 / 64) * double(word() >> 11) * 0x1p-53;
  return double(float(word() & 1 ? size : -size));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static OracleGraph graphOf(int64_t numVertices, std::vector<int64_t> src, std::vector<int64_t> dst) {
  OracleGraph graph;
  graph.numVertices = numVertices;
  graph.src = std::move(src);
  graph.dst = std::move(dst);
  return graph;
}

static OracleGraph randomGraph(int64_t numVertices, int64_t numEdges) {
  OracleGraph graph;
  graph.numVertices = numVertices;
  Draw draw(17);
  for (int64_t i = 0; i < numEdges; ++i) {
    graph.src.push_back(draw.below(numVertices));
    graph.dst.push_back(draw.below(numVertices));
  }
  return graph;
}

/// 3000 edges into vertex 7 from 300 vertices, 1500 out of vertex 9.
static OracleGraph hubGraph() {
  OracleGraph graph = randomGraph(300, 600);
  Draw draw(23);
  for (int64_t i = 0; i < 3000; ++i) {
    graph.src.push_back(draw.below(300));
    graph.dst.push_back(7);
  }
  for (int64_t i = 0; i < 1500; ++i) {
    graph.src.push_back(9);
    graph.dst.push_back(draw.below(300));
  }
  return graph;
}

const std::vector<std::string> &graphNames() {
  static const std::vector<std::string> names = {"empty", "one", "loop", "isolated", "multi", "hub", "random"};
  return names;
}

std::optional<OracleGraph> namedGraph(const std::string &name) {
  if (name == "empty")
    return graphOf(0, {}, {});
  if (name == "one")
    return graphOf(1, {}, {});
  if (name == "loop")
    return graphOf(1, {0}, {0});
  if (name == "isolated")
    return graphOf(5, {3, 0}, {1, 3});
  if (name == "multi")
    return graphOf(4, {2, 0, 2, 1, 1, 3, 2, 0, 1}, {0, 1, 0, 1, 1, 3, 0, 1, 2});
  if (name == "hub")
    return hubGraph();
  if (name == "random")
    return randomGraph(40, 160);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static double drawElement(Draw &draw, ElementKind element) {
  switch (element) {
  case ElementKind::Bool:
    return draw.below(2);
  case ElementKind::I32:
  case ElementKind::I64:
    return draw.below(4);
  default:
    return draw.number();
  }
}

static std::vector<double> drawArray(Draw &draw, ElementKind element, int64_t count) {
  std::vector<double> array;
  for (int64_t i = 0; i < count; ++i)
    array.push_back(drawElement(draw, element));
  return array;
}

/// Open dimensions without a default get small numbers that differ from their neighbours'.
static void bindDims(const CheckedModel &model, OracleBindings &bindings) {
  static const int64_t sizes[] = {5, 3, 4, 2, 6};
  for (size_t i = 0; i < model.dims.size(); ++i)
    if (model.dims[i].fixed < 0 && model.dims[i].fallback < 0)
      bindings.dims.insert({model.dims[i].name, sizes[i % 5]});
}

/// The incidence relation of a sparse input: about a third of the columns for each vertex, none for some.
static OracleGraph drawIncidence(Draw &draw, int64_t numVertices, int64_t columns) {
  OracleGraph graph;
  for (int64_t vertex = 0; vertex < numVertices; ++vertex) {
    const double density = draw.chance(0.15) ? 0 : 0.35;
    for (int64_t column = 0; column < columns; ++column)
      if (draw.chance(density)) {
        graph.src.push_back(column);
        graph.dst.push_back(vertex);
      }
  }
  return graph;
}

/// Classes of `target`, if it is the label of a cross entropy.
static std::optional<int64_t> classesOf(const CheckedModel &model, const OracleBindings &bindings, unsigned target) {
  for (const Value &value : model.values)
    if (value.kind == ValueKind::CrossEntropy && value.operands[1] == target)
      return evaluateDim(model, bindings, model.values[value.operands[0]].type.shape[0]);
  return std::nullopt;
}

static bool isBinaryTarget(const CheckedModel &model, unsigned target) {
  return std::any_of(model.values.begin(), model.values.end(), [&](const Value &value) {
    return value.kind == ValueKind::BinaryCrossEntropy && value.operands[1] == target;
  });
}

static std::vector<double> drawTarget(Draw &draw, const CheckedModel &model, const Scenario &scenario, unsigned target,
                                      int64_t count) {
  const std::optional<int64_t> classes = classesOf(model, scenario.bindings, target);
  std::vector<double> array =
      drawArray(draw, isBinaryTarget(model, target) ? ElementKind::Bool : model.values[target].type.element, count);
  if (!classes)
    return array;
  for (int64_t i = 0; i < count; ++i)
    array[i] = scenario.bindings.mask[i] != 0 ? draw.below(*classes) : -1;
  return array;
}

static void drawMask(Draw &draw, Scenario &scenario) {
  for (int64_t vertex = 0; vertex < scenario.given.numVertices; ++vertex) {
    const bool counts = vertex == 0 || draw.chance(0.7);
    scenario.bindings.mask.push_back(counts);
    if (counts)
      scenario.lossVertices.push_back(vertex);
  }
}

static void drawInput(Draw &draw, const CheckedModel &model, Scenario &scenario, const Value &value,
                      const OracleField &field) {
  OracleBindings &bindings = scenario.bindings;
  std::vector<double> array;
  if (value.type.kind == GraphKind::E && !model.relations[value.type.type].isSparseInput) {
    const int64_t given = field.rows - bindings.relations[value.type.type].addedFrom.size();
    array = drawArray(draw, value.type.element, given * field.rowSize());
    scenario.givenEdgeInputs[value.name] = array;
    array = extendEdges(bindings.relations[value.type.type], array, field.rowSize());
  } else {
    array = drawArray(draw, value.type.element, field.data.size());
  }
  // A row-normalised input is a bag of words: positive.
  for (const Input &input : model.inputs)
    if (input.name == value.name && input.rowNormalized)
      for (double &x : array)
        x = std::fabs(x);
  bindings.inputs[value.name] = array;
}

Scenario drawScenario(const CheckedModel &model, const std::string &name, const OracleGraph &graph,
                      const std::map<std::string, int64_t> &dims, uint64_t seed) {
  Draw draw(seed);
  Scenario scenario;
  scenario.name = name;
  scenario.given = graph;
  OracleBindings &bindings = scenario.bindings;
  bindings.dims = dims;
  bindDims(model, bindings);
  for (const Relation &relation : model.relations)
    bindings.relations.push_back(
        relation.isSparseInput
            ? drawIncidence(draw, graph.numVertices,
                            *evaluateDim(model, bindings, model.vertexTypes[relation.sourceType].rows))
            : transformGraph(graph, relation.selfLoops, relation.symmetric));
  drawMask(draw, scenario);
  const OracleContext context(model, bindings);
  for (size_t i = 0; i < model.values.size(); ++i) {
    const Value &value = model.values[i];
    const OracleField field = context.zeros(value.type);
    const int64_t count = field.data.size();
    if (value.kind == ValueKind::Input)
      drawInput(draw, model, scenario, value, field);
    else if (value.kind == ValueKind::Param || value.kind == ValueKind::State)
      bindings.params[value.name] = drawArray(draw, value.type.element, count);
    else if (value.kind == ValueKind::Target)
      bindings.inputs[value.name] = drawTarget(draw, model, scenario, i, count);
  }
  return scenario;
}

} // namespace gnnc::verify
