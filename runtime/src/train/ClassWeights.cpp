//===- ClassWeights.cpp - What classes weigh in a loss --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/ClassWeights.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

namespace gnn::rt {

ClassWeights ClassWeights::parse(const std::string &text) {
  ClassWeights weights;
  weights.isBalanced = text == "balanced";
  if (weights.isBalanced || text.empty() || text == "equal")
    return weights;
  std::istringstream stream(text + ",");
  for (std::string word; std::getline(stream, word, ',');) {
    double weight = -1;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), weight);
    require(error == std::errc() && end == word.data() + word.size() && std::isfinite(weight) && weight >= 0,
            GNN_ERROR_ARGUMENT, "the class weights '", text,
            "' are none: expected balanced, or a number for each class, at least 0, as 1,5,0.5");
    weights.numbers.push_back(weight);
  }
  return weights;
}

std::string ClassWeights::text() const {
  std::string text = isBalanced ? "balanced" : "";
  for (double weight : numbers) {
    char number[32];
    *std::to_chars(number, number + sizeof number - 1, weight).ptr = '\0';
    text += (text.empty() ? "" : ",") + std::string(number);
  }
  return text.empty() ? "equal" : text;
}

std::vector<double> ClassWeights::of(const std::vector<double> &classes, const std::string &where) const {
  std::map<double, double> rows;
  for (double label : classes) {
    require(label >= 0 && label == std::floor(label), GNN_ERROR_DATA, "class weights only apply to classes, but ",
            where, " has the target ", label);
    require(isBalanced || label < double(numbers.size()), GNN_ERROR_MISMATCH, where, " has the class ", label,
            ", but there are weights of ", numbers.size(), " classes");
    ++rows[label];
  }
  std::vector<double> weights;
  for (double label : classes)
    weights.push_back(isBalanced ? double(classes.size()) / (double(rows.size()) * rows[label])
                                 : numbers[size_t(label)]);
  require(weights.empty() || std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; }),
          GNN_ERROR_MISMATCH, "all classes of ", where, " weigh nothing");
  return weights;
}

} // namespace gnn::rt
