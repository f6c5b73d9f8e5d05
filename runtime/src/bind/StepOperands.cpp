//===- StepOperands.cpp - What a step runs over ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/StepOperands.h"

#include "runtime/src/core/Guard.h"

namespace gnn::rt {

void checkEdgeTypes(const Library &library, const Binding &binding, const gnn_program_t &program) {
  for (const ProgramStep step : library.steps(program)) {
    if (!step.isSweep() || !step.needs(GNN_KERNEL_EDGE_TYPE))
      continue;
    const Relation &relation = binding.relation(step->relation);
    require(relation.numEdges() == 0 || relation.hasTypes(), GNN_ERROR_MISMATCH, library.name(),
            " reads the types of the edges of '", step.relation().name, "', which have none in ", binding.where());
  }
}

void checkProduct(const Library &library, const Dims &dims, const gnn_step_t &step, int64_t rows,
                  const std::function<size_t(uint32_t)> &bytesOf) {
  const int64_t k = dims.extents()[step.k], n = dims.extents()[step.n];
  auto hasSize = [&](uint32_t operand, int64_t leading, int64_t width) {
    return bytesOf(step.tensors[operand]) ==
           size_t(leading * width) * elementBytes(library.tensor(step.tensors[operand]).element);
  };
  const bool isSum = step.kind == GNN_STEP_MATMUL_TN;
  require(hasSize(0, rows, k) &&
              (isSum ? hasSize(1, rows, n) && hasSize(2, k, n) : hasSize(1, k, n) && hasSize(2, rows, n)),
          GNN_ERROR_DATA, library.path(), ": the operands of a product for ", library.tensor(step.tensors[2]).name,
          " do not fit");
}

std::vector<StepTotal> stepTotals(const Library &library, const Dims &dims, const gnn_step_t &step) {
  const gnn_kernel_t &kernel = library.kernel(step.kernel);
  std::vector<StepTotal> totals;
  size_t offset = 0;
  const uint32_t first = kernel.num_operands - kernel.num_totals;
  auto spareOf = [&](const gnn_tensor_info_t &total) {
    int64_t count = step.kind == GNN_STEP_SWEEP;
    for (uint32_t d = 1; d < total.rank; ++d)
      count *= dims.extents()[total.shape[d]];
    return count;
  };
  for (uint32_t i = first; i < kernel.num_operands; ++i) {
    const gnn_tensor_info_t &total = library.tensor(step.tensors[i]);
    require(total.element != GNN_BOOL, GNN_ERROR_DATA, library.path(), ": the total ", total.name, " is not a number");
    totals.push_back({i, kernel.total_folds[i - first], total.element, offset, dims.rowElements(total)});
    offset += size_t(totals.back().count + spareOf(total)) * elementBytes(total.element);
  }
  return totals;
}

} // namespace gnn::rt
