//===- HugePages.h - Large tables on large pages ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels read tables row by row in any order, and would miss the TLB at every few rows on pages of 4 KiB.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_HUGEPAGES_H
#define GNN_CORE_HUGEPAGES_H

#include <cstddef>

namespace gnn::rt {

constexpr size_t hugePageBytes = size_t(2) << 20;

/// Has the system move what is within [data, data + bytes) to huge pages, where that spans several of them. For memory
/// that others filled: contents and addresses stay. A wish: where the system cannot, nothing changes. Takes about the
/// time of copying it once, and none worth mentioning where it lies on huge pages already.
void moveToHugePages(const void *data, size_t bytes);

} // namespace gnn::rt

#endif // GNN_CORE_HUGEPAGES_H
