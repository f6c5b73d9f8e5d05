//===- CheckedMalloc.cpp - Memory that nobody looks whether it is there ---===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR asks malloc for its operations and operands, and writes to what it gets, null or not. This one, which all
// libraries of the program call, does not return without memory.
//
//===----------------------------------------------------------------------===//

#include "support/LastResort.h"
#include <cstddef>
#include <dlfcn.h>

extern "C" void *__libc_malloc(size_t size);

namespace {

using Malloc = void *(*)(size_t size);
Malloc next = __libc_malloc;

/// The one that would be called without this.
__attribute__((constructor)) void findNext() {
  if (void *found = dlsym(RTLD_NEXT, "malloc"))
    next = reinterpret_cast<Malloc>(found);
}

} // namespace

extern "C" void *malloc(size_t size) {
  void *memory = next(size);
  if (!memory && size > 0)
    gnn::tools::endWithoutMemory();
  return memory;
}
