//===- DiskProbe.cpp - How fast a disk reads and writes -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/DiskProbe.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/PastCache.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <vector>

namespace gnn::train_tool {

using namespace rt;

namespace {

/// Of which a file that is written past the page cache has two under way.
constexpr size_t bytesOfPiece = size_t(4) << 20;
/// Of writing and of reading.
constexpr double enoughSeconds = 2;

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Of what `transfer` does, which returns how many bytes these were.
template <class Transfer> double rateWhile(size_t mostBytes, Transfer transfer) {
  std::vector<std::pair<double, double>> bytesAt{{0, 0}};
  const Clock::time_point begin = Clock::now();
  while (bytesAt.back().first < double(mostBytes) && bytesAt.back().second < enoughSeconds) {
    const size_t bytes = transfer();
    bytesAt.emplace_back(bytesAt.back().first + double(bytes), secondsSince(begin));
  }
  return rateOf(bytesAt);
}

/// A file without a name, which the page cache keeps nothing of.
class ScratchFile {
public:
  ScratchFile(const std::string &in, size_t bytes) : folder(in), file(files.createScratch(folder.c_str())) {
    check(file >= 0, "make");
    check(files.allocate(file, bytes + bytesOfPiece) == 0, "make");
  }
  ~ScratchFile() {
    if (file >= 0)
      files.close(file);
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  void write(const std::vector<char> &piece, size_t at) {
    const int done = writePastCache(files, file, piece.size(), at, [&](size_t begin, size_t count) {
      const ssize_t written = files.writeAt(file, piece.data() + begin, count, at + begin);
      errno = written >= 0 ? ENOSPC : errno; // in case it is short
      check(written == ssize_t(count), "write");
    });
    check(done == 0, "write");
  }
  void read(std::vector<char> &piece, size_t at) {
    readPastCache(files, file, piece.size(), at, [&](size_t begin, size_t count) {
      const ssize_t got = files.readAt(file, piece.data() + begin, count, at + begin);
      errno = got >= 0 ? EIO : errno;
      check(got == ssize_t(count), "read");
    });
  }
  /// From now on each read asks the disk for no more: what is read ahead would seem to come from a faster one.
  void expectNothing() { ::posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM); }

private:
  void check(bool isDone, const char *what) {
    require(isDone, GNN_ERROR_IO, "can't ", what, " a file in ", folder, ": ", std::strerror(errno));
  }
  FileSystem &files = FileSystem::real();
  const std::string folder;
  const int file;
};

} // namespace

double rateOf(const std::vector<std::pair<double, double>> &bytesAt) {
  const size_t first = bytesAt.size() / 4, count = bytesAt.size() - first;
  double bytes = 0, seconds = 0, square = 0, product = 0;
  for (size_t i = first; i < bytesAt.size(); ++i) {
    bytes += bytesAt[i].first / double(count);
    seconds += bytesAt[i].second / double(count);
  }
  for (size_t i = first; i < bytesAt.size(); ++i) {
    square += (bytesAt[i].first - bytes) * (bytesAt[i].first - bytes);
    product += (bytesAt[i].first - bytes) * (bytesAt[i].second - seconds);
  }
  return product > 0 ? square / product : bytes / std::max(seconds, 1e-9);
}

DiskRates measureDisk(const std::string &folder, size_t mostBytes) {
  ScratchFile file(folder, mostBytes);
  std::vector<char> piece(bytesOfPiece, 'x');
  size_t written = 0, read = 0;
  const double writes = rateWhile(mostBytes, [&] {
    file.write(piece, written);
    written += bytesOfPiece;
    return bytesOfPiece;
  });
  file.expectNothing();
  const double reads = rateWhile(written, [&] {
    file.read(piece, read);
    read += bytesOfPiece;
    return bytesOfPiece;
  });
  return {reads, writes};
}

} // namespace gnn::train_tool
