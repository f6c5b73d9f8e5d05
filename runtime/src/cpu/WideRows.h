//===- WideRows.h - Rows of 16-bit numbers for products ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products are of f32: of an operand that is stored as bf16 or f16 each thread widens a panel of rows, in its own
// cache, just before it multiplies them, and rounds those of a result that is.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_WIDEROWS_H
#define GNN_CPU_WIDEROWS_H

#include "runtime/src/core/Buffer.h"

#include <cstdint>

namespace gnn::rt {

class WideRows {
public:
  /// For an operand with `width` numbers of `element`, GNN_BF16 or GNN_F16, per row.
  WideRows(uint32_t element, int64_t width, unsigned threads);

  /// Rows of one panel, whatever the number of threads.
  int64_t rows() const { return panelRows; }
  size_t bytes() const { return storage.size() * sizeof(float); }

  /// Room for a panel of `worker`, until its next call.
  float *room(unsigned worker) { return storage.data() + worker * stride; }
  /// `count` rows, at most `rows()` many, from `narrow` on, in the room of `worker`.
  const float *widen(const void *narrow, int64_t count, unsigned worker);
  /// The other way: the first `count` rows in the room of `worker` to `narrow`.
  void round(void *narrow, int64_t count, unsigned worker);

private:
  uint32_t element;
  int64_t width, panelRows;
  size_t stride; // in numbers, of a worker
  Buffer<float> storage;
};

} // namespace gnn::rt

#endif // GNN_CPU_WIDEROWS_H
