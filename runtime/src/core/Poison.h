//===- Poison.h - NaN in memory whose contents must not matter --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests (docs/dev/testing.md): where a step reads what nothing has written, it finds old bytes or zeros, which may
// be right by chance. With GNN_POISON=1 in the environment it finds NaN.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_POISON_H
#define GNN_CORE_POISON_H

#include <cstddef>

namespace gnn::rt {

/// Whether GNN_POISON=1 was in the environment when the process began.
bool isPoisoning();

/// If so, fills memory with bytes that are NaN in every type of reals and -1 in every type of integers.
void poison(void *data, size_t bytes);

} // namespace gnn::rt

#endif // GNN_CORE_POISON_H
