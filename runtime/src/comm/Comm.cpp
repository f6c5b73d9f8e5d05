//===- Comm.cpp - The processes of one run --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/comm/Comm.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace gnn::rt {

namespace {

template <class T> Span<const char> bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}
template <class T> Span<char> bytesOf(T &value) { return {reinterpret_cast<char *>(&value), sizeof value}; }
template <class T> std::vector<Span<char>> placesOf(std::vector<T> &values) {
  std::vector<Span<char>> places;
  for (T &value : values)
    places.push_back(bytesOf(value));
  return places;
}

/// Texts one after the other, each with its length before it.
std::string packed(const std::vector<Comm::Item> &items) {
  std::string all;
  for (const Comm::Item &item : items)
    for (const std::string *text : {&item.name, &item.value}) {
      const uint64_t length = text->size();
      all.append(reinterpret_cast<const char *>(&length), sizeof length).append(*text);
    }
  return all;
}

std::vector<Comm::Item> unpacked(const std::string &all) {
  std::vector<Comm::Item> items;
  size_t at = 0;
  auto next = [&] {
    uint64_t length = 0;
    require(all.size() - at >= sizeof length, GNN_ERROR_INTERNAL, "what ranks agree on is cut");
    std::memcpy(&length, all.data() + at, sizeof length);
    at += sizeof length;
    require(all.size() - at >= length, GNN_ERROR_INTERNAL, "what ranks agree on is cut");
    at += length;
    return all.substr(at - length, length);
  };
  while (at < all.size()) {
    std::string name = next();
    items.push_back({std::move(name), next()});
  }
  return items;
}

const std::string &valueOf(const std::vector<Comm::Item> &items, const std::string &name) {
  static const std::string none = "none";
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Comm::Item &item) { return item.name == name; });
  return found == items.end() ? none : found->value;
}

} // namespace

void Exchange::exchangeWithAll(Span<const char> mine, const std::vector<Span<char>> &all, const std::string &what) {
  std::vector<Send> sends;
  std::vector<Receive> receives;
  for (int other = 0; other < size(); ++other)
    if (other != rank()) {
      sends.push_back({other, mine});
      receives.push_back({other, all[size_t(other)]});
    }
  exchange(sends, receives, what);
}

void Comm::fallSilent(const std::vector<int> &ranks, const std::string &what) const {
  std::ostringstream text;
  for (int other : ranks)
    text << (other == ranks[0] ? "rank " : ", rank ") << other;
  text << " said nothing for " << double(most.count()) / 1000 << " seconds while rank " << rank() << " waited for "
       << what;
  throw RankLost(text.str());
}

std::vector<std::string> Comm::gather(const std::string &mine, const std::string &what) {
  const uint64_t length = mine.size();
  std::vector<uint64_t> lengths(size_t(size()), length);
  exchangeWithAll(bytesOf(length), placesOf(lengths), what);
  std::vector<std::string> all;
  std::vector<Span<char>> places;
  for (uint64_t of : lengths)
    all.emplace_back(of, '\0');
  for (std::string &text : all)
    places.push_back({text.data(), text.size()});
  exchangeWithAll({mine.data(), mine.size()}, places, what);
  all[size_t(rank())] = mine;
  return all;
}

void Comm::broadcast(Span<char> bytes, const std::string &what) {
  if (rank() > 0)
    return exchange({}, {{0, bytes}}, what);
  std::vector<Send> sends;
  for (int other = 1; other < size(); ++other)
    sends.push_back({other, {bytes.data(), bytes.size()}});
  exchange(sends, {}, what);
}

std::string Comm::broadcast(const std::string &mine, const std::string &what) {
  uint64_t length = mine.size();
  broadcast(bytesOf(length), what);
  std::string text = mine;
  text.resize(length);
  broadcast(Span<char>(text.data(), text.size()), what);
  return text;
}

int64_t Comm::greatest(int64_t mine, const std::string &what) {
  std::vector<int64_t> all(size_t(size()), mine);
  exchangeWithAll(bytesOf(std::as_const(mine)), placesOf(all), what);
  return *std::max_element(all.begin(), all.end());
}

void Comm::agree(const std::vector<Item> &items) {
  const std::vector<std::string> all = gather(packed(items), "what all ranks agree on");
  const std::vector<Item> first = unpacked(all[0]);
  for (int other = 1; other < size(); ++other) {
    const std::vector<Item> theirs = unpacked(all[size_t(other)]);
    for (const std::vector<Item> *list : {&first, &theirs})
      for (const Item &item : *list)
        if (const std::string &expected = valueOf(first, item.name), &value = valueOf(theirs, item.name);
            value != expected)
          throw RanksDiffer("rank " + std::to_string(other) + " has another " + item.name + " than rank 0: " + value +
                            ", not " + expected);
  }
}

} // namespace gnn::rt
