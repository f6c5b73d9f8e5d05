//===- RunSettings.cpp - How a run was begun ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunSettings.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/Library.h"
#include "runtime/src/train/Checkpoint.h"
#include "runtime/src/train/Session.h"
#include "tools/gnn-train/Samples.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace fs = std::filesystem;

namespace gnn::train_tool {

bool canBeNoted(const std::string &text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception &) { // no UTF-8
    return false;
  }
}

std::string joined(const std::vector<std::string> &words) {
  std::string line;
  for (const std::string &word : words)
    line += (line.empty() ? "" : " ") + word;
  return line;
}

namespace {

bool isSaid(const std::string &option) { return !option.empty(); }
template <class T> bool isSaid(const std::optional<T> &option) { return option.has_value(); }

std::string textOf(const std::string &option) { return option; }
std::string textOf(const std::optional<std::string> &option) { return *option; }
template <class T> std::string textOf(const std::optional<T> &option) { return nlohmann::json(*option).dump(); }

void read(std::string &option, const rt::CheckpointNotes &notes, const char *key) { option = notes.text(key); }
void read(std::optional<std::string> &option, const rt::CheckpointNotes &notes, const char *key) {
  option = notes.text(key);
}
template <class T> void read(std::optional<T> &option, const rt::CheckpointNotes &notes, const char *key) {
  option = notes.number<T>(key);
}
bool isSaid(int64_t option) { return option != 0; }
std::string textOf(int64_t option) { return std::to_string(option); }
void read(int64_t &option, const rt::CheckpointNotes &notes, const char *key) { option = notes.number<int64_t>(key); }

/// Completes options from the notes of a checkpoint.
class Completion {
public:
  Completion(const rt::CheckpointNotes &notes, const std::string &checkpoint, std::vector<std::string> &changes)
      : notes(notes), checkpoint(checkpoint), changes(changes) {}

  /// What is said must be what is noted; `before`: what a checkpoint has that lacks the note, as all did before there
  /// was the option.
  template <class Option> void keep(Option &option, const char *key, const char *name, const Option &before) {
    Option noted = before;
    if (notes.has(key))
      read(noted, notes, key);
    rt::require(!isSaid(option) || option == noted, GNN_ERROR_MISMATCH, checkpoint, " is of a run with ", name, " ",
                textOf(noted), ", not ", isSaid(option) ? textOf(option) : "");
    option = noted;
  }
  /// Lists of fan-outs are one text in notes. A run over the whole graph notes none, one whose steps see all no batch.
  void keepSampling(TrainOptions &options) {
    std::string fanOuts = joined(options.fanOuts);
    rt::require(fanOuts.empty() || notes.has("fanout"), GNN_ERROR_MISMATCH, checkpoint,
                " is of a run over the whole graph, not with --fanout ", fanOuts);
    rt::require(!options.batch || notes.has("batch"), GNN_ERROR_MISMATCH, checkpoint,
                " is of a run whose steps see all, not with --batch ", options.batch.value_or(0));
    keep(options.batch, "batch", "--batch", options.batch);
    if (!notes.has("fanout"))
      return;
    keep(fanOuts, "fanout", "--fanout", fanOuts);
    options.fanOuts = {fanOuts};
    keep(options.sampler, "sampler", "--sampler", rt::Drawing().text());
    const int64_t shares = notes.has("shares") ? notes.number<int64_t>("shares") : 1;
    rt::require(options.shares.value_or(shares) == shares, GNN_ERROR_MISMATCH, checkpoint,
                " is of a run with --shares ", shares, ", not ", options.shares.value_or(shares));
    options.shares = shares;
    rt::require(options.ranks <= shares, GNN_ERROR_ARGUMENT, checkpoint, " is of a run whose batches have ", shares,
                shares == 1 ? " share" : " shares", ", too few for ", options.ranks, " ranks");
  }
  /// Runs of before there was a choice went over all rows.
  void keepRows(TrainOptions &options) {
    if (options.rows == "auto")
      options.rows.clear();
    keep(options.rows, "rows", "--rows", std::string("all"));
  }
  /// What is said else is taken.
  template <class Option> void take(Option &option, const char *key, const char *name) {
    if (!notes.has(key))
      return;
    Option noted;
    read(noted, notes, key);
    if (isSaid(option) && option != noted)
      changes.push_back(name + (" " + textOf(option)) + " instead of " + textOf(noted));
    if (!isSaid(option))
      option = noted;
  }
  /// A flag, which may be added.
  void take(bool &flag, const char *key, const char *name) {
    if (flag && !notes.has(key))
      changes.emplace_back(name);
    flag = flag || notes.has(key);
  }
  /// Of each dimension that is not said; where two values differ, the shapes of the parameters decide.
  void addDims(std::vector<std::string> &said) {
    if (!notes.has("dims"))
      return;
    std::istringstream stream(notes.text("dims"));
    for (std::string noted; stream >> noted;) {
      const std::string name = noted.substr(0, noted.find('=') + 1);
      if (std::none_of(said.begin(), said.end(), [&](const std::string &dim) { return dim.rfind(name, 0) == 0; }))
        said.push_back(noted);
    }
  }

private:
  const rt::CheckpointNotes &notes;
  const std::string &checkpoint;
  std::vector<std::string> &changes;
};

} // namespace

std::map<std::string, std::string> notesOf(const TrainOptions &options, uint64_t dataDigest) {
  std::map<std::string, std::string> notes{{"data_digest", std::to_string(dataDigest)},
                                           {"negatives", std::to_string(options.negatives.value_or(1))},
                                           {"runs", std::to_string(options.runs.value_or(1))},
                                           {"first_seed", std::to_string(options.seed.value_or(0))}};
  const std::string data = fs::absolute(options.data).lexically_normal().string();
  if (canBeNoted(data))
    notes["data"] = data;
  if (options.batch)
    notes["batch"] = std::to_string(*options.batch);
  if (!options.fanOuts.empty()) {
    notes["fanout"] = joined(options.fanOuts);
    notes["batch"] = std::to_string(options.batch.value_or(rt::Sampling().batch));
    notes["sampler"] = options.sampler.empty() ? rt::Drawing().text() : options.sampler;
    notes["shares"] = std::to_string(sharesOf(options));
  }
  if (options.memoryBytes)
    notes["memory"] = std::to_string(*options.memoryBytes);
  if (options.deviceBytes)
    notes["device_memory"] = std::to_string(*options.deviceBytes);
  if (!options.spillFolder.empty() && canBeNoted(options.spillFolder))
    notes["spill"] = fs::absolute(options.spillFolder).lexically_normal().string();
  if (!options.dims.empty())
    notes["dims"] = joined(options.dims);
  if (options.rankEvery > 0)
    notes["rank_every"] = std::to_string(options.rankEvery);
  for (auto [key, isSet] : {std::pair("no_evaluation", options.noEvaluation), {"no_ranking", options.noRanking}})
    if (isSet)
      notes[key] = "yes";
  if (!options.isa.empty())
    notes["isa"] = options.isa;
  if (!options.device.empty())
    notes["device"] = options.device;
  return notes;
}

TrainOptions resumedOptions(const TrainOptions &options, const std::string &checkpoint,
                            std::vector<std::string> &changes) {
  const auto notes = rt::CheckpointNotes::read(checkpoint);
  const std::string model = rt::Library::open(options.model, options.isa)->name();
  rt::require(notes.text("model") == model, GNN_ERROR_MISMATCH, checkpoint, " is of the model ", notes.text("model"),
              ", not ", model);
  TrainOptions resumed = options;
  Completion completion(notes, checkpoint, changes);
  completion.take(resumed.epochs, "epochs", "--epochs");
  completion.take(resumed.patience, "patience", "--patience");
  completion.take(resumed.learningRate, "learning_rate", "--lr");
  completion.take(resumed.device, "device", "--device");
  completion.take(resumed.isa, "isa", "--isa");
  completion.take(resumed.memoryBytes, "memory", "--memory");
  completion.take(resumed.deviceBytes, "device_memory", "--device-memory");
  completion.take(resumed.spillFolder, "spill", "--spill");
  completion.take(resumed.intervals, "intervals", "--intervals");
  completion.take(resumed.cut, "cut", "--cut");
  completion.take(resumed.rankEvery, "rank_every", "--rank-every");
  completion.take(resumed.noEvaluation, "no_evaluation", "--no-evaluation");
  completion.take(resumed.noRanking, "no_ranking", "--no-ranking");
  completion.keep(resumed.weightDecay, "weight_decay", "--weight-decay", resumed.weightDecay);
  completion.keep(resumed.optimizer, "optimizer", "--optimizer", resumed.optimizer);
  completion.keep(resumed.negatives, "negatives", "--negatives", std::optional<int64_t>(1));
  resumed.regimen.spellOut();
  completion.keep(resumed.regimen.schedule, "schedule", "--schedule",
                  std::optional<std::string>(rt::Schedule().text()));
  completion.keep(resumed.regimen.warmUp, "warm_up", "--warm-up", std::optional<int64_t>(0));
  completion.keep(resumed.regimen.clip, "clip", "--clip", std::optional<double>(0));
  completion.keep(resumed.regimen.monitor, "monitor", "--monitor", std::optional<std::string>("default"));
  completion.keep(resumed.regimen.classWeights, "class_weights", "--class-weights",
                  std::optional<std::string>(rt::ClassWeights().text()));
  if (resumed.order == "auto") // which has chosen
    resumed.order.clear();
  completion.keep(resumed.order, "order", "--order", std::string("given"));
  if (resumed.inputs == "auto")
    resumed.inputs.clear();
  completion.keep(resumed.inputs, "inputs", "--inputs", resumed.inputs); // none noted: there is one form
  completion.keepSampling(resumed);
  completion.keepRows(resumed);
  completion.addDims(resumed.dims);
  rt::require((!resumed.memoryBytes && !resumed.intervals) || !resumed.profile, GNN_ERROR_ARGUMENT, checkpoint,
              " is of a run with ", resumed.memoryBytes ? "--memory" : "--intervals",
              ", of which there is no --profile");
  rt::require(!resumed.intervals || resumed.memoryBytes || resumed.fanOuts.empty(), GNN_ERROR_ARGUMENT, checkpoint,
              " is of a run on samples without --memory, of which there are no --intervals");
  rt::require(!resumed.intervals || *resumed.intervals >= resumed.ranks || !resumed.fanOuts.empty(), GNN_ERROR_ARGUMENT,
              checkpoint, " is of a run in ", resumed.intervals.value_or(0), " intervals of vertices, too few for ",
              resumed.ranks, " ranks");
  if (!resumed.runs && notes.has("runs"))
    resumed.runs = notes.number<int64_t>("runs");
  if (!resumed.seed)
    resumed.seed = notes.number<uint64_t>(notes.has("first_seed") ? "first_seed" : "seed");
  if (notes.has("weights"))
    resumed.weights = notes.text("weights");
  if (resumed.data.empty()) {
    rt::require(notes.has("data"), GNN_ERROR_ARGUMENT, checkpoint, " does not say what it was trained on: --data does");
    resumed.data = notes.text("data");
    rt::require(fs::exists(resumed.data), GNN_ERROR_IO, "the data set of the run, ", resumed.data,
                ", is not there: --data says where it is");
  }
  return resumed;
}

void requireSameData(uint64_t dataDigest, const TrainOptions &options, const std::string &checkpoint) {
  const auto notes = rt::CheckpointNotes::read(checkpoint);
  if (!notes.has("data_digest"))
    return;
  rt::require(notes.number<uint64_t>("data_digest") == dataDigest, GNN_ERROR_MISMATCH, checkpoint,
              " was trained on other data than ", options.data, ": on ",
              notes.has("data") ? notes.text("data") : "a data set", " as it was then");
}

} // namespace gnn::train_tool
