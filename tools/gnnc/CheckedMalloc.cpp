//===- CheckedMalloc.cpp - Memory that nobody looks whether it is there ---===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR asks malloc for its operations and operands, and writes to what it gets, null or not. The C library aborts where
// calloc has nothing for what a thread destroys at its end. These two, which all libraries of the program call, do not
// return without memory.
//
//===----------------------------------------------------------------------===//

#include "support/LastResort.h"
#include <cstddef>
#include <dlfcn.h>

extern "C" void *__libc_malloc(size_t size);
extern "C" void *__libc_calloc(size_t number, size_t size);

namespace {

// Those that would be called without this.
void *(*nextMalloc)(size_t size) = __libc_malloc;
void *(*nextCalloc)(size_t number, size_t size) = __libc_calloc;

template <class Function> void findNext(Function &function, const char *name) {
  if (void *found = dlsym(RTLD_NEXT, name))
    function = reinterpret_cast<Function>(found);
}

__attribute__((constructor)) void findBoth() {
  findNext(nextMalloc, "malloc");
  findNext(nextCalloc, "calloc");
}

} // namespace

extern "C" void *malloc(size_t size) {
  void *memory = nextMalloc(size);
  if (!memory && size > 0)
    gnn::tools::endWithoutMemory();
  return memory;
}

extern "C" void *calloc(size_t number, size_t size) {
  void *memory = nextCalloc(number, size);
  if (!memory && number > 0 && size > 0)
    gnn::tools::endWithoutMemory();
  return memory;
}
