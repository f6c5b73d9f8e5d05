//===- Recipe.cpp - How a model is trained --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Recipe.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Json.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gnn::rt {

namespace {

bool belongsTo(const std::string &parameter, const std::string &layer) {
  return parameter == layer || parameter.rfind(layer + ".", 0) == 0;
}

/// Integer `key` of `training`, or `otherwise` where it is not there. Throws where it is not one, or beyond int64.
int64_t integerOr(const nlohmann::json &training, const char *key, int64_t otherwise) {
  if (!training.contains(key))
    return otherwise;
  const nlohmann::json &number = training[key];
  if (!number.is_number_integer() || (number.is_number_unsigned() && number.get<uint64_t>() > uint64_t(INT64_MAX)))
    throw std::invalid_argument(std::string(key) + " is not an integer");
  return number.get<int64_t>();
}

} // namespace

Recipe parseRecipe(Span<const char> manifest, const std::string &origin) {
  Recipe recipe;
  nlohmann::json object = parseJson(manifest, origin);
  try {
    nlohmann::json training = object.value("training", nlohmann::json::object());
    recipe.optimizer = parseOptimizer(training.value("optimizer", optimizerName(recipe.optimizer)));
    recipe.learningRate = training.value("learning_rate", recipe.learningRate);
    recipe.weightDecay = training.value("weight_decay", recipe.weightDecay);
    recipe.decayedLayers = training.value("decayed_layers", recipe.decayedLayers);
    recipe.epochs = integerOr(training, "epochs", recipe.epochs);
    recipe.patience = integerOr(training, "patience", recipe.patience);
    recipe.lossKind = training.value("loss", recipe.lossKind);
    if (training.contains("loss_output") && !training["loss_output"].is_null())
      recipe.lossOutput = training["loss_output"].get<std::string>();
  } catch (const std::exception &error) {
    fail(GNN_ERROR_DATA, origin, ": training: ", error.what());
  }
  return recipe;
}

Recipe recipeOf(const Library &library) {
  return parseRecipe({library.table().manifest, size_t(library.table().manifest_bytes)},
                     "manifest of " + library.path());
}

Optimizer makeOptimizer(Model &model, const Recipe &recipe) {
  const Library &library = *model.library();
  const gnn_program_t *program = library.program(GNN_PROGRAM_TRAIN);
  require(program != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program @train: its model states no loss");
  for (auto [what, rate] : {std::pair("learning rate", recipe.learningRate),
                            {"weight decay", recipe.weightDecay},
                            {"largest norm of gradients", recipe.mostNorm}})
    require(std::isfinite(rate) && rate >= 0, GNN_ERROR_ARGUMENT, "the ", what, " is ", rate,
            ", expected a finite number, at least 0");
  std::vector<Optimizer::Parameter> parameters;
  for (uint32_t i = 1; i < program->num_results; ++i) {
    if (library.tensor(program->results[i]).role != GNN_ROLE_GRAD)
      break; // next values of states
    uint32_t tensor = uint32_t(library.tensor(program->results[i]).source);
    std::string name = library.tensor(tensor).name;
    bool decays =
        recipe.decayedLayers.empty() || std::any_of(recipe.decayedLayers.begin(), recipe.decayedLayers.end(),
                                                    [&](const std::string &layer) { return belongsTo(name, layer); });
    parameters.push_back({name, model.parameter(tensor), decays ? recipe.weightDecay : 0});
  }
  for (const std::string &layer : recipe.decayedLayers)
    require(std::any_of(parameters.begin(), parameters.end(),
                        [&](const Optimizer::Parameter &p) { return belongsTo(p.name, layer); }),
            GNN_ERROR_MISMATCH, "weight decay is asked for '", layer, "', but ", library.name(),
            " has no parameter of that layer");
  Optimizer optimizer(model.engine(), recipe.optimizer, recipe.learningRate, std::move(parameters));
  optimizer.setMostNorm(recipe.mostNorm);
  return optimizer;
}

} // namespace gnn::rt
