//===- WideRows.cpp - Rows of 16-bit numbers for products -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/WideRows.h"

#include "runtime/src/core/Narrow.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// What stays in a second-level cache, and so many rows that packing the other operand for them is worth it.
constexpr int64_t panelBytes = int64_t(768) << 10, leastRows = 64, rowsMultiple = 16;

int64_t rowsOfPanel(int64_t width) {
  const int64_t fitting = panelBytes / (std::max<int64_t>(width, 1) * int64_t(sizeof(float)));
  return std::max(leastRows, fitting / rowsMultiple * rowsMultiple);
}

} // namespace

WideRows::WideRows(uint32_t element, int64_t numbers, unsigned threads)
    : element(element), width(numbers), panelRows(rowsOfPanel(numbers)),
      stride((size_t(panelRows * width) + 15) / 16 * 16), storage(stride * threads) {}

const float *WideRows::widen(const void *narrow, int64_t count, unsigned worker) {
  rt::widen(element, static_cast<const uint16_t *>(narrow), room(worker), count * width);
  return room(worker);
}

void WideRows::round(void *narrow, int64_t count, unsigned worker) {
  roundTo(element, room(worker), static_cast<uint16_t *>(narrow), count * width);
}

} // namespace gnn::rt
