//===- HilbertCurveTest.cpp - A way through a grid ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/HilbertCurve.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>
#include <utility>

using namespace gnn::rt;

TEST_CASE("a Hilbert curve visits every cell of a grid once") {
  for (auto [rows, cols] : {std::pair(1, 1), std::pair(8, 8), std::pair(5, 7), std::pair(64, 3), std::pair(1, 6)}) {
    std::set<std::pair<int64_t, int64_t>> seen;
    const std::vector<GridCell> cells = hilbertCurve(rows, cols);
    for (const GridCell &cell : cells) {
      const bool isInGrid = cell.row >= 0 && cell.row < rows && cell.col >= 0 && cell.col < cols;
      CHECK(isInGrid);
      seen.insert({cell.row, cell.col});
    }
    CHECK(cells.size() == size_t(rows * cols));
    CHECK(seen.size() == cells.size());
  }
  CHECK(hilbertCurve(0, 4).empty());
}

TEST_CASE("on a square grid of a power of two each cell of a Hilbert curve is next to the last, quarter by quarter") {
  for (int64_t side : {2, 4, 16, 64}) {
    const std::vector<GridCell> cells = hilbertCurve(side, side);
    for (size_t i = 1; i < cells.size(); ++i)
      CHECK(std::abs(cells[i].row - cells[i - 1].row) + std::abs(cells[i].col - cells[i - 1].col) == 1);
    std::set<std::pair<bool, bool>> quarters;
    for (size_t i = 0; i < cells.size() / 4; ++i)
      quarters.insert({cells[i].row < side / 2, cells[i].col < side / 2});
    CHECK(quarters.size() == 1);
  }
}
