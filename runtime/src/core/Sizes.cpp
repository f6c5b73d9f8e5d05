//===- Sizes.cpp - Sizes of memory as texts -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Sizes.h"

#include <cctype>
#include <charconv>

namespace gnn::rt {

std::string sizeText(uint64_t bytes) {
  const unsigned shift = bytes <= (uint64_t(1) << 30) - 1024 ? 10 : 20; // rounded up to less than 1 GB
  const uint64_t whole = bytes >> shift, rest = bytes & ((uint64_t(1) << shift) - 1);
  return std::to_string(whole + (rest > 0)) + (shift == 10 ? "KB" : "MB");
}

std::optional<uint64_t> parseSize(const std::string &text) {
  uint64_t number = 0;
  const char *const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc())
    return std::nullopt;
  while (at != end && *at == ' ')
    ++at;
  std::string unit;
  for (; at != end; ++at)
    unit += char(std::tolower(static_cast<unsigned char>(*at)));
  unsigned shift = 0;
  if (!unit.empty() && unit != "b") {
    const size_t power = std::string("kmgtp").find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == std::string::npos || (rest != "" && rest != "b" && rest != "ib"))
      return std::nullopt;
    shift = 10 * unsigned(power + 1);
  }
  if (number > UINT64_MAX >> shift)
    return std::nullopt;
  return number << shift;
}

} // namespace gnn::rt
