//===- Product.h - Dense products -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row-major matrix products of one thread: oneDNN for f32, blocked loops for f64. Steps call them on fixed tiles of
// rows, so that the bits of a result do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_PRODUCT_H
#define GNN_CPU_PRODUCT_H

#include <cstdint>
#include <string>

namespace gnn::rt {

/// Products of f32 in this process use no instructions beyond those of the instruction set `isa`, if none has been
/// computed and productsInstructions has not been asked yet: oneDNN chooses once.
void limitProducts(const std::string &isa);
/// Who computes products of f32, and by which instructions: "oneDNN (AVX2)".
std::string productsInstructions();

/// Rows of a product that are one task.
constexpr int64_t productTileRows = 128;

// Both throw std::bad_alloc where oneDNN has no memory for what it copies; C is then not to be used.

/// C [m, n] = A [m, k] B, where B is [k, n], or [n, k] with `transposeB`. `element` is GNN_F32 or GNN_F64.
void multiply(uint32_t element, bool transposeB, int64_t m, int64_t n, int64_t k, const void *a, const void *b,
              void *c);

/// C [k, n] = A^T B for A [m, k] and B [m, n]; added to what is there with `accumulate`.
void multiplyTransposed(uint32_t element, int64_t m, int64_t n, int64_t k, const void *a, const void *b, void *c,
                        bool accumulate = false);

} // namespace gnn::rt

#endif // GNN_CPU_PRODUCT_H
