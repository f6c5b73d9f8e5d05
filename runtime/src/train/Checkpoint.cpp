//===- Checkpoint.cpp - Training that can go on ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Checkpoint.h"

#include "runtime/src/io/Safetensors.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace gnn::rt {

namespace {

/// The shortest text that is read as the same number.
std::string exactText(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

} // namespace

CheckpointNotes CheckpointNotes::read(const std::string &path) {
  CheckpointNotes notes(readSafetensors(path).metadata, path);
  notes.text("step");
  for (const char *key : {"learning_rate", "weight_decay", "clip"}) {
    const double rate = notes.has(key) ? notes.number<double>(key) : 0;
    require(std::isfinite(rate) && rate >= 0, GNN_ERROR_DATA, path, ": metadata '", key, "' is ", rate,
            ", expected a finite number, at least 0");
  }
  return notes;
}

void saveCheckpoint(const std::string &path, const Model &model, const Optimizer &optimizer, const Recipe &recipe,
                    const Progress &progress, const Plan &plan, const std::map<std::string, std::string> &more,
                    FileSystem &files) {
  Safetensors file{model.parameterTensors(), {}};
  for (const auto &[name, tensor] : optimizer.state())
    file.tensors["optimizer." + name] = tensor;
  file.metadata = {{"model", model.library()->name()},
                   {"optimizer", optimizerName(optimizer.kind())},
                   {"learning_rate", exactText(recipe.learningRate)},
                   {"weight_decay", exactText(recipe.weightDecay)},
                   {"epochs", std::to_string(recipe.epochs)},
                   {"patience", std::to_string(recipe.patience)},
                   {"step", std::to_string(progress.step)},
                   {"epoch", std::to_string(progress.epoch)},
                   {"seed", std::to_string(progress.seed)},
                   {"best_epoch", std::to_string(progress.bestEpoch)},
                   {"best_score", exactText(progress.bestScore)},
                   {"loss", exactText(progress.loss)},
                   {"loss_so_far", exactText(progress.lossSoFar)},
                   {"schedule", recipe.schedule.text()},
                   {"warm_up", std::to_string(recipe.schedule.warmUpEpochs())},
                   {"clip", exactText(recipe.mostNorm)},
                   {"class_weights", recipe.classWeights.text()},
                   {"monitor", recipe.monitor.empty() ? "default" : recipe.monitor},
                   {"cuts", std::to_string(progress.cuts)},
                   {"last_cut", std::to_string(progress.lastCut)},
                   {"plan", plan.json()}};
  file.metadata.insert(more.begin(), more.end());
  writeSafetensors(path, file, files);
}

Progress loadCheckpoint(const std::string &path, Model &model, Optimizer &optimizer, const Plan *plan) {
  Safetensors file = readSafetensors(path);
  CheckpointNotes notes(file.metadata, path);
  require(notes.text("model") == model.library()->name(), GNN_ERROR_MISMATCH, path, " is of the model ",
          notes.text("model"), ", not ", model.library()->name());
  require(notes.text("optimizer") == optimizerName(optimizer.kind()), GNN_ERROR_MISMATCH, path,
          " was made with the optimizer ", notes.text("optimizer"), ", not ", optimizerName(optimizer.kind()));
  if (plan && notes.has("plan")) // older ones have none
    plan->requireSame(Plan::parse(notes.text("plan"), path), path);
  Progress progress{notes.number<uint64_t>("seed"),
                    notes.integer("epoch", 0),
                    notes.integer("step", 0),
                    notes.integer("best_epoch", -1),
                    notes.number<double>("best_score"),
                    notes.number<double>("loss"),
                    notes.has("loss_so_far") ? notes.number<double>("loss_so_far") : 0,
                    notes.has("cuts") ? notes.integer("cuts", 0) : 0,
                    notes.has("last_cut") ? notes.integer("last_cut", 0) : 0};
  auto moments = optimizer.state();
  for (auto &[name, tensor] : moments) {
    auto found = file.tensors.find("optimizer." + name);
    require(found != file.tensors.end() && found->second.shape() == tensor.shape() &&
                found->second.element() == tensor.element(),
            GNN_ERROR_MISMATCH, path, " has no optimizer.", name, " of shape ", shapeText(tensor.shape()));
  }
  model.setParameters(file.tensors, path);
  for (auto &[name, tensor] : moments)
    std::memcpy(tensor.mutableData(), file.tensors["optimizer." + name].data(), tensor.bytes());
  optimizer.setSteps(progress.step);
  return progress;
}

} // namespace gnn::rt
