//===- Poison.cpp - NaN in memory whose contents must not matter ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Poison.h"

#include <cstdlib>
#include <cstring>

namespace gnn::rt {

bool isPoisoning() {
  static const bool isAsked = [] {
    const char *value = std::getenv("GNN_POISON");
    return value && std::strcmp(value, "1") == 0;
  }();
  return isAsked;
}

void poison(void *data, size_t bytes) {
  if (isPoisoning() && bytes > 0)
    std::memset(data, 0xff, bytes);
}

} // namespace gnn::rt
