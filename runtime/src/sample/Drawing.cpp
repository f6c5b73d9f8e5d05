//===- Drawing.cpp - How edges are drawn ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Drawing.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace gnn::rt {

Drawing Drawing::parse(const std::string &text, const std::string &origin) {
  Drawing drawing;
  if (text == "uniform")
    return drawing;
  if (text == "labor") {
    drawing.isShared = true;
    return drawing;
  }
  constexpr char byWeight[] = "weight=";
  std::istringstream words(text + ","); // what ends with a comma has an empty word at its end
  for (std::string word; std::getline(words, word, ',');) {
    const bool isWeight = word.rfind(byWeight, 0) == 0 && word.size() + 1 > sizeof byWeight && drawing.weight.empty();
    require(isWeight || (word == "replace" && !drawing.isRepeated), GNN_ERROR_ARGUMENT, origin, ": '", text,
            "' is no sampler: expected uniform, labor, replace, weight=NAME or weight=NAME,replace");
    if (isWeight)
      drawing.weight = word.substr(sizeof byWeight - 1);
    else
      drawing.isRepeated = true;
  }
  return drawing;
}

std::string Drawing::text() const {
  if (isShared)
    return "labor";
  std::string text = weight.empty() ? "" : "weight=" + weight;
  if (isRepeated)
    text += text.empty() ? "replace" : ",replace";
  return text.empty() ? "uniform" : text;
}

/// Edge j of the last `most` is drawn from those up to it, and is itself chosen where what it draws is already.
void drawUniform(RandomSequence draws, int64_t count, int64_t most, int64_t *chosen) {
  int64_t *end = chosen;
  for (int64_t j = count - most; j < count; ++j, ++end) {
    const auto drawn = int64_t(draws.below(uint64_t(j) + 1));
    int64_t *at = std::lower_bound(chosen, end, drawn);
    if (at != end && *at == drawn) {
      *end = j; // larger than all before it
    } else {
      std::copy_backward(at, end, end + 1);
      *at = drawn;
    }
  }
}

void drawRepeated(RandomSequence draws, int64_t count, int64_t most, int64_t *chosen) {
  for (int64_t i = 0; i < most; ++i)
    chosen[i] = int64_t(draws.below(uint64_t(count)));
  std::sort(chosen, chosen + most);
}

/// Each waits for a time that is exponentially distributed with its weight as the rate: the first to come are chosen.
void drawWeighted(RandomSequence draws, Span<const double> weights, int64_t most, int64_t *chosen) {
  std::vector<std::pair<double, int64_t>> times;
  for (double weight : weights)
    times.emplace_back(-std::log1p(-draws.uniform()) / weight, int64_t(times.size()));
  std::nth_element(times.begin(), times.begin() + most, times.end());
  for (int64_t i = 0; i < most; ++i)
    chosen[i] = times[size_t(i)].second;
  std::sort(chosen, chosen + most);
}

void drawWeightedRepeated(RandomSequence draws, Span<const double> weights, int64_t most, int64_t *chosen) {
  std::vector<double> upTo;
  double sum = 0;
  for (double weight : weights)
    upTo.push_back(sum += weight);
  for (int64_t i = 0; i < most; ++i) {
    const auto at = std::upper_bound(upTo.begin(), upTo.end(), draws.uniform() * sum) - upTo.begin();
    chosen[i] = std::min<int64_t>(at, int64_t(upTo.size()) - 1); // a product that is rounded up
  }
  std::sort(chosen, chosen + most);
}

} // namespace gnn::rt
