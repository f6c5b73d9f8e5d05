//===- PtxArithmetic.cpp - What PTX instructions compute ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxArithmetic.h"
#include "runtime/src/core/Narrow.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace ptx {

namespace {

template <class T> T as(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T> uint64_t bitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

[[noreturn]] void unknown(const Instruction &instruction) {
  std::string text = instruction.op;
  for (const std::string &modifier : instruction.modifiers)
    text += "." + modifier;
  throw Error("unknown instruction " + text + "." + instruction.type.kind + std::to_string(instruction.type.bits));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The smaller or larger; a number before a NaN unless `keepsNan`; -0 is below +0.
template <class T> T extremum(T a, T b, bool larger, bool keepsNan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (keepsNan || (std::isnan(a) && std::isnan(b)))
      return std::numeric_limits<T>::quiet_NaN();
    return std::isnan(a) ? b : a;
  }
  if (a == b)
    return std::signbit(a) == larger ? b : a;
  return (a < b) == larger ? b : a;
}

using I = const Instruction &;
using V = const uint64_t *;
using Table = std::map<std::string, Function>;

template <class T> const Table &floatFunctions() {
  static const Table table = {
      {"add", [](I, V v) { return bitsOf<T>(as<T>(v[0]) + as<T>(v[1])); }},
      {"sub", [](I, V v) { return bitsOf<T>(as<T>(v[0]) - as<T>(v[1])); }},
      {"mul", [](I, V v) { return bitsOf<T>(as<T>(v[0]) * as<T>(v[1])); }},
      {"div", [](I, V v) { return bitsOf<T>(as<T>(v[0]) / as<T>(v[1])); }},
      {"fma", [](I, V v) { return bitsOf<T>(std::fma(as<T>(v[0]), as<T>(v[1]), as<T>(v[2]))); }},
      {"rcp", [](I, V v) { return bitsOf<T>(T(1) / as<T>(v[0])); }},
      {"sqrt", [](I, V v) { return bitsOf<T>(std::sqrt(as<T>(v[0]))); }},
      {"neg", [](I, V v) { return bitsOf<T>(-as<T>(v[0])); }},
      {"abs", [](I, V v) { return bitsOf<T>(std::fabs(as<T>(v[0]))); }},
      {"min", [](I, V v) { return bitsOf<T>(extremum(as<T>(v[0]), as<T>(v[1]), false, false)); }},
      {"max", [](I, V v) { return bitsOf<T>(extremum(as<T>(v[0]), as<T>(v[1]), true, false)); }},
      {"min.NaN", [](I, V v) { return bitsOf<T>(extremum(as<T>(v[0]), as<T>(v[1]), false, true)); }},
      {"max.NaN", [](I, V v) { return bitsOf<T>(extremum(as<T>(v[0]), as<T>(v[1]), true, true)); }},
      {"copysign", [](I, V v) { return bitsOf<T>(std::copysign(as<T>(v[1]), as<T>(v[0]))); }}, // the sign of the first
  };
  return table;
}

template <class T> const Table &floatComparisons() {
  static const Table table = {
      {"eq", [](I, V v) { return uint64_t(as<T>(v[0]) == as<T>(v[1])); }},
      {"ne", [](I, V v) { return uint64_t(as<T>(v[0]) < as<T>(v[1]) || as<T>(v[0]) > as<T>(v[1])); }},
      {"lt", [](I, V v) { return uint64_t(as<T>(v[0]) < as<T>(v[1])); }},
      {"le", [](I, V v) { return uint64_t(as<T>(v[0]) <= as<T>(v[1])); }},
      {"gt", [](I, V v) { return uint64_t(as<T>(v[0]) > as<T>(v[1])); }},
      {"ge", [](I, V v) { return uint64_t(as<T>(v[0]) >= as<T>(v[1])); }},
      // Those that hold of NaN too.
      {"equ", [](I, V v) { return uint64_t(!(as<T>(v[0]) < as<T>(v[1]) || as<T>(v[0]) > as<T>(v[1]))); }},
      {"neu", [](I, V v) { return uint64_t(as<T>(v[0]) != as<T>(v[1])); }},
      {"ltu", [](I, V v) { return uint64_t(!(as<T>(v[0]) >= as<T>(v[1]))); }},
      {"leu", [](I, V v) { return uint64_t(!(as<T>(v[0]) > as<T>(v[1]))); }},
      {"gtu", [](I, V v) { return uint64_t(!(as<T>(v[0]) <= as<T>(v[1]))); }},
      {"geu", [](I, V v) { return uint64_t(!(as<T>(v[0]) < as<T>(v[1]))); }},
      {"num", [](I, V v) { return uint64_t(!std::isnan(as<T>(v[0])) && !std::isnan(as<T>(v[1]))); }},
      {"nan", [](I, V v) { return uint64_t(std::isnan(as<T>(v[0])) || std::isnan(as<T>(v[1]))); }},
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

bool isLess(I i, uint64_t a, uint64_t b) {
  const unsigned bits = i.type.bits;
  return i.type.kind == 's' ? extend(a, bits) < extend(b, bits) : truncate(a, bits) < truncate(b, bits);
}

const Table &integerComparisons() {
  static const Table table = {
      {"eq", [](I i, V v) { return uint64_t(truncate(v[0], i.type.bits) == truncate(v[1], i.type.bits)); }},
      {"ne", [](I i, V v) { return uint64_t(truncate(v[0], i.type.bits) != truncate(v[1], i.type.bits)); }},
      {"lt", [](I i, V v) { return uint64_t(isLess(i, v[0], v[1])); }},
      {"le", [](I i, V v) { return uint64_t(!isLess(i, v[1], v[0])); }},
      {"gt", [](I i, V v) { return uint64_t(isLess(i, v[1], v[0])); }},
      {"ge", [](I i, V v) { return uint64_t(!isLess(i, v[0], v[1])); }},
  };
  return table;
}

/// The product of two numbers of `bits` as a whole.
__int128 wideProduct(uint64_t a, uint64_t b, unsigned bits, bool isSigned) {
  if (isSigned)
    return __int128(extend(a, bits)) * extend(b, bits);
  return __int128((unsigned __int128)(truncate(a, bits)) * truncate(b, bits));
}

uint64_t divide(const Instruction &instruction, uint64_t a, uint64_t b, bool isRemainder) {
  const unsigned bits = instruction.type.bits;
  if (truncate(b, bits) == 0)
    return ~0ull;
  if (instruction.type.kind == 's')
    return uint64_t(isRemainder ? extend(a, bits) % extend(b, bits) : extend(a, bits) / extend(b, bits));
  return isRemainder ? truncate(a, bits) % truncate(b, bits) : truncate(a, bits) / truncate(b, bits);
}

/// Shifts by more than the width leave 0 or the sign.
uint64_t shiftLeft(const Instruction &instruction, uint64_t a, uint64_t by) {
  by = truncate(by, 32);
  return by >= instruction.type.bits ? 0 : a << by;
}

uint64_t shiftRight(const Instruction &instruction, uint64_t a, uint64_t by) {
  const unsigned bits = instruction.type.bits;
  by = truncate(by, 32);
  if (instruction.type.kind == 's')
    return uint64_t(extend(a, bits) >> (by >= bits ? bits - 1 : by));
  return by >= bits ? 0 : truncate(a, bits) >> by;
}

uint64_t extractBits(const Instruction &instruction, uint64_t a, uint64_t from, uint64_t count) {
  const unsigned bits = instruction.type.bits;
  from &= 0xff, count &= 0xff;
  if (count == 0 || from >= bits)
    return 0;
  const uint64_t field = truncate(truncate(a, bits) >> from, unsigned(std::min<uint64_t>(count, 64)));
  return instruction.type.kind == 's' ? uint64_t(extend(field, unsigned(std::min<uint64_t>(count, 64)))) : field;
}

uint64_t permute(uint64_t a, uint64_t b, uint64_t selector) {
  const uint64_t bytes = truncate(a, 32) | b << 32;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned pick = unsigned(selector >> (4 * i)) & 15;
    uint64_t byte = bytes >> (8 * (pick & 7)) & 0xff;
    if (pick & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

uint64_t funnelShift(const Instruction &instruction, uint64_t low, uint64_t high, uint64_t by) {
  const uint64_t both = truncate(low, 32) | high << 32;
  by = instruction.has("wrap") ? by & 31 : std::min<uint64_t>(truncate(by, 32), 32);
  return instruction.has("l") ? (by == 0 ? high : both >> (32 - by)) : both >> by;
}

/// The low bits of the first number in the place of as many of the second.
uint64_t insertBits(I i, V v) {
  const uint64_t at = truncate(v[2], 8), count = std::min<uint64_t>(truncate(v[3], 8), i.type.bits);
  const uint64_t low = count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
  const uint64_t mask = at < i.type.bits ? low << at : 0;
  return (v[1] & ~mask) | (at < i.type.bits ? v[0] << at & mask : 0);
}

uint64_t multiply(I i, V v) { return uint64_t(wideProduct(v[0], v[1], i.type.bits, i.type.kind == 's')); }

uint64_t multiplyHigh(I i, V v) {
  return uint64_t(wideProduct(v[0], v[1], i.type.bits, i.type.kind == 's') >> i.type.bits);
}

uint64_t countLeadingZeros(I i, V v) {
  const uint64_t value = truncate(v[0], i.type.bits);
  return value ? uint64_t(__builtin_clzll(value)) - (64 - i.type.bits) : i.type.bits;
}

const Table &integerFunctions() {
  static const Table table = {
      {"add", [](I, V v) { return v[0] + v[1]; }},
      {"sub", [](I, V v) { return v[0] - v[1]; }},
      {"mul", multiply},
      {"mul.hi", multiplyHigh},
      {"mad", [](I i, V v) { return multiply(i, v) + v[2]; }},
      {"mad.hi", [](I i, V v) { return multiplyHigh(i, v) + v[2]; }},
      {"div", [](I i, V v) { return divide(i, v[0], v[1], false); }},
      {"rem", [](I i, V v) { return divide(i, v[0], v[1], true); }},
      {"min", [](I i, V v) { return isLess(i, v[0], v[1]) ? v[0] : v[1]; }},
      {"max", [](I i, V v) { return isLess(i, v[0], v[1]) ? v[1] : v[0]; }},
      {"and", [](I, V v) { return v[0] & v[1]; }},
      {"or", [](I, V v) { return v[0] | v[1]; }},
      {"xor", [](I, V v) { return v[0] ^ v[1]; }},
      {"not", [](I, V v) { return ~v[0]; }},
      {"neg", [](I, V v) { return uint64_t(0) - v[0]; }},
      {"abs", [](I i, V v) { return uint64_t(std::abs(extend(v[0], i.type.bits))); }},
      {"shl", [](I i, V v) { return shiftLeft(i, v[0], v[1]); }},
      {"shr", [](I i, V v) { return shiftRight(i, v[0], v[1]); }},
      {"bfe", [](I i, V v) { return extractBits(i, v[0], v[1], v[2]); }},
      {"bfi", insertBits},
      {"prmt", [](I, V v) { return permute(v[0], v[1], v[2]); }},
      {"shf", [](I i, V v) { return funnelShift(i, v[0], v[1], v[2]); }},
      {"popc", [](I i, V v) { return uint64_t(__builtin_popcountll(truncate(v[0], i.type.bits))); }},
      {"clz", countLeadingZeros},
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

double rounded(const Instruction &instruction, double value) {
  if (instruction.has("rzi"))
    return std::trunc(value);
  if (instruction.has("rmi"))
    return std::floor(value);
  if (instruction.has("rpi"))
    return std::ceil(value);
  if (instruction.has("rni"))
    return std::nearbyint(value);
  return value;
}

/// Out of range gives the nearest number, NaN 0.
uint64_t toInteger(const Type &type, double value) {
  if (std::isnan(value))
    return 0;
  const bool isSigned = type.kind == 's';
  const double low = isSigned ? -std::ldexp(1, int(type.bits) - 1) : 0;
  const double high = std::ldexp(1, int(type.bits) - isSigned);
  if (value <= low)
    return isSigned ? 1ull << (type.bits - 1) : 0;
  if (value >= high)
    return isSigned ? truncate(~0ull, type.bits - 1) : ~0ull;
  return isSigned ? uint64_t(int64_t(value)) : uint64_t(value);
}

uint64_t convert(const Instruction &instruction, uint64_t value) {
  const Type to = instruction.type, from = instruction.from;
  if (from.kind == 'f') {
    const double real = from.bits == 16   ? double(gnn::rt::widenedF16(uint16_t(value)))
                        : from.bits == 32 ? double(as<float>(value))
                                          : as<double>(value);
    if (to.kind != 'f')
      return toInteger(to, rounded(instruction, real));
    const double whole = rounded(instruction, real);
    if (to.bits == 16 && (from.bits != 32 || !instruction.has("rn")))
      throw Error("a conversion to f16 that is not the nearest of an f32");
    if (to.bits == 16)
      return gnn::rt::roundedToF16(float(whole));
    return to.bits == 32 ? bitsOf(float(whole)) : bitsOf(whole);
  }
  if (to.kind == 'f') {
    if (from.kind == 's')
      return to.bits == 32 ? bitsOf(float(extend(value, from.bits))) : bitsOf(double(extend(value, from.bits)));
    return to.bits == 32 ? bitsOf(float(truncate(value, from.bits))) : bitsOf(double(truncate(value, from.bits)));
  }
  return from.kind == 's' ? uint64_t(extend(value, from.bits)) : truncate(value, from.bits);
}

Function find(const Table &table, const std::string &name, I instruction) {
  auto found = table.find(name);
  if (found == table.end())
    unknown(instruction);
  return found->second;
}

/// What the tables call it: modifiers are looked at here, as an instruction runs a million times.
std::string nameOf(I instruction) {
  for (const char *modifier : {"hi", "NaN"})
    if (instruction.has(modifier))
      return instruction.op + "." + modifier;
  return instruction.op;
}

} // namespace

Function functionOf(const Instruction &instruction) {
  const std::string &op = instruction.op;
  const Type type = instruction.type;
  if (op == "cvta")
    return [](I, V v) { return v[0]; };
  if (op == "selp")
    return [](I, V v) { return v[2] ? v[0] : v[1]; };
  if (op == "cvt")
    return [](I i, V v) { return convert(i, v[0]); };
  if (type.kind == 'f' && (instruction.has("ftz") || instruction.has("approx") || instruction.has("full")))
    throw Error("an instruction that is not exact: " + op);
  if (op == "setp") {
    if (instruction.modifiers.size() != 1)
      unknown(instruction);
    const Table &table = type.kind != 'f'  ? integerComparisons()
                         : type.bits == 32 ? floatComparisons<float>()
                                           : floatComparisons<double>();
    return find(table, instruction.modifiers[0], instruction);
  }
  const Table &table = type.kind != 'f'  ? integerFunctions()
                       : type.bits == 32 ? floatFunctions<float>()
                                         : floatFunctions<double>();
  return find(table, nameOf(instruction), instruction);
}

} // namespace ptx
