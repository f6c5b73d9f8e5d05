//===- PastCache.cpp - Files that the page cache is not to keep -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/PastCache.h"

#include <algorithm>

namespace gnn::rt {

/// Large enough for a disk, and little beside any limit: two of them are in the cache.
static constexpr size_t bytesOfPiece = size_t(2) << 20;

void readPastCache(FileSystem &files, int file, size_t bytes, uint64_t at, const TransferPiece &read) {
  auto expect = [&](size_t from) {
    if (from < bytes)
      files.expectRead(file, at + from, std::min(bytesOfPiece, bytes - from));
  };
  expect(0);
  for (size_t done = 0; done < bytes; done += bytesOfPiece) {
    expect(done + bytesOfPiece);
    const size_t piece = std::min(bytesOfPiece, bytes - done);
    read(done, piece);
    files.uncache(file, at + done, piece);
  }
}

/// As many of the first as are in the cache at a time.
static Span<const WantedPiece> firstOf(Span<const WantedPiece> pieces, bool isPastCache) {
  size_t count = 0, bytes = 0;
  while (count < pieces.size() && (!isPastCache || count == 0 || bytes + pieces[count].bytes <= bytesOfPiece))
    bytes += pieces[count++].bytes;
  return pieces.slice(0, count);
}

void readPieces(FileSystem &files, int file, Span<const WantedPiece> pieces, bool isPastCache,
                const std::function<void(const WantedPiece &)> &readPiece) {
  constexpr uint64_t page = 4096;
  while (!pieces.empty()) {
    const Span<const WantedPiece> first = firstOf(pieces, isPastCache);
    std::vector<bool> isThere(first.size(), false);
    if (first.size() > 1)
      isThere = files.readTogether(file, first);
    bool isAnyThere = false;
    for (size_t i = 0; i < first.size(); ++i) {
      isAnyThere |= isThere[i];
      if (!isThere[i])
        readPiece(first[i]);
    }
    if (const WantedPiece &last = first[first.size() - 1]; isPastCache && isAnyThere) {
      const uint64_t begin = first[0].at / page * page, end = (last.at + last.bytes + page - 1) / page * page;
      files.uncache(file, begin, end - begin);
    }
    pieces = pieces.slice(first.size(), pieces.size() - first.size());
  }
}

int writePastCache(FileSystem &files, int file, size_t bytes, uint64_t at, const TransferPiece &write) {
  auto end = [&](size_t from) {
    const size_t piece = std::min(bytesOfPiece, bytes - from);
    if (files.writeOut(file, at + from, piece, /*waits=*/true) != 0)
      return -1;
    files.uncache(file, at + from, piece);
    return 0;
  };
  for (size_t done = 0; done < bytes; done += bytesOfPiece) {
    const size_t piece = std::min(bytesOfPiece, bytes - done);
    write(done, piece);
    if (files.writeOut(file, at + done, piece, /*waits=*/false) != 0)
      return -1;
    if (done > 0 && end(done - bytesOfPiece) != 0)
      return -1;
  }
  return bytes > 0 ? end((bytes - 1) / bytesOfPiece * bytesOfPiece) : 0;
}

} // namespace gnn::rt
