//===- Caches.cpp - Sizes of this machine's caches ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Caches.h"

#include <fstream>
#include <string>

using namespace gnn::rt;

namespace {

/// Bytes of the first processor's cache of `level`; 0 if the system does not say.
size_t cacheBytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    int found = 0;
    size_t kibibytes = 0;
    if (std::ifstream(folder + "level") >> found && found == level && std::ifstream(folder + "size") >> kibibytes)
      return kibibytes << 10;
  }
  return 0;
}

Caches readCaches() {
  const size_t own = cacheBytes(2), shared = cacheBytes(3);
  return {own ? own : size_t(1) << 20, shared ? shared : size_t(16) << 20};
}

} // namespace

Caches gnn::rt::cachesOfMachine() {
  static const Caches caches = readCaches();
  return caches;
}
