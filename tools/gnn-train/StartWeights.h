//===- StartWeights.h - Weights that training begins with -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that --weights names. A run that goes on needs it only where one of its seeds has not begun, and then as it
// was when the run began.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_STARTWEIGHTS_H
#define GNN_TOOLS_TRAIN_STARTWEIGHTS_H

#include "runtime/src/core/Tensor.h"
#include "tools/gnn-train/Options.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace gnn::train_tool {

class StartWeights {
public:
  /// Without a file in the options there are no start weights. `checkpoint`, if a run is resumed, has noted the digest
  /// of the file.
  StartWeights(const TrainOptions &options, const std::string &checkpoint);

  /// By name; none: training begins with those of the seed. Reads the file at the first call. Throws
  /// GNN_ERROR_MISMATCH where it is not what the run began with.
  const std::map<std::string, rt::Tensor> &tensors();

  /// Adds what checkpoints say of them.
  void addTo(std::map<std::string, std::string> &notes) const;
  /// The entry in config.json: path and digest, or null.
  nlohmann::json json() const;

private:
  std::string path, digest, checkpoint;
  std::map<std::string, rt::Tensor> read;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_STARTWEIGHTS_H
