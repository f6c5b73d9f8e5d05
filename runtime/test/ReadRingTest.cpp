//===- ReadRingTest.cpp - Reads that are under way together ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/ReadRing.h"

#include "FaultyFiles.h"
#include "TemporaryFolder.h"
#include "gnn/error.hpp"
#include "runtime/src/io/InputFile.h"
#include "runtime/src/io/PastCache.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gnn::rt;

namespace {

constexpr size_t pieceBytes = 700, stride = 5000;

/// A file of numbers, and pieces that are scattered in it.
struct Scattered {
  explicit Scattered(size_t count) : path(folder.path("numbers")), found(count * pieceBytes) {
    std::vector<uint32_t> numbers(count * stride / sizeof(uint32_t));
    std::iota(numbers.begin(), numbers.end(), 0u);
    bytes.assign(reinterpret_cast<char *>(numbers.data()), reinterpret_cast<char *>(&*numbers.end()));
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    for (size_t i = 0; i < count; ++i)
      pieces.push_back({found.data() + i * pieceBytes, pieceBytes, i * stride + i % 7});
  }
  /// Whether piece `i` was read.
  bool has(size_t i) const {
    return std::equal(found.begin() + std::ptrdiff_t(i * pieceBytes),
                      found.begin() + std::ptrdiff_t((i + 1) * pieceBytes),
                      bytes.begin() + std::ptrdiff_t(pieces[i].at));
  }
  bool hasAll() const {
    for (size_t i = 0; i < pieces.size(); ++i)
      if (!has(i))
        return false;
    return true;
  }

  TemporaryFolder folder;
  const std::string path;
  std::vector<char> bytes, found;
  std::vector<WantedPiece> pieces;
};

/// Reads every second piece together, and is told what leaves the cache.
class HalfTogether : public FaultyFiles {
public:
  std::vector<uint64_t> dropped; // begins and ends

  bool readsTogether() override { return true; }
  std::vector<bool> readTogether(int file, Span<const WantedPiece> pieces) override {
    std::vector<bool> isThere(pieces.size());
    for (size_t i = 0; i < pieces.size(); i += 2)
      isThere[i] = ::pread(file, pieces[i].to, pieces[i].bytes, off_t(pieces[i].at)) == ssize_t(pieces[i].bytes);
    return isThere;
  }
  void uncache(int, uint64_t at, size_t size) override { dropped.insert(dropped.end(), {at, at + size}); }
};

/// Reads together until the system takes no more: then the ring is closed, and nothing comes together any more.
class ClosesInTheMiddle : public FaultyFiles {
public:
  size_t numLeft; // that it takes

  explicit ClosesInTheMiddle(size_t count) : numLeft(count) {}
  bool readsTogether() override { return true; }
  std::vector<bool> readTogether(int file, Span<const WantedPiece> pieces) override {
    std::vector<bool> isThere(pieces.size());
    for (size_t i = 0; i < pieces.size() && numLeft > 0; ++i, --numLeft)
      isThere[i] = ::pread(file, pieces[i].to, pieces[i].bytes, off_t(pieces[i].at)) == ssize_t(pieces[i].bytes);
    return isThere;
  }
  ssize_t readAt(int file, void *data, size_t size, uint64_t at) override {
    ++numAlone;
    return FaultyFiles::readAt(file, data, size, at);
  }

  size_t numAlone = 0;
};

/// Without io_uring there is nothing to test.
bool hasRings() {
  if (!canReadInRings())
    WARN("skipped: this build or this system has no io_uring");
  return canReadInRings();
}

} // namespace

TEST_CASE("a ring reads more pieces than are under way at a time, from several threads") {
  if (!hasRings())
    return;
  Scattered scattered(1000);
  const int file = ::open(scattered.path.c_str(), O_RDONLY);
  const Span<const WantedPiece> all = scattered.pieces;
  std::vector<bool> first, second;
  std::thread other([&] { second = readInRing(file, all.slice(500, 500)); });
  first = readInRing(file, all.slice(0, 500));
  other.join();
  CHECK((first == std::vector<bool>(500, true) && second == std::vector<bool>(500, true)));
  CHECK(scattered.hasAll());
  CHECK(readInRing(file, {}).empty());
  ::close(file);
}

TEST_CASE("a ring says which pieces are not there as a whole, and goes on after a failure") {
  if (!hasRings())
    return;
  Scattered scattered(200);
  const int file = ::open(scattered.path.c_str(), O_RDONLY);
  CHECK(readInRing(/*file=*/-1, scattered.pieces) == std::vector<bool>(200, false));
  std::filesystem::resize_file(scattered.path, 150 * stride + 10); // within piece 150
  const std::vector<bool> isThere = readInRing(file, scattered.pieces);
  for (size_t i = 0; i < 200; ++i)
    CHECK((isThere[i] == (i < 150) && scattered.has(i) == (i < 150)));
  std::vector<char> large(3 << 20);
  CHECK(readInRing(file, std::vector<WantedPiece>{{large.data(), large.size(), 0}}) == std::vector<bool>{false});
  ::close(file);
}

TEST_CASE("what lies between the pieces of a ring is not read") {
  if (!hasRings())
    return;
  constexpr size_t page = 4096, pages = 256;
  Scattered scattered(pages * page / stride + 1);
  const int file = ::open(scattered.path.c_str(), O_RDONLY);
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  void *mapped = ::mmap(nullptr, pages * page, PROT_READ, MAP_SHARED, file, 0);
  REQUIRE(mapped != MAP_FAILED);
  auto cached = [&] {
    std::vector<unsigned char> are(pages);
    REQUIRE(::mincore(mapped, pages * page, are.data()) == 0);
    return std::count_if(are.begin(), are.end(), [](unsigned char is) { return is & 1; });
  };
  if (cached() > 0)
    WARN("skipped: this file system keeps what it has in memory");
  else {
    std::vector<char> here(pages);
    std::vector<WantedPiece> every; // third page
    for (size_t at = 0; at < pages; at += 3)
      every.push_back({&here[at], 1, at * page});
    CHECK(readInRing(file, every) == std::vector<bool>(every.size(), true));
    CHECK(size_t(cached()) == every.size());
  }
  ::munmap(mapped, pages * page);
  ::close(file);
}

TEST_CASE("a process that was forked has no part in the ring of its parent") {
  if (!hasRings())
    return;
  Scattered scattered(100);
  const int file = ::open(scattered.path.c_str(), O_RDONLY);
  CHECK(readInRing(file, scattered.pieces) == std::vector<bool>(100, true));
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(readInRing(file, scattered.pieces) == std::vector<bool>(100, false) ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(readInRing(file, scattered.pieces) == std::vector<bool>(100, true));
  ::close(file);
}

TEST_CASE("pieces that did not come together are read one by one, and past the cache the others leave it") {
  Scattered scattered(1000);
  HalfTogether files;
  files.isShort = true;
  InputFile file(scattered.path, files);
  file.read(scattered.pieces);
  CHECK(scattered.hasAll());
  CHECK(files.dropped.empty());
  std::fill(scattered.found.begin(), scattered.found.end(), 0);
  file.leaveCache();
  file.read(scattered.pieces);
  CHECK(scattered.hasAll());
  CHECK_FALSE(files.dropped.empty());
}

TEST_CASE("what a ring that was closed in the middle leaves is read one by one, and so is all that follows") {
  Scattered scattered(1000);
  ClosesInTheMiddle files(333);
  InputFile file(scattered.path, files);
  file.read(scattered.pieces);
  CHECK(scattered.hasAll());
  CHECK(files.numAlone == 667);
  std::fill(scattered.found.begin(), scattered.found.end(), 0);
  file.read(scattered.pieces);
  CHECK(scattered.hasAll());
  CHECK(files.numAlone == 1667);
  // The same past the cache.
  std::fill(scattered.found.begin(), scattered.found.end(), 0);
  files.numLeft = 500;
  file.leaveCache();
  file.read(scattered.pieces);
  CHECK(scattered.hasAll());
  CHECK(files.numLeft == 0);
}

TEST_CASE("a failure has the same message whether pieces are read together or not") {
  for (const bool together : {false, true}) {
    Scattered scattered(100);
    HalfTogether halves;
    FaultyFiles faulty;
    FaultyFiles &files = together ? halves : faulty;
    InputFile file(scattered.path, files);
    files.failAt = files.calls;
    CHECK_THROWS_WITH(file.read(scattered.pieces),
                      Catch::Contains("numbers: can't read byte ") && Catch::Contains("Input/output error"));
    file.read(scattered.pieces);
    CHECK(scattered.hasAll());
    std::filesystem::resize_file(scattered.path, 99 * stride + 50);
    CHECK_THROWS_WITH(
        file.read(scattered.pieces),
        Catch::Contains("numbers: it ends at byte " + std::to_string(99 * stride + 50) + ", and was longer"));
  }
  Scattered scattered(100);
  InputFile file(scattered.path);
  file.read(scattered.pieces);
  CHECK(scattered.hasAll());
  std::filesystem::resize_file(scattered.path, 98 * stride + 100);
  CHECK_THROWS_WITH(file.read(scattered.pieces),
                    Catch::Contains("numbers: it ends at byte " + std::to_string(98 * stride + 100)));
}
