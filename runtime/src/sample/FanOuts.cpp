//===- FanOuts.cpp - How many edges a sample has --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/FanOuts.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/Library.h"

#include <charconv>
#include <sstream>

namespace gnn::rt {

namespace {

constexpr int64_t mostEdges = 1 << 20; // of a fan-out: more is a slip of the pen

std::vector<int64_t> numbersOf(const std::string &list, const std::string &where) {
  std::vector<int64_t> numbers;
  std::istringstream words(list + ","); // what ends with a comma has an empty word at its end
  for (std::string word; std::getline(words, word, ',');) {
    int64_t number = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool isNumber =
        error == std::errc() && end == word.data() + word.size() && number >= 1 && number <= mostEdges;
    require(word == "all" || isNumber, GNN_ERROR_ARGUMENT, where, ": '", word, "' is no fan-out: expected 1 to ",
            mostEdges, " or all, as in 15,10 or cites=15,10");
    numbers.push_back(word == "all" ? FanOuts::all : number);
  }
  return numbers;
}

} // namespace

FanOuts::FanOuts(const std::string &text, const std::string &origin) : written(text), where(origin) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const std::string relation = equals == std::string::npos ? "" : word.substr(0, equals);
    const std::string list = equals == std::string::npos ? word : word.substr(equals + 1);
    require(equals != 0, GNN_ERROR_ARGUMENT, where, ": '", word, "' names no relation");
    require(byRelation.emplace(relation, numbersOf(list, where)).second, GNN_ERROR_ARGUMENT, where, ": ",
            relation.empty() ? "all relations" : relation, " have two lists");
  }
  require(!byRelation.empty(), GNN_ERROR_ARGUMENT, where, ": expected fan-outs, as in 15,10");
}

int64_t FanOuts::at(const std::string &relation, int32_t depth) const {
  auto list = byRelation.find(relation);
  if (list == byRelation.end())
    list = byRelation.find("");
  require(list != byRelation.end(), GNN_ERROR_ARGUMENT, where, ": no fan-outs for ", relation);
  return size_t(depth) < list->second.size() ? list->second[size_t(depth)] : all;
}

void FanOuts::checkLengths(const Library &library, const std::map<std::string, Reading> &readings) const {
  for (const auto &[name, list] : byRelation) {
    const std::pair<const std::string, Reading> *deepest = nullptr; // of those that the list is for
    for (const auto &read : readings)
      if (read.first == name || (name.empty() && !byRelation.count(read.first)))
        if (!deepest || read.second.numDepths > deepest->second.numDepths)
          deepest = &read;
    if (!deepest || list.size() == deepest->second.numDepths)
      continue;
    const auto &[relation, reading] = *deepest;
    const std::string source = sourceOfKernel(library.table(), reading.kernel);
    fail(GNN_ERROR_ARGUMENT, where, ": ", list.size(), list.size() == 1 ? " number" : " numbers", " for ", relation,
         ", over which the model reads ", reading.numDepths, reading.numDepths == 1 ? " step" : " steps",
         " away from its vertices", source.empty() ? "" : ", farthest at " + source,
         ": it takes one for each step, as in 15,10");
  }
}

void FanOuts::check(const Library &library) const {
  for (const auto &[name, list] : byRelation) {
    bool isKnown = name.empty();
    for (uint32_t r = 0; r < library.table().num_relations; ++r)
      isKnown |= library.relation(r).kind == GNN_RELATION_EDGES && name == library.relation(r).name;
    require(isKnown, GNN_ERROR_ARGUMENT, where, ": ", library.name(), " has no relation ", name);
  }
}

} // namespace gnn::rt
