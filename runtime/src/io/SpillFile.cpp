//===- SpillFile.cpp - Where tables lie that are not at hand --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/SpillFile.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/PastCache.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <linux/magic.h>
#include <sys/vfs.h>

namespace gnn::rt {

namespace {

/// Of pages of memory and blocks of disks.
constexpr uint64_t alignment = 4096;
/// That have a checksum: few enough that knowing these takes little beside them, and no more than most ranges of rows.
constexpr size_t bytesOfBlock = 64 << 10;

/// Calls `transfer(done)` until all bytes are; it returns what pread and pwrite do.
template <class Transfer>
void transferAll(size_t bytes, const std::string &folder, const char *what, Transfer transfer) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t count = transfer(done);
    if (count < 0 && errno == EINTR)
      continue;
    require(count >= 0, GNN_ERROR_IO, "can't ", what, " the spill file in ", folder, ": ", std::strerror(errno));
    require(count > 0, GNN_ERROR_IO, "can't ", what, " the spill file in ", folder, ": it ends too early");
    done += size_t(count);
  }
}

/// What is transferred and what its checksum is made of at once: it is in a cache of the core then.
template <class Body> void forPieces(size_t begin, size_t end, Body body) {
  constexpr size_t bytesOfPiece = 256 << 10;
  for (; begin < end; begin += bytesOfPiece)
    body(begin, std::min(bytesOfPiece, end - begin));
}

/// Throws if it is not what was written to a place.
void requireUnchanged(const Spill &file, const char *block, size_t bytes, uint64_t at, uint64_t written) {
  require(checksumOfBlock({block, bytes}) == written, GNN_ERROR_IO, file.name(), " was changed or damaged: ", bytes,
          " bytes of tables at ", at, " are not those that were written there");
}

} // namespace

std::string defaultSpillFolder() {
  const char *folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/var/tmp";
}

bool isInMemory(const std::string &folder) {
  struct statfs found;
  return ::statfs(folder.c_str(), &found) == 0 && (found.f_type == TMPFS_MAGIC || found.f_type == RAMFS_MAGIC);
}

uint64_t Spill::add(size_t bytes) {
  const uint64_t begin = end;
  end += (bytes + alignment - 1) / alignment * alignment;
  return begin;
}

Spill::Traffic Spill::traffic() const {
  Traffic traffic;
  for (unsigned kind = 0; kind < numKinds; ++kind) {
    traffic.read[kind] = bytesRead[kind];
    traffic.written[kind] = bytesWritten[kind];
  }
  return traffic;
}

SpillFile::~SpillFile() {
  if (file >= 0)
    files.close(file);
}

void SpillFile::allocate() {
  if (allocated == end)
    return;
  if (file < 0)
    file = files.createScratch(folder.c_str());
  require(file >= 0, GNN_ERROR_IO, "can't make a spill file in ", folder, ": ", std::strerror(errno));
  require(files.allocate(file, end) == 0, GNN_ERROR_IO, "the spill file takes ", end, " bytes in ", folder, ": ",
          std::strerror(errno));
  allocated = end;
}

void SpillFile::transfer(const WantedPiece &wanted) {
  auto readPiece = [&](size_t begin, size_t count) {
    char *piece = static_cast<char *>(wanted.to) + begin;
    transferAll(count, folder, "read",
                [&](size_t done) { return files.readAt(file, piece + done, count - done, wanted.at + begin + done); });
    verify(wanted, begin, begin + count);
  };
  if (isPastCache)
    readPastCache(files, file, wanted.bytes, wanted.at,
                  [&](size_t begin, size_t count) { forPieces(begin, begin + count, readPiece); });
  else
    forPieces(0, wanted.bytes, readPiece);
}

/// Of a piece that has been read up to `end`, the blocks that lie in it and end after `begin`.
void SpillFile::verify(const WantedPiece &piece, size_t begin, size_t end) {
  for (size_t next = 0;;) {
    Block block{};
    size_t at = 0; // in the piece
    {
      const std::lock_guard lock(mutex);
      const uint64_t first = std::max(piece.at + next, piece.at + begin - std::min(begin, bytesOfBlock - 1));
      const auto found = tables.lower_bound(first);
      if (found == tables.end() || found->first + found->second.bytes > piece.at + end)
        return;
      at = size_t(found->first - piece.at);
      block = found->second;
    }
    next = at + block.bytes;
    if (next > begin)
      requireUnchanged(*this, static_cast<const char *>(piece.to) + at, block.bytes, piece.at + at, block.checksum);
  }
}

void SpillFile::read(Kind kind, void *to, size_t bytes, uint64_t at) {
  transfer({to, bytes, at});
  noteRead(kind, bytes);
}

/// Most of many pieces have no whole block: to look for each of them takes longer than to go by all blocks once.
void SpillFile::read(Kind kind, Span<const WantedPiece> pieces) {
  if (pieces.size() == 1)
    return read(kind, pieces[0].to, pieces[0].bytes, pieces[0].at);
  std::vector<bool> isVerified(pieces.size(), false);
  readPieces(files, file, pieces, isPastCache, [&](const WantedPiece &piece) {
    transfer(piece);
    isVerified[size_t(&piece - pieces.begin())] = true;
  });
  struct Found {
    const char *bytes;
    uint64_t at;
    Block block;
  };
  std::vector<Found> blocks;
  size_t bytes = 0;
  {
    const std::lock_guard lock(mutex);
    auto next = pieces.empty() ? tables.end() : tables.lower_bound(pieces[0].at);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const WantedPiece &piece = pieces[i];
      bytes += piece.bytes;
      while (next != tables.end() && next->first < piece.at)
        ++next;
      for (; next != tables.end() && next->first + next->second.bytes <= piece.at + piece.bytes; ++next)
        if (!isVerified[i])
          blocks.push_back({static_cast<const char *>(piece.to) + (next->first - piece.at), next->first, next->second});
    }
  }
  for (const Found &found : blocks)
    requireUnchanged(*this, found.bytes, found.block.bytes, found.at, found.block.checksum);
  noteRead(kind, bytes);
}

void SpillFile::write(Kind kind, const void *from, size_t bytes, uint64_t at) {
  forget(at, bytes);
  std::map<uint64_t, Block> written;
  auto writePiece = [&](size_t begin, size_t count) {
    const char *piece = static_cast<const char *>(from) + begin;
    for (size_t done = 0; done < count && kind == Tables; done += bytesOfBlock) {
      const size_t block = std::min(bytesOfBlock, count - done);
      written[at + begin + done] = {block, checksumOfBlock({piece + done, block})};
    }
    transferAll(count, folder, "write",
                [&](size_t done) { return files.writeAt(file, piece + done, count - done, at + begin + done); });
  };
  if (isPastCache)
    require(writePastCache(files, file, bytes, at,
                           [&](size_t begin, size_t count) { forPieces(begin, begin + count, writePiece); }) == 0,
            GNN_ERROR_IO, "can't write ", name(), ": ", std::strerror(errno));
  else
    forPieces(0, bytes, writePiece);
  noteWritten(kind, bytes);
  const std::lock_guard lock(mutex);
  tables.merge(written);
}

/// What lies there, as a whole or in part.
void SpillFile::forget(uint64_t at, size_t bytes) {
  const std::lock_guard lock(mutex);
  auto first = tables.lower_bound(at);
  if (first != tables.begin() && std::prev(first)->first + std::prev(first)->second.bytes > at)
    --first;
  tables.erase(first, tables.lower_bound(at + bytes));
}

void SpillMemory::allocate() {
  if (allocated == end)
    return;
  pieces.emplace(allocated, allocateBytes(end - allocated));
  allocated = end;
}

char *SpillMemory::memory(uint64_t at) const {
  if (at == allocated)
    return nullptr;
  const auto &[begin, piece] = *std::prev(pieces.upper_bound(at));
  return static_cast<char *>(piece.get()) + (at - begin);
}

void SpillMemory::read(Kind, void *to, size_t bytes, uint64_t at) {
  if (bytes > 0)
    std::memcpy(to, memory(at), bytes);
}

void SpillMemory::read(Kind kind, Span<const WantedPiece> pieces) {
  for (const WantedPiece &piece : pieces)
    read(kind, piece.to, piece.bytes, piece.at);
}

void SpillMemory::write(Kind, const void *from, size_t bytes, uint64_t at) {
  if (bytes > 0)
    std::memcpy(memory(at), from, bytes);
}

} // namespace gnn::rt
