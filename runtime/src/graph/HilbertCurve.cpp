//===- HilbertCurve.cpp - A way through a grid ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/HilbertCurve.h"

#include <utility>

namespace gnn::rt {

/// Where the curve through a square of `side` cells a side is after `step` steps: two bits of `step` say in which
/// quarter, from the smallest to the largest; the curves in the first and the last quarter are mirrored.
static GridCell cellAt(int64_t step, int64_t side) {
  GridCell cell{0, 0};
  for (int64_t half = 1; half < side; half *= 2, step /= 4) {
    const bool isLower = step & 2, isRight = (step ^ step >> 1) & 1;
    if (!isRight) {
      if (isLower)
        cell = {half - 1 - cell.row, half - 1 - cell.col};
      std::swap(cell.row, cell.col);
    }
    cell.row += isLower ? half : 0;
    cell.col += isRight ? half : 0;
  }
  return cell;
}

std::vector<GridCell> hilbertCurve(int64_t rows, int64_t cols) {
  int64_t side = 1;
  while (side < rows || side < cols)
    side *= 2;
  std::vector<GridCell> cells;
  for (int64_t step = 0; step < side * side; ++step)
    if (GridCell cell = cellAt(step, side); cell.row < rows && cell.col < cols)
      cells.push_back(cell);
  return cells;
}

} // namespace gnn::rt
