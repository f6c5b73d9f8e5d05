//===- EdgeFile.cpp - Sorted edges in a file ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/EdgeFile.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/PastCache.h"

#include <cerrno>
#include <cstring>

namespace gnn::rt {

EdgeFile::EdgeFile(std::string where, EdgeFields fields, int64_t edges, unsigned directions, FileSystem &system)
    : folder(std::move(where)), kept(fields), numEdges(edges), files(system) {
  file = openScratch(files, folder, uint64_t(edges) * fields.bytes() * directions, "the file of edges");
}

EdgeFile::EdgeFile(std::shared_ptr<const InputFile> given, EdgeFields fields, int64_t edges, size_t betweenTables)
    : kept(fields), numEdges(edges), files(FileSystem::real()), of(std::move(given)), between(betweenTables) {}

EdgeFile::~EdgeFile() {
  if (!of)
    files.close(file);
}

/// The piece that begins with an edge.
uint64_t EdgeFile::placeOf(uint32_t direction, int64_t first, Field field) const {
  const Parts parts = partsOf(std::min(edgesOfPiece, numEdges - first));
  const size_t tables = 1 + kept.ids + kept.types, before = field == Field::Ids    ? 0
                                                            : field == Field::Cols ? kept.ids
                                                                                   : tables - 1;
  const uint64_t piece =
      of ? begins[direction] + uint64_t(first) * kept.bytes() + uint64_t(first / edgesOfPiece) * tables * between
         : at(direction, first);
  return piece + (field == Field::Ids ? 0 : field == Field::Cols ? parts.cols : parts.types) + before * between;
}

void EdgeFile::read(uint32_t direction, Field field, Span<const WantedRows> wanted) const {
  const size_t bytes = bytesOf(field);
  std::vector<WantedPiece> pieces;
  for (const WantedRows &rows : wanted)
    for (int64_t edge = rows.first, end = rows.first + rows.count; edge < end;) {
      const int64_t first = edge / edgesOfPiece * edgesOfPiece, until = std::min(end, first + edgesOfPiece);
      pieces.push_back({static_cast<char *>(rows.to) + size_t(edge - rows.first) * bytes, size_t(until - edge) * bytes,
                        placeOf(direction, first, field) + uint64_t(edge - first) * bytes});
      edge = until;
    }
  if (of)
    return of->read(pieces);
  readPieces(files, file, pieces, /*isPastCache=*/false,
             [this](const WantedPiece &piece) { readAll(files, file, piece.to, piece.bytes, piece.at, what()); });
}

void EdgeFile::read(uint32_t direction, int64_t first, const Parts &parts, char *to) const {
  if (!of)
    return readAll(files, file, to, parts.end, at(direction, first), what());
  uint64_t place = placeOf(direction, first, Field::Ids);
  for (auto [begin, end] :
       {std::pair(size_t(0), parts.cols), std::pair(parts.cols, parts.types), std::pair(parts.types, parts.end)})
    if (begin < end) {
      of->read(to + begin, end - begin, place);
      place += end - begin + between;
    }
}

void EdgeFile::forPieces(uint32_t direction, int64_t begin, int64_t end,
                         const std::function<void(const EdgePiece &)> &body) const {
  Buffer<char> bytes;
  for (int64_t first = begin / edgesOfPiece * edgesOfPiece; first < end; first += edgesOfPiece) {
    const int64_t count = std::min(edgesOfPiece, numEdges - first);
    const Parts parts = partsOf(count);
    if (bytes.size() < parts.end)
      bytes = Buffer<char>(parts.end);
    read(direction, first, parts, bytes.data());
    require(checksum({bytes.data(), parts.end}) == sums[direction][size_t(first / edgesOfPiece)], GNN_ERROR_IO, what(),
            ": edges from ", first, " on are not what was written");
    const int64_t from = std::max(begin, first), skipped = from - first;
    EdgePiece piece{from,
                    std::min(end, first + count),
                    reinterpret_cast<const uint32_t *>(bytes.data() + parts.cols) + skipped,
                    nullptr,
                    nullptr,
                    nullptr};
    if (kept.ids && kept.wideIds)
      piece.wideIds = reinterpret_cast<const int64_t *>(bytes.data()) + skipped;
    else if (kept.ids)
      piece.narrowIds = reinterpret_cast<const uint32_t *>(bytes.data()) + skipped;
    if (kept.types)
      piece.types = reinterpret_cast<const int32_t *>(bytes.data() + parts.types) + skipped;
    body(piece);
  }
}

EdgeFile::Writer::Writer(EdgeFile &to, uint32_t edgesBy, uint64_t place)
    : file(to), direction(edgesBy), piece(file.partsOf(std::min(edgesOfPiece, file.numEdges)).end) {
  file.begins[direction] = place;
  file.sums[direction].clear();
}

/// A piece has all ids, then all cols, then all types, as if it were full; the last one, which may not be, is no longer
/// than is left.
void EdgeFile::Writer::add(uint32_t col, int64_t id, int32_t type) {
  const Parts parts = file.partsOf(std::min(edgesOfPiece, file.numEdges - begin));
  const auto i = size_t(count++);
  std::memcpy(piece.data() + parts.cols + i * sizeof col, &col, sizeof col);
  const auto narrow = uint32_t(id);
  if (file.kept.ids && file.kept.wideIds)
    std::memcpy(piece.data() + i * sizeof id, &id, sizeof id);
  else if (file.kept.ids)
    std::memcpy(piece.data() + i * sizeof narrow, &narrow, sizeof narrow);
  if (file.kept.types)
    std::memcpy(piece.data() + parts.types + i * sizeof type, &type, sizeof type);
  if (count == edgesOfPiece)
    flush();
}

void EdgeFile::Writer::flush() {
  const size_t bytes = file.partsOf(count).end;
  if (!file.of)
    writeAll(file.files, file.file, piece.data(), bytes, file.at(direction, begin), file.what());
  file.sums[direction].push_back(checksum({piece.data(), bytes}));
  begin += count;
  count = 0;
}

void EdgeFile::Writer::finish() {
  if (count > 0)
    flush();
  require(begin == file.numEdges, GNN_ERROR_INTERNAL, file.what(), " has ", begin, " edges of ", file.numEdges);
}

} // namespace gnn::rt
