//===- FaultyWrites.h - Atomic writes of which a call fails ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_FAULTYWRITES_H
#define GNN_TEST_FAULTYWRITES_H

#include "runtime/src/io/FileSystem.h"
#include <cerrno>

namespace gnn::rt {

/// Fails the call of number `failAt` with `error`; writes may also be cut to one byte first.
class FaultyWrites : public FileSystem {
public:
  int failAt = -1, error = 0, calls = 0;
  bool hasUnnamed = false; // as not all file systems have
  bool shortWrites = false;
  bool renamed = false;

  int create(const char *path) override { return fails() ? -1 : FileSystem::create(path); }
  int createUnnamed(const char *directory) override { return hasUnnamed ? FileSystem::createUnnamed(directory) : -1; }
  int link(int file, const char *path) override { return fails() ? -1 : FileSystem::link(file, path); }
  int open(const char *path) override { return fails() ? -1 : FileSystem::open(path); }
  ssize_t write(int file, const void *data, size_t size) override {
    if (fails())
      return -1;
    return FileSystem::write(file, data, shortWrites ? 1 : size);
  }
  int sync(int file) override { return fails() ? -1 : FileSystem::sync(file); }
  int close(int file) override {
    int result = FileSystem::close(file); // a descriptor is gone even if closing it fails
    return fails() ? -1 : result;
  }
  int rename(const char *from, const char *to) override {
    if (fails())
      return -1;
    renamed = true;
    return FileSystem::rename(from, to);
  }
  int syncDirectory(const char *path) override { return fails() ? -1 : FileSystem::syncDirectory(path); }

private:
  bool fails() {
    bool now = calls++ == failAt;
    if (now)
      errno = error;
    return now;
  }
};

} // namespace gnn::rt

#endif // GNN_TEST_FAULTYWRITES_H
