//===- RoundedProduct.h - Products of what is rounded to bf16 ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of GNN_MATMUL_BF16: what is multiplied is rounded to bf16, sums are f32. Where the processor has
// instructions for bf16 oneDNN uses them, on tiles of one size, so that a product is made ready once. Elsewhere the
// same numbers are multiplied as f32.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_ROUNDEDPRODUCT_H
#define GNN_CPU_ROUNDEDPRODUCT_H

#include "runtime/src/cpu/Bf16Product.h"
#include "runtime/src/cpu/RoundedRows.h"

#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

/// C [rows, n] = A [rows, k] B, where B is [k, n], or [n, k] with `transposeB`; a tile of at most productTileRows rows
/// at a time.
class RoundedProduct {
public:
  RoundedProduct(bool transposeB, int64_t n, int64_t k, unsigned threads);

  size_t bytes() const;
  /// B for the tiles that follow; by one thread. `isa`: where the rows of these stand alone (RowProduct.h), the name of
  /// the instruction set that runs, else empty.
  void begin(const float *b, const std::string &isa = "");
  /// Rows [at, at + count) of a tile of A.
  void put(unsigned worker, int64_t at, int64_t count, const float *a);
  /// The first `count` rows of C, for the rows that were put.
  void multiply(unsigned worker, int64_t count, float *c);

private:
  /// By instructions for bf16.
  struct Narrow {
    RoundedRows left;
    Bf16Product product;
    Buffer<float> sums; // [threads, productTileRows, n] of tiles that are not full
  };
  /// By those for f32: of tiles of A, and of B.
  struct Wide {
    std::vector<std::vector<float>> left; // [threads]
    std::vector<float> right;
  };

  bool transposeB;
  int64_t n, k;
  unsigned threads;
  std::string alone; // empty: rows need not
  std::optional<Narrow> narrow;
  std::optional<Wide> wide;
};

/// C [k, n] = A^T B over rows of A [rows, k] and B [rows, n], a tile of at most leastPartialRows rows at a time.
class RoundedProductSum {
public:
  RoundedProductSum(int64_t n, int64_t k, unsigned threads);

  size_t bytes() const;
  /// Rows [at, at + count) of a tile.
  void put(unsigned worker, int64_t at, int64_t count, const float *a, const float *b);
  /// C of the first `count` rows that were put; added to what is there with `accumulate`.
  void multiply(unsigned worker, int64_t count, float *c, bool accumulate);

private:
  struct Narrow {
    RoundedRows left, right;
    Bf16Product first, more;
  };
  struct Wide {
    std::vector<float> left, right;
  };

  int64_t n, k;
  std::optional<Narrow> narrow;
  std::vector<Wide> wide; // [threads]
};

} // namespace gnn::rt

#endif // GNN_CPU_ROUNDEDPRODUCT_H
