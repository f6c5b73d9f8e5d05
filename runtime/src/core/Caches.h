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

namespace gnn::rt {

struct Caches {
  size_t own, shared; // bytes of the second level, and of the last
};

/// As the system tells; where it does not, what most machines have. On virtual machines sysconf tells of the whole
/// host. Read once: views are planned by the thousand.
Caches cachesOfMachine();

} // namespace gnn::rt

#endif // GNN_CORE_CACHES_H
