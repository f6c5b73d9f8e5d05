//===- MemoryFiles.h - Files that no disk has -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linker reads and writes files. These have paths in /proc, but are in memory: nothing is left of them after a crash,
// and a full disk does no harm.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_MEMORYFILES_H
#define GNNC_SUPPORT_MEMORYFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <thread>

namespace gnnc {

/// Bytes to be read under a path, for as long as the object is there.
class MemoryInput {
public:
  static llvm::Expected<MemoryInput> create(llvm::ArrayRef<char> bytes);
  MemoryInput(MemoryInput &&other) : descriptor(std::exchange(other.descriptor, -1)) {}
  ~MemoryInput();

  std::string path() const;

private:
  explicit MemoryInput(int descriptor) : descriptor(descriptor) {}

  int descriptor;
};

/// Collects what is written to its path, a pipe: one writer, from the beginning to the end.
class MemoryOutput {
public:
  MemoryOutput() = default;
  MemoryOutput(const MemoryOutput &) = delete;
  MemoryOutput &operator=(const MemoryOutput &) = delete;
  ~MemoryOutput() { take(); }

  llvm::Error open();
  std::string path() const;
  /// All that was written.
  std::string take();

private:
  int writeEnd = -1;
  std::thread reader;
  std::string bytes;
};

} // namespace gnnc

#endif // GNNC_SUPPORT_MEMORYFILES_H
