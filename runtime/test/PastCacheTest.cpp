//===- PastCacheTest.cpp - Files that the page cache is not to keep -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/PastCache.h"

#include "runtime/src/io/SpillFile.h"
#include "runtime/test/FaultyFiles.h"
#include "runtime/test/TemporaryFolder.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>

using namespace gnn::rt;

namespace {

constexpr size_t kilo = 1 << 10;

/// Tells what is asked of the page cache.
class ToldFiles : public FileSystem {
public:
  std::string told;

  void expectRead(int, uint64_t at, size_t size) override { tell("expect", at, size); }
  int writeOut(int, uint64_t at, size_t size, bool waits) override {
    tell(waits ? "await" : "begin", at, size);
    errno = EIO;
    return fails ? -1 : 0;
  }
  void uncache(int, uint64_t at, size_t size) override { tell("drop", at, size); }
  std::vector<bool> readTogether(int, Span<const WantedPiece> pieces) override {
    tell("together", pieces[0].at, pieces.size() * kilo);
    return std::vector<bool>(pieces.size(), isTogether);
  }
  bool fails = false, isTogether = false;

  /// In kilobytes.
  void tell(const char *what, uint64_t at, size_t size) {
    told += what + (" " + std::to_string(at >> 10)) + "+" + std::to_string(size >> 10) + " ";
  }
};

} // namespace

TEST_CASE("a piece is on its way from the disk while the one before it is copied, and dropped when it has been") {
  ToldFiles files;
  readPastCache(files, /*file=*/-1, 4100 * kilo, /*at=*/100 * kilo,
                [&](size_t done, size_t bytes) { files.tell("read", done, bytes); });
  CHECK(files.told == "expect 100+2048 expect 2148+2048 read 0+2048 drop 100+2048 "
                      "expect 4196+4 read 2048+2048 drop 2148+2048 read 4096+4 drop 4196+4 ");
  files.told.clear();
  readPastCache(files, -1, 0, 0, [](size_t, size_t) { FAIL("there is nothing to read"); });
  CHECK(files.told.empty());
}

TEST_CASE("a piece is on its way to the disk while the next one is copied, and all are there in the end") {
  ToldFiles files;
  auto write = [&](size_t done, size_t bytes) { files.tell("write", done, bytes); };
  CHECK(writePastCache(files, /*file=*/-1, 4096 * kilo, /*at=*/100 * kilo, write) == 0);
  CHECK(files.told == "write 0+2048 begin 100+2048 write 2048+2048 begin 2148+2048 await 100+2048 drop 100+2048 "
                      "await 2148+2048 drop 2148+2048 ");
  files.fails = true;
  errno = 0;
  CHECK(writePastCache(files, -1, kilo, 0, write) == -1);
  CHECK(errno == EIO);
  CHECK(writePastCache(files, -1, 0, 0, write) == 0);
}

TEST_CASE("as many pieces are in the cache as one piece of a large read, and all they touch is dropped together") {
  ToldFiles files;
  const std::vector<WantedPiece> pieces = {
      {nullptr, 1000 * kilo, 101 * kilo}, {nullptr, 1000 * kilo, 3000 * kilo}, {nullptr, 1000 * kilo, 5001 * kilo}};
  auto read = [&](bool isPastCache) {
    files.told.clear();
    readPieces(files, /*file=*/-1, pieces, isPastCache,
               [&](const WantedPiece &piece) { files.tell("read", piece.at, piece.bytes); });
    return files.told;
  };
  CHECK(read(true) == "together 101+2 read 101+1000 read 3000+1000 read 5001+1000 ");
  files.isTogether = true;
  CHECK(read(true) == "together 101+2 drop 100+3900 read 5001+1000 ");
  CHECK(read(false) == "together 101+3 ");
}

TEST_CASE("a spill file past the page cache has what was written, and says when the disk has failed") {
  TemporaryFolder folder;
  ToldFiles files;
  SpillFile file(folder.path(), files);
  const uint64_t first = file.add(5000 * kilo), second = file.add(kilo);
  file.leaveCache();
  file.allocate();
  std::vector<uint32_t> wide(5000 * kilo / sizeof(uint32_t)), narrow(kilo / sizeof(uint32_t), 7), read(wide.size());
  std::iota(wide.begin(), wide.end(), 0u);
  file.write(Spill::Tables, wide.data(), 5000 * kilo, first);
  file.write(Spill::Tables, narrow.data(), kilo, second);
  file.read(Spill::Tables, read.data(), 5000 * kilo, first);
  CHECK(read == wide);
  CHECK_THAT(files.told,
             Catch::Contains("await 4096+904 drop 4096+904 begin 5000+1 await 5000+1 drop 5000+1 expect 0+2048"));
  files.fails = true;
  CHECK_THROWS_WITH(file.write(Spill::Tables, narrow.data(), kilo, second),
                    "can't write the spill file in " + folder.path() + ": Input/output error");
}
