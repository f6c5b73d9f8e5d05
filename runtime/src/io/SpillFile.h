//===- SpillFile.h - Where tables lie that are not at hand ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places for tables and edges that are not in the memory of an engine: in a file or, of an engine that has memory of
// its own, in that of this process. What crosses that border is counted.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_SPILLFILE_H
#define GNN_IO_SPILLFILE_H

#include "runtime/src/io/FileSystem.h"

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>

namespace gnn::rt {

/// Where files are put that nobody named a folder for: that of TMPDIR, or /var/tmp.
std::string defaultSpillFolder();
/// Whether files there are in memory (tmpfs).
bool isInMemory(const std::string &folder);

class Spill {
public:
  enum Kind : unsigned {
    Tables,
    Edges,
    Scattered // rows of tables that come in another order than theirs, and are written again as tables then
  };
  static constexpr unsigned numKinds = 3;
  /// Bytes by what they are of.
  struct Traffic {
    std::array<uint64_t, numKinds> read{}, written{};

    uint64_t bytesRead() const { return std::accumulate(read.begin(), read.end(), uint64_t(0)); }
    uint64_t bytesWritten() const { return std::accumulate(written.begin(), written.end(), uint64_t(0)); }
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

  virtual ~Spill() = default;
  Spill(const Spill &) = delete;
  Spill &operator=(const Spill &) = delete;

  /// A place for so many bytes.
  uint64_t add(size_t bytes);
  /// Bytes of all places.
  uint64_t bytes() const { return end; }
  /// From now on all places are there.
  virtual void allocate() = 0;
  /// Whether it is memory of this process, that engines copy from and to.
  virtual bool isMemory() const { return false; }
  /// For messages.
  virtual std::string name() const = 0;
  /// The memory of the place from `at` to its end; null if the place is in a file or empty.
  virtual char *memory(uint64_t at) const { return nullptr; }

  /// From now on the page cache keeps nothing of it, where it is a file that does not fit there.
  virtual void leaveCache() {}

  // From any thread:
  virtual void read(Kind kind, void *to, size_t bytes, uint64_t at) = 0;
  /// Pieces that lie behind each other, together where the system does that.
  virtual void read(Kind kind, Span<const WantedPiece> pieces) = 0;
  virtual void write(Kind kind, const void *from, size_t bytes, uint64_t at) = 0;
  /// Counts what was read elsewhere as if it lay here, or was copied from or to its memory.
  void noteRead(Kind kind, size_t bytes) { bytesRead[kind] += bytes; }
  void noteWritten(Kind kind, size_t bytes) { bytesWritten[kind] += bytes; }
  /// Since this was made: of a file what was read and written, of memory what was copied.
  Traffic traffic() const;

protected:
  Spill() = default;
  uint64_t end = 0, allocated = 0;

private:
  std::array<std::atomic<uint64_t>, numKinds> bytesRead{}, bytesWritten{};
};

/// A file without a name, of which nothing is left when the process ends, however it ends. All of it is allocated
/// before anything is written, so that a disk which is too small is found at once. What was written of tables at once
/// has a checksum for each of its blocks, which is verified when all of the block is read at once.
class SpillFile : public Spill {
public:
  /// There is no file before `allocate`.
  explicit SpillFile(std::string folder, FileSystem &files = FileSystem::real())
      : folder(std::move(folder)), files(files) {}
  ~SpillFile() override;

  /// Makes the file, large enough for all places. Throws GNN_ERROR_IO with the folder named, as `read` and `write` do.
  void allocate() override;
  std::string name() const override { return "the spill file in " + folder; }
  void leaveCache() override { isPastCache = true; }
  void read(Kind kind, void *to, size_t bytes, uint64_t at) override;
  void read(Kind kind, Span<const WantedPiece> pieces) override;
  void write(Kind kind, const void *from, size_t bytes, uint64_t at) override;

private:
  struct Block {
    size_t bytes;
    uint64_t checksum;
  };
  void transfer(const WantedPiece &piece);
  void verify(const WantedPiece &piece, size_t begin, size_t end);
  void forget(uint64_t at, size_t bytes);

  const std::string folder;
  FileSystem &files;
  int file = -1;
  bool isPastCache = false;
  std::mutex mutex;
  std::map<uint64_t, Block> tables; // what of them was written, by place; none of these overlap
};

/// Memory of this process, for an engine that has its own.
class SpillMemory : public Spill {
public:
  /// Gives memory that the engine copies from and to.
  using Allocate = std::function<std::shared_ptr<void>(size_t)>;

  explicit SpillMemory(Allocate allocateBytes) : allocateBytes(std::move(allocateBytes)) {}

  /// Throws GNN_ERROR_MEMORY if there is not as much.
  void allocate() override;
  bool isMemory() const override { return true; }
  std::string name() const override { return "spilled memory"; }
  char *memory(uint64_t at) const override;
  void read(Kind kind, void *to, size_t bytes, uint64_t at) override;
  void read(Kind kind, Span<const WantedPiece> pieces) override;
  void write(Kind kind, const void *from, size_t bytes, uint64_t at) override;

private:
  const Allocate allocateBytes;
  std::map<uint64_t, std::shared_ptr<void>> pieces; // by where they begin; each has the places of an `allocate`
};

} // namespace gnn::rt

#endif // GNN_IO_SPILLFILE_H
