//===- GpuTimes.cpp - One case of the benchmark, on a bare machine --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gnnc's part of test/Benchmark/run-gpu for machines without Python: draws the graph and the inputs of a case, runs a
// compiled model on the processor and twice on a GPU, compares numbers and bits, and times it by the GPU's clock.
// Prints one JSON object. Exits with 1 if numbers or bits are others, with 3 if the model cannot run.
//
//===----------------------------------------------------------------------===//

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <gnn/gnn.hpp>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>

namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t seed = 1;
constexpr int checkedSteps = 3, warmUp = 3, leastSamples = 5, mostSamples = 200;

struct Options {
  std::string library, device = "cuda:0", kind;
  int64_t vertices = 0, edges = 0, relations = 0, classes = 0, columns = 0;
  double density = 1, tolerance = 1e-4, seconds = 2;
  bool trains = false;
};

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The edges of `order` by rising `ends`, those of one end as they were: in linear time, as there are 115 million.
std::vector<int64_t> sortedBy(const std::vector<int64_t> &ends, int64_t vertices, const std::vector<int64_t> &order) {
  std::vector<int64_t> place(size_t(vertices) + 1), result(order.size());
  for (int64_t end : ends)
    ++place[size_t(end) + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  for (int64_t edge : order)
    result[size_t(place[size_t(ends[size_t(edge)])]++)] = edge;
  return result;
}

/// As run-gpu has it: edges by destination and source; of relations one against each edge, of another type.
gnn::Graph drawGraph(const Options &options) {
  gnn_generate_options_t asked{};
  asked.size = sizeof asked;
  asked.num_classes = 2; // the labels are drawn below
  asked.num_vertices = options.vertices;
  asked.num_edges = options.edges;
  asked.num_features = -1;
  asked.seed = seed;
  const gnn::Tensor drawn = gnn::Dataset::generate(options.kind, &asked).tensor("edge_index");
  const int64_t *ends = drawn.data<int64_t>(), count = drawn.shape()[1];
  std::vector<int64_t> source(ends, ends + count), destination(ends + count, ends + 2 * count), type;
  if (options.relations) {
    std::mt19937_64 random(seed);
    for (int64_t edge = 0; edge < count; ++edge)
      type.push_back(int64_t(random() % uint64_t(options.relations)));
    source.insert(source.end(), ends + count, ends + 2 * count);
    destination.insert(destination.end(), ends, ends + count);
    for (int64_t edge = 0; edge < count; ++edge)
      type.push_back(type[size_t(edge)] + options.relations);
  }

  std::vector<int64_t> order(source.size());
  std::iota(order.begin(), order.end(), 0);
  order = sortedBy(destination, options.vertices, sortedBy(source, options.vertices, order));
  auto sorted = [&](const std::vector<int64_t> &values) {
    std::vector<int64_t> result;
    for (int64_t edge : order)
      result.push_back(values[size_t(edge)]);
    return result;
  };
  if (!options.relations)
    return gnn::Graph::fromEdges(sorted(source), sorted(destination), options.vertices);
  type = sorted(type);
  gnn_graph_options_t typed{};
  typed.size = sizeof typed;
  typed.num_types = uint32_t(2 * options.relations);
  typed.edge_type = type.data();
  return gnn::Graph::fromEdges(sorted(source), sorted(destination), options.vertices, &typed);
}

gnn::Inputs drawInputs(const Options &options) {
  std::mt19937_64 random(seed);
  auto unit = [&] { return float(random() >> 40) * 0x1p-24f; };
  gnn::Inputs inputs;
  if (options.columns) {
    gnn::Tensor x = gnn::Tensor::zeros<float>({options.vertices, options.columns});
    float *to = x.mutableData<float>();
    for (int64_t i = 0; i < x.count(); ++i)
      to[i] = options.density < 1 ? float(unit() < options.density) : 2 * unit() - 1;
    inputs.emplace_back("x", std::move(x));
  }
  if (options.trains) {
    gnn::Tensor label = gnn::Tensor::zeros<int32_t>({options.vertices});
    int32_t *to = label.mutableData<int32_t>();
    for (int64_t v = 0; v < options.vertices; ++v)
      to[v] = int32_t(random() % uint64_t(options.classes));
    inputs.emplace_back("label", std::move(label));
  }
  return inputs;
}

gnn::Tensor trainingVertices(const Options &options) {
  std::vector<int64_t> ids;
  for (int64_t v = 0; v<options.vertices; v += options.vertices> 1000 ? 16 : 1)
    ids.push_back(v);
  return gnn::Tensor::copy(ids, {int64_t(ids.size())});
}

/// A model on a device, with the parameters that are the same everywhere.
class Run {
public:
  Run(const Options &options, const std::string &device, const gnn::Graph &onGraph, const gnn::Inputs &reads)
      : graph(onGraph), inputs(reads), vertices(trainingVertices(options)) {
    gnn::ModelOptions opened;
    opened.device = device;
    model = gnn::Model(options.library, opened);
    if (!options.trains) {
      model.initialize(seed);
      return;
    }
    gnn::TrainerOptions training;
    training.seed = seed; // of the parameters too, whose shapes the graph may say
    trainer.emplace(model, graph, inputs, vertices, training);
  }

  void step() {
    if (trainer)
      trainer->step();
    else
      outputs = model.infer(graph, inputs);
  }
  /// Of inference all outputs; of training the loss without dropout, those of the first steps, then all parameters.
  std::vector<double> check() {
    std::vector<double> values;
    auto add = [&](const gnn::Tensor &tensor) {
      values.insert(values.end(), tensor.data<float>(), tensor.data<float>() + tensor.count());
    };
    if (!trainer) {
      step();
      for (const auto &[name, tensor] : outputs)
        add(tensor);
      return values;
    }
    values.push_back(trainer->evaluate(vertices).loss);
    for (int i = 0; i < checkedSteps; ++i)
      values.push_back(trainer->step());
    for (const std::string &name : model.parameters())
      add(model.parameter(name));
    return values;
  }
  /// How many of the numbers of `check` are compared with the processor's; the bits of all are with those of a second
  /// run.
  size_t compared(const std::vector<double> &values) const { return trainer ? 1 + checkedSteps : values.size(); }

  gnn::Model model;

private:
  const gnn::Graph &graph;
  const gnn::Inputs &inputs;
  gnn::Tensor vertices;
  std::optional<gnn::Trainer> trainer;
  std::map<std::string, gnn::Tensor> outputs;
};

/// |values - reference| / |reference| of the first `count`; infinite where something is no number.
double difference(const std::vector<double> &values, const std::vector<double> &reference, size_t count) {
  double distance = 0, norm = 0;
  for (size_t i = 0; i < count; ++i) {
    distance += (values[i] - reference[i]) * (values[i] - reference[i]);
    norm += reference[i] * reference[i];
  }
  const double relative = std::sqrt(distance) / std::max(std::sqrt(norm), 1e-30);
  return std::isfinite(relative) ? relative : std::numeric_limits<double>::infinity();
}

std::vector<double> measure(Run &run, double seconds) {
  for (int i = 0; i < warmUp; ++i)
    run.step();
  std::vector<double> samples;
  const Clock::time_point begin = Clock::now();
  do {
    run.step();
    samples.push_back(run.model.deviceSeconds());
  } while (samples.size() < leastSamples || (samples.size() < mostSamples && secondsSince(begin) < seconds));
  std::sort(samples.begin(), samples.end());
  return samples;
}

int time(const Options &options) {
  const Clock::time_point begin = Clock::now();
  const gnn::Graph graph = drawGraph(options);
  const gnn::Inputs inputs = drawInputs(options);
  Run run(options, options.device, graph, inputs);
  nlohmann::json result{{"model", run.model.name()},       {"device", run.model.device()},
                        {"isa", run.model.isa()},          {"program", options.trains ? "train" : "infer"},
                        {"vertices", graph.numVertices()}, {"edges", graph.numEdges()},
                        {"tolerance", options.tolerance}};
  const std::vector<double> values = run.check();
  bool isSame = false;
  {
    Run again(options, options.device, graph, inputs);
    const std::vector<double> other = again.check();
    isSame = values.size() == other.size() && !std::memcmp(values.data(), other.data(), 8 * values.size());
  }
  const double error = difference(values, Run(options, "cpu", graph, inputs).check(), run.compared(values));
  result["same_bits"] = isSame;
  result["difference"] = std::isfinite(error) ? nlohmann::json(error) : nlohmann::json();
  result["prepare_seconds"] = secondsSince(begin);
  const bool isRight = isSame && error <= options.tolerance;
  if (isRight) { // what gives other numbers is not timed
    const std::vector<double> samples = measure(run, options.seconds);
    result.update({{"samples", samples.size()},
                   {"seconds", samples[samples.size() / 2]},
                   {"least", samples.front()},
                   {"most", samples.back()}});
  }
  std::printf("%s\n", result.dump().c_str());
  return isRight ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Times a compiled model on a GPU over a random graph, and compares its numbers with the processor's.");
  app.add_option("library", options.library, "what gnnc compiled")->required();
  app.add_option("--device", options.device, "the GPU (cuda:0)");
  app.add_option("--graph", options.kind, "rmat or uniform")->required();
  app.add_option("--vertices", options.vertices)->required();
  app.add_option("--edges", options.edges)->required();
  app.add_option("--relations", options.relations, "types of edges, each with one against it (0: none)");
  app.add_option("--train", options.classes, "train for so many classes; without it, inference");
  app.add_option("--columns", options.columns, "of the input x (0: it has none)");
  app.add_option("--density", options.density, "the share of x that is 1, where the rest is 0 (1: any numbers)");
  app.add_option("--tolerance", options.tolerance, "relative, of losses or outputs");
  app.add_option("--seconds", options.seconds, "how long to measure");
  CLI11_PARSE(app, argc, argv);
  options.trains = options.classes > 0;
  try {
    return time(options);
  } catch (const gnn::Error &failure) {
    std::fprintf(stderr, "gpu-times: error: %s\n", failure.what());
    return 3;
  }
}
