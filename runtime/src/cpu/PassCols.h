//===- PassCols.h - What columns have in one pass ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep in passes gathers a part of each column's row at a time. Where the rows lie, these parts are far apart: they
// share few of a cache's sets and span many pages. Copies of one pass lie side by side, as the feature tiles of
// FeatGraph do (Hu et al. 2020, section III-C).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_PASSCOLS_H
#define GNN_CPU_PASSCOLS_H

#include "runtime/src/cpu/Team.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnn::rt {

class PassCols {
public:
  /// Nothing to copy.
  PassCols() = default;
  /// For `cols` columns with rows of `elements` elements; a pass covers `pass` elements at most.
  PassCols(int64_t cols, int64_t elements, int64_t pass) : cols(cols), elements(elements), pass(pass) {}

  /// Operand `index` of the kernel has such a row for each column.
  void add(uint32_t index, size_t elementBytes) { copied.push_back({index, elementBytes}); }
  /// Bytes of memory for the copies of a pass.
  size_t bytes() const;
  /// Copies elements [begin, end) of `operands` to `memory`.
  void copy(Team &team, void *const *operands, char *memory, int64_t begin, int64_t end);
  /// `operands` with the copies in their places, as gnn_kernel_args_t::col_stride says.
  void place(std::vector<void *> &operands) const;

private:
  struct Operand {
    uint32_t index;
    size_t elementBytes;
    const char *from = nullptr;
    char *to = nullptr;
  };
  static void copyRows(void *context, int64_t task, unsigned worker);

  int64_t cols = 0, elements = 0, pass = 0;
  int64_t begin = 0, end = 0; // of the pass that is copied
  std::vector<Operand> copied;
};

} // namespace gnn::rt

#endif // GNN_CPU_PASSCOLS_H
