//===- HilbertCurve.h - A way through a grid --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Hilbert curve goes through all cells of a grid in steps to neighbours, and through each quarter, and quarter of
// a quarter, before it leaves it: of an adjacency matrix that is cut into tiles, those that follow each other share
// rows or columns, at whatever size a cache has room for (Hu et al. 2020, section III-C1).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_HILBERTCURVE_H
#define GNN_GRAPH_HILBERTCURVE_H

#include <cstdint>
#include <vector>

namespace gnn::rt {

struct GridCell {
  int64_t row, col;
};

/// The cells of a grid in the order of the curve through the smallest square that holds it and has a power of two
/// cells a side. Where that is the grid itself, each cell has a side in common with the next.
std::vector<GridCell> hilbertCurve(int64_t rows, int64_t cols);

} // namespace gnn::rt

#endif // GNN_GRAPH_HILBERTCURVE_H
