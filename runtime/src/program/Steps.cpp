//===- Steps.cpp - The operands of a step ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Steps.h"

namespace gnn::rt {

uint32_t firstOutput(const gnn_library_t &library, const gnn_step_t &step) {
  const bool isProduct = step.kind == GNN_STEP_MATMUL || step.kind == GNN_STEP_MATMUL_TN;
  return isProduct ? 2 : library.kernels[step.kernel].num_inputs;
}

uint32_t accessOf(const gnn_library_t &library, const gnn_step_t &step, uint32_t operand) {
  const bool isSum = step.kind == GNN_STEP_MATMUL_TN;
  if (isSum || step.kind == GNN_STEP_MATMUL)
    return operand == (isSum ? 2u : 1u) ? GNN_ACCESS_WHOLE : GNN_ACCESS_ROW;
  return library.kernels[step.kernel].access[operand];
}

bool isBack(const gnn_step_t &sweep) {
  return sweep.row_depth < 0 || (sweep.col_depth >= 0 && sweep.col_depth == sweep.row_depth - 1);
}

uint32_t directionOf(const gnn_step_t &sweep) { return isBack(sweep) ? 1 - sweep.direction : sweep.direction; }

} // namespace gnn::rt
