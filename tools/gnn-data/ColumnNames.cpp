//===- ColumnNames.cpp - What columns of keys are called ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ColumnNames.h"
#include <algorithm>
#include <cctype>

using namespace gnn::data_tool;

namespace {

/// Letters and digits, in lower case: `Source_ID` is `sourceid`.
std::string plain(const std::string &name) {
  std::string result;
  for (unsigned char c : name)
    if (std::isalnum(c) || c >= 0x80)
      result += char(std::tolower(c));
  return result;
}

/// The name without `id`, `node`, `idx` or `name`, which may be at both ends: `sourcenodeid` and `idsource` are
/// `source`.
std::string stem(const std::string &name) {
  std::string result = plain(name);
  for (bool isShorter = true; isShorter;) {
    isShorter = false;
    for (const std::string word : {"id", "node", "vertex", "idx", "index", "name"}) {
      const bool isLonger = result.size() > word.size();
      if (isLonger && result.compare(result.size() - word.size(), word.size(), word) == 0)
        result.erase(result.size() - word.size());
      else if (isLonger && result.compare(0, word.size(), word) == 0)
        result.erase(0, word.size());
      else
        continue;
      isShorter = true;
    }
  }
  return result;
}

bool isOneOf(const std::string &name, std::initializer_list<const char *> names) {
  return std::any_of(names.begin(), names.end(), [&](const char *other) { return name == other; });
}

bool isPairOfEnds(const std::string &first, const std::string &second) {
  if (first.find(":START_ID") != first.npos)
    return second.find(":END_ID") != second.npos;
  const std::string a = stem(first), b = stem(second);
  if (isOneOf(a, {"source", "src"}))
    return isOneOf(b, {"target", "tgt", "trg", "dst", "dest", "destination", "sink"});
  if (isOneOf(a, {"user", "customer", "buyer", "reviewer", "author", "reader", "listener", "member", "u"}) &&
      isOneOf(b, {"item", "product", "movie", "book", "artist", "song", "track", "business", "shop", "merchant", "asin",
                  "game", "i"}))
    return true;
  for (const auto &[left, right] :
       {std::pair("from", "to"), std::pair("head", "tail"), std::pair("u", "v"), std::pair("i", "j"),
        std::pair("start", "end"), std::pair("subject", "object"), std::pair("sender", "receiver"),
        std::pair("sender", "recipient"), std::pair("payer", "payee"), std::pair("parent", "child"),
        std::pair("origin", "destination"), std::pair("citing", "cited"), std::pair("follower", "followee"),
        std::pair("follower", "followed"), std::pair("rater", "ratee"), std::pair("left", "right"),
        std::pair("person", "friend")})
    if (a == left && b == right)
      return true;
  // `node1` and `node2`, `protein_a` and `protein_b`.
  std::string x = plain(first), y = plain(second);
  const bool areTwo =
      x.size() > 1 && y.size() > 1 && ((x.back() == '1' && y.back() == '2') || (x.back() == 'a' && y.back() == 'b'));
  if (!areTwo)
    return false;
  x.pop_back();
  y.pop_back();
  const bool isOfKeys = x.size() >= 2 && x.compare(x.size() - 2, 2, "id") == 0;
  return x == y && (isOfKeys || isOneOf(x, {"node", "vertex", "entity", "protein", "person", "gene", "user", "item",
                                            "drug", "author", "atom", "member", "interactor", "n", "v"}));
}

} // namespace

std::vector<std::pair<size_t, size_t>> gnn::data_tool::pairsOfEnds(const std::vector<std::string> &names) {
  std::vector<std::pair<size_t, size_t>> pairs;
  constexpr size_t maxNames = 50; // of wide tables only the first are looked at
  for (size_t i = 0; i < std::min(names.size(), maxNames); ++i)
    for (size_t j = 0; j < std::min(names.size(), maxNames); ++j)
      if (i != j && isPairOfEnds(names[i], names[j]))
        pairs.emplace_back(i, j);
  return pairs;
}

std::vector<size_t> gnn::data_tool::columnsOfType(const std::vector<std::string> &names, const std::string &type) {
  for (const std::string &wanted : {plain(type) + "id", plain(type)}) {
    std::vector<size_t> columns;
    for (size_t i = 0; i < names.size(); ++i)
      if (plain(names[i]) == wanted)
        columns.push_back(i);
    if (!columns.empty())
      return columns;
  }
  return {};
}

std::vector<size_t> gnn::data_tool::keysOf(const std::vector<std::string> &names, const std::string &type) {
  std::vector<size_t> columns;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i].find(":ID") != std::string::npos ||
        isOneOf(plain(names[i]), {"id", "nodeid", "vertexid", (plain(type) + "id").c_str()}))
      columns.push_back(i);
  return columns.empty() ? columnsOfType(names, type) : columns;
}

bool gnn::data_tool::isCalledKey(const std::string &name) {
  const size_t size = name.size();
  const bool endsInId = size > 2 && (name.compare(size - 2, 2, "Id") == 0 || name.compare(size - 2, 2, "ID") == 0);
  return plain(name) == "id" || endsInId || (size > 3 && name.compare(size - 3, 3, "_id") == 0);
}

std::optional<size_t> gnn::data_tool::columnOfIds(const std::vector<std::string> &names) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i].find(":ID") != std::string::npos ||
        isOneOf(plain(names[i]), {"id", "nodeid", "node", "vertexid", "vertex"}))
      return i;
  return std::nullopt;
}

bool gnn::data_tool::namesKeys(const std::vector<std::string> &names) {
  return columnOfIds(names) || !pairsOfEnds(names).empty() ||
         std::any_of(names.begin(), names.end(), [](const std::string &name) {
           return isOneOf(plain(name), {"userid", "itemid", "customerid", "accountid", "paperid", "username"});
         });
}

bool gnn::data_tool::isUnnamed(const std::string &name) { return name.empty() || name.compare(0, 8, "Unnamed:") == 0; }
