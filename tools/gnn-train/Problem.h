//===- Problem.h - A model and a data set that fit --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first steps of every command: the library opened, the data loaded, the dimensions bound from the command line and
// the data.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PROBLEM_H
#define GNN_TOOLS_TRAIN_PROBLEM_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/stream/WithinMemory.h"
#include "runtime/src/train/Training.h"
#include "tools/gnn-train/Options.h"
#include "tools/gnn-train/RunDescription.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

struct Problem {
  /// With `weights` these are loaded, and their shapes bind dimensions too.
  /// If the data are divided by time, the graph has the edges that training knows, or all.
  enum class Edges { OfTraining, All };
  explicit Problem(const ProblemOptions &options, const std::string &weights = "", Edges edges = Edges::OfTraining);
  /// The model over the data and the graph of another problem; one that reads the same inputs.
  Problem(const ProblemOptions &options, const Problem &other);

  rt::Model model;
  std::shared_ptr<rt::Dataset> data; // without its edges, which the graph has
  rt::Features features;
  std::shared_ptr<const rt::Graph> graph;

  /// "train", "val" and "test", those that the data set has for what the model does.
  std::map<std::string, rt::Tensor> splits;
  /// Data for splits that know later edges than training, if the data are divided by time; then `graph` and `features`
  /// are those of training.
  std::map<std::string, rt::TrainingData> later;
  bool scoresPairs() const;
  /// Data for training and evaluation, targets included. Throws GNN_ERROR_MISMATCH for splits of another type of
  /// vertices than the loss is over.
  rt::TrainingData trainingData() const;
  /// `keepsData`: false releases what the training does not keep, before memory is filled.
  rt::Training openTraining(bool keepsData = true);
  rt::Training openEvaluation();
  /// The least limit of memory for training on the whole graph, in bytes; none where the model scores pairs, or can't
  /// be streamed, and in another order of vertices than the given one. Before data are released.
  std::optional<uint64_t> leastLimit(const ProblemOptions &options);
  /// Gives up what an executor that streams it has in a file: features and edges.
  void releaseData();

  /// Puts vertices where `--order auto` wants them for training of so many epochs, and says why. Before a
  /// training is opened.
  std::string chooseOrder(const ProblemOptions &options, int64_t epochs);
  /// Gives up the ids of edges where training or inference over the whole graph in memory asks for none. No number
  /// depends on it. After `chooseOrder`, before a training is opened; digests of the data need them.
  void dropEdgeIds(const ProblemOptions &options);
  std::string order; // of vertices: "given", "degree", "locality", "community" or "metis"

  /// The input that the model reads in both forms, the form chosen and why; empty names where there is none.
  struct {
    std::string name, form, why;
  } input;

  rt::TrainingConfig config; // of the options
  int64_t numEdges;          // of the graph

private:
  const Edges edgesInGraph;
  void read(const ProblemOptions &options);
  void prepare(const ProblemOptions &options);
  void divide(const ProblemOptions &options);
  void evaluateLater(rt::Training &training);
  void chooseInputForm(const ProblemOptions &options);
  std::vector<uint32_t> ordersToTry(const ProblemOptions &options) const;
  std::string chooseOrderOfStream(const ProblemOptions &options, int64_t epochs);
};

/// Binds what -D says: "name=value".
void bindFromCommandLine(rt::Dims &dims, const std::vector<std::string> &settings);

/// A model's training program over the data, or @infer where it cannot be trained on it.
class Subject {
public:
  /// `library` is its path, for messages.
  Subject(Problem &problem, const std::string &library);

  bool trains() const { return training.steps != nullptr; }
  /// Null where it is not trained.
  const RunDescription *description() const { return described.get(); }
  const char *program() const { return trains() ? "train" : "infer"; }
  rt::Executor &executor() const { return trains() ? training.steps->executor() : *inference; }
  /// Of a subject that is trained. The evaluator is null where this process does not evaluate.
  rt::StepSource &steps() const { return *training.steps; }
  rt::Evaluator *evaluator() const { return training.evaluation.get(); }
  const rt::Binding &data() const { return trains() ? training.context->binding : *binding; }
  rt::Plan plan() const;
  /// How the graph is processed within a limit of memory; null without a limit.
  const rt::WithinMemory *withinMemory() const { return trains() ? training.context->within.get() : within.get(); }

private:
  Problem &problem;
  rt::Training training;
  std::unique_ptr<RunDescription> described;
  // or
  std::unique_ptr<rt::Binding> binding;
  std::unique_ptr<rt::WithinMemory> within;
  std::unique_ptr<rt::Executor> inference;
};

/// @infer over all of the data within the limit of a problem: an executor of `within`, which is made.
std::unique_ptr<rt::Executor> inferenceWithin(Problem &problem, rt::Binding &binding,
                                              std::unique_ptr<rt::WithinMemory> &within);

/// "streamed in 4 intervals: ..." for people, and as JSON.
std::string planText(const rt::WithinMemory &within);
nlohmann::json planJson(const rt::WithinMemory &within);
/// `isCopied`: between the memory of this process and that of a GPU.
nlohmann::json trafficJson(const rt::Spill::Traffic &traffic, bool isCopied = false);

/// {"x": {"chosen": "sparse", "because": "..."}} of the input in both forms; {} where there is none.
nlohmann::json inputJson(const Problem &problem);
/// A number, or null for none.
nlohmann::json valueJson(const rt::MetricValue &value);
/// {"loss": ..., "accuracy": ..., "auc": ...} as far as there is one.
nlohmann::json metricsJson(const rt::Metrics &metrics);
/// On one line. What is no UTF-8, as paths may be, is replaced.
std::string jsonText(const nlohmann::json &json);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PROBLEM_H
