//===- Amounts.cpp - Bytes and seconds for people -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Amounts.h"

#include <cstdio>
#include <iterator>

namespace gnn::train_tool {

static std::string printed(const char *format, double number, const char *unit) {
  char text[48];
  std::snprintf(text, sizeof text, format, number, unit);
  return text;
}

/// Three digits, of which one is behind the point.
static std::string shortText(double number, const char *unit) {
  return printed(number < 99.95 ? "%.1f %s" : "%.0f %s", number, unit);
}

std::string bytesText(double bytes) {
  const char *units[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
  if (bytes < 1024)
    return printed("%.0f %s", bytes, units[0]);
  size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  return shortText(bytes, units[unit]);
}

std::string durationText(double seconds) {
  if (seconds < 0.9995e-3)
    return shortText(seconds * 1e6, "us");
  if (seconds < 0.9995)
    return shortText(seconds * 1e3, "ms");
  if (seconds < 99.95)
    return shortText(seconds, "s");
  const auto minutes = static_cast<long long>(seconds / 60 + 0.5);
  if (minutes < 60)
    return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

} // namespace gnn::train_tool
