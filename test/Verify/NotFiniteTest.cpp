//===- NotFiniteTest.cpp - Infinities and what is no number ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of the language at infinities, NaN, both zeros, huge and tiny numbers, and its derivatives there: the
// oracle, compiled code in both precisions on every instruction set of this machine, and the emulated device, all
// against what PyTorch says. Inputs/NotFinite/pytorch.txt has that, differences.txt where we say otherwise and why.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Context.h"
#include "gnn/error.hpp"
#include "test/Verify/Compile.h"
#include "test/Verify/DeviceLibrary.h"
#include "test/Verify/InProcess.h"
#include "test/Verify/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using namespace gnnc;
using namespace gnnc::verify;

namespace {

const std::string inputs = GNNC_SOURCE_DIR "/test/Verify/Inputs/NotFinite/";

/// Both arguments, as pytorch.py lists and writes them.
const std::vector<std::pair<std::string, double>> numbers = {
    {"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}, {"0", 0.0},        {"-0", -0.0},
    {"1.5", 1.5}, {"-2", -2.0},      {"1e+30", 1e30},     {"-1e+30", -1e30}, {"1e-30", 1e-30}};
const unsigned numCases = numbers.size() * numbers.size();

double firstOf(unsigned index) { return numbers[index / numbers.size()].second; }
double secondOf(unsigned index) { return numbers[index % numbers.size()].second; }

/// What a function gives for two arguments: its value or the elements of it, then the derivatives.
struct Answer {
  std::vector<double> value;
  double dx = 0, dy = 0;

  /// Whether this is what `other` says. Of derivatives that are not finite it does not count whether they are infinite
  /// or NaN: training refuses such a step.
  bool isNear(const Answer &other, double tolerance) const {
    auto near = [&](double a, double b) {
      return (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
    };
    auto nearSlope = [&](double a, double b) { return (!std::isfinite(a) && !std::isfinite(b)) || near(a, b); };
    auto nearValue = [&](auto pair) { return near(std::get<0>(pair), std::get<1>(pair)); };
    return value.size() == other.value.size() && llvm::all_of(llvm::zip(value, other.value), nearValue) &&
           nearSlope(dx, other.dx) && nearSlope(dy, other.dy);
  }

  std::string text() const {
    std::string elements;
    for (double element : value)
      elements += (elements.empty() ? "" : ",") + one(element);
    return elements + " " + one(dx) + " " + one(dy);
  }

private:
  static std::string one(double number) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.12g", number);
    return std::isnan(number) ? "nan" : buffer;
  }
};

/// By function and case.
using Answers = std::map<std::pair<std::string, unsigned>, Answer>;

/// What `key` is about, as a line of pytorch.txt begins after the precision.
std::string textOf(const Answers::key_type &key) {
  return key.first + " " + numbers[key.second / numbers.size()].first + " " +
         numbers[key.second % numbers.size()].first;
}

double parse(llvm::StringRef text) {
  double number = NAN;
  if (text != "nan" && text.getAsDouble(number))
    FAIL("no number: " << text.str());
  return number;
}

unsigned indexOf(llvm::StringRef text) {
  auto found = llvm::find_if(numbers, [&](const auto &number) { return number.first == text; });
  REQUIRE(found != numbers.end());
  return found - numbers.begin();
}

/// Lines of `precision function x y value dx dy`, those of `precision` and what they say nothing of as f64 has it. A
/// line about one alone has `oracle` or `compiled` before, and counts for that `who`; # begins a comment.
Answers readAnswers(const std::string &name, llvm::StringRef precision, llvm::StringRef who = "") {
  auto file = llvm::MemoryBuffer::getFile(inputs + name);
  REQUIRE(file);
  Answers answers, general;
  for (llvm::StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    llvm::SmallVector<llvm::StringRef> words, elements;
    line.split('#').first.trim().split(words, ' ', -1, /*KeepEmpty=*/false);
    if (!words.empty() && words[0] == who)
      words.erase(words.begin());
    if (words.empty() || words[0] == "oracle" || words[0] == "compiled")
      continue;
    INFO(line.str());
    REQUIRE(words.size() == 7);
    words[4].split(elements, ',');
    Answer answer{{}, parse(words[5]), parse(words[6])};
    for (llvm::StringRef element : elements)
      answer.value.push_back(parse(element));
    const unsigned index = indexOf(words[2]) * numbers.size() + indexOf(words[3]);
    Answers &of = words[0] == precision ? answers : general;
    const bool isNew = of.insert({{words[1].str(), index}, answer}).second;
    REQUIRE((isNew || words[0] != precision));
  }
  if (precision != "f64")
    answers.insert(general.begin(), general.end());
  return answers;
}

/// All cases side by side. Row i has case i, and two others, with an edge each into it, its arguments. Where `pairOnly`
/// the rows are those of one case alone: for folds over all of them.
struct Layout {
  const CheckedModel &model;
  std::optional<unsigned> pairOnly = std::nullopt;

  int64_t rows() const { return pairOnly ? 2 : 3 * numCases; }
  int64_t leaf(unsigned index, int64_t which) const { return pairOnly ? which : numCases + 2 * index + which; }

  Scenario scenario() const {
    Scenario result;
    OracleBindings &bindings = result.bindings;
    bindings.numVertices = {rows()};
    OracleGraph graph;
    for (unsigned index = 0; !pairOnly && index < numCases; ++index)
      for (int64_t which : {0, 1}) {
        graph.src.push_back(leaf(index, which));
        graph.dst.push_back(index);
      }
    result.given = {graph};
    bindings.relations = {graph};
    for (int64_t row = 0; row < rows(); ++row) {
      const bool counts = pairOnly || row < numCases;
      bindings.mask.push_back(counts);
      if (counts)
        result.lossRows.push_back(row);
    }
    const OracleContext context(model, bindings);
    for (const Value &value : model.values)
      if (value.kind == ValueKind::Param)
        bindings.params[value.name] = numbersOf(value, context.zeros(value.type));
      else if (value.kind == ValueKind::Input || value.kind == ValueKind::Target)
        bindings.inputs[value.name] = numbersOf(value, context.zeros(value.type));
    return result;
  }

  /// The derivative by one argument, `which`, of `function` in a case.
  double slope(const CompiledResults &results, const std::string &function, unsigned index, unsigned which) const {
    auto at = [&](const char *suffix, int64_t element) -> std::optional<double> {
      auto found = results.gradients.find(function + suffix);
      return found == results.gradients.end() ? std::nullopt : std::optional<double>(found->second.at(element));
    };
    const double scale = double(numElements()) * (pairOnly ? 1 : numCases); // the loss is a mean
    for (std::optional<double> found : {at(which ? "_y" : "_x", index), at("_xy", 2 * index + which),
                                        at("_e", pairOnly ? which : leaf(index, which)), at("_v", which)})
      if (found)
        return *found * scale;
    return 0;
  }

private:
  /// How many numbers a row of the target has: of several, which are outputs, the loss is the mean.
  int64_t numElements() const {
    auto target = llvm::find_if(model.values, [](const Value &value) { return value.kind == ValueKind::Target; });
    OracleBindings none;
    return target->type.shape.empty() ? 1 : *evaluateDim(model, none, target->type.shape[0]);
  }

  /// The numbers of a parameter, by the end of its name, of a target or of weights.
  std::vector<double> numbersOf(const Value &value, const OracleField &field) const {
    std::vector<double> result(field.data.size(), 1.0);
    const llvm::StringRef name = value.name;
    const int64_t width = field.rowSize();
    if (name == "table")
      return {1, 2};
    if (name == "weights" || name == "weight")
      for (size_t i = 0; i < result.size(); ++i)
        result[i] = 1 + (name == "weights" ? i % width : (i + numCases) % 2 == 1);
    if (name == "t" && width > 1)
      return std::vector<double>(field.data.size(), 0.25);
    if (pairOnly && name.ends_with("_v"))
      return {firstOf(*pairOnly), secondOf(*pairOnly)};
    for (unsigned index = 0; !pairOnly && index < numCases; ++index) {
      const double x = firstOf(index), y = secondOf(index);
      if (name.ends_with("_xy"))
        std::tie(result[2 * index], result[2 * index + 1]) = std::pair(x, y);
      else if (name.ends_with("_e"))
        std::tie(result[leaf(index, 0)], result[leaf(index, 1)]) = std::pair(x, y);
      else if (name.ends_with("_x") || name.ends_with("_y") || name == "t")
        result[index] = name.ends_with("_x") ? x : value.type.element == ElementKind::Real ? y : 0;
    }
    return result;
  }
};

/// Answers from what was computed. Outputs are named o_FUNCTION; a model without any is about its loss, `lossName`.
void collect(const Layout &layout, const CompiledResults &results, const std::string &lossName, Answers &answers) {
  auto note = [&](const std::string &function, const std::vector<double> &values) {
    const size_t width = values.size() / layout.rows();
    for (unsigned index = 0; index < numCases; ++index) {
      if (layout.pairOnly && *layout.pairOnly != index)
        continue;
      auto begin = values.begin() + (layout.pairOnly ? 0 : index * width);
      answers[{function, index}] = {{begin, begin + width},
                                    layout.slope(results, function, layout.pairOnly ? 0 : index, 0),
                                    layout.slope(results, function, layout.pairOnly ? 0 : index, 1)};
    }
  };
  bool hasOutputs = false;
  for (const auto &[name, values] : results.outputs)
    if (llvm::StringRef(name).starts_with("o_")) {
      note(name.substr(2), values);
      hasOutputs = true;
    }
  if (!hasOutputs)
    note(lossName, results.losses);
}

CompiledResults byOracle(const CheckedModel &model, const Scenario &scenario) {
  const OracleValues values = evaluate(model, scenario.bindings);
  CompiledResults results;
  for (const Output &output : model.outputs)
    results.outputs[output.name] = values[output.value].data;
  results.losses = values[model.loss].data;
  results.gradients = differentiateLoss(model, scenario.bindings, values);
  return results;
}

CompiledResults byLibrary(const std::string &library, const CheckedModel &model, const Scenario &scenario,
                          const RunOptions &run) {
  CompiledResults results = runCompiled(library, model, scenario, Program::Evaluate, run);
  results.gradients = runCompiled(library, model, scenario, Program::Train, run).gradients;
  return results;
}

/// The answers that `compute`, given a scenario, leads to.
template <class Compute> Answers answersOf(const CheckedModel &model, const std::string &name, Compute compute) {
  Answers answers;
  const std::string lossName = llvm::join(llvm::split(name, '-'), "_");
  if (name != "totals") {
    const Layout layout{model};
    collect(layout, compute(layout.scenario()), lossName, answers);
    return answers;
  }
  for (unsigned index = 0; index < numCases; ++index) {
    const Layout layout{model, index};
    collect(layout, compute(layout.scenario()), lossName, answers);
  }
  return answers;
}

/// What PyTorch says, but for the differences that are meant, of `who`: "oracle" or "compiled".
Answers expectedAnswers(llvm::StringRef who, llvm::StringRef precision) {
  Answers expected = readAnswers("pytorch.txt", precision);
  for (const auto &[key, answer] : readAnswers("differences.txt", precision, who)) {
    INFO(textOf(key) << " is in differences.txt");
    auto found = expected.find(key);
    REQUIRE(found != expected.end());
    CHECK(!found->second.isNear(answer, 1e-5)); // else it is none
    found->second = answer;
  }
  return expected;
}

void compare(const std::string &who, const Answers &answers, double tolerance, const Answers &expected) {
  for (const auto &[key, answer] : answers) {
    auto found = expected.find(key);
    if (found == expected.end()) // a function of x alone
      continue;
    if (!answer.isNear(found->second, tolerance))
      FAIL_CHECK(textOf(key) << " " << answer.text() << " by " << who << ", expected " << found->second.text());
  }
}

/// On the emulated device, in f32.
Answers byDevice(const CheckedModel &model, const Frontend &frontend, const std::string &name) {
  TemporaryFolder folder;
  std::unique_ptr<device::EmulatedDevice> emulated;
  InProcessCompiler compiler;
  const std::string library = folder.file("device.so");
  REQUIRE(compiler.compile(model, frontend, {true, true, CodeEffort::Quick, RealType::F32}, library, &emulated) == "");
  RunOptions run;
  run.device = std::make_shared<DeviceLibrary>(library, std::move(emulated));
  return answersOf(model, name, [&](const Scenario &scenario) { return byLibrary(library, model, scenario, run); });
}

void compareAll(const std::string &name) {
  const std::string source = inputs + name + ".gnn";
  CompileOptions options;
  options.gnnc = GNNC_PROGRAM;
  options.arguments = {"--target=cpu"};
  Frontend frontend(frontendOptions(options));
  std::string messages;
  std::optional<CheckedModel> model = checkSource(frontend, source, messages);
  INFO(messages);
  REQUIRE(model);
  const Answers expected = expectedAnswers("oracle", "f64"), exact = expectedAnswers("compiled", "f64"),
                single = expectedAnswers("compiled", "f32");
  const Answers oracle = answersOf(*model, name, [&](const Scenario &scenario) { return byOracle(*model, scenario); });
  REQUIRE(!oracle.empty());
  for (const auto &[key, answer] : oracle)
    CHECK(exact.count({key.first, key.second - key.second % unsigned(numbers.size()) + 3})); // y = 0: all are there
  compare("the oracle", oracle, 1e-9, expected);

  TemporaryFolder folder;
  for (const char *real : {"f32", "f64"}) {
    options.real = real;
    const bool isExact = options.real == "f64";
    const std::string library = folder.file(name + "-" + real + ".so");
    REQUIRE(compileSource(options, source, library) == "");
    for (const char *isa : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
      if (!canRun(library, isa))
        continue;
      const Answers answers = answersOf(
          *model, name, [&](const Scenario &scenario) { return byLibrary(library, *model, scenario, {isa}); });
      compare(isa + (", " + options.real), answers, isExact ? 1e-9 : 1e-5, isExact ? exact : single);
    }
  }
  compare("the device", byDevice(*model, frontend, name), 1e-5, single);
}

/// What the models have, by the names of their parameters.
std::set<std::string> functionsOf(const std::vector<std::string> &names) {
  std::set<std::string> functions;
  for (const std::string &name : names) {
    Frontend frontend(FrontendOptions{});
    std::string messages;
    std::optional<CheckedModel> model = checkSource(frontend, inputs + name + ".gnn", messages);
    INFO(messages);
    REQUIRE(model);
    for (const Value &value : model->values)
      if (llvm::StringRef parameter = value.name; value.kind == ValueKind::Param && parameter.contains('_'))
        functions.insert(parameter.rsplit('_').first.str());
  }
  return functions;
}

} // namespace

TEST_CASE("every function that PyTorch was asked about is in a model") {
  std::set<std::string> asked;
  for (const auto &[key, answer] : readAnswers("pytorch.txt", "f64"))
    asked.insert(key.first);
  CHECK(functionsOf({"elementwise", "vectors", "edges", "totals", "cross-entropy", "binary-cross-entropy",
                     "mean-squared-error"}) == asked);
}

TEST_CASE("functions of numbers, at infinities and NaN") { compareAll("elementwise"); }
TEST_CASE("functions of vectors, at infinities and NaN") { compareAll("vectors"); }
TEST_CASE("folds over edges, at infinities and NaN") { compareAll("edges"); }
TEST_CASE("folds over all vertices, at infinities and NaN") { compareAll("totals"); }
TEST_CASE("losses, at infinities and NaN") {
  for (const char *name : {"cross-entropy", "binary-cross-entropy", "mean-squared-error"})
    compareAll(name);
}
