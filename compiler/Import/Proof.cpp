//===- Proof.cpp - Imported programs against the exported ones ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Proof.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Import/AtenEvaluator.h"
#include "compiler/Import/Weights.h"
#include "compiler/Interpreter/Interpreter.h"
#include <cmath>
#include <random>

using namespace gnnc;
using namespace gnnc::pt2;

namespace {

struct Graph {
  int64_t numVertices;
  std::vector<int64_t> sources, targets;

  std::string text() const {
    std::string text = std::to_string(numVertices) + (numVertices == 1 ? " vertex" : " vertices");
    for (size_t i = 0; i < sources.size(); ++i)
      text += (i ? ", " : " and the edges ") + std::to_string(sources[i]) + " -> " + std::to_string(targets[i]);
    return sources.empty() ? text + " and no edges" : text;
  }
};

class Proof {
public:
  Proof(const Program &exported, const RaisedProgram &raised, const ProgramText &written, const CheckedModel &model)
      : exported(exported), raised(raised), written(written), model(model), hasNumbers(exported.outputs.size()) {
    for (const auto &[value, tensor] : exported.storeds)
      weights[value] = !tensor.isParameter && tensor.numbers.size() == 1
                           ? tensor.numbers // part of the program
                           : draw(int64_t(tensor.numbers.size()), tensor.isParameter ? -1 : 0.5);
  }

  void compare(const Graph &graph);
  /// Throws ImportError for an output that was infinite or NaN on all graphs, as nothing is known of it.
  void requireNumbers() const;
  ProofResult result;

private:
  /// Buffers may be variances, which are not negative.
  std::vector<double> draw(int64_t count, double least) {
    std::uniform_real_distribution<double> distribution(least, least + 2);
    std::vector<double> numbers(count);
    for (double &number : numbers)
      number = distribution(random);
    return numbers;
  }

  const Program &exported;
  const RaisedProgram &raised;
  const ProgramText &written;
  const CheckedModel &model;
  std::mt19937_64 random{1};
  std::map<std::string, std::vector<double>> weights;
  std::vector<bool> hasNumbers; // [outputs] true once an element was finite
};

} // namespace

void Proof::compare(const Graph &graph) {
  std::map<std::string, Tensor> values;
  OracleBindings bindings;
  bindings.numVertices = {graph.numVertices};
  OracleGraph given;
  given.src = graph.sources;
  given.dst = graph.targets;
  bindings.relations.push_back(transformGraph(given, graph.numVertices, model.relations[0].transforms));
  for (const auto &[value, tensor] : exported.storeds) {
    std::vector<int64_t> sizes;
    for (const Size &size : tensor.type.sizes)
      sizes.push_back(size.number);
    values[value] = Tensor::dense(sizes, weights.at(value));
  }
  for (const MappedWeight &weight : written.weights)
    bindings.params[weight.name] =
        mappedNumbers(exported.storeds.at(weight.value), weight.isTransposed, weights.at(weight.value));
  const int64_t numEdges = int64_t(graph.sources.size());
  for (const RaisedInput &input : raised.inputs) {
    if (input.place == Place::Model) {
      std::vector<double> ends(graph.sources.begin(), graph.sources.end());
      ends.insert(ends.end(), graph.targets.begin(), graph.targets.end());
      values[input.name] = Tensor::dense({2, numEdges}, ends);
      continue;
    }
    std::vector<int64_t> sizes = {input.place == Place::Vertex ? graph.numVertices : numEdges};
    sizes.insert(sizes.end(), input.sizes.begin(), input.sizes.end());
    int64_t rowSize = 1;
    for (int64_t size : input.sizes)
      rowSize *= size;
    std::vector<double> numbers = draw(sizes[0] * rowSize, -1);
    values[input.name] = Tensor::dense(sizes, numbers);
    if (auto name = written.inputs.find(input.name); name != written.inputs.end())
      bindings.inputs[name->second] =
          input.place == Place::Edge ? extendEdges(bindings.relations[0], numbers, rowSize) : numbers;
  }
  std::vector<Tensor> expected = evaluateProgram(exported, values);
  if (std::string why = checkBindings(model, bindings, /*withTargets=*/false); !why.empty())
    throw std::logic_error("the imported program does not take what the exported one takes: " + why);
  OracleValues computed = evaluate(model, bindings);
  for (size_t output = 0; output < expected.size(); ++output) {
    const OracleField *field = findOutput(model, computed, written.outputs[output]);
    const std::vector<double> theirs = expected[output].numbers();
    if (!field || field->data.size() != theirs.size())
      throw ImportError("the imported program gives another number of results on " + graph.text());
    for (size_t i = 0; i < theirs.size(); ++i) {
      const double ours = field->data[i];
      hasNumbers[output] = hasNumbers[output] || std::isfinite(theirs[i]);
      if (ours == theirs[i] || (std::isnan(ours) && std::isnan(theirs[i])))
        continue;
      const double difference = std::abs(ours - theirs[i]) / std::max(1.0, std::abs(theirs[i]));
      if (difference <= 1e-9) {
        result.maxDifference = std::max(result.maxDifference, difference);
        continue;
      }
      throw ImportError("the imported program differs from the exported one: on a graph of " + graph.text() +
                        ", element " + std::to_string(i) + " of " + exported.outputs[output] + " is " +
                        std::to_string(ours) + " and not " + std::to_string(theirs[i]) +
                        "; please report this as an error of gnnc");
    }
  }
  result.numGraphs += 1;
}

void Proof::requireNumbers() const {
  for (size_t output = 0; output < hasNumbers.size(); ++output)
    if (!hasNumbers[output])
      throw ImportError(exported.outputs[output] + " is infinite or NaN on all " + std::to_string(result.numGraphs) +
                        " graphs with random features and weights, so the import cannot be proved; bound what the "
                        "model takes logarithms, roots and quotients of");
}

/// All multisets of `numEdges` of the pairs of vertices, from `firstPair` on.
template <typename Visit> static void enumerate(Graph &graph, int64_t numEdges, int64_t firstPair, const Visit &visit) {
  if (numEdges == 0)
    return visit(graph);
  for (int64_t pair = firstPair; pair < graph.numVertices * graph.numVertices; ++pair) {
    graph.sources.push_back(pair / graph.numVertices);
    graph.targets.push_back(pair % graph.numVertices);
    enumerate(graph, numEdges - 1, pair, visit);
    graph.sources.pop_back();
    graph.targets.pop_back();
  }
}

ProofResult gnnc::pt2::prove(const Program &exported, const RaisedProgram &raised, const ProgramText &written,
                             const std::string &stdlib) {
  FrontendOptions options;
  options.stdlibPath = stdlib;
  Frontend frontend(options);
  frontend.loadBuffer(written.text, "<imported>");
  std::optional<CheckedModel> model = frontend.check();
  if (!model) {
    std::string why;
    llvm::raw_string_ostream os(why);
    frontend.renderDiagnostics(os, DiagnosticFormat::Short);
    throw ImportError("the model needs what the language does not have yet:\n" + why + written.text);
  }
  Proof proof(exported, raised, written, *model);
  for (int64_t numVertices = 1; numVertices <= 3; ++numVertices)
    for (int64_t numEdges = 0; numEdges <= 4; ++numEdges) {
      Graph graph{numVertices, {}, {}};
      enumerate(graph, numEdges, 0, [&](const Graph &whole) { proof.compare(whole); });
    }
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    Graph graph{std::uniform_int_distribution<int64_t>(4, 40)(random), {}, {}};
    std::uniform_int_distribution<int64_t> vertex(0, graph.numVertices - 1);
    for (int64_t edge = std::uniform_int_distribution<int64_t>(0, 4 * graph.numVertices)(random); edge > 0; --edge) {
      graph.sources.push_back(vertex(random));
      graph.targets.push_back(vertex(random));
    }
    proof.compare(graph);
  }
  proof.requireNumbers();
  return proof.result;
}
