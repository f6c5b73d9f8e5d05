//===- Recipe.h - How a model is trained ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hyper-parameters, with the defaults that a compiled library states in its manifest.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_RECIPE_H
#define GNN_TRAIN_RECIPE_H

#include "runtime/src/core/Span.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/train/ClassWeights.h"
#include "runtime/src/train/Optimizer.h"
#include "runtime/src/train/Schedule.h"

#include <string>
#include <vector>

namespace gnn::rt {

struct Recipe {
  OptimizerKind optimizer = OptimizerKind::Adam;
  double learningRate = 0.01;
  double weightDecay = 0;
  std::vector<std::string> decayedLayers; // prefixes of parameter names; empty: all parameters
  int64_t epochs = 200;
  std::string lossKind;   // the function that it is, "cross_entropy"; empty: not said
  std::string lossOutput; // the output that the loss is of, empty: not said
  int64_t patience = -1;  // epochs without a better validation result after which training stops; -1: never
  Schedule schedule;      // of the learning rate
  double mostNorm = 0;    // of all gradients together; 0: any
  ClassWeights classWeights;
  std::string monitor; // the metric of validation that decides on the best epoch; empty: auc of pairs, else loss
};

/// The recipe in the object "training" of a manifest, with the defaults above for members that are absent. Throws
/// GNN_ERROR_DATA, with a message that begins with `origin`, if the manifest is malformed.
Recipe parseRecipe(Span<const char> manifest, const std::string &origin);
Recipe recipeOf(const Library &library);

/// The optimizer over the parameters that @train gives gradients for, in its order. Throws GNN_ERROR_MISMATCH if a
/// decayed layer has no parameters.
Optimizer makeOptimizer(Model &model, const Recipe &recipe);

} // namespace gnn::rt

#endif // GNN_TRAIN_RECIPE_H
