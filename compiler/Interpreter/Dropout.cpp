//===- Dropout.cpp - Counter-based dropout masks --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer arithmetic of docs/dev/abi.md, "Random numbers", word for word, so that masks are equal everywhere.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Context.h"
#include <algorithm>
#include <cmath>

namespace gnnc {

static constexpr uint64_t weyl = 0x9e3779b97f4a7c15;

uint64_t mix64(uint64_t z) {
  z ^= z >> 30;
  z *= 0xbf58476d1ce4e5b9;
  z ^= z >> 27;
  z *= 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint32_t drawElement(uint64_t rowKey, uint32_t element) {
  uint32_t x = uint32_t(rowKey) + element * 0x9e3779b9u;
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= uint32_t(rowKey >> 32);
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

OracleField drawDropoutMask(const OracleContext &context, const Value &value) {
  const OracleBindings &bindings = context.bindings;
  OracleField mask = context.zeros(value.type);
  if (!bindings.training) {
    std::fill(mask.data.begin(), mask.data.end(), 1.0);
    return mask;
  }
  // At p = 1 the threshold is 2^32, above every draw.
  const uint64_t threshold = uint64_t(std::floor(value.number * 4294967296.0));
  const uint64_t stepKey = mix64(bindings.seed + mix64(bindings.step + weyl));
  const uint64_t siteKey = mix64(stepKey ^ (value.site * weyl));
  const bool ofSparseInput = value.type.kind == GraphKind::E && context.model.relations[value.type.type].isSparseInput;
  for (int64_t row = 0; row < mask.rows; ++row) {
    int64_t id = ofSparseInput                     ? context.relation(value.type.type).dst[row]
                 : value.type.kind == GraphKind::E ? context.relation(value.type.type).idOf(row)
                                                   : row;
    int64_t firstElement = ofSparseInput ? context.relation(value.type.type).src[row] : 0;
    uint64_t rowKey = mix64(siteKey + uint64_t(id) * weyl);
    for (int64_t i = 0; i < mask.rowSize(); ++i)
      mask.row(row)[i] = drawElement(rowKey, uint32_t(firstElement + i)) >= threshold ? 1 / (1 - value.number) : 0;
  }
  return mask;
}

} // namespace gnnc
