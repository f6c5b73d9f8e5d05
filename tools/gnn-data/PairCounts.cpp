//===- PairCounts.cpp - What is odd about pairs of links ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/PairCounts.h"

#include <algorithm>
#include <tuple>

using namespace gnn::data_tool;

namespace {

struct Link {
  int64_t src, type, dst;

  Link reversed() const { return {dst, type, src}; }
  Link withoutType() const { return {src, 0, dst}; }
  bool operator<(const Link &other) const {
    return std::tie(src, type, dst) < std::tie(other.src, other.type, other.dst);
  }
  bool operator==(const Link &other) const {
    return std::tie(src, type, dst) == std::tie(other.src, other.type, other.dst);
  }
};

struct Links {
  std::string name;
  std::vector<Link> links;
  bool hasTypes = false;
};

Links linksOf(const std::string &name, const gnn::Tensor &pairs) {
  Links result{name, {}, pairs.shape()[1] == 3};
  const int64_t width = pairs.shape()[1], *row = pairs.data<int64_t>();
  for (int64_t i = 0; i < pairs.shape()[0]; ++i, row += width)
    result.links.push_back({row[0], result.hasTypes ? row[1] : 0, row[width - 1]});
  return result;
}

Links edgesOf(const gnn::Dataset &data) {
  Links result{"edges", {}, false};
  const gnn::Tensor index = data.find("edge_index"), types = data.find("edge_type");
  if (!index)
    return result;
  result.hasTypes = bool(types);
  const int64_t count = index.shape()[1], *src = index.data<int64_t>(), *dst = src + count;
  result.links.reserve(size_t(count));
  for (int64_t e = 0; e < count; ++e)
    result.links.push_back({src[e], types ? types.data<int64_t>()[e] : 0, dst[e]});
  return result;
}

/// Pairs that are among others as they are, and those that are only there with their ends exchanged.
struct Shared {
  int64_t same = 0, reversed = 0;
};

Shared countShared(const Links &pairs, const Links &others) {
  const bool compareTypes = pairs.hasTypes && others.hasTypes;
  auto keyOf = [&](const Link &link) { return compareTypes ? link : link.withoutType(); };
  std::vector<Link> keys; // of the pairs, which are few beside edges
  for (const Link &link : pairs.links)
    keys.push_back(keyOf(link));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<bool> isSame(keys.size()), isReversed(keys.size());
  auto mark = [&](const Link &key, std::vector<bool> &marks) {
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    if (found != keys.end() && *found == key)
      marks[size_t(found - keys.begin())] = true;
  };
  for (const Link &link : others.links) {
    mark(keyOf(link), isSame);
    mark(keyOf(link).reversed(), isReversed);
  }
  Shared shared;
  for (const Link &link : pairs.links) {
    const auto at = size_t(std::lower_bound(keys.begin(), keys.end(), keyOf(link)) - keys.begin());
    if (isSame[at])
      ++shared.same;
    else if (isReversed[at])
      ++shared.reversed;
  }
  return shared;
}

int64_t countRepeated(std::vector<Link> links) {
  std::sort(links.begin(), links.end());
  return links.end() - std::unique(links.begin(), links.end());
}

} // namespace

std::vector<std::pair<int64_t, std::string>> gnn::data_tool::countOddPairs(const Dataset &data) {
  std::vector<std::pair<int64_t, std::string>> counts;
  std::vector<Links> splits;
  for (const char *name : {"train_pairs", "val_pairs", "test_pairs"})
    if (const gnn::Tensor pairs = data.find(name))
      splits.push_back(linksOf(name, pairs));
  if (splits.empty())
    return counts;
  const Links edges = edgesOf(data);
  for (size_t s = 0; s < splits.size(); ++s) {
    const Links &split = splits[s];
    counts.emplace_back(countRepeated(split.links), "pairs of " + split.name + " repeat an earlier one");
    if (split.name != "train_pairs") {
      const Shared shared = countShared(split, edges);
      counts.emplace_back(shared.same, "pairs of " + split.name + " are edges of the graph");
      counts.emplace_back(shared.reversed, "pairs of " + split.name + " are reversed edges of the graph");
    }
    for (size_t other = 0; other < s; ++other) {
      const Shared shared = countShared(split, splits[other]);
      const std::string both = splits[other].name + " and " + split.name;
      counts.emplace_back(shared.same, "pairs are in both " + both);
      counts.emplace_back(shared.reversed, "pairs are in both " + both + ", in the other direction");
    }
  }
  return counts;
}
