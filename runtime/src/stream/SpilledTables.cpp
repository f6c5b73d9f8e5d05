//===- SpilledTables.cpp - Bound tables in a file -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/SpilledTables.h"

#include "runtime/src/stream/EdgeRowPicker.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

namespace gnn::rt {

uint64_t SpilledTables::place(uint32_t tensor, Spill &in) {
  auto found = tables.find(tensor);
  if (found == tables.end()) {
    const bool isOfData = isReadOfData(tensor, in);
    found = tables.emplace(tensor, Table{&in, isOfData ? 0 : addPlace(tensor, in), 0, isOfData}).first;
  }
  return found->second.at;
}

void SpilledTables::update(const EdgeOrder &order, size_t room) {
  for (auto &[tensor, table] : tables) {
    if (table.isThere && table.version == binding.version(tensor))
      continue;
    write(tensor, table, order, room);
    table.version = binding.version(tensor);
    table.isThere = true;
  }
}

bool isReadByOwnRows(const Library &library, uint32_t tensor) {
  for (const gnn_program_t *program : library.firstPrograms())
    for (const gnn_use_t &use : usesIn(*program))
      if (use.tensor == tensor &&
          ((use.accesses & ~(1u << GNN_ACCESS_ROW)) != 0 || use.last == int32_t(program->num_steps)))
        return false;
  return library.tensor(tensor).domain == GNN_DOMAIN_VERTEX;
}

/// What was written row by row, as tables are: a checksum for each row would take longer to find, at each read of it,
/// than the row to read.
static void writeAgain(Spill &file, uint64_t at, size_t bytes) {
  std::vector<char> piece(std::min(bytes, size_t(1) << 20));
  for (size_t done = 0; done < bytes; done += piece.size()) {
    const size_t count = std::min(piece.size(), bytes - done);
    file.read(Spill::Scattered, piece.data(), count, at + done);
    file.write(Spill::Tables, piece.data(), count, at + done);
  }
}

uint64_t bytesOfFile(const Library &library, const Binding &binding, uint32_t tensor, int64_t rows) {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  return uint64_t(binding.order(info.type) ? binding.leadingExtent(info) : rows) *
         binding.paged().file(tensor)->rowBytes();
}

/// Of a rank's own rows alone, if it needs no others: the place of those before them is somebody else's. All ranks take
/// as much, so that their plans are the same.
uint64_t SpilledTables::addPlace(uint32_t tensor, Spill &in) const {
  if (!hasOwnRows(tensor))
    return in.add(binding.tensorBytes(tensor));
  const uint32_t type = library.tensor(tensor).type;
  const size_t rowBytes = binding.rowBytes(tensor);
  return in.add(size_t(intervals->mostOfRank(type)) * rowBytes) - uint64_t(intervals->ourRows(type).begin) * rowBytes;
}

/// Of what is paged some rows at a time; in the order of ids, which need not be that of tables.
void SpilledTables::write(uint32_t tensor, const Table &table, const EdgeOrder &edges, size_t room) {
  if (library.tensor(tensor).domain == GNN_DOMAIN_EDGE)
    return binding.paged().file(tensor) ? writePagedEdges(tensor, table, edges, room)
                                        : writeEdges(tensor, table, edges);
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const Intervals::Range rows =
      hasOwnRows(tensor) ? intervals->ourRows(info.type) : Intervals::Range{0, binding.leadingExtent(info)};
  const size_t rowBytes = binding.rowBytes(tensor);
  if (const Tensor &data = binding.data(tensor)) {
    assert(data.bytes() == binding.tensorBytes(tensor));
    auto put = [&](int64_t begin, int64_t end) {
      table.in->write(SpillFile::Tables, static_cast<const char *>(data.data()) + size_t(begin) * rowBytes,
                      size_t(end - begin) * rowBytes, table.at + uint64_t(begin) * rowBytes);
    };
    if (!intervals)
      return put(rows.begin, rows.end);
    for (int64_t p = 0; p < intervals->count(info.type); ++p) // as they will be read
      if (intervals->begin(info.type, p) >= rows.begin && intervals->begin(info.type, p + 1) <= rows.end)
        put(intervals->begin(info.type, p), intervals->begin(info.type, p + 1));
    return;
  }
  const bool isScattered = binding.order(info.type) && !table.in->isMemory();
  const Spill::Kind kind = isScattered ? Spill::Scattered : Spill::Tables;
  bytesOfData += bytesOfFile(library, binding, tensor, rows.end - rows.begin);
  binding.paged().forRows(tensor, rows.begin, rows.end, [&](int64_t row, int64_t count, const void *from) {
    table.in->write(kind, from, size_t(count) * rowBytes, table.at + uint64_t(row) * rowBytes);
  });
  if (isScattered)
    writeAgain(*table.in, table.at + uint64_t(rows.begin) * rowBytes, size_t(rows.end - rows.begin) * rowBytes);
}

void SpilledTables::writeEdges(uint32_t tensor, const Table &table, const EdgeOrder &order) {
  const auto *rows = static_cast<const char *>(binding.data(tensor).data());
  const size_t rowBytes = binding.rowBytes(tensor);
  std::vector<char> piece;
  order(library.tensor(tensor).type, [&](int64_t first, const std::vector<int64_t> &ids) {
    piece.resize(ids.size() * rowBytes);
    for (size_t i = 0; i < ids.size(); ++i)
      std::memcpy(piece.data() + i * rowBytes, rows + size_t(ids[i]) * rowBytes, rowBytes);
    table.in->write(SpillFile::Tables, piece.data(), piece.size(), table.at + uint64_t(first) * rowBytes);
  });
}

void SpilledTables::writePagedEdges(uint32_t tensor, const Table &table, const EdgeOrder &order, size_t room) {
  const size_t rowBytes = binding.rowBytes(tensor);
  EdgeRowPicker picker(binding, tensor, room, [&](int64_t first, const std::vector<char> &rows) {
    table.in->write(SpillFile::Tables, rows.data(), rows.size(), table.at + uint64_t(first) * rowBytes);
  });
  order(library.tensor(tensor).type, [&](int64_t first, const std::vector<int64_t> &ids) { picker.add(first, ids); });
  picker.finish();
}

void SpilledTables::load(uint32_t tensor, uint64_t place, int64_t firstRow, int64_t rows, size_t rowBytes, void *to) {
  const size_t bytes = size_t(rows) * rowBytes;
  Spill &in = *tables.at(tensor).in;
  if (!isReadOfData(tensor, in))
    return in.read(SpillFile::Tables, to, bytes, place + uint64_t(firstRow) * rowBytes);
  binding.paged().file(tensor)->read(firstRow, rows, to);
  in.noteRead(SpillFile::Tables, bytes);
}

void SpilledTables::load(uint32_t tensor, uint64_t place, Span<const WantedRows> wanted, size_t rowBytes) {
  Spill &in = *tables.at(tensor).in;
  if (!isReadOfData(tensor, in))
    return in.read(SpillFile::Tables, piecesOf(wanted, rowBytes, place));
  binding.paged().file(tensor)->read(wanted);
  for (const WantedRows &rows : wanted)
    in.noteRead(SpillFile::Tables, size_t(rows.count) * rowBytes);
}

} // namespace gnn::rt
