//===- Narrow.h - Numbers of 16 bits ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNN_BF16, the upper half of an f32, and GNN_F16, the half precision of IEEE 754. The arithmetic is that of compiled
// kernels, without branches, so that loops are vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_NARROW_H
#define GNN_CORE_NARROW_H

#include "gnn/program.h"

#include <cstdint>
#include <cstring>

namespace gnn::rt {

inline bool isNarrow(uint32_t element) { return element == GNN_BF16 || element == GNN_F16; }

namespace bits {

inline float number(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

inline uint32_t of(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

} // namespace bits

inline float widenedBf16(uint16_t number) { return bits::number(uint32_t(number) << 16); }

/// The nearest, of two the even one; NaN stays NaN.
inline uint16_t roundedToBf16(float number) {
  const uint32_t wide = bits::of(number), rounded = wide + 0x7fff + (wide >> 16 & 1);
  return uint16_t(number == number ? rounded >> 16 : wide >> 16 | 0x40);
}

/// The exponent is moved by a multiplication, which makes normal numbers of subnormal ones.
inline float widenedF16(uint16_t number) {
  const uint32_t magnitude = number & 0x7fff, sign = uint32_t(number & 0x8000) << 16;
  const uint32_t scaled = bits::of(bits::number(magnitude << 13) * 0x1p112f);
  return bits::number(sign | scaled | (magnitude >= 0x7c00 ? 0x7f800000 : 0));
}

/// The nearest, of two the even one: infinite from 65520 on, subnormal below 2^-14. NaN stays NaN.
inline uint16_t roundedToF16(float number) {
  const uint32_t wide = bits::of(number), magnitude = wide & 0x7fffffff;
  // An f32 whose last bit is worth 2^-24 rounds what is below 2^-14 by itself.
  const uint32_t subnormal = bits::of(bits::number(magnitude) + 0.5f) - bits::of(0.5f);
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  const uint32_t finite = magnitude < (113u << 23) ? subnormal : normal;
  const uint32_t other = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : 0x7c00;
  return uint16_t((wide >> 16 & 0x8000) | (magnitude < (143u << 23) ? finite : other));
}

inline float widened(uint32_t element, uint16_t number) {
  return element == GNN_F16 ? widenedF16(number) : widenedBf16(number);
}

inline uint16_t rounded(uint32_t element, float number) {
  return element == GNN_F16 ? roundedToF16(number) : roundedToBf16(number);
}

/// `count` numbers of `element`, GNN_BF16 or GNN_F16, as f32.
inline void widen(uint32_t element, const uint16_t *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = widened(element, from[i]);
}

/// The other way.
inline void roundTo(uint32_t element, const float *from, uint16_t *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = rounded(element, from[i]);
}

} // namespace gnn::rt

#endif // GNN_CORE_NARROW_H
