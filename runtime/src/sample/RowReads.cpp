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

/// Of the wanted rows those [begin, end) in one read.
struct Read {
  size_t begin, end;
};

std::vector<Read> readsOf(std::vector<WantedRow> &wanted, size_t rowBytes) {
  std::sort(wanted.begin(), wanted.end(), [](const WantedRow &a, const WantedRow &b) { return a.row < b.row; });
  std::vector<Read> reads;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const bool goesOn = !reads.empty() && size_t(wanted[i].row - wanted[i - 1].row - 1) * rowBytes <= mostSkipped &&
                        size_t(wanted[i].row - wanted[reads.back().begin].row + 1) * rowBytes <= mostBytes;
    if (goesOn)
      reads.back().end = i + 1;
    else
      reads.push_back({i, i + 1});
  }
  return reads;
}

size_t scratchBytes(size_t rowBytes) { return std::max(mostBytes, rowBytes); }

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

int64_t readRows(std::vector<WantedRow> &wanted, size_t rowBytes, const ReadOfRows &read) {
  const std::vector<Read> reads = readsOf(wanted, rowBytes);
  std::atomic<size_t> next{0};
  auto work = [&] {
    Buffer<char> scratch;
    for (size_t i = next++; i < reads.size(); i = next++) {
      const Read &at = reads[i];
      const int64_t first = wanted[at.begin].row, count = wanted[at.end - 1].row - first + 1;
      if (at.end - at.begin == 1) {
        read(first, 1, wanted[at.begin].to);
        continue;
      }
      if (scratch.empty())
        scratch = Buffer<char>(scratchBytes(rowBytes));
      read(first, count, scratch.data());
      for (size_t w = at.begin; w < at.end; ++w)
        std::memcpy(wanted[w].to, scratch.data() + size_t(wanted[w].row - first) * rowBytes, rowBytes);
    }
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
