//===- FaultyFiles.h - Files of which a call fails --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the calls of files that are read and written in pieces; for those of atomic writes there is FaultyWrites.h.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_FAULTYFILES_H
#define GNN_TEST_FAULTYFILES_H

#include "runtime/src/io/FileSystem.h"

#include <atomic>
#include <cerrno>

namespace gnn::rt {

/// Fails the call of number `failAt` with `error`, or transfers a part of what is asked for.
class FaultyFiles : public FileSystem {
public:
  int failAt = -1, error = EIO, flipAt = -1;              // a call that is a read, whose content has another bit then
  bool isShort = false, endsEarly = false, flips = false; // a bit of all that is read
  bool hasFlipped = false;                                // that read
  std::atomic<int> calls{0};

  int openToRead(const char *path) override { return fails() ? -1 : FileSystem::openToRead(path); }
  int status(int file, struct stat *found) override { return fails() ? -1 : FileSystem::status(file, found); }
  int createScratch(const char *directory) override { return fails() ? -1 : FileSystem::createScratch(directory); }
  int allocate(int file, uint64_t bytes) override { return fails() ? -1 : FileSystem::allocate(file, bytes); }
  ssize_t readAt(int file, void *data, size_t size, uint64_t at) override {
    const bool flipsThis = calls == flipAt;
    if (fails())
      return -1;
    const ssize_t count = endsEarly ? 0 : FileSystem::readAt(file, data, part(size), at);
    hasFlipped |= flipsThis && count > 0;
    if ((flips || flipsThis) && count > 0)
      static_cast<char *>(data)[count / 2] ^= 4;
    return count;
  }
  ssize_t writeAt(int file, const void *data, size_t size, uint64_t at) override {
    return fails() ? -1 : FileSystem::writeAt(file, data, part(size), at);
  }

private:
  size_t part(size_t size) const { return isShort ? (size + 1) / 2 : size; }
  bool fails() {
    const bool now = calls++ == failAt;
    if (now)
      errno = error;
    return now;
  }
};

} // namespace gnn::rt

#endif // GNN_TEST_FAULTYFILES_H
