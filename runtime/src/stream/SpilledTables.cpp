//===- SpilledTables.cpp - Bound tables in a file -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/SpilledTables.h"

#include <cassert>

namespace gnn::rt {

/// Of a table that is not in memory, about as much is at a time.
static constexpr size_t pieceBytes = size_t(4) << 20;

uint64_t SpilledTables::place(uint32_t tensor) {
  auto found = tables.find(tensor);
  if (found == tables.end())
    found = tables
                .emplace(tensor, Table{isReadOfData(tensor) ? 0 : file.add(binding.tensorBytes(tensor)), 0,
                                       isReadOfData(tensor)})
                .first;
  return found->second.at;
}

void SpilledTables::update() {
  for (auto &[tensor, table] : tables) {
    if (table.isThere && table.version == binding.version(tensor))
      continue;
    write(tensor, table.at);
    table.version = binding.version(tensor);
    table.isThere = true;
  }
}

/// Of what is paged some rows at a time; in the order of ids, which need not be that of tables.
void SpilledTables::write(uint32_t tensor, uint64_t place) {
  if (const Tensor &data = binding.data(tensor)) {
    assert(data.bytes() == binding.tensorBytes(tensor));
    return file.write(SpillFile::Tables, data.data(), data.bytes(), place);
  }
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const VertexOrder *order = binding.order(info.type);
  const size_t rowBytes = binding.rowBytes(tensor);
  const int64_t rows = binding.leadingExtent(info),
                atOnce = std::max<int64_t>(int64_t(pieceBytes / std::max<size_t>(rowBytes, 1)), 1);
  for (int64_t first = 0; first < rows; first += atOnce) {
    const int64_t count = std::min(atOnce, rows - first);
    const Tensor piece = binding.pagedRows(tensor, first, count);
    if (!order) {
      file.write(SpillFile::Tables, piece.data(), piece.bytes(), place + uint64_t(first) * rowBytes);
      continue;
    }
    for (int64_t i = 0; i < count; ++i)
      file.write(SpillFile::Tables, static_cast<const char *>(piece.data()) + size_t(i) * rowBytes, rowBytes,
                 place + uint64_t(order->local[size_t(first + i)]) * rowBytes);
  }
}

void SpilledTables::load(uint32_t tensor, uint64_t place, int64_t firstRow, int64_t rows, size_t rowBytes, void *to) {
  const size_t bytes = size_t(rows) * rowBytes;
  const auto found = tables.find(tensor);
  if (found == tables.end() || !isReadOfData(tensor))
    return file.read(SpillFile::Tables, to, bytes, place + uint64_t(firstRow) * rowBytes);
  binding.paged(tensor)->read(firstRow, rows, to);
  file.noteRead(SpillFile::Tables, bytes);
}

} // namespace gnn::rt
