//===- IntegerIndex.h - Integers by their first appearance ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_INTEGERINDEX_H
#define GNN_TOOLS_DATA_INTEGERINDEX_H

#include <cstdint>
#include <optional>
#include <vector>

namespace gnn::data_tool {

/// Different integers, each with the number of those before it. An open-addressing table, linear probing, finds them.
class IntegerIndex {
public:
  /// The number of the integer, which is new if it has none yet.
  int64_t numberOf(int64_t integer);
  std::optional<int64_t> find(int64_t integer) const;
  /// By number.
  const std::vector<int64_t> &all() const { return integers; }

private:
  struct Slot {
    int64_t integer = 0, number = -1; // -1: free
  };

  /// Where the integer is, or where it would be.
  size_t slotOf(int64_t integer) const;
  void grow();

  std::vector<int64_t> integers;
  std::vector<Slot> slots; // a power of two, at most half of them taken
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_INTEGERINDEX_H
