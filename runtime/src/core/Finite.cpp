//===- Finite.cpp - Numbers that are infinite or none ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Finite.h"

#include "gnn/program.h"

#include <cstring>

namespace gnn::rt {

namespace {

/// Of numbers whose exponent has the bits `exponent`. Without a branch, so that the loop is one of vectors.
template <class Word> int64_t countFull(Word exponent, const void *numbers, int64_t begin, int64_t end) {
  int64_t count = 0;
  for (int64_t i = begin; i < end; ++i) {
    Word word;
    std::memcpy(&word, static_cast<const char *>(numbers) + size_t(i) * sizeof word, sizeof word);
    count += (word & exponent) == exponent;
  }
  return count;
}

int64_t countNotFinite(uint32_t element, const void *numbers, int64_t begin, int64_t end) {
  switch (element) {
  case GNN_F32:
    return countFull<uint32_t>(0x7f800000, numbers, begin, end);
  case GNN_F64:
    return countFull<uint64_t>(0x7ff0000000000000, numbers, begin, end);
  case GNN_BF16:
    return countFull<uint16_t>(0x7f80, numbers, begin, end);
  case GNN_F16:
    return countFull<uint16_t>(0x7c00, numbers, begin, end);
  default:
    return 0;
  }
}

} // namespace

bool areFinite(uint32_t element, const void *numbers, int64_t begin, int64_t end) {
  return countNotFinite(element, numbers, begin, end) == 0;
}

NotFinite findNotFinite(const Tensor &table) {
  NotFinite result;
  const Tensor here = table.onHost();
  if (areFinite(here.element(), here.data(), 0, here.count()))
    return result;
  const int64_t rows = here.rank() ? here.dim(0) : 1, width = here.count() / rows;
  for (int64_t row = 0; row < rows; ++row)
    result.add(row, countNotFinite(here.element(), here.data(), row * width, (row + 1) * width));
  return result;
}

} // namespace gnn::rt
