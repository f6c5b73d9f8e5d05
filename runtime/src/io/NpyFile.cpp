//===- NpyFile.cpp - NumPy arrays read in pieces --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/NpyFile.h"

#include "runtime/src/core/Guard.h"

#include <cassert>
#include <cstring>

namespace gnn::rt {

NpyFile::NpyFile(const std::string &path, std::string called, FileSystem &files)
    : file(path, files), name(std::move(called)) {
  std::vector<char> start(std::min<uint64_t>(file.bytes(), maxNpyHeaderBytes));
  file.read(start.data(), start.size(), 0);
  header = parseNpyHeader(start, file.bytes(), name);
}

size_t NpyFile::rowBytes() const {
  size_t bytes = elementBytes(element());
  for (size_t i = 1; i < rank(); ++i)
    bytes *= size_t(header.shape[i]);
  return bytes;
}

int64_t NpyFile::rowsIn(size_t bytes) const {
  return std::max<int64_t>(int64_t(bytes / std::max<size_t>(rowBytes(), 1)), 1);
}

/// Errors count elements from the first of the piece on.
Tensor NpyFile::convert(const Buffer<char> &bytes, const std::vector<int64_t> &shape, bool columnMajor,
                        const char *unit, int64_t begin) const {
  const std::string what = begin == 0 ? name : name + ": from " + unit + " " + std::to_string(begin) + " on";
  return copyForeign(bytes.data(), header.element, header.swapBytes, shape,
                     contiguousStrides(shape, foreignBytes(header.element), columnMajor), what);
}

Tensor NpyFile::rows(int64_t begin, int64_t count) const {
  assert(hasRows() && begin >= 0 && count >= 0 && begin + count <= header.shape[0]);
  std::vector<int64_t> shape = header.shape;
  shape[0] = count;
  const size_t bytesOfRow = rowBytes() / elementBytes(element()) * foreignBytes(header.element),
               bytes = size_t(count) * bytesOfRow;
  const uint64_t at = header.dataOffset + uint64_t(begin) * bytesOfRow;
  if (isAsItIs()) {
    Tensor rows = Tensor::empty(element(), shape);
    file.read(rows.mutableData(), bytes, at);
    return rows;
  }
  Buffer<char> raw(bytes);
  file.read(raw.data(), bytes, at);
  return convert(raw, shape, /*columnMajor=*/false, "row", begin);
}

void NpyFile::read(int64_t begin, int64_t count, void *to) const {
  const size_t bytes = size_t(count) * rowBytes();
  if (isAsItIs())
    return file.read(to, bytes, header.dataOffset + uint64_t(begin) * rowBytes());
  const Tensor converted = rows(begin, count);
  std::memcpy(to, converted.data(), bytes);
}

void NpyFile::read(Span<const WantedRows> wanted) const {
  if (isAsItIs())
    return file.read(piecesOf(wanted, rowBytes(), header.dataOffset));
  for (const WantedRows &rows : wanted)
    read(rows.first, rows.count, rows.to);
}

std::vector<WantedPiece> piecesOf(Span<const WantedRows> wanted, size_t rowBytes, uint64_t place) {
  std::vector<WantedPiece> pieces;
  pieces.reserve(wanted.size());
  for (const WantedRows &rows : wanted)
    pieces.push_back({rows.to, size_t(rows.count) * rowBytes, place + uint64_t(rows.first) * rowBytes});
  return pieces;
}

Tensor NpyFile::columns(int64_t begin, int64_t count) const {
  assert(rank() == 2 && header.shape[0] == 2 && begin >= 0 && begin + count <= header.shape[1]);
  const size_t size = foreignBytes(header.element), all = size_t(header.shape[1]);
  Buffer<char> raw(2 * size_t(count) * size);
  if (header.columnMajor)
    file.read(raw.data(), raw.size(), header.dataOffset + 2 * uint64_t(begin) * size);
  else
    for (size_t row = 0; row < 2; ++row)
      file.read(raw.data() + row * size_t(count) * size, size_t(count) * size,
                header.dataOffset + (row * all + uint64_t(begin)) * size);
  return convert(raw, {2, count}, header.columnMajor, "column", begin);
}

} // namespace gnn::rt
