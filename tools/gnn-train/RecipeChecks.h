//===- RecipeChecks.h - Settings that would do nothing ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the training options against the data.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RECIPECHECKS_H
#define GNN_TOOLS_TRAIN_RECIPECHECKS_H

#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/Options.h"

#include <string>
#include <vector>

namespace gnn::train_tool {

/// Throws GNN_ERROR_MISMATCH where the command line, `asked`, has an option that requires validation results, and there
/// are none: by `options`, or as `source`, the data, has no rows for them. Returns warnings of a recipe that may have
/// come from the model or a checkpoint too.
std::vector<std::string> checkRecipe(const TrainOptions &asked, const TrainOptions &options, const rt::Recipe &recipe,
                                     bool hasSplit, const std::string &source);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RECIPECHECKS_H
