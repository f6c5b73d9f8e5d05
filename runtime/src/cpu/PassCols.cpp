//===- PassCols.cpp - What columns have in one pass -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/PassCols.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

static constexpr int64_t colsPerTask = 1024;

size_t PassCols::bytes() const {
  size_t sum = 0;
  for (const Operand &operand : copied)
    sum += wholeLines(size_t(cols * pass) * operand.elementBytes);
  return sum;
}

void PassCols::copy(Team &team, void *const *operands, char *memory, int64_t from, int64_t to) {
  begin = from;
  end = to;
  for (Operand &operand : copied) {
    operand.from = static_cast<const char *>(operands[operand.index]);
    operand.to = memory;
    memory += wholeLines(size_t(cols * pass) * operand.elementBytes);
  }
  team.run({copyRows, this, uint32_t((cols + colsPerTask - 1) / colsPerTask)});
}

void PassCols::copyRows(void *context, int64_t task, unsigned) {
  const PassCols &of = *static_cast<PassCols *>(context);
  const int64_t first = task * colsPerTask, last = std::min(first + colsPerTask, of.cols);
  for (const Operand &operand : of.copied) {
    const size_t bytes = size_t(of.end - of.begin) * operand.elementBytes;
    const size_t rowBytes = size_t(of.elements) * operand.elementBytes;
    for (int64_t col = first; col < last; ++col)
      std::memcpy(operand.to + size_t(col) * bytes,
                  operand.from + size_t(col) * rowBytes + size_t(of.begin) * operand.elementBytes, bytes);
  }
}

void PassCols::place(std::vector<void *> &operands) const {
  for (const Operand &operand : copied) // element `begin` is the first of a copy
    operands[operand.index] =
        reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(operand.to) - size_t(begin) * operand.elementBytes);
}

} // namespace gnn::rt
