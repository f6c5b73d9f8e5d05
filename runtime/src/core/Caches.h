//===- Caches.h - Sizes of this machine's caches ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What executors plan with: how much a core has for itself, and how much all of them share.
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

/// What `processors` may count on of the last cache, which is said to be of so many bytes and shared by them alone. A
/// virtual machine is often told of the whole cache of the host, of which others have the most: so no more than any
/// machine of today has for each processor.
size_t shareOfLastCache(size_t bytes, unsigned processors);

} // namespace gnn::rt

#endif // GNN_CORE_CACHES_H
