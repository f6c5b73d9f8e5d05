//===- Bf16.h - Numbers of 16 bits ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNN_BF16: the upper half of an f32. The arithmetic is that of compiled kernels.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_BF16_H
#define GNN_CORE_BF16_H

#include <cstdint>
#include <cstring>

namespace gnn::rt {

inline float widened(uint16_t number) {
  const uint32_t bits = uint32_t(number) << 16;
  float wide;
  std::memcpy(&wide, &bits, sizeof wide);
  return wide;
}

/// The nearest, of two the even one; NaN stays NaN.
inline uint16_t roundedToBf16(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
  return uint16_t(number == number ? rounded >> 16 : bits >> 16 | 0x40);
}

inline void widen(const uint16_t *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = widened(from[i]);
}

inline void roundToBf16(const float *from, uint16_t *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = roundedToBf16(from[i]);
}

} // namespace gnn::rt

#endif // GNN_CORE_BF16_H
