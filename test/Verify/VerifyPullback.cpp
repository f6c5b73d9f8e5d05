//===- VerifyPullback.cpp - Models as functions against the oracle --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/VerifyPullback.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace gnnc::verify {

/// A table over edges with rows, which are 0, of those that the model leaves out; other tables as they are.
static std::vector<double> withRowsLeftOut(const Scenario &scenario, const ValueType &type,
                                           const std::vector<double> &rows, size_t width) {
  if (type.kind == GraphKind::V || type.kind == GraphKind::P ||
      !scenario.bindings.relations[type.type].leavesOutEdges())
    return rows;
  const OracleGraph &graph = scenario.bindings.relations[type.type];
  std::vector<double> table(size_t(graph.numIds()) * width, 0);
  for (size_t edge = 0; edge < graph.ids.size(); ++edge)
    std::copy_n(&rows[edge * width], width, &table[size_t(graph.ids[edge]) * width]);
  return table;
}

/// A cotangent for each output, and the gradients of the sum of all outputs times these by parameters and inputs, as
/// the caller has them.
static OracleGradients drawCotangents(const CheckedModel &model, const OracleValues &values, Scenario &scenario) {
  OracleGradients gradients;
  Draw draw(scenario.bindings.seed);
  for (const Output &output : model.outputs) {
    std::vector<double> cotangent;
    for (size_t i = 0; i < values[output.value].data.size(); ++i)
      cotangent.push_back(draw.number());
    scenario.cotangents[output.name] =
        withRowsLeftOut(scenario, model.values[output.value].type, cotangent, size_t(values[output.value].rowSize()));
    if (model.values[output.value].type.element != ElementKind::Real)
      continue;
    for (const auto &[name, gradient] : differentiateValue(model, scenario.bindings, values, output.value, cotangent)) {
      std::vector<double> &sum = gradients.emplace(name, gradient.size()).first->second;
      llvm::transform(llvm::zip_equal(sum, gradient), sum.begin(),
                      [](auto pair) { return std::get<0>(pair) + std::get<1>(pair); });
    }
  }
  for (const Input &input : model.inputs) {
    auto found = gradients.find(input.name);
    if (found == gradients.end() || input.sparse || input.type.kind != GraphKind::E)
      continue;
    const OracleGraph &edges = scenario.bindings.relations[input.type.type];
    const std::vector<double> byEdge = std::move(found->second);
    const size_t width = edges.src.empty() ? 0 : byEdge.size() / edges.src.size();
    std::vector<double> &gradient = found->second;
    gradient.assign(size_t(edges.numGiven()) * width, 0); // that of an edge that was left out stays 0
    for (size_t edge = 0; edge < edges.src.size(); ++edge) {
      int64_t id = edges.idOf(int64_t(edge));
      if (id >= edges.numGiven())
        id = edges.addedFrom[size_t(id - edges.numGiven())];
      for (size_t i = 0; i < width && id >= 0; ++i)
        gradient[size_t(id) * width + i] += byEdge[edge * width + i];
    }
  }
  return gradients;
}

void verifyPullback(Comparison &comparison, const CheckedModel &model, const std::string &library,
                    const Expected &expected, const RunOptions &run) {
  for (bool isTraining : {false, true}) {
    Scenario scenario = isTraining ? expected.trainingScenario() : expected.scenario;
    const OracleValues &values = isTraining ? expected.training.values : expected.inference;
    const OracleGradients gradients = drawCotangents(model, values, scenario);
    const CompiledResults actual = runCompiled(library, model, scenario, Program::Pullback, run);
    compareOutputs(comparison, model, values, actual);
    compareGradients(comparison, model, gradients, actual);
    for (const Input &input : model.inputs)
      if (input.sparse) // the oracle's are by its nonzeros alone
        continue;
      else if (auto found = actual.gradients.find(input.name); found != actual.gradients.end())
        comparison.compare("gradient of `" + input.name + "`", found->second, gradients.at(input.name), 1e-5);
      else if (gradients.count(input.name) && !input.rowNormalized)
        comparison.fail("there is no gradient of `" + input.name + "`");
    if (isTraining)
      compareStates(comparison, model, values, actual);
  }
}

} // namespace gnnc::verify
