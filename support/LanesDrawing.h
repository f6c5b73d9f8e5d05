//===- LanesDrawing.h - What was done when, as a picture --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_LANESDRAWING_H
#define GNN_SUPPORT_LANESDRAWING_H

#include <string>
#include <vector>

namespace gnn::tools {

struct DrawnBar {
  double begin, end; // seconds
  size_t kind;       // of those of the drawing
  std::string name;  // a browser shows it under the pointer
};

struct DrawnLane {
  std::string name;
  std::vector<DrawnBar> bars;
};

struct DrawnKind {
  std::string name, colour;
};

/// An SVG: a row for each lane, in which time goes from left to right, and below it an axis of seconds with round
/// numbers. Names are text.
std::string drawLanes(const std::string &title, const std::vector<DrawnLane> &lanes,
                      const std::vector<DrawnKind> &kinds);

} // namespace gnn::tools

#endif // GNN_SUPPORT_LANESDRAWING_H
