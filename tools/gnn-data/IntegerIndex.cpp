//===- IntegerIndex.cpp - Integers by their first appearance --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/IntegerIndex.h"
#include <algorithm>

using namespace gnn::data_tool;

size_t IntegerIndex::slotOf(int64_t integer) const {
  uint64_t hash = uint64_t(integer) * 0x9e3779b97f4a7c15; // Fibonacci hashing: ids go in steps
  hash ^= hash >> 32;
  size_t slot = size_t(hash) & (slots.size() - 1);
  while (slots[slot].number >= 0 && slots[slot].integer != integer)
    slot = (slot + 1) & (slots.size() - 1);
  return slot;
}

void IntegerIndex::grow() {
  slots.assign(std::max<size_t>(2 * slots.size(), 16), Slot());
  for (size_t number = 0; number < integers.size(); ++number)
    slots[slotOf(integers[number])] = {integers[number], int64_t(number)};
}

int64_t IntegerIndex::numberOf(int64_t integer) {
  if (2 * (integers.size() + 1) > slots.size())
    grow();
  Slot &slot = slots[slotOf(integer)];
  if (slot.number < 0) {
    slot = {integer, int64_t(integers.size())};
    integers.push_back(integer);
  }
  return slot.number;
}

std::optional<int64_t> IntegerIndex::find(int64_t integer) const {
  if (slots.empty())
    return std::nullopt;
  const Slot &slot = slots[slotOf(integer)];
  return slot.number < 0 ? std::nullopt : std::optional(slot.number);
}
