//===- StartWeights.cpp - Weights that training begins with ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/StartWeights.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/src/train/Checkpoint.h"
#include "tools/gnn-train/RunConfig.h"
#include "tools/gnn-train/RunSettings.h"

#include <filesystem>

namespace gnn::train_tool {

namespace {

std::string digestOf(const std::string &path) { return hex(rt::checksum(rt::readFile(path).span())); }

} // namespace

StartWeights::StartWeights(const TrainOptions &options, const std::string &checkpoint)
    : path(options.weights), checkpoint(options.resume ? checkpoint : "") {
  if (path.empty())
    return;
  path = std::filesystem::absolute(path).lexically_normal().string();
  rt::require(canBeNoted(path), GNN_ERROR_ARGUMENT, "--weights: ", path,
              " is no UTF-8, which checkpoints have to name");
  digest = options.resume ? rt::CheckpointNotes::read(checkpoint).text("weights_digest") : digestOf(path);
}

const std::map<std::string, rt::Tensor> &StartWeights::tensors() {
  if (path.empty() || !read.empty())
    return read;
  rt::require(digestOf(path) == digest, GNN_ERROR_MISMATCH, path, " has changed since ",
              checkpoint.empty() ? "this command read it" : "the run of " + checkpoint + " began with it");
  read = rt::readSafetensors(path).tensors;
  return read;
}

void StartWeights::addTo(std::map<std::string, std::string> &notes) const {
  if (path.empty())
    return;
  notes["weights"] = path;
  notes["weights_digest"] = digest;
}

nlohmann::json StartWeights::json() const {
  return path.empty() ? nlohmann::json() : nlohmann::json{{"path", path}, {"digest", digest}};
}

} // namespace gnn::train_tool
