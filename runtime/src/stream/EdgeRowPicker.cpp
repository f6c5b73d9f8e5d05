//===- EdgeRowPicker.cpp - Rows of edges, from a file in its order --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/EdgeRowPicker.h"

#include "runtime/src/io/NpyFile.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

/// Of the file, at once.
static constexpr size_t pieceBytes = size_t(1) << 20;

EdgeRowPicker::EdgeRowPicker(const Binding &bound, uint32_t index, size_t room, Write to)
    : binding(bound), tensor(index), rowBytes(binding.rowBytes(tensor)),
      most(std::max<size_t>(room / (rowBytes + sizeof(Wanted)), 1)), write(std::move(to)) {}

void EdgeRowPicker::add(int64_t first, const std::vector<int64_t> &ids) {
  if (first != begin + int64_t(wanted.size()))
    pick();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (wanted.empty()) {
      begin = first + int64_t(i);
      wanted.reserve(most);
    }
    wanted.push_back({binding.paged().rowOfEdge(tensor, ids[i]), wanted.size()});
    if (wanted.size() == most)
      pick();
  }
}

void EdgeRowPicker::finish() { pick(); }

void EdgeRowPicker::pick() {
  if (wanted.empty())
    return;
  std::sort(wanted.begin(), wanted.end(), [](const Wanted &a, const Wanted &b) { return a.row < b.row; });
  rows.resize(wanted.size() * rowBytes);
  size_t at = 0;
  auto put = [&](const void *row) { std::memcpy(rows.data() + wanted[at++].place * rowBytes, row, rowBytes); };
  const Tensor ofLoop = wanted[0].row < 0 ? binding.paged().rowOfLoop(tensor) : Tensor();
  while (at < wanted.size() && wanted[at].row < 0)
    put(ofLoop.data());
  const int64_t atOnce = binding.paged().file(tensor)->rowsIn(pieceBytes);
  while (at < wanted.size()) {
    const int64_t first = wanted[at].row;
    size_t end = at;
    while (end < wanted.size() && wanted[end].row < first + atOnce)
      ++end;
    const Tensor piece = binding.paged().rows(tensor, first, wanted[end - 1].row - first + 1);
    while (at < end)
      put(static_cast<const char *>(piece.data()) + size_t(wanted[at].row - first) * rowBytes);
  }
  write(begin, rows);
  wanted.clear();
}

} // namespace gnn::rt
