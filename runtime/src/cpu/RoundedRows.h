//===- RoundedRows.h - Rows of a product in bf16 ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_ROUNDEDROWS_H
#define GNN_CPU_ROUNDEDROWS_H

#include "runtime/src/core/Buffer.h"

#include <cstdint>

namespace gnn::rt {

/// `count` numbers rounded to bf16, as f32.
void roundToBf16(const float *from, float *to, int64_t count);

/// A tile of rows for each thread, in its own cache. For processors with instructions for bf16.
class RoundedRows {
public:
  RoundedRows(int64_t rows, int64_t width, unsigned threads);

  size_t bytes() const { return storage.size() * sizeof(uint16_t); }
  /// Rows [at, at + count) of the tile become `numbers`, rounded.
  void put(unsigned worker, int64_t at, int64_t count, const float *numbers);
  /// Rows from `at` on become 0.
  void clear(unsigned worker, int64_t at);
  const uint16_t *of(unsigned worker) const { return storage.data() + worker * stride; }

private:
  uint16_t *row(unsigned worker, int64_t at) { return storage.data() + worker * stride + at * width; }

  int64_t rows, width;
  size_t stride; // in numbers, of a worker
  Buffer<uint16_t> storage;
};

} // namespace gnn::rt

#endif // GNN_CPU_ROUNDEDROWS_H
