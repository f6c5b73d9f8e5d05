//===- Caches.h - Sizes of this machine's caches ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of caches by which executors plan: the cache that each core owns, and the cache that all cores share.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_CACHES_H
#define GNN_CORE_CACHES_H

#include <cstddef>
#include <string>

namespace gnn::rt {

struct Caches {
  size_t own, shared; // bytes of the second level, and of the last
};

/// As the system tells; where it does not, what most machines have. On virtual machines sysconf tells of the whole
/// host. Read once: views are planned by the thousand.
Caches cachesOfMachine();

/// How many processors a list of the system names: 5 in "0-3,8"; 0 in what is no such list.
unsigned processorsIn(const std::string &list);

/// The bytes of the last-level cache that `processors` can rely on, if it is reported as `bytes` shared by these
/// processors alone. A virtual machine is often told the size of the host's whole cache, most of which other machines
/// use: so the result is no more per processor than any current machine has.
size_t shareOfLastCache(size_t bytes, unsigned processors);

} // namespace gnn::rt

#endif // GNN_CORE_CACHES_H
