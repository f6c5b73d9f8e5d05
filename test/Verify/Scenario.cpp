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
#include <cmath>
#include <optional>

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

const std::vector<std::string> &graphNames() {
  static const std::vector<std::string> names = {"empty",    "one",  "loop", "isolated", "multi",
                                                 "lopsided", "half", "hub",  "random"};
  return names;
}

bool isGraphName(const std::string &name) {
  return std::find(graphNames().begin(), graphNames().end(), name) != graphNames().end();
}

/// How many vertices type `type` has.
static int64_t drawCount(const std::string &name, unsigned type) {
  if (name == "lopsided" && type % 2 == 1)
    return 0;
  static const std::map<std::string, int64_t> counts = {{"empty", 0},    {"one", 1},       {"loop", 1},
                                                        {"isolated", 5}, {"multi", 4},     {"half", 30},
                                                        {"hub", 300},    {"lopsided", 12}, {"random", 40}};
  const int64_t count = counts.at(name);
  return count < 2 ? count : count + type * 3;
}

namespace {
/// The edges of one relation between `numSources` and `numDestinations` vertices.
struct EdgeList {
  Draw &draw;
  int64_t numSources, numDestinations;
  OracleGraph graph = {};

  void add(int64_t src, int64_t dst) {
    graph.src.push_back(src % numSources);
    graph.dst.push_back(dst % numDestinations);
  }
  void addRandom(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      add(draw.below(numSources), draw.below(numDestinations));
  }
  void addInto(int64_t dst, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      add(draw.below(numSources), dst);
  }
  void addOutOf(int64_t src, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      add(src, draw.below(numDestinations));
  }
};
} // namespace

static OracleGraph drawEdges(Draw &draw, const std::string &name, int64_t numSources, int64_t numDestinations) {
  EdgeList list{draw, numSources, numDestinations};
  if (numSources == 0 || numDestinations == 0 || name == "one")
    return list.graph;
  if (name == "loop")
    list.add(0, 0);
  else if (name == "isolated")
    for (auto [src, dst] : {std::pair(3, 1), std::pair(0, 3)})
      list.add(src, dst);
  else if (name == "multi")
    for (auto [src, dst] : {std::pair(2, 0), {0, 1}, {2, 0}, {1, 1}, {1, 1}, {3, 3}, {2, 0}, {0, 1}, {1, 2}})
      list.add(src, dst);
  else
    list.addRandom(name == "hub" ? 600 : name == "half" ? 20 : 4 * numDestinations);
  if (name == "half" || name == "hub") {
    list.addInto(7, name == "hub" ? 3000 : 80);
    list.addOutOf(9, name == "hub" ? 1500 : 60);
  }
  return list.graph;
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

/// Around `offset` or its negative. A fifth of the arrays are drawn around 0 all the same.
static std::vector<double> drawInputArray(Draw &draw, ElementKind element, int64_t count, double offset) {
  std::vector<double> array = drawArray(draw, element, count);
  const bool isInteger = element == ElementKind::Bool || element == ElementKind::I32 || element == ElementKind::I64;
  if (offset == 0 || isInteger || draw.chance(0.2))
    return array;
  const double center = draw.chance(0.7) ? offset : -offset;
  for (double &x : array)
    x = double(float(center + 4 * x)); // floats near 1e7 are 1 apart
  return array;
}

/// Open dimensions without a default get small numbers that differ from their neighbours'.
static void bindDims(const CheckedModel &model, OracleBindings &bindings) {
  static const int64_t sizes[] = {5, 3, 4, 2, 6};
  for (size_t i = 0; i < model.dims.size(); ++i)
    if (model.dims[i].fixed < 0 && model.dims[i].fallback < 0 && model.dims[i].vertexType < 0)
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
    array[i] = scenario.bindings.mask.at(i) != 0 ? draw.below(*classes) : -1;
  return array;
}

/// Weights of the vertices or edges that have a loss.
static void drawMask(Draw &draw, const CheckedModel &model, Scenario &scenario) {
  if (model.loss < 0)
    return;
  const int64_t rows = OracleContext(model, scenario.bindings).zeros(model.values[model.loss].type).rows;
  for (int64_t row = 0; row < rows; ++row) {
    const bool counts = row == 0 || draw.chance(0.7);
    scenario.bindings.mask.push_back(counts);
    if (counts)
      scenario.lossRows.push_back(row);
  }
}

static void drawInput(Draw &draw, const CheckedModel &model, Scenario &scenario, const Value &value,
                      const OracleField &field) {
  OracleBindings &bindings = scenario.bindings;
  // A row-normalised input is a bag of words: positive.
  const bool isNormalized = std::any_of(model.inputs.begin(), model.inputs.end(), [&](const Input &input) {
    return input.name == value.name && input.rowNormalized;
  });
  const double offset = isNormalized ? 0 : scenario.offset;
  std::vector<double> array;
  if (value.type.kind == GraphKind::E && !model.relations[value.type.type].isSparseInput) {
    const int64_t given = bindings.relations[value.type.type].numGiven();
    array = drawInputArray(draw, value.type.element, given * field.rowSize(), offset);
    scenario.givenEdgeInputs[value.name] = array;
    array = extendEdges(bindings.relations[value.type.type], array, field.rowSize());
  } else {
    array = drawInputArray(draw, value.type.element, field.data.size(), offset);
  }
  if (isNormalized)
    for (double &x : array)
      x = std::fabs(x);
  bindings.inputs[value.name] = array;
}

/// A type for each of the given edges, if the model or a transform asks for them.
static void drawTypes(Draw &draw, const CheckedModel &model, const OracleBindings &bindings, const Relation &relation,
                      OracleGraph &given) {
  const bool doubles = relation.transforms.inverseRelations;
  if (!relation.isTyped && !doubles)
    return;
  if (relation.transforms.loopKinds && !doubles && draw.chance(0.5)) // which replace types
    return;
  const int64_t all = *evaluateDim(model, bindings, relation.types);
  given.numTypes = all == 0 ? 3 : doubles ? all / 2 : all;
  for (size_t edge = 0; edge < given.src.size(); ++edge)
    given.types.push_back(draw.below(given.numTypes));
}

/// The edges of every relation, as given and as transformed.
static void drawRelations(Draw &draw, const CheckedModel &model, Scenario &scenario) {
  OracleBindings &bindings = scenario.bindings;
  for (size_t type = 0; type < model.vertexTypes.size(); ++type)
    bindings.numVertices.push_back(drawCount(scenario.name, type));
  for (const Relation &relation : model.relations) {
    const int64_t destinations = bindings.numVertices[relation.destinationType];
    if (relation.isSparseInput) {
      scenario.given.push_back(drawIncidence(
          draw, destinations, *evaluateDim(model, bindings, model.vertexTypes[relation.sourceType].rows)));
      bindings.relations.push_back(scenario.given.back());
      continue;
    }
    OracleGraph given = drawEdges(draw, scenario.name, bindings.numVertices[relation.sourceType], destinations);
    drawTypes(draw, model, bindings, relation, given);
    scenario.given.push_back(given);
    bindings.relations.push_back(transformGraph(given, destinations, relation.transforms));
  }
}

/// Targets of edges: those of added edges follow from the given.
static void keepGiven(Scenario &scenario, const Value &value, int64_t rowSize) {
  const OracleGraph &graph = scenario.bindings.relations[value.type.type];
  std::vector<double> &all = scenario.bindings.inputs[value.name];
  std::vector<double> &given = scenario.givenEdgeInputs[value.name] = all;
  given.resize(graph.numGiven() * rowSize);
  all = extendEdges(graph, given, rowSize);
}

Scenario drawScenario(const CheckedModel &model, const std::string &name, const std::map<std::string, int64_t> &dims,
                      uint64_t seed, double offset) {
  Draw draw(seed);
  Scenario scenario;
  scenario.name = name;
  scenario.offset = offset;
  OracleBindings &bindings = scenario.bindings;
  bindings.dims = dims;
  bindDims(model, bindings);
  drawRelations(draw, model, scenario);
  drawMask(draw, model, scenario);
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
    if (value.kind == ValueKind::Target && value.type.kind == GraphKind::E)
      keepGiven(scenario, value, field.rowSize());
  }
  return scenario;
}

} // namespace gnnc::verify
