//===- FileSystem.h - Calls of the system, and files read whole -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a file into memory. Writing, and reading in pieces, go through a small interface, so that tests can make any
// call fail.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_FILESYSTEM_H
#define GNN_IO_FILESYSTEM_H

#include "runtime/src/core/Span.h"
#include <cstdint>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>

namespace gnn::rt {

/// A piece of a file that is wanted.
struct WantedPiece {
  void *to;
  size_t bytes;
  uint64_t at;
};

/// The calls that are needed, each with the contract of its POSIX namesake: -1 and errno on failure, reads and writes
/// may be short.
class FileSystem {
public:
  virtual ~FileSystem() = default;
  virtual int create(const char *path);             // a new file, for writing
  virtual int createUnnamed(const char *directory); // one of which nothing is left if the program ends (O_TMPFILE)
  virtual int link(int file, const char *path);     // gives that a name
  virtual int open(const char *path);               // a file that is there, for writing
  virtual ssize_t write(int file, const void *data, size_t size);
  virtual int sync(int file);
  virtual int close(int file);
  virtual int rename(const char *from, const char *to);
  virtual int remove(const char *path);
  virtual int syncDirectory(const char *path);

  virtual int createScratch(const char *directory); // for reading and writing; it never has a name for long
  virtual int allocate(int file,
                       uint64_t bytes);     // so that writes below find room; -1 and errno, unlike posix_fallocate
  virtual int openToRead(const char *path); // waits for nobody, where it is a pipe
  virtual int status(int file, struct stat *found); // fstat
  virtual ssize_t readAt(int file, void *data, size_t size, uint64_t at);
  virtual ssize_t writeAt(int file, const void *data, size_t size, uint64_t at);

  /// Whether `readTogether` reads.
  virtual bool readsTogether();
  /// Many pieces, under way at the same time. Returns which are there, as a whole, when none is under way any more: the
  /// others are for `readAt`, which says why.
  virtual std::vector<bool> readTogether(int file, Span<const WantedPiece> pieces);

  // Hints to the system's page cache. Without such a call in the system, they do nothing and succeed.
  virtual void expectRead(int file, uint64_t at, size_t size);          // begins to read what is not there
  virtual int writeOut(int file, uint64_t at, size_t size, bool waits); // to the disk; or begins to
  virtual void uncache(int file, uint64_t at, size_t size);             // whole pages that are on the disk too

  /// Reads together where the system lets it (ReadRing.h).
  static FileSystem &real();
};

/// The content of a file with its owner, aligned to 64 bytes: what readers parse and tensors view.
struct FileBytes {
  std::shared_ptr<void> owner;
  char *data = nullptr;
  size_t size = 0;

  Span<const char> span() const { return {data, size}; }
};

/// Reads a regular file. Throws an I/O error that names it.
FileBytes readFile(const std::string &path);
/// A copy of `bytes` as if it had been read.
FileBytes copyBytes(Span<const char> bytes);

/// Throws an I/O error: the path, what was done, and what errno says.
[[noreturn]] void failIo(const std::string &path, const char *doing);

} // namespace gnn::rt

#endif // GNN_IO_FILESYSTEM_H
