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
#include "runtime/src/train/ClassWeights.h"
#include "runtime/src/train/Schedule.h"

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

namespace {

using rt::option::Resume;

std::string absolute(const std::string &path) { return fs::absolute(path).lexically_normal().string(); }

void read(std::string &option, const rt::CheckpointNotes &notes, const char *key) { option = notes.text(key); }
void read(std::vector<std::string> &option, const rt::CheckpointNotes &notes, const char *key) {
  option = {notes.text(key)};
}
void read(bool &option, const rt::CheckpointNotes &notes, const char *key) { option = true; }
template <class T> void read(std::optional<T> &option, const rt::CheckpointNotes &notes, const char *key) {
  option = notes.number<T>(key);
}

/// Completes options from the notes of a checkpoint, as TrainingOptions.def says.
class Completion {
public:
  Completion(TrainOptions &options, const rt::CheckpointNotes &notes, const std::string &checkpoint,
             std::vector<std::string> &changes)
      : options(options), notes(notes), checkpoint(checkpoint), changes(changes) {}

  void complete(const rt::TrainingOption &row) {
    if (row.choosesDefault && rt::textOf(options, row) == "auto")
      copy(rt::TrainingOptions(), row); // as without it
    switch (row.resume) {
    case Resume::Kept:
      return keep(row);
    case Resume::Taken:
      return take(row);
    case Resume::Filled:
      return fill(row);
    case Resume::Forgotten:
      return;
    }
  }

private:
  bool isGiven(const rt::TrainingOption &row) const { return rt::isGiven(options, row); }
  std::string textOf(const rt::TrainingOption &row) const { return rt::textOf(options, row); }

  void copy(const rt::TrainingOptions &from, const rt::TrainingOption &row) {
    std::visit([&](auto member) { options.*member = from.*member; }, row.member);
  }
  bool isSame(const rt::TrainingOptions &noted, const rt::TrainingOption &row) const {
    if (row.type == rt::option::Type::Texts) // one text in notes
      return textOf(row) == rt::textOf(noted, row);
    return std::visit([&](auto member) { return options.*member == noted.*member; }, row.member);
  }
  static rt::TrainingOptions readFrom(const rt::CheckpointNotes &notes, const rt::TrainingOption &row) {
    rt::TrainingOptions noted;
    std::visit([&](auto member) { read(noted.*member, notes, row.note); }, row.member);
    return noted;
  }

  void keep(const rt::TrainingOption &row) {
    const std::string flag = row.longFlag();
    const bool isNoted = notes.has(row.note);
    if (!isNoted && !row.before)
      rt::require(!isGiven(row), GNN_ERROR_MISMATCH, checkpoint, ": the run was begun without ", flag, ", not with ",
                  flag, " ", textOf(row));
    const bool isOfSamples = row.group == rt::option::Group::Samples;
    if (!isNoted && (!row.before || !*row.before || (isOfSamples && !notes.has("fanout"))))
      return;
    const rt::TrainingOptions noted =
        readFrom(isNoted ? notes : rt::CheckpointNotes({{row.note, row.before}}, checkpoint), row);
    rt::require(!isGiven(row) || isSame(noted, row), GNN_ERROR_MISMATCH, checkpoint, ": the run was begun with ", flag,
                " ", rt::textOf(noted, row), ", not ", textOf(row));
    const bool isDefault = row.before && rt::textOf(noted, row) == row.before && !row.choosesDefault;
    if (!isDefault)
      copy(noted, row);
  }

  void take(const rt::TrainingOption &row) {
    const std::string flag = row.longFlag();
    if (row.type == rt::option::Type::Flag) {
      if (isGiven(row) && !notes.has(row.note))
        changes.push_back(flag);
      if (notes.has(row.note))
        copy(readFrom(notes, row), row);
      return;
    }
    if (!notes.has(row.note))
      return;
    const rt::TrainingOptions noted = readFrom(notes, row);
    if (isGiven(row) && !isSame(noted, row))
      changes.push_back(flag + " " + textOf(row) + " instead of " + rt::textOf(noted, row));
    if (!isGiven(row))
      copy(noted, row);
  }

  /// Dimensions are filled in one by one; where two values differ, the shapes of the parameters decide.
  void fill(const rt::TrainingOption &row) {
    if (!notes.has(row.note))
      return;
    if (row.type != rt::option::Type::Texts) {
      if (!isGiven(row))
        copy(readFrom(notes, row), row);
      return;
    }
    std::vector<std::string> &given = options.*std::get<rt::option::Texts rt::TrainingOptions::*>(row.member);
    std::istringstream stream(notes.text(row.note));
    for (std::string noted; stream >> noted;) {
      const std::string name = noted.substr(0, noted.find('=') + 1);
      if (std::none_of(given.begin(), given.end(), [&](const std::string &each) { return each.rfind(name, 0) == 0; }))
        given.push_back(noted);
    }
  }

  TrainOptions &options;
  const rt::CheckpointNotes &notes;
  const std::string &checkpoint;
  std::vector<std::string> &changes;
};

} // namespace

std::map<std::string, std::string> notesOf(const rt::TrainingOptions &run, uint64_t dataDigest) {
  std::map<std::string, std::string> notes{{"data_digest", std::to_string(dataDigest)}};
  for (const rt::TrainingOption &row : rt::trainingOptions()) {
    if (!*row.note || !rt::isGiven(run, row))
      continue;
    const std::string text = row.isPath ? absolute(rt::textOf(run, row)) : rt::textOf(run, row);
    if (!row.isPath || canBeNoted(text))
      notes[row.note] = text;
  }
  return notes;
}

TrainOptions resumedOptions(const TrainOptions &options, const std::string &checkpoint,
                            std::vector<std::string> &changes) {
  const auto notes = rt::CheckpointNotes::read(checkpoint);
  const std::string model = rt::Library::open(options.model, options.isa)->name();
  rt::require(notes.text("model") == model, GNN_ERROR_MISMATCH, checkpoint, " is of the model ", notes.text("model"),
              ", not ", model);
  TrainOptions resumed = options;
  if (!resumed.schedule.empty())
    resumed.schedule = rt::Schedule::parse(resumed.schedule).text();
  if (!resumed.classWeights.empty())
    resumed.classWeights = rt::ClassWeights::parse(resumed.classWeights).text();
  Completion completion(resumed, notes, checkpoint, changes);
  for (const rt::TrainingOption &row : rt::trainingOptions())
    completion.complete(row);
  if (!resumed.seed)
    resumed.seed = notes.number<uint64_t>("seed"); // of a checkpoint from before there were several runs
  rt::require(!resumed.data.empty(), GNN_ERROR_ARGUMENT, checkpoint,
              " does not say what it was trained on: --data does");
  rt::require(!options.data.empty() || fs::exists(resumed.data), GNN_ERROR_IO, "the data set of the run, ",
              resumed.data, ", is not there: --data says where it is");
  try {
    rt::checkRules(resumed, factsOf(resumed, resumed.device), {});
  } catch (const Error &error) {
    rt::fail(error.code(), "the run of ", checkpoint, ": ", error.what());
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
