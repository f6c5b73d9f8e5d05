//===- Caches.cpp - Sizes of this machine's caches ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Caches.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

using namespace gnn::rt;

namespace {

constexpr size_t mostOfProcessor = size_t(16) << 20;

struct Cache {
  size_t bytes = 0; // 0: the system does not say
  unsigned processors = 0;
};

/// The first processor's.
Cache cacheOf(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    int found = 0;
    size_t kibibytes = 0;
    if (!(std::ifstream(folder + "level") >> found) || found != level || !(std::ifstream(folder + "size") >> kibibytes))
      continue;
    std::string list;
    std::ifstream(folder + "shared_cpu_list") >> list;
    return {kibibytes << 10, processorsIn(list)};
  }
  return {};
}

Caches readCaches() {
  const size_t own = cacheOf(2).bytes;
  const Cache last = cacheOf(3);
  return {own ? own : size_t(1) << 20, last.bytes ? shareOfLastCache(last.bytes, last.processors) : size_t(16) << 20};
}

} // namespace

unsigned gnn::rt::processorsIn(const std::string &list) {
  std::istringstream text(list);
  unsigned count = 0, first = 0, last = 0;
  while (text >> first) {
    last = first;
    if (text.peek() == '-' && (text.get(), !(text >> last)))
      return 0;
    if (last < first || (text.peek() != ',' && text.peek() != EOF))
      return 0;
    count += last - first + 1;
    text.get();
  }
  return count;
}

size_t gnn::rt::shareOfLastCache(size_t bytes, unsigned processors) {
  return processors ? std::min(bytes, processors * mostOfProcessor) : bytes;
}

Caches gnn::rt::cachesOfMachine() {
  static const Caches caches = readCaches();
  return caches;
}
