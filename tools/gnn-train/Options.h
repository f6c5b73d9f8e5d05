//===- Options.h - Command line of gnn-train --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's options. The compiled library's training defaults apply to options that are absent.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_OPTIONS_H
#define GNN_TOOLS_TRAIN_OPTIONS_H

#include "runtime/src/comm/Launched.h"
#include "tools/gnn-train/Regimen.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {
class Comm;
class Topology;
} // namespace gnn::rt

namespace gnn::train_tool {

/// Options of all commands: the model and the data.
struct ProblemOptions {
  std::string model, data, isa;
  std::string device;            // empty: the processor
  std::vector<std::string> dims; // "name=value"
  unsigned threads = 0;
  std::string order;                               // "given" if empty
  std::string inputs;                              // "auto" if empty
  std::string plans;                               // "tried" if empty (PlanTrials.h)
  std::optional<uint64_t> deviceBytes;             // of a GPU; none: all that it has
  std::optional<uint64_t> memoryBytes;             // none: no limit
  std::string spillFolder;                         // empty: a folder for temporary files
  std::optional<int64_t> intervals;                // of vertices; none: as a plan chooses
  std::optional<std::string> cut;                  // of these (parseCutBy); none: as a plan chooses
  bool wholeIntervals = false;                     // rows that no edge of a chunk touches are read, too
  std::optional<uint64_t> lookAhead;               // bytes; none: as a plan chooses
  std::string route;                               // of several GPUs, or of ranks (--comm); empty: auto
  std::string topology;                            // the file of it, of GPUs; empty: as it is found
  std::shared_ptr<const rt::Topology> connections; // of that file; null: it has not been read yet
  std::vector<std::string> fanOuts;                // none: steps are over the whole graph
  std::optional<int64_t> batch;
  std::string sampler;           // empty: uniform
  std::string draws;             // empty: the GPU, where it can
  std::string rows;              // of steps over the whole graph: "auto" if empty
  std::optional<int64_t> ahead;  // 1 if not said
  std::optional<int64_t> shares; // of a batch; none: one for each rank
  bool keepGraph = false;
  bool noEvaluation = false; // of samples
  bool json = false;
  rt::Comm *comm = nullptr; // the ranks of a run; null: this process alone
};

/// Options that decide the numbers are listed in forShared (RankOptions.cpp), too.
struct TrainOptions : ProblemOptions {
  std::optional<int64_t> runs, negatives, epochs, patience;
  std::optional<uint64_t> seed; // of the first run
  std::optional<double> learningRate, weightDecay;
  std::optional<std::string> optimizer;
  Regimen regimen;
  int ranks = 1;
  std::optional<int> rank;              // none: all are started here
  std::optional<rt::Launched> launched; // where a launcher has started this rank
  std::string rendezvous;               // where rank 0 listens, of ranks that are started one by one
  int64_t rankSeconds = 600;            // how long to wait for a rank that says nothing
  std::string weights;                  // to begin with; empty: drawn from the seed
  std::string runFolder;                // empty: one of the run's own
  bool noRanking = false;
  int64_t rankEvery = 0; // epochs; 0: after the last alone
  bool keepsNothing = false, existOk = false, resume = false, profile = false;
};

struct PredictOptions : ProblemOptions {
  std::string weights, predictions, output, format, split = "test";
  std::vector<std::string> vertices; // ids, or several between commas; empty: all
  std::string vertexType;
  bool noRanking = false;

  /// Whether predictions are written as CSV.
  bool asTable() const {
    const size_t dot = predictions.rfind('.');
    return format.empty() ? dot != std::string::npos && predictions.substr(dot) == ".csv" : format == "csv";
  }
};

struct PlanOptions : ProblemOptions {
  std::string chart;          // an SVG of an epoch; empty: none
  bool schedule = false;      // of a streamed graph, what each stage does
  std::string shape, machine; // of a graph that is not there; empty: `data` is, and a machine as by default
  std::vector<int> ranks{1};  // over a shape, each number of them by itself
};

struct TimeOptions : ProblemOptions {
  std::vector<std::string> libraries; // `model` is the first
  double seconds = 10;
};

void addTrain(CLI::App &app, TrainOptions &options);
void addEvaluate(CLI::App &app, PredictOptions &options);
void addPredict(CLI::App &app, PredictOptions &options);
void addTime(CLI::App &app, TimeOptions &options);
void addPlan(CLI::App &app, PlanOptions &options);

/// The exit code of each command.
int train(const TrainOptions &options);
int evaluate(const PredictOptions &options);
int predict(const PredictOptions &options);
int time(const TimeOptions &options);
int plan(const PlanOptions &options);
/// Plans for the shape of a graph, without data.
int planShape(const PlanOptions &options);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_OPTIONS_H
