//===- RowProduct.cpp - Products whose rows stand alone -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/RowProduct.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace gnn::rt {

namespace {

template <int Width> struct VectorOf { typedef float Type __attribute__((vector_size(4 * Width))); };

/// `Rows` rows and `Parts` vectors of the result, which stay in registers while k runs.
template <int Width, int Rows, int Parts>
[[gnu::always_inline]] inline void multiplyTile(int64_t k, const float *a, const float *b, int64_t bRow, float *c,
                                                int64_t cRow) {
  using Vector = typename VectorOf<Width>::Type;
  Vector sums[Rows][Parts] = {};
  for (int64_t p = 0; p < k; ++p) {
    Vector row[Parts];
#pragma GCC unroll 8
    for (int part = 0; part < Parts; ++part)
      std::memcpy(&row[part], b + p * bRow + part * Width, sizeof(Vector));
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
      for (int part = 0; part < Parts; ++part)
        sums[i][part] += a[i * k + p] * row[part];
  }
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int part = 0; part < Parts; ++part)
      std::memcpy(c + i * cRow + part * Width, &sums[i][part], sizeof(Vector));
}

/// Columns of one block, for all rows.
template <int Width, int Rows, int Parts>
[[gnu::always_inline]] inline void multiplyBlock(int64_t m, int64_t k, const float *a, const float *b, int64_t bRow,
                                                 float *c, int64_t cRow) {
  int64_t i = 0;
  for (; i + Rows <= m; i += Rows)
    multiplyTile<Width, Rows, Parts>(k, a + i * k, b, bRow, c + i * cRow, cRow);
  for (; i < m; ++i)
    multiplyTile<Width, 1, Parts>(k, a + i * k, b, bRow, c + i * cRow, cRow);
}

/// The last columns, where there are fewer than in a block, are multiplied with zeros beside them.
template <int Width, int Rows, int Parts>
[[gnu::always_inline]] inline void multiplyAll(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                               float *c) {
  constexpr int64_t columns = Width * Parts;
  int64_t j = 0;
  for (; j + columns <= n; j += columns)
    multiplyBlock<Width, Rows, Parts>(m, k, a, b + j, n, c + j, n);
  if (j == n)
    return;
  const auto left = size_t(n - j);
  std::vector<float> padded(size_t((k + m) * columns));
  float *wide = padded.data() + k * columns;
  for (int64_t p = 0; p < k; ++p)
    std::copy_n(b + p * n + j, left, padded.data() + p * columns);
  multiplyBlock<Width, Rows, Parts>(m, k, a, padded.data(), columns, wide, columns);
  for (int64_t i = 0; i < m; ++i)
    std::copy_n(wide + i * columns, left, c + i * n + j);
}

using Multiply = void(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c);

#ifdef __x86_64__
[[gnu::target("avx512f")]] void multiplyV4(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
  multiplyAll<16, 6, 4>(m, n, k, a, b, c);
}

[[gnu::target("avx2,fma")]] void multiplyV3(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
  multiplyAll<8, 6, 2>(m, n, k, a, b, c);
}
#endif

void multiplyPlain(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c) {
  multiplyAll<4, 4, 2>(m, n, k, a, b, c);
}

Multiply &multiplyFor(const std::string &isa) {
#ifdef __x86_64__
  if (isa == "x86-64-v4")
    return multiplyV4;
  if (isa == "x86-64-v3")
    return multiplyV3;
#endif
  return multiplyPlain;
}

} // namespace

void multiplyRowsAlone(const std::string &isa, bool transposeB, int64_t m, int64_t n, int64_t k, const float *a,
                       const float *b, float *c) {
  if (m == 0 || n == 0 || k == 0) { // then there may be no table
    std::fill_n(c, m * n, 0.0f);
    return;
  }
  if (!transposeB)
    return multiplyFor(isa)(m, n, k, a, b, c);
  std::vector<float> turned(size_t(k * n));
  for (int64_t j = 0; j < n; ++j)
    for (int64_t p = 0; p < k; ++p)
      turned[size_t(p * n + j)] = b[j * k + p];
  multiplyFor(isa)(m, n, k, a, turned.data(), c);
}

} // namespace gnn::rt
