//===- NpyFile.h - NumPy arrays read in pieces ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_NPYFILE_H
#define GNN_IO_NPYFILE_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/io/InputFile.h"
#include "runtime/src/io/Npy.h"

namespace gnn::rt {

/// Rows [first, first + count) of a table, and where they are wanted.
struct WantedRows {
  int64_t first, count;
  void *to;
};

/// The pieces of a table whose rows begin at `place` of a file.
std::vector<WantedPiece> piecesOf(Span<const WantedRows> wanted, size_t rowBytes, uint64_t place);

/// A .npy file that is read by rows, or by columns if it is a matrix. Elements become ours as in parseNpy.
class NpyFile {
public:
  /// Reads the header. `name` is the file's in errors about what is in it. Throws as parseNpyHeader and InputFile do.
  NpyFile(const std::string &path, std::string name, FileSystem &files = FileSystem::real());

  uint32_t element() const { return nativeElement(header.element); }
  const std::vector<int64_t> &shape() const { return header.shape; }
  size_t rank() const { return header.shape.size(); }
  size_t rowBytes() const; // of our elements

  /// Whether rows can be read: each lies in one place. `columns` reads others.
  bool hasRows() const { return rank() > 0 && (!header.columnMajor || rank() == 1); }
  /// Whether `read` gives the bytes of the file.
  bool isAsItIs() const { return isNative(header.element) && !header.swapBytes; }
  /// From now on the page cache keeps nothing that is read of it.
  void leaveCache() const { file.leaveCache(); }

  // From any thread:
  /// Rows [begin, begin + count) to memory.
  void read(int64_t begin, int64_t count, void *to) const;
  /// Those that lie behind each other, together where the system does that.
  void read(Span<const WantedRows> wanted) const;
  Tensor rows(int64_t begin, int64_t count) const;
  /// Columns [begin, begin + count) of a matrix of two rows: [2, count].
  Tensor columns(int64_t begin, int64_t count) const;
  /// How many rows are about `bytes`; one at least.
  int64_t rowsIn(size_t bytes) const;

private:
  Tensor convert(const Buffer<char> &bytes, const std::vector<int64_t> &shape, bool columnMajor, const char *unit,
                 int64_t begin) const;

  InputFile file;
  const std::string name;
  NpyHeader header;
};

} // namespace gnn::rt

#endif // GNN_IO_NPYFILE_H
