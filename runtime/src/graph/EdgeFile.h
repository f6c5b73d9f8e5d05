//===- EdgeFile.h - Sorted edges in a file ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edges of a Csr in a file, for graphs with more edges than fit in memory: pieces of a fixed number of edges, each
// with a checksum that is verified at every read. The file has no name, so nothing is left of it however the process
// ends.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_EDGEFILE_H
#define GNN_GRAPH_EDGEFILE_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/io/NpyFile.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gnn::rt {

/// Edges [begin, end) of the rows of a direction, as a Csr has them; the first is at index 0.
struct EdgePiece {
  int64_t begin, end;
  const uint32_t *cols;
  const uint32_t *narrowIds; // one of the two is null, or both
  const int64_t *wideIds;
  const int32_t *types; // or null

  int64_t id(int64_t i) const { return narrowIds ? int64_t(narrowIds[i]) : wideIds[i]; }
};

/// Edges of a piece, but for the last.
constexpr int64_t edgesOfPiece = int64_t(1) << 18;

/// The fields of edges that are stored beside their cols.
struct EdgeFields {
  bool ids, wideIds, types;

  size_t idBytes() const { return ids ? wideIds ? sizeof(int64_t) : sizeof(uint32_t) : 0; }
  size_t bytes() const { return sizeof(uint32_t) + idBytes() + (types ? sizeof(int32_t) : 0); }
};

class EdgeFile {
public:
  /// An empty one in a folder, with room for the edges in so many directions. Throws GNN_ERROR_IO with the folder
  /// named, as reads and writes do.
  EdgeFile(std::string folder, EdgeFields fields, int64_t numEdges, unsigned directions,
           FileSystem &files = FileSystem::real());
  /// Over tables that a file has already: of a direction piece by piece ids, cols and types, with `between` bytes after
  /// each. A Writer writes nothing: it is told what is there, and that is what is expected of all that is read later.
  EdgeFile(std::shared_ptr<const InputFile> of, EdgeFields fields, int64_t numEdges, size_t between);
  ~EdgeFile();
  EdgeFile(const EdgeFile &) = delete;
  EdgeFile &operator=(const EdgeFile &) = delete;

  const EdgeFields &fields() const { return kept; }

  /// Calls `body` with the edges [begin, end) of direction GNN_TO_*, in order, a piece at a time. From any thread.
  void forPieces(uint32_t direction, int64_t begin, int64_t end,
                 const std::function<void(const EdgePiece &)> &body) const;

  enum class Field { Cols, Ids, Types };
  size_t bytesOf(Field field) const {
    return field == Field::Cols ? sizeof(uint32_t) : field == Field::Ids ? kept.idBytes() : sizeof(int32_t);
  }
  /// One field of ranges of edges of a direction, each to its place, together where the system does that. From any
  /// thread. A checksum is of a whole piece, so what is read here is not verified.
  void read(uint32_t direction, Field field, Span<const WantedRows> wanted) const;

  /// Writes the edges of a direction one after the other.
  class Writer {
  public:
    /// `place`: where the tables of the direction begin, if they are there already.
    Writer(EdgeFile &file, uint32_t direction, uint64_t place = 0);
    void add(uint32_t col, int64_t id, int32_t type);
    /// After the last.
    void finish();

  private:
    void flush();

    EdgeFile &file;
    const uint32_t direction;
    int64_t begin = 0, count = 0; // of the piece at hand
    Buffer<char> piece;
  };

private:
  /// Where in a piece of so many edges its parts begin.
  struct Parts {
    size_t cols, types, end; // ids are the first: they may be the widest
  };
  Parts partsOf(int64_t edges) const {
    const size_t cols = size_t(edges) * kept.idBytes(), types = cols + size_t(edges) * sizeof(uint32_t);
    return {cols, types, types + (kept.types ? size_t(edges) * sizeof(int32_t) : 0)};
  }
  uint64_t at(uint32_t direction, int64_t edge) const {
    return (uint64_t(direction) * uint64_t(numEdges) + uint64_t(edge)) * kept.bytes();
  }
  /// Where the first of a piece has a field.
  uint64_t placeOf(uint32_t direction, int64_t first, Field field) const;
  std::string what() const { return of ? of->path() : "the file of edges in " + folder; }
  void read(uint32_t direction, int64_t first, const Parts &parts, char *to) const;

  const std::string folder;
  const EdgeFields kept;
  const int64_t numEdges;
  FileSystem &files;
  int file = -1;
  const std::shared_ptr<const InputFile> of; // null: `file` is our own
  const size_t between = 0;
  std::array<uint64_t, 2> begins{};          // [directions] in it
  std::array<std::vector<uint64_t>, 2> sums; // [directions][pieces]
};

} // namespace gnn::rt

#endif // GNN_GRAPH_EDGEFILE_H
