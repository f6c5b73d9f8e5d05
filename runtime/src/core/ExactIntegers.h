//===- ExactIntegers.h - Integers that become reals -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_EXACTINTEGERS_H
#define GNN_CORE_EXACTINTEGERS_H

#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

/// Throws GNN_ERROR_DATA, which names the table as `what`, if `table` has integers one of which f32 would round: times
/// and ids above 2^24 that differ would become equal. Reals pass.
void requireExactAsF32(const Tensor &table, const std::string &what);

} // namespace gnn::rt

#endif // GNN_CORE_EXACTINTEGERS_H
