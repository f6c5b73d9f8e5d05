//===- TextIndex.h - Texts numbered as they come ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TEXTINDEX_H
#define GNN_TOOLS_DATA_TEXTINDEX_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

/// Different texts, side by side in one memory, each with the number of those before it. An open-addressing table,
/// linear probing, finds them: half the time of std::unordered_map, which has a node in memory for each.
class TextIndex {
public:
  /// The number of the text, which is new if it has none yet.
  int64_t numberOf(std::string_view text);
  std::optional<int64_t> find(std::string_view text) const;
  int64_t size() const { return int64_t(ends.size()); }
  std::string_view operator[](int64_t number) const {
    const uint64_t begin = number == 0 ? 0 : ends[size_t(number) - 1];
    return {bytes.data() + begin, size_t(ends[size_t(number)] - begin)};
  }

private:
  struct Slot {
    uint32_t hash = 0;
    int64_t number = -1; // -1: free
  };

  /// Where the text is, or where it would be.
  size_t slotOf(std::string_view text, uint64_t hash) const;
  void grow();

  std::string bytes;
  std::vector<uint64_t> ends; // of texts in `bytes`
  std::vector<Slot> slots;    // a power of two, at most half of them taken
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TEXTINDEX_H
