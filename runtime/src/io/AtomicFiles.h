//===- AtomicFiles.h - Files that are replaced together --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At any moment, after a crash too, a file has its old content or its new one.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_ATOMICFILES_H
#define GNN_IO_ATOMICFILES_H

#include "runtime/src/io/FileSystem.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gnn::rt {

/// Files that get their new content together: none before all are written, synced and named. A crash while they are
/// renamed, which takes no room, leaves the first ones new. Without commit() nothing has changed, and nothing is left.
class AtomicFiles {
public:
  explicit AtomicFiles(FileSystem &files = FileSystem::real());
  AtomicFiles(const AtomicFiles &) = delete;
  AtomicFiles &operator=(const AtomicFiles &) = delete;
  ~AtomicFiles();

  /// Writes `pieces`, one behind the other, to a temporary file, which gets a name beside that which `path` leads to at
  /// the end (where the file system has no files without a name, at once; behind the first 64 files, when it is
  /// written). It has the mode and owner of the old one.
  /// What is there and no regular file, such as a pipe or device, is written where it is, now. Throws an I/O error.
  void write(const std::string &path, const std::vector<Span<const char>> &pieces);
  /// The same for what is made while it is written: `content` puts one piece after the other.
  using Put = std::function<void(Span<const char> piece)>;
  void write(const std::string &path, const std::function<void(const Put &put)> &content);

  /// Renames all, in the order of writing; then their directories are synced. Throws an I/O error; if it is of a
  /// directory all files are new.
  void commit();

  /// Removes what all objects of the process have written but not renamed, for a program that ends without destroying
  /// them. Allocates nothing.
  static void removeTemporaries() noexcept;

private:
  class Temporary;

  FileSystem &files;
  std::vector<std::unique_ptr<Temporary>> written;
};

/// Replaces one file: it has its old content if this throws an I/O error, or, only if the directory could not be
/// synced, the whole new one.
void atomicWrite(const std::string &path, const std::vector<Span<const char>> &pieces,
                 FileSystem &files = FileSystem::real());

} // namespace gnn::rt

#endif // GNN_IO_ATOMICFILES_H
