//===- EdgeRowPicker.h - Rows of edges, from a file in its order -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An input of edges lies in its file in the order in which the edges were given; tables have them in the order of
// chunks. Rows for as many places as there is room for are picked in one pass over the file, from its begin to its end,
// so that it is never read at random.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_EDGEROWPICKER_H
#define GNN_STREAM_EDGEROWPICKER_H

#include "runtime/src/bind/Binding.h"

#include <functional>
#include <vector>

namespace gnn::rt {

class EdgeRowPicker {
public:
  /// Rows as they are bound, for the places from `first` on.
  using Write = std::function<void(int64_t first, const std::vector<char> &rows)>;

  /// `binding` must outlive this and have `tensor`, over edges, in a file. `room`: bytes of memory for rows and what
  /// they are found by; one row at least.
  EdgeRowPicker(const Binding &binding, uint32_t tensor, size_t room, Write write);

  /// The edges `ids` have the places from `first` on.
  void add(int64_t first, const std::vector<int64_t> &ids);
  /// Picks what is left.
  void finish();

private:
  struct Wanted {
    int64_t row;  // of the file; -1: none, the edge is a loop that the model adds
    size_t place; // among those that are picked together
  };

  void pick();

  const Binding &binding;
  const uint32_t tensor;
  const size_t rowBytes, most;
  const Write write;
  int64_t begin = 0; // the place of the first
  std::vector<Wanted> wanted;
  std::vector<char> rows;
};

} // namespace gnn::rt

#endif // GNN_STREAM_EDGEROWPICKER_H
