//===- RecipeChecks.cpp - Settings that would do nothing ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RecipeChecks.h"

namespace gnn::train_tool {

std::vector<std::string> checkRecipe(const TrainOptions &asked, const TrainOptions &options, const rt::Recipe &recipe,
                                     bool hasSplit, const std::string &source) {
  rt::TrainingFacts facts;
  facts.validation = hasSplit && !options.noEvaluation;
  facts.noValidation = options.noEvaluation ? "--no-evaluation is said" : source + " has no split 'val'";
  rt::TrainingOptions waiting;
  waiting.patience = asked.patience;
  waiting.monitor = asked.monitor == "default" ? "" : asked.monitor;
  waiting.schedule = options.schedule; // of models and defaults none waits
  rt::checkRules(waiting, facts, {});
  std::vector<std::string> warnings;
  if (!*facts.validation && recipe.patience >= 0)
    warnings.push_back("patience " + std::to_string(recipe.patience) + " requires validation results (" +
                       facts.noValidation + "): training does not stop early");
  const int64_t warmUp = recipe.schedule.warmUpEpochs();
  if (warmUp > 0 && recipe.epochs > 0 && warmUp >= recipe.epochs)
    warnings.push_back("--warm-up " + std::to_string(warmUp) + " reaches --epochs " + std::to_string(recipe.epochs) +
                       ": the learning rate never has its full size");
  return warnings;
}

} // namespace gnn::train_tool
