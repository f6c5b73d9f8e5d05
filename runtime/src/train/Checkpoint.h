//===- Checkpoint.h - Training that can go on -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint is one safetensors file: parameters under their names, the optimizer's moments under `optimizer.`, and
// as metadata what a run needs to go on with the same bits. It is written atomically; the file before it survives a
// full disk.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_CHECKPOINT_H
#define GNN_TRAIN_CHECKPOINT_H

#include "runtime/src/core/Guard.h"
#include "runtime/src/exec/Plan.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/train/Optimizer.h"
#include "runtime/src/train/Recipe.h"

#include <charconv>
#include <map>
#include <string>

namespace gnn::rt {

/// Where a run stands.
struct Progress {
  uint64_t seed = 0;
  int64_t epoch = 0;      // epochs done
  int64_t step = 0;       // steps of the optimizer done, in all of them
  int64_t bestEpoch = -1; // with the best validation result so far, -1: none
  double bestScore = 0;   // larger is better
  double loss = 0;        // of the last epoch
  double lossSoFar = 0;   // of the steps done after it, weighed by their shares of an epoch
  int64_t cuts = 0;       // of the learning rate by a schedule that waits for plateaus
  int64_t lastCut = 0;    // the epoch after which the last of them was
};

/// Notes of a checkpoint beside its tensors, by name: progress, recipe, and what the caller that saved it has added.
class CheckpointNotes {
public:
  CheckpointNotes(std::map<std::string, std::string> notes, const std::string &path)
      : notes(std::move(notes)), path(path) {}
  /// Throws GNN_ERROR_MISMATCH if the file holds weights only.
  static CheckpointNotes read(const std::string &path);

  bool has(const std::string &key) const { return notes.count(key) != 0; }
  const std::string &text(const std::string &key) const {
    auto found = notes.find(key);
    require(found != notes.end(), GNN_ERROR_MISMATCH, path, " is no checkpoint: its metadata has no '", key, "'");
    return found->second;
  }
  template <class T> T number(const std::string &key) const {
    const std::string &number = text(key);
    T value{};
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    require(error == std::errc() && end == number.data() + number.size(), GNN_ERROR_DATA, path, ": metadata '", key,
            "' is not a number: ", number);
    return value;
  }
  int64_t integer(const std::string &key, int64_t least) const {
    const int64_t value = number<int64_t>(key);
    require(value >= least, GNN_ERROR_DATA, path, ": metadata '", key, "' is ", value, ", expected at least ", least);
    return value;
  }

private:
  std::map<std::string, std::string> notes;
  std::string path;
};

/// `recipe` is what the optimizer was made by; `more` is noted beside it.
void saveCheckpoint(const std::string &path, const Model &model, const Optimizer &optimizer, const Recipe &recipe,
                    const Progress &progress, const Plan &plan, const std::map<std::string, std::string> &more = {},
                    FileSystem &files = FileSystem::real());

/// Sets parameters and optimizer. Throws GNN_ERROR_MISMATCH if the file is of another model or optimizer, or holds
/// weights only, GNN_ERROR_DATA if what it says of the run cannot be; then nothing is changed. `plan`: what must be
/// that of the file, for the same bits to come of it; null: it may be another.
Progress loadCheckpoint(const std::string &path, Model &model, Optimizer &optimizer, const Plan *plan);

} // namespace gnn::rt

#endif // GNN_TRAIN_CHECKPOINT_H
