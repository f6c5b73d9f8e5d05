//===- Product.cpp - Dense products ---------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/Product.h"

#include "gnn/program.h"
#include "runtime/src/cpu/SignalsHeldBack.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <dnnl.h>
#include <new>

namespace gnn::rt {

namespace {

/// Columns of the result that stay in the first-level cache while `k` runs.
constexpr int64_t columnBlock = 64;

/// Rows of A in A^T B at a time, by the bytes of a row of A. oneDNN turns A a few columns after the other, for all rows
/// that it is given: of more bytes than this the lines that it goes on with have left the caches. Fewer rows than a few
/// vectors are too many calls.
int64_t transposedRows(int64_t rowBytes) {
  constexpr int64_t most = 192 << 10, multiple = 16, least = 32;
  return std::max(most / std::max<int64_t>(rowBytes, 1) / multiple * multiple, least);
}

void sgemm(char transA, char transB, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
           int64_t ldb, float *c, bool accumulate) {
  if (m == 0 || n == 0 || (k == 0 && accumulate))
    return;
  if (k == 0) {
    std::memset(c, 0, size_t(m) * size_t(n) * sizeof(float));
    return;
  }
  SignalsHeldBack heldBack;
  dnnl_status_t status = dnnl_sgemm(transA, transB, m, n, k, 1.0f, a, lda, b, ldb, accumulate ? 1.0f : 0.0f, c, n);
  if (status == dnnl_out_of_memory)
    throw std::bad_alloc();
  assert(status == dnnl_success && "dimensions and strides are right by construction");
}

/// C = op(A) op(B), or C + op(A) op(B), by the strides of op(A) and op(B); every element is one sum over k in order.
void dgemm(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, int64_t aCol, const double *b, int64_t bRow,
           int64_t bCol, double *c, bool accumulate) {
  for (int64_t j0 = 0; j0 < n; j0 += columnBlock) {
    int64_t width = std::min(columnBlock, n - j0);
    for (int64_t i = 0; i < m; ++i) {
      double sums[columnBlock] = {};
      for (int64_t p = 0; p < k; ++p) {
        double factor = a[i * aRow + p * aCol];
        const double *row = b + p * bRow + j0 * bCol;
        for (int64_t j = 0; j < width; ++j)
          sums[j] += factor * row[j * bCol];
      }
      double *target = c + i * n + j0;
      for (int64_t j = 0; j < width; ++j)
        target[j] = accumulate ? target[j] + sums[j] : sums[j];
    }
  }
}

} // namespace

void limitProducts(const std::string &isa) {
  const dnnl_cpu_isa_t most = isa == "x86-64-v2"   ? dnnl_cpu_isa_sse41
                              : isa == "x86-64-v3" ? dnnl_cpu_isa_avx2
                                                   : dnnl_cpu_isa_avx512_core;
  dnnl_set_max_cpu_isa(most); // refused once it has chosen, which productsInstructions tells
}

std::string productsInstructions() {
  switch (dnnl_get_effective_cpu_isa()) {
  case dnnl_cpu_isa_sse41:
    return "oneDNN (SSE4.1)";
  case dnnl_cpu_isa_avx:
    return "oneDNN (AVX)";
  case dnnl_cpu_isa_avx2:
    return "oneDNN (AVX2)";
  default:
    return "oneDNN (AVX-512)";
  }
}

void multiply(uint32_t element, bool transposeB, int64_t m, int64_t n, int64_t k, const void *a, const void *b,
              void *c) {
  if (element == GNN_F32)
    return sgemm('N', transposeB ? 'T' : 'N', m, n, k, static_cast<const float *>(a), k, static_cast<const float *>(b),
                 transposeB ? k : n, static_cast<float *>(c), /*accumulate=*/false);
  dgemm(m, n, k, static_cast<const double *>(a), k, 1, static_cast<const double *>(b), transposeB ? 1 : n,
        transposeB ? k : 1, static_cast<double *>(c), /*accumulate=*/false);
}

void multiplyTransposed(uint32_t element, int64_t m, int64_t n, int64_t k, const void *a, const void *b, void *c,
                        bool accumulate) {
  if (element == GNN_F32) {
    const auto *left = static_cast<const float *>(a), *right = static_cast<const float *>(b);
    const int64_t most = transposedRows(k * int64_t(sizeof(float)));
    int64_t row = 0;
    do {
      const int64_t rows = std::min(most, m - row);
      sgemm('T', 'N', k, n, rows, left + row * k, k, right + row * n, n, static_cast<float *>(c),
            accumulate || row > 0);
      row += rows;
    } while (row < m);
    return;
  }
  dgemm(k, n, m, static_cast<const double *>(a), 1, k, static_cast<const double *>(b), n, 1, static_cast<double *>(c),
        accumulate);
}

} // namespace gnn::rt
