//===- RoundedProduct.cpp - Products of what is rounded to bf16 -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/RoundedProduct.h"

#include "gnn/program.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cpu/RowProduct.h"
#include "runtime/src/program/Fold.h"

#include <algorithm>

namespace gnn::rt {

namespace {

bool hasInstructions(int64_t n, int64_t k) { return n > 0 && k > 0 && bf16Instructions(); }

void putRounded(std::vector<float> &rows, int64_t at, int64_t count, int64_t width, const float *numbers) {
  rows.resize(std::max(rows.size(), size_t((at + count) * width)));
  roundToBf16(numbers, rows.data() + at * width, count * width);
}

} // namespace

RoundedProduct::RoundedProduct(bool transposed, int64_t columns, int64_t contracted, unsigned numThreads)
    : transposeB(transposed), n(columns), k(contracted), threads(numThreads) {
  if (!hasInstructions(n, k))
    return;
  Bf16Product::Shape shape{productTileRows, n, k};
  shape.transposeB = transposeB;
  shape.packsB = true;
  narrow.emplace(Narrow{
      {productTileRows, k, threads}, {shape, threads}, Buffer<float>(size_t(threads) * size_t(productTileRows * n))});
}

size_t RoundedProduct::bytes() const {
  return narrow ? narrow->left.bytes() + narrow->product.bytes() + narrow->sums.size() * sizeof(float) : 0;
}

void RoundedProduct::begin(const float *b, const std::string &isa) {
  alone = isa;
  if (narrow && alone.empty())
    return narrow->product.packB(b);
  if (!wide)
    wide.emplace(Wide{std::vector<std::vector<float>>(threads), std::vector<float>(size_t(k * n))});
  roundToBf16(b, wide->right.data(), k * n);
}

void RoundedProduct::put(unsigned worker, int64_t at, int64_t count, const float *a) {
  if (narrow && alone.empty())
    narrow->left.put(worker, at, count, a);
  else
    putRounded(wide->left[worker], at, count, k, a);
}

void RoundedProduct::multiply(unsigned worker, int64_t count, float *c) {
  if (!narrow || !alone.empty()) {
    const float *a = wide->left[worker].data(), *b = wide->right.data();
    return alone.empty() ? rt::multiply(GNN_F32, transposeB, count, n, k, a, b, c)
                         : multiplyRowsAlone(alone, transposeB, count, n, k, a, b, c);
  }
  if (count == productTileRows)
    return narrow->product.multiply(worker, narrow->left.of(worker), nullptr, c);
  narrow->left.clear(worker, count);
  float *sums = narrow->sums.data() + worker * size_t(productTileRows * n);
  narrow->product.multiply(worker, narrow->left.of(worker), nullptr, sums);
  std::copy_n(sums, count * n, c);
}

RoundedProductSum::RoundedProductSum(int64_t columns, int64_t contracted, unsigned threads)
    : n(columns), k(contracted) {
  if (!hasInstructions(n, k)) {
    wide.resize(threads);
    return;
  }
  Bf16Product::Shape first{k, n, leastPartialRows};
  first.transposeA = true;
  Bf16Product::Shape more = first;
  more.accumulates = true;
  narrow.emplace(
      Narrow{{leastPartialRows, k, threads}, {leastPartialRows, n, threads}, {first, threads}, {more, threads}});
}

size_t RoundedProductSum::bytes() const {
  return narrow ? narrow->left.bytes() + narrow->right.bytes() + narrow->first.bytes() + narrow->more.bytes() : 0;
}

void RoundedProductSum::put(unsigned worker, int64_t at, int64_t count, const float *a, const float *b) {
  if (narrow) {
    narrow->left.put(worker, at, count, a);
    narrow->right.put(worker, at, count, b);
    return;
  }
  putRounded(wide[worker].left, at, count, k, a);
  putRounded(wide[worker].right, at, count, n, b);
}

void RoundedProductSum::multiply(unsigned worker, int64_t count, float *c, bool accumulate) {
  if (!narrow)
    return multiplyTransposed(GNN_F32, count, n, k, wide[worker].left.data(), wide[worker].right.data(), c, accumulate);
  if (count < leastPartialRows) {
    narrow->left.clear(worker, count);
    narrow->right.clear(worker, count);
  }
  Bf16Product &product = accumulate ? narrow->more : narrow->first;
  product.multiply(worker, narrow->left.of(worker), narrow->right.of(worker), c);
}

} // namespace gnn::rt
