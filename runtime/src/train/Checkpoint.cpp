//===- Checkpoint.cpp - Training that can go on ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Checkpoint.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Safetensors.h"

#include <cstdio>
#include <cstring>

namespace gnn::rt {

namespace {

std::string exactText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Reads one entry of a checkpoint's metadata.
class Metadata {
public:
  Metadata(const Safetensors &file, const std::string &path) : file(file), path(path) {}

  const std::string &text(const char *key) const {
    auto found = file.metadata.find(key);
    require(found != file.metadata.end(), GNN_ERROR_MISMATCH, path, " is no checkpoint: its metadata has no '", key,
            "'");
    return found->second;
  }
  template <class T> T number(const char *key) const {
    std::istringstream stream(text(key));
    T value{};
    stream >> value;
    require(!stream.fail() && stream.eof(), GNN_ERROR_DATA, path, ": metadata '", key,
            "' is not a number: ", text(key));
    return value;
  }

private:
  const Safetensors &file;
  const std::string &path;
};

} // namespace

void saveCheckpoint(const std::string &path, const Model &model, const Optimizer &optimizer, const Progress &progress,
                    FileSystem &files) {
  Safetensors file{model.parameterTensors(), {}};
  for (const auto &[name, tensor] : optimizer.state())
    file.tensors["optimizer." + name] = tensor;
  file.metadata = {{"model", model.library()->name()},           {"optimizer", optimizerName(optimizer.kind())},
                   {"step", std::to_string(optimizer.steps())},  {"epoch", std::to_string(progress.epoch)},
                   {"seed", std::to_string(progress.seed)},      {"best_epoch", std::to_string(progress.bestEpoch)},
                   {"best_score", exactText(progress.bestScore)}};
  writeSafetensors(path, file, files);
}

Progress loadCheckpoint(const std::string &path, Model &model, Optimizer &optimizer) {
  Safetensors file = readSafetensors(path);
  Metadata metadata(file, path);
  require(metadata.text("optimizer") == optimizerName(optimizer.kind()), GNN_ERROR_MISMATCH, path,
          " was made with the optimizer ", metadata.text("optimizer"), ", not ", optimizerName(optimizer.kind()));
  Progress progress{metadata.number<uint64_t>("seed"), metadata.number<int64_t>("epoch"),
                    metadata.number<int64_t>("best_epoch"), metadata.number<double>("best_score")};
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
  optimizer.setSteps(metadata.number<int64_t>("step"));
  return progress;
}

} // namespace gnn::rt
