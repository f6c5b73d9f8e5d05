//===- Time.cpp - The timing command --------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the kernels of a training step take, or those of inference where there is nothing to train on.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/Rounds.h"
#include "tools/gnn-train/Problem.h"

#include <chrono>

namespace gnn::train_tool {

namespace {

using Clock = std::chrono::steady_clock;

/// A library that is ready to run.
class Version {
public:
  Version(const TimeOptions &options, const std::string &library, const Version *other) : path(library) {
    ProblemOptions own = options;
    own.model = library;
    other ? problem = std::make_unique<Problem>(own, *other->problem) : problem = std::make_unique<Problem>(own);
    rt::Model &model = problem->model;
    model.initialize(/*seed=*/0);
    auto split = problem->splits.find("train");
    bool trains = model.library()->program(GNN_PROGRAM_TRAIN) && split != problem->splits.end();
    if (trains) {
      session = problem->session();
      session->setTrainSplit(split->second, "train");
    } else {
      binding = std::make_unique<rt::Binding>(model.library(), model.dims(), problem->graph, problem->features,
                                              /*withTargets=*/false, problem->data->source);
      const gnn_program_t *infer = model.library()->program(GNN_PROGRAM_INFER);
      rt::require(infer != nullptr, GNN_ERROR_MISMATCH, library, " has no program @infer");
      inference = model.executor(*binding, *infer);
    }
    executor().startProfile();
  }

  std::map<std::string, double> run() {
    executor().repeatFixedSteps();
    executor().run(/*stepKey=*/0);
    return executor().stepProfile().last();
  }
  const char *program() const { return session ? "train" : "infer"; }

  const std::string path;
  std::unique_ptr<Problem> problem;

private:
  rt::Executor &executor() { return session ? session->trainExecutor() : *inference; }

  std::unique_ptr<rt::Session> session; // or
  std::unique_ptr<rt::Binding> binding;
  std::unique_ptr<rt::Executor> inference;
};

/// What decides which measurements a graph resembles.
nlohmann::json statisticsOf(const rt::Graph &graph) {
  const rt::Csr &edges = graph.edgeSet().relation().csr(GNN_TO_DESTINATION);
  int64_t longest = 0;
  for (int64_t row = 0; row < edges.numRows(); ++row)
    longest = std::max(longest, edges.degree(row));
  return {{"vertices", graph.numVertices()}, {"edges", graph.edgeSet().numEdges()}, {"longest", longest}};
}

void print(const Version &version, const rt::Rounds &rounds, size_t index) {
  std::printf("%s: %s, %zu rounds%s\n", version.path.c_str(), version.program(), rounds.rounds(index),
              rounds.isOut(index) ? ", left out as slower in everything" : "");
  for (const auto &[kernel, seconds] : rounds.medians(index))
    std::printf("%10.4f ms  %s\n", seconds * 1e3, kernel.c_str());
}

} // namespace

int time(const TimeOptions &options) {
  std::vector<std::unique_ptr<Version>> versions;
  for (const std::string &library : options.libraries)
    versions.push_back(std::make_unique<Version>(options, library, versions.empty() ? nullptr : versions[0].get()));
  rt::Rounds rounds(versions.size());
  for (auto &version : versions)
    version->run(); // the first run touches memory
  Clock::time_point begin = Clock::now();
  double spent = 0;
  do {
    for (size_t i = 0; i < versions.size(); ++i)
      if (!rounds.isOut(i))
        rounds.add(i, versions[i]->run());
    spent = std::chrono::duration<double>(Clock::now() - begin).count();
  } while (!rounds.endRound(spent, options.seconds));
  rt::Model &first = versions[0]->problem->model;
  nlohmann::json result{{"model", first.library()->name()},
                        {"data", versions[0]->problem->data->source},
                        {"program", versions[0]->program()},
                        {"device", first.backend().device()},
                        {"isa", first.backend().code()},
                        {"threads", first.backend().threads()},
                        {"graph", statisticsOf(*versions[0]->problem->graph)}};
  for (size_t i = 0; i < versions.size(); ++i) {
    nlohmann::json kernels = nlohmann::json::object();
    for (const auto &[kernel, seconds] : rounds.medians(i))
      kernels[kernel] = seconds * 1e3;
    result["libraries"].push_back(
        {{"library", versions[i]->path}, {"rounds", rounds.rounds(i)}, {"kernel_ms", std::move(kernels)}});
    if (!options.json)
      print(*versions[i], rounds, i);
  }
  if (options.json)
    std::printf("%s\n", result.dump().c_str());
  return 0;
}

} // namespace gnn::train_tool
