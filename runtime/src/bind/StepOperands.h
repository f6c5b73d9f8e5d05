//===- StepOperands.h - What a step runs over -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lookups in a binding that executors make for a step before they run it, and the checks that need the data.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_STEPOPERANDS_H
#define GNN_BIND_STEPOPERANDS_H

#include "runtime/src/bind/Binding.h"

#include <functional>

namespace gnn::rt {

/// Throws GNN_ERROR_MISMATCH if a sweep of the program reads types of edges that have none.
void checkEdgeTypes(const Library &library, const Binding &binding, const gnn_program_t &program);

struct ProductSizes {
  int64_t rows, k, n;
};
/// Throws GNN_ERROR_DATA unless the operands of a product of `rows` rows fit each other. `bytesOf` gives the size of a
/// tensor.
void checkProduct(const Library &library, const Dims &dims, const gnn_step_t &step, int64_t rows,
                  const std::function<size_t(uint32_t)> &bytesOf);

/// A total of a step: numbers at `offset` of every slot.
struct StepTotal {
  uint32_t operand, kind, element; // GNN_FOLD_*
  size_t offset;
  int64_t count;
};
/// The totals of a map or sweep, one after the other. Throws GNN_ERROR_DATA unless they are numbers.
std::vector<StepTotal> stepTotals(const Library &library, const Dims &dims, const gnn_step_t &step);

} // namespace gnn::rt

#endif // GNN_BIND_STEPOPERANDS_H
