//===- HugePages.cpp - Large tables on large pages ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/HugePages.h"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

void gnn::rt::moveToHugePages(const void *data, size_t bytes) {
  constexpr int collapse = 25; // MADV_COLLAPSE, of Linux 6.1 and later; C libraries name it later still
  uintptr_t begin = (reinterpret_cast<uintptr_t>(data) + hugePageBytes - 1) / hugePageBytes * hugePageBytes;
  uintptr_t end = (reinterpret_cast<uintptr_t>(data) + bytes) / hugePageBytes * hugePageBytes;
  if (end < begin + 2 * hugePageBytes)
    return;
  const int before = errno;
  madvise(reinterpret_cast<void *>(begin), end - begin, collapse);
  errno = before;
}
