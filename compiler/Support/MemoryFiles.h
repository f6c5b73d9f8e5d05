//===- MemoryFiles.h - Files that no disk has -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linkers, assemblers and other programs read and write files. These have paths in /proc, but are in memory: nothing is
// left of them however this process ends, and a full disk does no harm.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_MEMORYFILES_H
#define GNNC_SUPPORT_MEMORYFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <csignal>
#include <string>
#include <thread>

namespace gnnc {

/// A file with `bytes` in it. This process, and programs that it starts, read and write it under its path for as long
/// as the object is there.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create(llvm::ArrayRef<char> bytes = {});
  MemoryFile(MemoryFile &&other) : descriptor(std::exchange(other.descriptor, -1)) {}
  ~MemoryFile();

  std::string path() const;

private:
  explicit MemoryFile(int descriptor) : descriptor(descriptor) {}

  int descriptor;
};

/// Collects what is written to its path, a pipe: one writer, from the beginning to the end. Where it cannot be read the
/// writer is told so, as the thread that opened it gets no SIGPIPE before `take`.
class MemoryOutput {
public:
  MemoryOutput() = default;
  MemoryOutput(const MemoryOutput &) = delete;
  MemoryOutput &operator=(const MemoryOutput &) = delete;
  ~MemoryOutput() { llvm::consumeError(take().takeError()); }

  llvm::Error open();
  std::string path() const;
  /// All that was written.
  llvm::Expected<std::string> take();

private:
  int writeEnd = -1;
  sigset_t signalsBefore; // that the thread held back
  std::thread reader;
  std::string bytes;
  int readError = 0; // an errno
};

} // namespace gnnc

#endif // GNNC_SUPPORT_MEMORYFILES_H
