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

#include "runtime/src/train/TrainingOptions.h"
#include "tools/gnn-train/Launched.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace gnn::rt {
class Comm;
class Topology;
} // namespace gnn::rt

namespace gnn::train_tool {

/// Options of all commands. A command has those that TrainingOptions.def gives it; others are not given.
struct ProblemOptions : rt::TrainingOptions {
  std::string model;                               // path of the compiled library
  std::shared_ptr<const rt::Topology> connections; // read from `topology`; null: not yet
  rt::Comm *comm = nullptr;                        // the ranks of a run; null: this process alone
};

struct TrainOptions : ProblemOptions {
  std::optional<Launched> launched; // where a launcher has started this rank
};

struct PredictOptions : ProblemOptions {
  std::string predictions, output, format, split = "test";
  std::vector<std::string> vertices; // ids, or several between commas; empty: all
  std::string vertexType;
  std::string pairs; // a table of pairs to score, by the ids of the data; empty: those of `split`

  /// Whether predictions are written as CSV.
  bool asTable() const {
    const size_t dot = predictions.rfind('.');
    return format.empty() ? dot != std::string::npos && predictions.substr(dot) == ".csv" : format == "csv";
  }
};

struct PlanOptions : ProblemOptions {
  std::string chart;              // an SVG of an epoch; empty: none
  bool listsSchedule = false;     // of a streamed graph, what each stage does
  bool isVerbose = false;         // by programs and kernels, with all places
  std::string shape, machine;     // of a graph that is not there; empty: `data` is, and a machine as by default
  std::vector<int> rankCounts{1}; // over a shape, each number of them by itself
};

struct TimeOptions : ProblemOptions {
  std::vector<std::string> libraries; // `model` is the first
  double seconds = 10;
};

/// Facts that are known before a model is opened. `device` is the value of --device for this process; empty: not known.
rt::TrainingFacts factsOf(const ProblemOptions &options, const std::string &device);

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
