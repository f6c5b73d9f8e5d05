//===- Bf16Product.h - Products of bf16 by oneDNN ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B, or C + A B, of one size: A and B of bf16, C and all sums of f32. Each thread has what one call needs, so
// several may multiply at once.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_BF16PRODUCT_H
#define GNN_CPU_BF16PRODUCT_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gnn::rt {

/// The instructions by which oneDNN multiplies bf16 in this process, "AMX" or "AVX512_BF16"; null if the processor has
/// none, or somebody asked for an instruction set without them.
const char *bf16Instructions();

class Bf16Product {
public:
  struct Shape {
    int64_t m, n, k;          // C [m, n] = A [m, k] B [k, n], row-major; none is 0
    bool transposeA = false;  // A is [k, m]
    bool transposeB = false;  // B is [n, k]
    bool packsB = false;      // B is given once, to `packB`
    bool accumulates = false; // C is added to
  };

  /// Where bf16Instructions() is not null. Throws std::bad_alloc.
  Bf16Product(const Shape &shape, unsigned threads);
  Bf16Product(Bf16Product &&) noexcept;
  ~Bf16Product();

  size_t bytes() const;
  /// B for all that follow, rounded to bf16; by one thread.
  void packB(const float *b);
  /// `b` is null where it was packed.
  void multiply(unsigned worker, const uint16_t *a, const uint16_t *b, float *c);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

} // namespace gnn::rt

#endif // GNN_CPU_BF16PRODUCT_H
