//===- Chart.h - Curves over epochs -----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_CHART_H
#define GNN_TOOLS_TRAIN_CHART_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gnn::train_tool {

/// An SVG of 640 by 360: curves, their names, axes with ticks at round numbers.
class Chart {
public:
  /// Points are (epoch, value); those that are not finite are left out, and so is a curve without others.
  void add(const std::string &name, const std::string &colour, const std::vector<std::pair<double, double>> &points);
  /// Marks an epoch by a line, and where it meets the last curve; 0 or less: none.
  void mark(int64_t epoch, const std::string &label);
  std::string svg() const;

private:
  struct Curve {
    std::string name, colour;
    std::vector<std::pair<double, double>> points;
  };
  std::vector<Curve> curves;
  int64_t marked = 0;
  std::string markLabel;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_CHART_H
