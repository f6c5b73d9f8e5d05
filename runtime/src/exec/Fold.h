//===- Fold.h - Folds of totals ---------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What executors do to the slots of a map's totals (program.h): start them, and fold them in order.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_FOLD_H
#define GNN_EXEC_FOLD_H

#include <cstdint>

namespace gnn::rt {

/// Fills `count` numbers with the identity of `fold` (GNN_FOLD_*). `element` is not GNN_BOOL.
void fillIdentity(uint32_t fold, uint32_t element, int64_t count, void *numbers);

/// `numbers[i]` becomes the fold of itself and `more[i]`, for i in [begin, end).
void foldInto(uint32_t fold, uint32_t element, int64_t begin, int64_t end, void *numbers, const void *more);

} // namespace gnn::rt

#endif // GNN_EXEC_FOLD_H
