//===- Verify.cpp - Compiled code against the oracle ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws a scenario away from kinks, evaluates it both ways and compares array by array.
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Verify.h"
#include "gnn/error.hpp"
#include "runtime/src/cuda/Device.h"
#include "test/Verify/Poison.h"
#include "test/Verify/RoundingBound.h"
#include "test/Verify/SampleDepths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace gnnc::verify {

namespace {

class Comparison {
public:
  Comparison(VerifyReport &report, double tolerance) : report(report), tolerance(tolerance) {}

  std::string where;
  /// If given, what each number may differ by, instead of the tolerance.
  const RoundingBound *bound = nullptr;
  VerifyReport &report;

  /// `floor` is the least scale: rounding of a sum that cancels is that of its terms.
  void compare(const std::string &what, const std::vector<double> &actual, const std::vector<double> &expected,
               double floor) {
    ++report.arrays;
    if (actual.size() != expected.size())
      return fail(what + " has " + std::to_string(actual.size()) + " numbers, expected " +
                  std::to_string(expected.size()));
    double scale = floor, error = 0;
    size_t worst = 0;
    for (double x : expected)
      scale = std::max(scale, std::isfinite(x) ? std::fabs(x) : 0);
    for (size_t i = 0; i < actual.size(); ++i) {
      const double difference = distance(actual[i], expected[i]) / (bound ? bound->of(what, i, expected[i]) : scale);
      if (difference > error) {
        error = difference;
        worst = i;
      }
    }
    report.largestError = std::max(report.largestError, error);
    if (error > (bound ? 1 : tolerance))
      fail(what + describe(worst, actual[worst], expected[worst], error));
  }

  void fail(const std::string &message) { report.failures.push_back(where + ": " + message); }

private:
  std::string describe(size_t element, double actual, double expected, double error) const {
    std::ostringstream text;
    text.precision(bound ? 17 : 9);
    text << "[" << element << "] is " << actual << ", expected " << expected << " (" << error
         << (bound ? " times the rounding error that the expression as written may have)" : " of the largest)");
    return text.str();
  }

  double tolerance;
};

} // namespace

static bool hasLoss(const CheckedModel &model, const Scenario &scenario) {
  return model.loss >= 0 && !scenario.lossRows.empty();
}

template <typename Visitor>
static void compareOutputs(Visitor &visitor, const CheckedModel &model, const OracleValues &expected,
                           const CompiledResults &actual) {
  for (const Output &output : model.outputs)
    visitor.compare("output `" + output.name + "`", actual.outputs.at(output.name), expected[output.value].data, 1e-6);
}

template <typename Visitor>
static void compareGradients(Visitor &visitor, const CheckedModel &model, const OracleGradients &expected,
                             const CompiledResults &actual) {
  const auto isTrained = [](const Parameter &param) { return !param.isState; };
  double largest = 0; // of all parameters; the oracle's gradients of inputs have a scale of their own
  for (const Parameter &param : llvm::make_filter_range(model.params, isTrained))
    for (double x : expected.at(param.name))
      largest = std::max(largest, std::fabs(x));
  for (const Parameter &param : llvm::make_filter_range(model.params, isTrained)) {
    auto gradient = actual.gradients.find(param.name);
    if (gradient == actual.gradients.end())
      visitor.fail("there is no gradient of `" + param.name + "`");
    else
      visitor.compare("gradient of `" + param.name + "`", gradient->second, expected.at(param.name),
                      std::max(0.1 * largest, 1e-5));
  }
}

template <typename Visitor>
static void compareStates(Visitor &visitor, const CheckedModel &model, const OracleValues &expected,
                          const CompiledResults &actual) {
  for (const StateUpdate &update : model.stateUpdates) {
    const std::string &name = model.params[update.state].name;
    auto state = actual.states.find(name);
    if (state == actual.states.end())
      visitor.fail("there is no next value of `" + name + "`");
    else
      visitor.compare("next value of `" + name + "`", state->second, expected[update.value].data, 1e-5);
  }
}

/// Rows of the loss only: what the rest is worth is nobody's business.
static std::vector<double> masked(const Scenario &scenario, const std::vector<double> &losses) {
  std::vector<double> result;
  for (int64_t row : scenario.lossRows)
    result.push_back(losses.at(row));
  return result;
}

namespace {
/// A training step as the oracle takes it.
struct Step {
  OracleValues values;
  double loss = 0;
  OracleGradients gradients;
};

/// A scenario with what the oracle says of it: once for however many libraries and executors.
struct Expected {
  Scenario scenario;
  OracleValues inference;
  Step training;
  double margin = 0;                  // distance to the nearest kink
  std::optional<RoundingBound> bound; // of a scenario with an offset

  Scenario trainingScenario() const {
    Scenario result = scenario;
    result.bindings.training = true;
    return result;
  }
};
} // namespace

static double marginOf(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  return findKinks(model, bindings, values).margin;
}

static Step oracleStep(const CheckedModel &model, const Scenario &scenario, OracleValues values) {
  Step step;
  step.values = std::move(values);
  if (hasLoss(model, scenario)) {
    step.loss = maskedLoss(model, scenario.bindings, step.values);
    step.gradients = differentiateLoss(model, scenario.bindings, step.values);
  }
  return step;
}

template <typename Visitor>
static void compareStep(Visitor &visitor, const CheckedModel &model, const Step &expected,
                        const CompiledResults &actual) {
  visitor.compare("loss", {actual.loss}, {expected.loss}, 1);
  compareGradients(visitor, model, expected.gradients, actual);
  compareStates(visitor, model, expected.values, actual);
}

/// How many times more coarsely than compiled code the oracle rounds, so that a few samples suffice for a bound.
constexpr double coarser = 32;
/// The same for each sample. Where scores are nearly equal a coarse rounding decides between them, and only a fine one
/// meets the slopes in between.
constexpr double coarseness[] = {coarser, coarser, coarser, coarser, coarser, coarser, 4, 4, 4, 1, 1, 1};

/// Whether compiled code, which rounds no more coarsely than `moved`, may decide otherwise than `expected`: where the
/// oracle does, or where what is compared moves by more than twice its distance from the kink for a rounding as fine as
/// that of compiled code. Ties that are rounded apart do not count.
///
/// A softmax decides, too, where a rounding as fine as that of compiled code (`isFine`) moves its scores by about 1 or
/// more: a share of 1/2 then moves by 1/4. Among n scores each may win or lose all, and samples meet a given one of
/// them as the winner once in n times. With smaller errors a share at most doubles, which a bound holds of twice the
/// share.
static bool mayDecideOtherwise(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &moved,
                               const OracleValues &expected, bool isFine) {
  if (!bindings.roundsTiesAlike && !isFine)
    return false;
  const KinkReport after = findKinks(model, bindings, moved), before = findKinks(model, bindings, expected);
  if (isFine) {
    if (after.shares.size() != before.shares.size()) // a filter lets others through
      return true;
    for (auto [to, from] : llvm::zip_equal(after.shares, before.shares))
      if (std::fabs(to - from) > 0.25)
        return true;
  }
  if (!bindings.roundsTiesAlike)
    return false;
  if (after.decisions != before.decisions)
    return true;
  for (auto [to, from] : llvm::zip_equal(after.distances, before.distances))
    if (std::fabs(to - from) > coarser / 2 * std::fabs(from))
      return true;
  return false;
}

/// Widens `bound` by a training step of the oracle that rounds; false if compiled code may decide otherwise
/// than `expected`.
static bool sampleStep(RoundingBound &bound, const CheckedModel &model, const Scenario &scenario, const Step &expected,
                       bool isFine) {
  const Step moved = oracleStep(model, scenario, evaluate(model, scenario.bindings));
  if (mayDecideOtherwise(model, scenario.bindings, moved.values, expected.values, isFine))
    return false;
  if (!hasLoss(model, scenario))
    return true;
  CompiledResults results;
  results.loss = moved.loss;
  results.gradients = moved.gradients;
  for (const StateUpdate &update : model.stateUpdates)
    results.states[model.params[update.state].name] = moved.values[update.value].data;
  compareStep(bound, model, expected, results);
  return true;
}

/// The same for inference.
static bool sampleInference(RoundingBound &bound, const CheckedModel &model, const Scenario &scenario,
                            const OracleValues &expected, bool isFine) {
  const OracleValues moved = evaluate(model, scenario.bindings);
  if (mayDecideOtherwise(model, scenario.bindings, moved, expected, isFine))
    return false;
  CompiledResults results;
  for (const Output &output : model.outputs)
    results.outputs[output.name] = moved[output.value].data;
  compareOutputs(bound, model, expected, results);
  if (hasLoss(model, scenario))
    bound.compare("losses", masked(scenario, moved[model.loss].data), masked(scenario, expected[model.loss].data), 1);
  return true;
}

/// The bound of a training step and, if it is given, of inference over the same scenario; none where rounding may
/// change a decision, or where numbers are too large for compiled code.
static std::optional<RoundingBound> boundOf(const CheckedModel &model, Scenario scenario, const Step &training,
                                            const OracleValues *inference, double rounding) {
  const double largest = rounding > 0x1p-30 ? 1e18 : 1e150; // their squares must be finite
  const auto isSmall = [&](const OracleField &field) {
    return llvm::all_of(field.data, [&](double x) { return std::fabs(x) < largest; });
  };
  if (!llvm::all_of(training.values, isSmall) || (inference && !llvm::all_of(*inference, isSmall)))
    return std::nullopt;
  RoundingBound bound(coarser * rounding);
  for (size_t sample = 0; sample < std::size(coarseness); ++sample) {
    const bool isFine = coarseness[sample] == 1;
    scenario.bindings.rounding = coarseness[sample] * rounding;
    scenario.bindings.roundingSeed = sample;
    scenario.bindings.roundsTiesAlike = sample < 3;
    scenario.bindings.training = true;
    if (!sampleStep(bound, model, scenario, training, isFine))
      return std::nullopt;
    scenario.bindings.training = false;
    if (inference && !sampleInference(bound, model, scenario, *inference, isFine))
      return std::nullopt;
  }
  return bound.isFinite() ? std::optional(bound) : std::nullopt;
}

/// A training step over a sample: the oracle goes over the same edges.
static void verifyFewEdges(Comparison comparison, const CheckedModel &model, const std::string &library,
                           const Expected &expected, const RunOptions &run, const VerifyOptions &options) {
  if (!hasLoss(model, expected.scenario))
    return;
  Scenario scenario = expected.trainingScenario();
  scenario.bindings.isSeen = fewEdges(library, model, scenario, run);
  if (!scenario.bindings.isSeen)
    return;
  scenario.bindings.totalVertices = SampleDepths(model).totalVertices(scenario);
  const Step training = oracleStep(model, scenario, evaluate(model, scenario.bindings));
  std::optional<RoundingBound> bound;
  if (comparison.bound) {
    bound = boundOf(model, scenario, training, /*inference=*/nullptr, options.rounding);
    comparison.bound = bound ? &*bound : nullptr;
    if (!bound)
      return;
  } else if (marginOf(model, scenario.bindings, training.values) < options.nearTie) {
    return;
  }
  const CompiledResults step = runCompiled(library, model, scenario, Program::Train, run);
  comparison.compare("loss", {step.loss}, {training.loss}, 1);
  compareGradients(comparison, model, training.gradients, step);
}

static void verifyStep(Comparison &comparison, const CheckedModel &model, const std::string &library,
                       const Expected &expected, const RunOptions &run) {
  const CompiledResults step = runCompiled(library, model, expected.trainingScenario(), Program::Train, run);
  compareStep(comparison, model, expected.training, step);
}

/// What the oracle expects of a training step over a batch of all rows that the loss is over, seen with all edges.
static Expected asBatch(const CheckedModel &model, const Expected &expected) {
  Expected batch = expected;
  batch.scenario.bindings.totalVertices = SampleDepths(model).totalVertices(expected.scenario);
  const Scenario scenario = batch.trainingScenario();
  batch.training = oracleStep(model, scenario, evaluate(model, scenario.bindings));
  batch.margin = marginOf(model, scenario.bindings, batch.training.values);
  return batch;
}

/// `scenario` with NaN in the inputs of vertices that a batch must not read.
static Scenario beyondReach(const CheckedModel &model, const Scenario &scenario, const SampleDepths &depths) {
  Scenario poisoned = scenario;
  const std::vector<std::vector<int>> distances = depths.distances(scenario);
  for (const Input &input : model.inputs) {
    auto numbers = poisoned.bindings.inputs.find(input.name);
    if (input.isTarget || input.sparse || input.type.kind != GraphKind::V || input.type.element != ElementKind::Real ||
        numbers == poisoned.bindings.inputs.end())
      continue;
    const std::vector<int> &ofType = distances[input.type.type];
    const size_t width = ofType.empty() ? 0 : numbers->second.size() / ofType.size();
    for (size_t vertex = 0; vertex < ofType.size(); ++vertex)
      if (ofType[vertex] < 0 || ofType[vertex] > depths.reach())
        std::fill_n(numbers->second.begin() + std::ptrdiff_t(vertex * width), width, std::nan(""));
  }
  return poisoned;
}

static bool areSame(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return distance(x, y) == 0; });
}

static bool areSame(const std::map<std::string, std::vector<double>> &a,
                    const std::map<std::string, std::vector<double>> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto &x, const auto &y) { return x.first == y.first && areSame(x.second, y.second); });
}

/// Whether two steps gave the same bits, where any NaN is like any other.
static bool areSame(const CompiledResults &a, const CompiledResults &b) {
  return distance(a.loss, b.loss) == 0 && areSame(a.gradients, b.gradients) && areSame(a.states, b.states);
}

/// A training step over a batch that is seen with all edges: the oracle computes with the whole graph, but with totals
/// over the vertices that they go over in a sample. The step reads no farther than inference, and what lies beyond
/// changes no bit.
static void verifyBatch(Comparison comparison, const CheckedModel &model, const std::string &library,
                        const Expected &expected, const RunOptions &run, const VerifyOptions &options) {
  const std::optional<int> reach = reachOfBatch(library, run);
  if (!reach)
    return verifyStep(comparison, model, library, expected, run);
  const SampleDepths depths(model);
  if (options.checksReach && *reach > depths.reach())
    comparison.fail("reads " + std::to_string(*reach) + " steps away from its seeds, expected " +
                    std::to_string(depths.reach()));
  const Expected batch = asBatch(model, expected);
  const Scenario scenario = batch.trainingScenario();
  const CompiledResults step = runCompiled(library, model, scenario, Program::Train, run);
  if (!areSame(step, runCompiled(library, model, beyondReach(model, scenario, depths), Program::Train, run)))
    comparison.fail("depends on vertices farther than " + std::to_string(depths.reach()) + " steps from its seeds");
  std::optional<RoundingBound> bound;
  if (comparison.bound && !scenario.bindings.totalVertices.empty()) {
    bound = boundOf(model, scenario, batch.training, /*inference=*/nullptr, options.rounding);
    comparison.bound = bound ? &*bound : nullptr;
    if (!bound)
      return;
  } else if (!comparison.bound && batch.margin < options.nearTie) {
    return;
  }
  compareStep(comparison, model, batch.training, step);
}

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
    scenario.cotangents[output.name] = withRowsLeftOut(scenario, model.values[output.value].type, cotangent,
                                                       size_t(values[output.value].rowSize()));
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

/// The model as a differentiable function, in inference and in training.
static void verifyPullback(Comparison &comparison, const CheckedModel &model, const std::string &library,
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

static void verifyPrograms(Comparison &comparison, const CheckedModel &model, const std::string &library,
                           const Expected &expected, const RunOptions &run, const VerifyOptions &options) {
  if (run.executor == Executor::Pullback)
    return verifyPullback(comparison, model, library, expected, run);
  if (run.executor == Executor::FewEdges)
    return verifyFewEdges(comparison, model, library, expected, run, options);
  const Scenario &scenario = expected.scenario;
  if (run.executor == Executor::Reached) { // other programs than @train compute all
    if (hasLoss(model, scenario))
      verifyStep(comparison, model, library, expected, run);
    return;
  }
  const bool hasAllRows = run.executor != Executor::Seeds && run.executor != Executor::Batch;
  if (hasAllRows)
    compareOutputs(comparison, model, expected.inference, runCompiled(library, model, scenario, Program::Infer, run));
  if (run.executor == Executor::InferAt || !hasLoss(model, scenario))
    return;
  const CompiledResults evaluation = runCompiled(library, model, scenario, Program::Evaluate, run);
  if (hasAllRows)
    compareOutputs(comparison, model, expected.inference, evaluation);
  comparison.compare("losses", masked(scenario, evaluation.losses),
                     masked(scenario, expected.inference[model.loss].data), 1);
  if (run.executor == Executor::Batch)
    verifyBatch(comparison, model, library, expected, run, options);
  else
    verifyStep(comparison, model, library, expected, run);
}

static Expected drawOnce(const CheckedModel &model, const std::string &name, const VerifyOptions &options, int attempt,
                         double offset) {
  Expected drawn;
  drawn.scenario = drawScenario(model, name, options.dims, options.seed + 1000003 * attempt, offset);
  drawn.scenario.bindings.seed = options.seed + 5;
  drawn.scenario.bindings.step = options.seed % 7;
  if (!checkBindings(model, drawn.scenario.bindings).empty())
    return drawn;
  drawn.inference = evaluate(model, drawn.scenario.bindings);
  drawn.training.values = evaluate(model, drawn.trainingScenario().bindings);
  return drawn;
}

/// Draws until rounding cannot change a decision, at most 20 times.
static Expected drawExpected(const CheckedModel &model, const std::string &name, const VerifyOptions &options) {
  Expected best;
  best.margin = -1;
  for (int attempt = 0; attempt < 20 && best.margin < options.nearTie; ++attempt) {
    Expected drawn = drawOnce(model, name, options, attempt, /*offset=*/0);
    if (drawn.inference.empty())
      return drawn;
    drawn.margin = std::min(marginOf(model, drawn.scenario.bindings, drawn.inference),
                            marginOf(model, drawn.trainingScenario().bindings, drawn.training.values));
    if (drawn.margin > best.margin)
      best = std::move(drawn);
  }
  best.training = oracleStep(model, best.trainingScenario(), std::move(best.training.values));
  return best;
}

/// With inputs around an offset between 1e3 and 1e7, the smaller the more often rounding changed a decision or numbers
/// became too large; without a bound if all attempts did.
static Expected drawAroundOffset(const CheckedModel &model, const std::string &name, const VerifyOptions &options) {
  Draw draw(options.seed);
  Expected drawn;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const double decades = (draw.number() + 1) / 2 * std::min(4, 8 - attempt);
    drawn = drawOnce(model, name, options, attempt, double(float(1e3 * std::pow(10, decades))));
    if (drawn.inference.empty())
      return drawn;
    drawn.training = oracleStep(model, drawn.trainingScenario(), std::move(drawn.training.values));
    drawn.bound = boundOf(model, drawn.scenario, drawn.training, &drawn.inference, options.rounding);
    if (drawn.bound)
      return drawn;
  }
  return drawn;
}

void allowNarrow(VerifyOptions &options, const std::string &storage) {
  const bool isHalf = storage == "f16";
  options.tolerance = isHalf ? 2e-3 : 1e-2;
  options.rounding = isHalf ? 0x1p-10 : 0x1p-7;
  options.nearTie = options.tolerance;
}

/// How far what the oracle says moves, as errors are measured, when it rounds otherwise: by more than a tolerance where
/// large terms cancel, as in the gradient of a number that all scores of a softmax share.
static double movedByRounding(const CheckedModel &model, const Expected &expected, double rounding) {
  VerifyReport report;
  Comparison comparison(report, HUGE_VAL);
  OracleBindings bindings = expected.scenario.bindings, step = expected.trainingScenario().bindings;
  bindings.rounding = step.rounding = rounding;
  for (int seed = 0; seed < 4; ++seed) {
    bindings.roundingSeed = step.roundingSeed = seed;
    const OracleValues inference = evaluate(model, bindings), training = evaluate(model, step);
    CompiledResults moved;
    for (const Output &output : model.outputs)
      moved.outputs[output.name] = inference[output.value].data;
    compareOutputs(comparison, model, expected.inference, moved);
    if (!hasLoss(model, expected.scenario))
      continue;
    comparison.compare("losses", masked(expected.scenario, inference[model.loss].data),
                       masked(expected.scenario, expected.inference[model.loss].data), 1);
    moved.gradients = differentiateLoss(model, step, training);
    compareGradients(comparison, model, expected.training.gradients, moved);
  }
  return report.largestError;
}

std::vector<std::string> checkOracle(const CheckedModel &model, const VerifyOptions &options, int64_t &checked) {
  constexpr double tolerance = 1e-5;
  std::vector<std::string> failures;
  for (const char *graph : {"multi", "half"}) {
    OracleBindings bindings = drawExpected(model, graph, options).trainingScenario().bindings;
    for (const GradientCheck &check : checkGradients(model, bindings, /*entriesPerArray=*/8)) {
      checked += check.entries;
      if (check.maxError > tolerance)
        failures.push_back("oracle, " + std::string(graph) + ": gradient of `" + check.name + "` is off by " +
                           std::to_string(check.maxError));
    }
  }
  return failures;
}

static std::string describe(const std::string &graphName, const RunOptions &run) {
  static const char *const executors[] = {"",
                                          ", chunks",
                                          ", samples",
                                          ", hub segments",
                                          ", seeds",
                                          ", GPU",
                                          ", some vertices at a time",
                                          ", a batch",
                                          ", a batch with few edges",
                                          ", reached rows",
                                          ", streamed",
                                          ", pulled back"};
  static_assert(sizeof executors / sizeof *executors == size_t(Executor::Pullback) + 1);
  return graphName + (run.isa.empty() ? "" : ", " + run.isa) + executors[int(run.executor)] +
         (run.stream ? " in " + run.stream->describe() : "") + (run.device ? ", device" : "") +
         (run.onGpu ? ", GPU" : "") + (run.degreeOrder ? ", by degree" : "") +
         (run.variant ? ", variant " + std::to_string(run.variant + 1) : "") +
         (run.threads > 1 ? ", " + std::to_string(run.threads) + " threads" : "");
}

void VerifyReport::add(const VerifyReport &other) {
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
  largestError = std::max(largestError, other.largestError);
  arrays += other.arrays;
  nearTies += other.nearTies;
  cancellations += other.cancellations;
  withoutBound += other.withoutBound;
  poisonedRows += other.poisonedRows;
  scenarios += other.scenarios;
}

std::vector<RunOptions> allRuns(const std::vector<std::string> &isas) {
  constexpr unsigned mostVariants = 4; // gnn-vary-orders
  std::vector<RunOptions> runs;
  for (const std::string &isa : isas) {
    runs.push_back({isa, Executor::WholeGraph, 1, /*degreeOrder=*/false});
    runs.push_back({isa, Executor::WholeGraph, 2, /*degreeOrder=*/true});
  }
  for (Executor executor :
       {Executor::Grid, Executor::Sampled, Executor::HubSegments, Executor::Seeds, Executor::FewEdges})
    runs.push_back({isas.back(), executor, 1, /*degreeOrder=*/false});
  for (Executor executor : {Executor::InferAt, Executor::Batch, Executor::Reached})
    runs.push_back({isas.back(), executor, 1, /*degreeOrder=*/true});
  runs.push_back({isas.back(), Executor::Streamed});
  for (unsigned variant = 1; variant < mostVariants; ++variant)
    for (Executor executor : {Executor::WholeGraph, Executor::Grid, Executor::InferAt, Executor::FewEdges}) {
      runs.push_back({isas.back(), executor});
      runs.back().variant = variant;
    }
  return runs;
}

std::vector<RunOptions> pullbackRuns(const std::string &isa) {
  return {{isa, Executor::Pullback, 1, /*degreeOrder=*/false}, {isa, Executor::Pullback, 2, /*degreeOrder=*/true}};
}

template <size_t count>
static std::vector<RunOptions> runsOf(const StreamWay (&ways)[count], const std::string &isa,
                                      Executor executor = Executor::Streamed) {
  std::vector<RunOptions> runs;
  for (const StreamWay &way : ways) {
    runs.push_back({isa, executor});
    runs.back().stream = &way;
  }
  return runs;
}

std::vector<RunOptions> streamRuns(const std::string &isa) { return runsOf(streamWays, isa); }
std::vector<RunOptions> rankRuns(const std::string &isa) { return runsOf(rankWays, isa); }

std::string gpuTargets() {
  const uint32_t arch = ::gnn::rt::Device::open(0)->arch();
  return arch / 10 == 9 ? "host,sm_80,sm_90" : "host,sm_80";
}

std::vector<RunOptions> gpuRuns() {
  std::vector<RunOptions> runs(2);
  runs[1].degreeOrder = true;
  for (RunOptions &run : runs)
    run.executor = Executor::Gpu;
  runs.push_back({"", Executor::FewEdges});
  runs.back().onGpu = true;
  if (::gnn::rt::Device::count() > 1) {
    runs.push_back({"", Executor::Batch});
    runs.back().onGpu = true;
  }
  return runs;
}

std::vector<RunOptions> gpuStreamRuns() { return runsOf(gpuStreamWays, "", Executor::Gpu); }

std::vector<RunOptions> deviceRuns(const std::shared_ptr<DeviceLibrary> &device) {
  std::vector<RunOptions> runs(2);
  runs[1].executor = Executor::HubSegments;
  for (RunOptions &run : runs)
    run.device = device;
  return runs;
}

/// Whether two runs gave the same bits, where any NaN is like any other.
static void expectSame(Comparison &comparison, const std::string &what, const std::vector<double> &actual,
                       const std::vector<double> &expected) {
  ++comparison.report.arrays;
  for (size_t i = 0; i < expected.size(); ++i)
    if (distance(actual.at(i), expected[i]) != 0)
      return comparison.fail(what + "[" + std::to_string(i) + "] is " + llvm::formatv("{0:e6}", actual[i]).str() +
                             " where data that must not matter is NaN, and " +
                             llvm::formatv("{0:e6}", expected[i]).str() + " otherwise");
}

static void expectSame(Comparison &comparison, const std::string &kind,
                       const std::map<std::string, std::vector<double>> &actual,
                       const std::map<std::string, std::vector<double>> &expected) {
  for (const auto &[name, numbers] : expected)
    expectSame(comparison, kind + " `" + name + "`", actual.at(name), numbers);
}

/// `step` as `run` takes it: a batch computes totals over the vertices that its sample reaches, and one with few edges
/// decides conditions by sums over these.
static Scenario seenBy(const RunOptions &run, const CheckedModel &model, const std::string &library, Scenario step) {
  if (run.executor == Executor::FewEdges) {
    step.bindings.isSeen = fewEdges(library, model, step, run);
    if (!step.bindings.isSeen)
      return step;
  }
  if (run.executor == Executor::FewEdges || (run.executor == Executor::Batch && reachOfBatch(library, run)))
    step.bindings.totalVertices = SampleDepths(model).totalVertices(step);
  return step;
}

/// All programs with NaN in data that must not matter, against the same programs without.
static VerifyReport verifyPoisoned(const CheckedModel &model, const std::vector<Candidate> &candidates,
                                   const std::string &graphName, const VerifyOptions &options) {
  VerifyReport report;
  Comparison comparison(report, options.tolerance);
  const Expected expected = drawExpected(model, graphName, options);
  ++report.scenarios;
  if (expected.inference.empty())
    return report; // a graph that the model does not take, which verifyOn reports
  const Scenario &clean = expected.scenario, cleanStep = expected.trainingScenario();
  const Scenario forAll = poisoned(model, clean, Program::Infer, report.poisonedRows),
                 forStep = poisoned(model, cleanStep, Program::Train, report.poisonedRows);
  for (const Candidate &candidate : candidates)
    for (const RunOptions &run : candidate.runs) {
      if (run.variant >= numVariants(candidate.path))
        continue;
      comparison.where = (candidate.name.empty() ? "" : candidate.name + ", ") + describe(graphName, run);
      const bool hasAllRows = run.executor != Executor::Seeds && run.executor != Executor::Batch &&
                              run.executor != Executor::FewEdges && run.executor != Executor::Reached;
      auto runOver = [&](const Scenario &scenario, Program program) {
        return runCompiled(candidate.path, model, scenario, program, run);
      };
      if (hasAllRows)
        expectSame(comparison, "output", runOver(forAll, Program::Infer).outputs,
                   runOver(clean, Program::Infer).outputs);
      if (run.executor == Executor::InferAt || !hasLoss(model, clean))
        continue;
      const Scenario seen = seenBy(run, model, candidate.path, cleanStep);
      const bool isSample = seen.bindings.isSeen || !seen.bindings.totalVertices.empty();
      const CompiledResults cleanResults = runOver(cleanStep, Program::Train),
                            step =
                                runOver(isSample ? poisoned(model, seen, Program::Train, report.poisonedRows) : forStep,
                                        Program::Train);
      expectSame(comparison, "loss", {step.loss}, {cleanResults.loss});
      expectSame(comparison, "gradient of", step.gradients, cleanResults.gradients);
      expectSame(comparison, "next value of", step.states, cleanResults.states);
    }
  return report;
}

VerifyReport verifyOn(const CheckedModel &model, const std::vector<Candidate> &candidates, const std::string &graphName,
                      const VerifyOptions &options) {
  if (options.withPoison)
    return verifyPoisoned(model, candidates, graphName, options);
  VerifyReport report;
  Comparison comparison(report, options.tolerance);
  const Expected expected =
      options.withOffset ? drawAroundOffset(model, graphName, options) : drawExpected(model, graphName, options);
  ++report.scenarios;
  comparison.where = graphName;
  const std::string error = checkBindings(model, expected.scenario.bindings);
  if (!error.empty()) {
    comparison.fail(error);
    return report;
  }
  if (options.withOffset && !expected.bound) {
    ++report.withoutBound;
    return report;
  }
  comparison.bound = expected.bound ? &*expected.bound : nullptr;
  for (const Candidate &candidate : candidates) {
    const unsigned variants = numVariants(candidate.path);
    for (const RunOptions &run : candidate.runs) {
      if (run.variant >= variants)
        continue;
      comparison.where = (candidate.name.empty() ? "" : candidate.name + ", ") + describe(graphName, run);
      try {
        verifyPrograms(comparison, model, candidate.path, expected, run, options);
      } catch (const gnn::Error &error) {
        comparison.fail(error.what());
      }
    }
  }
  if (report.failures.empty() || options.withOffset)
    return report;
  // Four random roundings seldom move the oracle as far as rounding can.
  const double largest = report.largestError;
  auto isExplained = [&](double moved) {
    return moved > options.tolerance || (largest > options.tolerance && 8 * moved > largest);
  };
  if (expected.margin < options.nearTie) {
    report.failures.clear();
    ++report.nearTies;
  } else if (isExplained(movedByRounding(model, expected, options.rounding)) ||
             (hasLoss(model, expected.scenario) && model.values[model.loss].type.kind == GraphKind::V &&
              isExplained(movedByRounding(model, asBatch(model, expected), options.rounding)))) {
    report.failures.clear();
    ++report.cancellations;
  }
  return report;
}

} // namespace gnnc::verify
