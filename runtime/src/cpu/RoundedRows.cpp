//===- RoundedRows.cpp - Rows of a product in bf16 ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/RoundedRows.h"

#include "runtime/src/core/Narrow.h"

#include <cassert>

namespace gnn::rt {

namespace {

/// A plain loop makes vectors of it: what a panel of features takes to be rounded is near to what its product takes.
#ifdef __x86_64__
[[gnu::target("avx512f,avx512bw,avx512vl")]]
#endif
void roundByVectors(const float *from, uint16_t *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = roundedToBf16(from[i]);
}

} // namespace

void roundToBf16(const float *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = widenedBf16(roundedToBf16(from[i]));
}

RoundedRows::RoundedRows(int64_t rows, int64_t width, unsigned threads)
    : rows(rows), width(width), stride(wholeLines(size_t(rows * width) * sizeof(uint16_t)) / sizeof(uint16_t)),
      storage(stride * threads) {}

void RoundedRows::put(unsigned worker, int64_t at, int64_t count, const float *numbers) {
  assert(at + count <= rows);
  roundByVectors(numbers, row(worker, at), count * width);
}

void RoundedRows::clear(unsigned worker, int64_t at) { std::fill(row(worker, at), row(worker, rows), uint16_t(0)); }

} // namespace gnn::rt
