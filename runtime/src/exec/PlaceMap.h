//===- PlaceMap.h - Where vertices that are met have their places -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices get places from 0 on in the order in which they are met. A neighbourhood has few vertices of a graph that
// may have very many, so this takes memory for those that are met alone, and looks them up where caches are warm.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_PLACEMAP_H
#define GNN_EXEC_PLACEMAP_H

#include "runtime/src/core/Span.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnn::rt {

/// A hash table with open addressing, at most half full.
class PlaceMap {
public:
  /// The place of a vertex, a number below 2^32 - 1; `next` if it had none: then this is its place.
  uint32_t meet(uint32_t vertex, uint32_t next) {
    return meet(vertex, [next] { return next; });
  }
  /// The same, `next()` if it had none; it has none either if that throws.
  template <class Next> auto meet(uint32_t vertex, Next next) -> decltype(next()) {
    if (2 * (count + 1) > slots.size())
      grow();
    size_t at = homeOf(vertex);
    for (; slots[at].vertex != vertex; at = (at + 1) & mask())
      if (slots[at].vertex == none) {
        slots[at] = {vertex, next()};
        ++count;
        break;
      }
    return slots[at].place;
  }
  /// The place of a vertex, `otherwise` if it has none.
  uint32_t find(uint32_t vertex, uint32_t otherwise) const {
    if (slots.empty())
      return otherwise;
    for (size_t at = homeOf(vertex); slots[at].vertex != none; at = (at + 1) & mask())
      if (slots[at].vertex == vertex)
        return slots[at].place;
    return otherwise;
  }
  /// The address that `meet` reads first, to be prefetched; null if it reads nothing.
  const void *address(uint32_t vertex) const { return slots.empty() ? nullptr : &slots[homeOf(vertex)]; }

  /// Forgets all, which are `met`; the memory stays.
  void clear(Span<const int64_t> met) {
    assert(met.size() == count);
    // Each is in the run of taken slots that begins at its home, unless that was emptied for another of the run.
    for (int64_t vertex : met)
      for (size_t at = homeOf(uint32_t(vertex)); slots[at].vertex != none; at = (at + 1) & mask())
        slots[at].vertex = none;
    count = 0;
  }

  size_t bytes() const { return slots.capacity() * sizeof(Slot); }

private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Slot {
    uint32_t vertex, place;
  };

  size_t mask() const { return slots.size() - 1; }
  /// Fibonacci hashing: ids that lie side by side are spread.
  size_t homeOf(uint32_t vertex) const { return size_t((uint64_t(vertex) * 0x9E3779B97F4A7C15) >> shift); }

  void grow() {
    std::vector<Slot> before = std::move(slots);
    slots.assign(before.empty() ? 256 : 2 * before.size(), Slot{none, 0});
    shift = before.empty() ? 64 - 8 : shift - 1;
    for (const Slot &slot : before)
      if (slot.vertex != none) {
        size_t at = homeOf(slot.vertex);
        while (slots[at].vertex != none)
          at = (at + 1) & mask();
        slots[at] = slot;
      }
  }

  std::vector<Slot> slots; // as many as a power of two, or none
  size_t count = 0;
  unsigned shift = 64; // 2^(64 - shift) slots
};

} // namespace gnn::rt

#endif // GNN_EXEC_PLACEMAP_H
