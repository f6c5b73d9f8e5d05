//===- RowReads.cpp - Scattered rows of a file ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/RowReads.h"

#include "runtime/src/core/Buffer.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>
#include <system_error>

namespace gnn::rt {

namespace {

constexpr size_t mostBytes = size_t(64) << 10; // of a read, unless a row has more
constexpr size_t mostSkipped = 4096;           // between two rows of a read: it would be read of the disk anyway
constexpr size_t mostAtOnce = 16;              // reads under way
constexpr size_t readsOfThread = 8;            // fewer are not worth one more
constexpr size_t readsTogether = 1024;         // that are given to the system at once, which has fewer under way

/// Of the wanted rows those [begin, end) in one read.
struct Read {
  size_t begin, end;
};

std::vector<Read> readsOf(std::vector<WantedRow> &wanted, size_t rowBytes) {
  auto isBefore = [](const WantedRow &a, const WantedRow &b) { return a.row < b.row; };
  if (!std::is_sorted(wanted.begin(), wanted.end(), isBefore))
    std::sort(wanted.begin(), wanted.end(), isBefore);
  std::vector<Read> reads;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const bool goesOn = !reads.empty() &&
                        (wanted[i].row - wanted[i - 1].row - 1) * int64_t(rowBytes) <= int64_t(mostSkipped) &&
                        size_t(wanted[i].row - wanted[reads.back().begin].row + 1) * rowBytes <= mostBytes;
    if (goesOn)
      reads.back().end = i + 1;
    else
      reads.push_back({i, i + 1});
  }
  return reads;
}

size_t scratchBytes(size_t rowBytes) { return std::max(mostBytes, rowBytes); }

/// Reads some of `reads` at a time: of one row to where it is wanted, of several to memory of this thread first.
class Reader {
public:
  Reader(const std::vector<WantedRow> &wanted, size_t rowBytes, const ReadOfRows &read)
      : wanted(wanted), rowBytes(rowBytes), read(read) {}

  /// From `begin` on, as many as there is room for and one at least. Returns where those after them begin.
  size_t readSome(const std::vector<Read> &reads, size_t begin, size_t most, size_t room) {
    std::vector<WantedRows> asked;
    size_t used = 0, end = begin;
    for (; end < reads.size() && asked.size() < most; ++end) {
      const int64_t first = wanted[reads[end].begin].row, count = wanted[reads[end].end - 1].row - first + 1;
      const size_t bytes = isOfOne(reads[end]) ? 0 : size_t(count) * rowBytes;
      if (used + bytes > room)
        break;
      if (bytes > 0 && scratch.empty())
        scratch = Buffer<char>(room);
      asked.push_back({first, count, bytes > 0 ? scratch.data() + used : wanted[reads[end].begin].to});
      used += bytes;
    }
    read(asked);
    for (size_t i = 0; i < asked.size(); ++i)
      take(reads[begin + i], asked[i]);
    return end;
  }

private:
  static bool isOfOne(const Read &at) { return at.end - at.begin == 1; }
  void take(const Read &at, const WantedRows &from) const {
    for (size_t w = at.begin; w < at.end && !isOfOne(at); ++w)
      std::memcpy(wanted[w].to, static_cast<char *>(from.to) + size_t(wanted[w].row - from.first) * rowBytes, rowBytes);
  }

  const std::vector<WantedRow> &wanted;
  const size_t rowBytes;
  const ReadOfRows &read;
  Buffer<char> scratch;
};

} // namespace

size_t bytesOfReads(size_t rowBytes) { return mostAtOnce * scratchBytes(rowBytes); }

ReadSize sizeOfReads(std::vector<WantedRow> &wanted, size_t rowBytes) {
  ReadSize size;
  for (const Read &read : readsOf(wanted, rowBytes)) {
    ++size.reads;
    size.bytes += uint64_t(wanted[read.end - 1].row - wanted[read.begin].row + 1) * rowBytes;
  }
  return size;
}

int64_t readRows(std::vector<WantedRow> &wanted, size_t rowBytes, bool together, const ReadOfRows &read) {
  const std::vector<Read> reads = readsOf(wanted, rowBytes);
  if (together) {
    Reader reader(wanted, rowBytes, read);
    for (size_t next = 0; next < reads.size();)
      next = reader.readSome(reads, next, readsTogether, bytesOfReads(rowBytes));
    return int64_t(reads.size());
  }
  std::atomic<size_t> next{0};
  auto work = [&] {
    Reader reader(wanted, rowBytes, read);
    for (size_t i = next++; i < reads.size(); i = next++)
      reader.readSome(reads, i, /*most=*/1, scratchBytes(rowBytes));
  };
  std::vector<std::future<void>> others; // last: what they touch outlives them
  const size_t threads = std::min(mostAtOnce, reads.size() / readsOfThread);
  for (size_t t = 1; t < threads; ++t)
    try {
      others.push_back(std::async(std::launch::async, work));
    } catch (const std::system_error &) { // no thread is to be had: the others read more
      break;
    }
  work();
  for (std::future<void> &other : others)
    other.get();
  return int64_t(reads.size());
}

} // namespace gnn::rt
