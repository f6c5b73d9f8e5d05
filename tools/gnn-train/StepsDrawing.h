//===- StepsDrawing.h - The steps of a program as a picture -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_STEPSDRAWING_H
#define GNN_TOOLS_TRAIN_STEPSDRAWING_H

#include <nlohmann/json.hpp>
#include <string>

namespace gnn::train_tool {

/// An SVG of what steps.json has: a box for each step, from top to bottom, and an arc for each tensor that a step
/// leaves for another. What a box has no arc for it computes without storing it.
std::string drawSteps(const nlohmann::json &steps);

/// Text as HTML and SVG take it.
std::string escaped(const std::string &text);
/// "1.5 MB".
std::string bytesText(double bytes);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_STEPSDRAWING_H
