//===- Schedule.cpp - Learning rates over epochs --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Schedule.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gnn::rt {

namespace {

constexpr double pi = 3.14159265358979323846, usualRest = 0.1;

template <class T> bool readAll(const std::string &text, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace

Schedule Schedule::parse(const std::string &text, int64_t warmUp) {
  const size_t equals = text.find('='), comma = text.find(',');
  const std::string name = text.substr(0, equals);
  const std::string length = equals == std::string::npos ? "" : text.substr(equals + 1, comma - equals - 1);
  const std::string rest = comma == std::string::npos ? "" : text.substr(comma + 1);
  Schedule schedule;
  schedule.warmUp = warmUp;
  schedule.kind = name == "cosine"    ? Kind::Cosine
                  : name == "step"    ? Kind::Step
                  : name == "plateau" ? Kind::Plateau
                                      : Kind::Constant;
  const bool hasRest = schedule.kind == Kind::Step || schedule.kind == Kind::Plateau;
  schedule.rest = hasRest ? usualRest : 1;
  bool isGood = schedule.kind != Kind::Constant || text == "constant";
  isGood &= equals == std::string::npos ? !hasRest && comma == equals
                                        : readAll(length, schedule.length) && schedule.length > 0;
  if (comma != std::string::npos)
    isGood &= hasRest && readAll(rest, schedule.rest) && schedule.rest >= 0 && schedule.rest < 1;
  require(isGood, GNN_ERROR_ARGUMENT, "the schedule '", text,
          "' is none: expected constant, cosine, cosine=EPOCHS, step=EPOCHS,FACTOR or plateau=EPOCHS,FACTOR, with a "
          "factor in [0, 1) (without one 0.1)");
  require(warmUp >= 0, GNN_ERROR_ARGUMENT, "a warm-up of ", warmUp, " epochs, expected at least 0");
  return schedule;
}

std::string Schedule::text() const {
  if (kind == Kind::Constant)
    return "constant";
  if (kind == Kind::Cosine)
    return length ? "cosine=" + std::to_string(length) : "cosine";
  char factor[32];
  *std::to_chars(factor, factor + sizeof factor - 1, rest).ptr = '\0';
  return (kind == Kind::Step ? "step=" : "plateau=") + std::to_string(length) + "," + factor;
}

double Schedule::factor(int64_t epoch, int64_t epochs, int64_t cuts) const {
  if (epoch < warmUp)
    return double(epoch + 1) / double(warmUp + 1);
  const int64_t since = epoch - warmUp;
  switch (kind) {
  case Kind::Constant:
    return 1;
  case Kind::Cosine: {
    const int64_t whole = std::max<int64_t>((length ? length : epochs) - warmUp, 1);
    return 0.5 * (1 + std::cos(pi * double(std::min(since, whole)) / double(whole)));
  }
  case Kind::Step:
    return std::pow(rest, double(since / length));
  case Kind::Plateau:
    return std::pow(rest, double(cuts));
  }
  return 1;
}

} // namespace gnn::rt
