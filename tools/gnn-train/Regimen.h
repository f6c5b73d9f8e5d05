//===- Regimen.h - How training goes over its epochs ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of training that no model states: the learning rate over epochs, the size of gradients, the weights of
// classes, and what the best epoch is.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_REGIMEN_H
#define GNN_TOOLS_TRAIN_REGIMEN_H

#include "runtime/src/train/Recipe.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace gnn::train_tool {

struct Regimen {
  std::optional<std::string> schedule, classWeights, monitor;
  std::optional<int64_t> warmUp;
  std::optional<double> clip;

  void addTo(CLI::App &command);
  /// Gives what is said the form that checkpoints note. Throws GNN_ERROR_ARGUMENT for what cannot be read.
  void spellOut();
  /// Throws the same.
  void applyTo(rt::Recipe &recipe) const;
};

/// As config.json has them.
void addRegimen(nlohmann::json &settings, const rt::Recipe &recipe);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_REGIMEN_H
