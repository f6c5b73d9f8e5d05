//===- Fold.h - Folds of slots ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of engines on the slots of a map's totals (program.h): starting the slots, and folding them in order; and
// the rows that each slot of a product covers if the product is summed over rows.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_FOLD_H
#define GNN_PROGRAM_FOLD_H

#include <cstdint>

namespace gnn::rt {

/// Fills `count` numbers with the identity of `fold` (GNN_FOLD_*). `element` is not GNN_BOOL.
void fillIdentity(uint32_t fold, uint32_t element, int64_t count, void *numbers);

/// `numbers[i]` becomes the fold of itself and `more[i]`, for i in [begin, end).
void foldInto(uint32_t fold, uint32_t element, int64_t begin, int64_t end, void *numbers, const void *more);

/// Least rows of a slot of a product that is summed over rows, and most such slots.
constexpr int64_t leastPartialRows = 256;
constexpr int64_t maxPartials = 64;
/// Rows of each of them for a product over `rows` rows: a multiple of leastPartialRows that depends on nothing but
/// `rows`.
int64_t partialRows(int64_t rows);

} // namespace gnn::rt

#endif // GNN_PROGRAM_FOLD_H
