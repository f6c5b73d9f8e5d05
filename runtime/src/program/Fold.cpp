//===- Fold.cpp - Folds of slots ------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Fold.h"

#include "gnn/program.h"

#include <algorithm>
#include <limits>

namespace gnn::rt {

namespace {

template <class T> T worst(bool ofMaximum) {
  using Limits = std::numeric_limits<T>;
  T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return ofMaximum ? lowest : highest;
}

template <class T> void fill(uint32_t fold, int64_t count, void *numbers) {
  T *all = static_cast<T *>(numbers);
  std::fill(all, all + count, fold == GNN_FOLD_SUM ? T(0) : worst<T>(fold == GNN_FOLD_MAX));
}

template <class T> void foldRange(uint32_t fold, int64_t begin, int64_t end, void *numbers, const void *more) {
  T *into = static_cast<T *>(numbers);
  const T *from = static_cast<const T *>(more);
  if (fold == GNN_FOLD_SUM) {
    for (int64_t i = begin; i < end; ++i)
      into[i] += from[i];
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    bool better = fold == GNN_FOLD_MAX ? from[i] > into[i] : from[i] < into[i];
    bool firstNaN = into[i] == into[i] && from[i] != from[i];
    if (better || firstNaN)
      into[i] = from[i];
  }
}

} // namespace

void fillIdentity(uint32_t fold, uint32_t element, int64_t count, void *numbers) {
  constexpr decltype(&fill<float>) fills[] = {fill<float>, fill<double>, fill<int32_t>, fill<int64_t>}; // GNN_F32, ...
  fills[element](fold, count, numbers);
}

void foldInto(uint32_t fold, uint32_t element, int64_t begin, int64_t end, void *numbers, const void *more) {
  constexpr decltype(&foldRange<float>) folds[] = {foldRange<float>, foldRange<double>, foldRange<int32_t>,
                                                   foldRange<int64_t>}; // GNN_F32, ...
  folds[element](fold, begin, end, numbers, more);
}

int64_t partialRows(int64_t rows) {
  int64_t slots = (rows + leastPartialRows - 1) / leastPartialRows;
  return std::max<int64_t>(1, (slots + maxPartials - 1) / maxPartials) * leastPartialRows;
}

} // namespace gnn::rt
