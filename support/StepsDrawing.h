//===- StepsDrawing.h - The steps of a program as a picture -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_STEPSDRAWING_H
#define GNN_SUPPORT_STEPSDRAWING_H

#include <string>
#include <vector>

namespace gnn::tools {

/// A tensor that a step leaves in memory for others.
struct DrawnTensor {
  std::string name, size;
  std::vector<size_t> readBy; // later steps, ascending, by their places in the list
};

/// Part of what a step computes in one go.
struct DrawnLine {
  std::string label, text;
};

struct DrawnStep {
  std::string name;  // with the number that the page calls it by
  std::string kind;  // "sweep", "map" or "product"
  std::string about; // where it comes from
  std::string cost;
  bool backward = false;
  std::vector<DrawnLine> fused;
  std::vector<DrawnTensor> leaves; // those that nobody reads are not drawn
};

/// An SVG: a box for each step, from top to bottom, and an arc for each tensor that a step leaves for others, in
/// another colour where forward leaves it for backward. What a box has no arc for it computes without storing it.
std::string drawSteps(const std::vector<DrawnStep> &steps);

} // namespace gnn::tools

#endif // GNN_SUPPORT_STEPSDRAWING_H
