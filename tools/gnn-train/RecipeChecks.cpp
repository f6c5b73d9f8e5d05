//===- RecipeChecks.cpp - Settings that would do nothing ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RecipeChecks.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/PairRanking.h"

namespace gnn::train_tool {

std::vector<std::string> checkRecipe(const TrainOptions &asked, const rt::Recipe &recipe, bool hasSplit,
                                     const std::string &source) {
  const bool hasValidation = hasSplit && !asked.noEvaluation;
  const std::string missing =
      "validation results, but " + (asked.noEvaluation ? "--no-evaluation is said" : source + " has no split 'val'");
  std::vector<std::string> warnings;
  if (!hasValidation) {
    const bool isPlateau = recipe.schedule.plateauEpochs() > 0;
    for (auto [option, isAsked] : {std::pair("--patience", asked.patience.has_value()),
                                   {"--monitor", !asked.monitor.empty() && asked.monitor != "default"},
                                   {"--schedule plateau", !asked.schedule.empty() && isPlateau}})
      rt::require(!isAsked, GNN_ERROR_MISMATCH, option, " is about ", missing);
    if (recipe.patience >= 0)
      warnings.push_back("patience " + std::to_string(recipe.patience) + " is about " + missing +
                         ": training does not stop early");
  }
  rt::require(!asked.noRanking || !rt::isOfRanks(recipe.monitor), GNN_ERROR_MISMATCH, "--no-ranking leaves out ",
              recipe.monitor, ", which decides on the best epoch");
  const int64_t warmUp = recipe.schedule.warmUpEpochs();
  if (warmUp > 0 && recipe.epochs > 0 && warmUp >= recipe.epochs)
    warnings.push_back("--warm-up " + std::to_string(warmUp) + " reaches --epochs " + std::to_string(recipe.epochs) +
                       ": the learning rate never has its full size");
  return warnings;
}

} // namespace gnn::train_tool
