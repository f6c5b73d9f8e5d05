//===- FileSystemTest.cpp - Tests of atomic writing ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every system call of a write is made to fail, in several ways, and the old file must survive each time.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/test/FaultyWrites.h"
#include "runtime/test/TemporaryFolder.h"
#include <catch2/catch.hpp>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gnn::rt;

namespace {

void save(const std::string &path, const std::string &a, const std::string &b, FileSystem &files) {
  atomicWrite(path, {{a.data(), a.size()}, {b.data(), b.size()}}, files);
}

} // namespace

TEST_CASE("a write replaces the file") {
  TemporaryFolder folder;
  std::string path = folder.path("f");
  save(path, "ab", "cd", FileSystem::real());
  CHECK(folder.read("f") == "abcd");
  save(path, "", "", FileSystem::real());
  CHECK(folder.read("f").empty());
  CHECK(folder.names() == std::vector<std::string>{"f"});
}

TEST_CASE("the old file survives a failure of any call") {
  TemporaryFolder folder;
  bool shortWrites = GENERATE(false, true), hasUnnamed = GENERATE(false, true);
  FaultyWrites counting;
  counting.shortWrites = shortWrites;
  counting.hasUnnamed = hasUnnamed;
  save(folder.path("f"), "ab", "cd", counting);
  for (int error : {ENOSPC, EIO}) {
    for (int failAt = 0; failAt < counting.calls; ++failAt) {
      folder.write("f", "the old content");
      FaultyWrites files;
      files.failAt = failAt;
      files.error = error;
      files.shortWrites = shortWrites;
      files.hasUnnamed = hasUnnamed;
      try {
        save(folder.path("f"), "ab", "cd", files);
        FAIL("call " << failAt << " failed unnoticed");
      } catch (const gnn::Error &failure) {
        CHECK(failure.code() == GNN_ERROR_IO);
        CHECK(std::string(failure.what()).find(folder.path("f")) == 0);
      }
      CHECK(folder.read("f") == (files.renamed ? "abcd" : "the old content"));
      CHECK(folder.names() == std::vector<std::string>{"f"});
    }
  }
}

TEST_CASE("content is on the disk before it replaces the old file, and then the directory is") {
  class LoggingFiles : public FileSystem {
  public:
    std::vector<std::string> log;
    int sync(int file) override { return log.push_back("sync"), FileSystem::sync(file); }
    int rename(const char *from, const char *to) override {
      return log.push_back("rename"), FileSystem::rename(from, to);
    }
    int syncDirectory(const char *path) override { return log.push_back(path), FileSystem::syncDirectory(path); }
  } files;
  TemporaryFolder folder;
  save(folder.path("f"), "ab", "cd", files);
  CHECK(files.log == std::vector<std::string>{"sync", "rename", folder.path()});
}

TEST_CASE("a program that is killed while it writes leaves nothing, where files need no name") {
  class WatchingFiles : public FileSystem {
  public:
    explicit WatchingFiles(const TemporaryFolder &folder) : folder(folder) {}
    ssize_t write(int file, const void *data, size_t size) override {
      seen.push_back(folder.names());
      return FileSystem::write(file, data, size);
    }
    const TemporaryFolder &folder;
    std::vector<std::vector<std::string>> seen;
  };
  TemporaryFolder folder;
  WatchingFiles files(folder);
  const int unnamed = files.createUnnamed(folder.path().c_str());
  if (unnamed < 0)
    return;
  ::close(unnamed);
  save(folder.path("f"), "ab", "cd", files);
  save(folder.path("f"), "ef", "gh", files);
  using Names = std::vector<std::string>;
  CHECK(files.seen == std::vector<Names>{{}, {}, {"f"}, {"f"}});
  CHECK(folder.read("f") == "efgh");
}

TEST_CASE("interrupted writes are repeated") {
  TemporaryFolder folder;
  FaultyWrites files;
  files.failAt = 1; // the first write
  files.error = EINTR;
  save(folder.path("f"), "ab", "cd", files);
  CHECK(folder.read("f") == "abcd");
}

TEST_CASE("links stay and what they lead to is replaced, with its mode") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("inner"));
  folder.write("inner/f", "the old content");
  std::filesystem::permissions(folder.path("inner/f"), std::filesystem::perms(0640));
  std::filesystem::create_symlink("inner/f", folder.path("link"));
  std::filesystem::create_symlink("inner/new", folder.path("dangling"));
  std::filesystem::create_symlink("loop", folder.path("loop"));
  save(folder.path("link"), "ab", "cd", FileSystem::real());
  save(folder.path("dangling"), "ab", "cd", FileSystem::real());
  CHECK_THROWS_AS(save(folder.path("loop"), "ab", "cd", FileSystem::real()), gnn::Error);
  CHECK(std::filesystem::is_symlink(folder.path("link")));
  CHECK(std::filesystem::is_symlink(folder.path("dangling")));
  CHECK(std::filesystem::is_symlink(folder.path("loop")));
  CHECK(folder.read("inner/f") == "abcd");
  CHECK(folder.read("inner/new") == "abcd");
  CHECK(std::filesystem::status(folder.path("inner/f")).permissions() == std::filesystem::perms(0640));
}

TEST_CASE("a pipe is written where it is") {
  TemporaryFolder folder;
  std::string path = folder.path("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  save(path, "ab", "cd", FileSystem::real());
  char text[8];
  CHECK(::read(reader, text, sizeof text) == 4);
  for (int failAt = 0; failAt < 3; ++failAt) { // open and two writes
    FaultyWrites files;
    files.failAt = failAt;
    files.error = EIO;
    CHECK_THROWS_AS(save(path, "ab", "cd", files), gnn::Error);
  }
  ::close(reader);
  CHECK(std::filesystem::is_fifo(path));
  CHECK(folder.names() == std::vector<std::string>{"pipe"});
}

TEST_CASE("what is no readable file is refused") {
  TemporaryFolder folder;
  CHECK_THROWS_AS(readFile(folder.path("absent")), gnn::Error);
  CHECK_THROWS_AS(readFile(folder.path("")), gnn::Error);
  CHECK_THROWS_AS(readFile("/dev/zero"), gnn::Error);
  CHECK_THROWS_AS(save(folder.path("absent/f"), "a", "b", FileSystem::real()), gnn::Error);
}

TEST_CASE("files are replaced together or not at all") {
  TemporaryFolder folder;
  const bool hasUnnamed = GENERATE(false, true);
  auto write = [&](FileSystem &files) {
    AtomicFiles group(files);
    for (const char *name : {"a", "b", "c"})
      group.write(folder.path(name), {{"new", 3}});
    group.commit();
  };
  FaultyWrites counting;
  counting.hasUnnamed = hasUnnamed;
  write(counting);
  CHECK(folder.names() == std::vector<std::string>{"a", "b", "c"});
  int whole = 0;
  for (int failAt = 0; failAt < counting.calls; ++failAt) {
    for (const char *name : {"a", "b", "c"})
      folder.write(name, "old");
    FaultyWrites files;
    files.failAt = failAt;
    files.error = ENOSPC;
    files.hasUnnamed = hasUnnamed;
    CHECK_THROWS_AS(write(files), gnn::Error);
    CHECK(folder.names() == std::vector<std::string>{"a", "b", "c"});
    const std::string all = folder.read("a") + folder.read("b") + folder.read("c");
    whole += all == "oldoldold";
    CHECK((all == "oldoldold" || files.renamed));
  }
  CHECK(whole == counting.calls - 3); // but for two renames and the directory
}

TEST_CASE("files that are not committed leave nothing, be they few or many") {
  TemporaryFolder folder;
  FaultyWrites files;
  files.hasUnnamed = GENERATE(false, true);
  const int count = GENERATE(1, 100);
  {
    AtomicFiles group(files);
    for (int i = 0; i < count; ++i)
      group.write(folder.path("a" + std::to_string(i)), {{"new", 3}});
  }
  CHECK(folder.names().empty());
}

TEST_CASE("a program that ends without destroying objects removes what it has not renamed") {
  TemporaryFolder folder;
  folder.write("a", "the old content");
  FaultyWrites files;
  files.hasUnnamed = false;
  AtomicFiles done(files), left(files), other(files);
  done.write(folder.path("b"), {{"new", 3}});
  done.commit();
  left.write(folder.path("a"), {{"new", 3}});
  left.write(folder.path("c"), {{"new", 3}});
  other.write(folder.path("d"), {{"new", 3}});
  CHECK(folder.names().size() == 5);
  AtomicFiles::removeTemporaries();
  CHECK(folder.names() == std::vector<std::string>{"a", "b"});
  CHECK(folder.read("a") == "the old content");
}
