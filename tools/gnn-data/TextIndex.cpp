//===- TextIndex.cpp - Texts numbered as they come ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TextIndex.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace gnn::data_tool;

namespace {

uint64_t hashOf(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

} // namespace

size_t TextIndex::slotOf(std::string_view text, uint64_t hash) const {
  size_t at = hash & (slots.size() - 1);
  while (slots[at].number >= 0 && !(slots[at].hash == uint32_t(hash >> 32) && (*this)[slots[at].number] == text))
    at = (at + 1) & (slots.size() - 1);
  return at;
}

int64_t TextIndex::numberOf(std::string_view text) {
  if (2 * (ends.size() + 1) > slots.size())
    grow();
  const uint64_t hash = hashOf(text);
  Slot &slot = slots[slotOf(text, hash)];
  if (slot.number < 0) {
    slot = {uint32_t(hash >> 32), size()};
    bytes += text;
    ends.push_back(bytes.size());
  }
  return slot.number;
}

std::optional<int64_t> TextIndex::find(std::string_view text) const {
  if (slots.empty())
    return std::nullopt;
  const int64_t number = slots[slotOf(text, hashOf(text))].number;
  return number < 0 ? std::nullopt : std::optional(number);
}

void TextIndex::grow() {
  slots.assign(slots.empty() ? 64 : 2 * slots.size(), {});
  for (int64_t number = 0; number < size(); ++number) {
    const uint64_t hash = hashOf((*this)[number]);
    size_t at = hash & (slots.size() - 1);
    while (slots[at].number >= 0)
      at = (at + 1) & (slots.size() - 1);
    slots[at] = {uint32_t(hash >> 32), number};
  }
}
