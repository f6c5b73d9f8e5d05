//===- Finite.h - Numbers that are infinite or none -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what no training should learn from.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_FINITE_H
#define GNN_CORE_FINITE_H

#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

/// Whether numbers [begin, end) at `numbers`, of type `element`, are all finite. Integers are.
bool areFinite(uint32_t element, const void *numbers, int64_t begin, int64_t end);

/// The numbers of a table that are infinite or none.
struct NotFinite {
  int64_t count = 0, firstRow = -1;

  void add(int64_t row, int64_t found) {
    if (found > 0 && firstRow < 0)
      firstRow = row;
    count += found;
  }
};

/// `table` may be in the memory of a GPU.
NotFinite findNotFinite(const Tensor &table);

} // namespace gnn::rt

#endif // GNN_CORE_FINITE_H
