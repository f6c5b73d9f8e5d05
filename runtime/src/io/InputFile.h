//===- InputFile.h - Files read in pieces -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is too large for memory is read piecewise into the reader's memory. A mapping would end the process if
// the file shrank, and the memory of its pages would be counted for no owner.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_INPUTFILE_H
#define GNN_IO_INPUTFILE_H

#include "runtime/src/io/FileSystem.h"

#include <atomic>

namespace gnn::rt {

/// Reads all of `bytes` at a place of an open file, however small the parts in which the system gives them. Throws
/// GNN_ERROR_IO, which begins with `what`.
void readAll(FileSystem &files, int file, void *to, size_t bytes, uint64_t at, const std::string &what);

/// The same for writing, where there is room.
void writeAll(FileSystem &files, int file, const void *from, size_t bytes, uint64_t at, const std::string &what);
/// A file without a name in a folder, with room for so many bytes, of which nothing is left when it is closed. Throws
/// GNN_ERROR_IO, which names the folder and `what` it is to be.
int openScratch(FileSystem &files, const std::string &folder, uint64_t bytes, const std::string &what);

/// A regular file that stays open. It must stay as it is: whoever reads a piece after the file became another one, by
/// its size or the time of its last change, gets an error.
class InputFile {
public:
  /// Throws GNN_ERROR_IO, as `read` does.
  explicit InputFile(std::string path, FileSystem &files = FileSystem::real());
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  const std::string &path() const { return name; }
  uint64_t bytes() const { return uint64_t(opened.st_size); }
  /// From any thread.
  void read(void *to, size_t bytes, uint64_t at) const;
  /// Pieces that lie behind each other, together where the system does that.
  void read(Span<const WantedPiece> pieces) const;
  /// From now on the page cache keeps nothing that is read of it (PastCache.h).
  void leaveCache() const { isPastCache = true; }

private:
  struct stat look() const;
  void requireSame() const;
  void transfer(const WantedPiece &piece) const;

  const std::string name;
  FileSystem &files;
  int file = -1;
  struct stat opened {};
  mutable std::atomic<bool> isPastCache{false}; // what is read is the same
};

} // namespace gnn::rt

#endif // GNN_IO_INPUTFILE_H
