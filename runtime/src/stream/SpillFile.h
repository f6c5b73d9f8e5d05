//===- SpillFile.h - Where tables lie that are not in memory ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file without a name, of which nothing is left when the process ends, however it ends. All of it is allocated
// before anything is written, so that a disk which is too small is found at once.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SPILLFILE_H
#define GNN_STREAM_SPILLFILE_H

#include "runtime/src/io/FileSystem.h"

#include <array>
#include <atomic>
#include <string>

namespace gnn::rt {

/// Where files are put that nobody named a folder for: that of TMPDIR, or /var/tmp.
std::string defaultSpillFolder();
/// Whether files there are in memory (tmpfs).
bool isInMemory(const std::string &folder);

class SpillFile {
public:
  enum Kind : unsigned { Tables, Edges };
  static constexpr unsigned numKinds = 2;
  /// Bytes by what they are of.
  struct Traffic {
    std::array<uint64_t, numKinds> read{}, written{};

    bool operator==(const Traffic &other) const { return read == other.read && written == other.written; }
    Traffic operator-(const Traffic &before) const {
      Traffic since;
      for (unsigned kind = 0; kind < numKinds; ++kind) {
        since.read[kind] = read[kind] - before.read[kind];
        since.written[kind] = written[kind] - before.written[kind];
      }
      return since;
    }
  };

  /// There is no file before `allocate`.
  explicit SpillFile(std::string folder, FileSystem &files = FileSystem::real())
      : folder(std::move(folder)), files(files) {}
  ~SpillFile();
  SpillFile(const SpillFile &) = delete;
  SpillFile &operator=(const SpillFile &) = delete;

  /// A place for so many bytes.
  uint64_t add(size_t bytes);
  /// Of all places.
  uint64_t bytes() const { return end; }
  /// Makes the file, large enough for all places. Throws GNN_ERROR_IO with the folder named, as `read` and `write` do.
  void allocate();

  // From any thread:
  void read(Kind kind, void *to, size_t bytes, uint64_t at);
  void write(Kind kind, const void *from, size_t bytes, uint64_t at);
  /// Counts what a table was read of elsewhere, as if it lay here.
  void noteRead(Kind kind, size_t bytes) { bytesRead[kind] += bytes; }
  /// Since the file was made.
  Traffic traffic() const;

private:
  const std::string folder;
  FileSystem &files;
  int file = -1;
  uint64_t end = 0, allocated = 0;
  std::array<std::atomic<uint64_t>, numKinds> bytesRead{}, bytesWritten{};
};

} // namespace gnn::rt

#endif // GNN_STREAM_SPILLFILE_H
