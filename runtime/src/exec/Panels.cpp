//===- Panels.cpp - Operands of products made a panel at a time -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Panels.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

namespace {

/// Smaller fields stay in the caches between the map and the products.
constexpr size_t leastBytes = size_t(4) << 20, leastBytesOfSweep = size_t(64) << 20;
constexpr size_t panelBytes = size_t(768) << 10;
constexpr int64_t rowsMultiple = 16;
/// Products that each make the field again; with more of them storing it is cheaper.
constexpr uint32_t mostReaders = 2;

bool isProduct(const gnn_step_t &step) { return step.kind == GNN_STEP_MATMUL || step.kind == GNN_STEP_MATMUL_TN; }

/// Whether a map's or sweep's only output is a temporary of its rows; of a map, that the inputs outlive every step.
bool canBeRepeated(const Library &library, const gnn_step_t &step) {
  const gnn_kernel_t &kernel = library.kernel(step.kernel);
  if (kernel.num_totals != 0 || kernel.num_operands != kernel.num_inputs + 1)
    return false;
  auto role = [&](uint32_t operand) { return library.tensor(step.tensors[operand]).role; };
  for (uint32_t i = 0; step.kind == GNN_STEP_MAP && i < kernel.num_inputs; ++i)
    if (role(i) == GNN_ROLE_TEMP || role(i) == GNN_ROLE_OUTPUT || role(i) == GNN_ROLE_GRAD)
      return false;
  return role(kernel.num_inputs) == GNN_ROLE_TEMP && kernel.access[kernel.num_inputs] == GNN_ACCESS_ROW;
}

} // namespace

std::vector<int32_t> findPanels(const Library &library, const gnn_program_t &program,
                                const std::function<size_t(uint32_t)> &bytesOf,
                                const std::function<size_t(const gnn_step_t &)> &bytesOnEdges) {
  // A sweep is worth doing again where its edges read less than storing takes: sums by hundreds of types.
  auto isWorth = [&](const gnn_step_t &step, size_t bytes) {
    return step.kind == GNN_STEP_MAP ? bytes >= leastBytes : bytes >= leastBytesOfSweep && bytes > bytesOnEdges(step);
  };
  std::vector<int32_t> producers(library.tensors().size(), -1);
  std::vector<uint32_t> readers(library.tensors().size(), 0);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    uint32_t last = step.num_tensors - 1;
    bool makesPanels = !isProduct(step) && canBeRepeated(library, step) && isWorth(step, bytesOf(step.tensors[last]));
    if (makesPanels)
      producers[step.tensors[last]] = int32_t(s);
    for (uint32_t i = 0; i < step.num_tensors - makesPanels; ++i) {
      uint32_t tensor = step.tensors[i];
      bool isRowOperand = i == 0 || (i == 1 && step.kind == GNN_STEP_MATMUL_TN);
      if (!isProduct(step) || !isRowOperand || ++readers[tensor] > mostReaders)
        producers[tensor] = -1;
    }
  }
  for (uint32_t i = 0; i < program.num_results; ++i)
    producers[program.results[i]] = -1;
  return producers;
}

Panels::Panels(gnn_kernel_fn code, const gnn_kernel_args_t &mapArgs, const std::vector<void *> &mapOperands,
               size_t bytesOfRow, unsigned threads)
    : kernel(code), args(mapArgs), operands(mapOperands), rowBytes(bytesOfRow),
      panelRows(std::max(rowsMultiple, int64_t(panelBytes / bytesOfRow) / rowsMultiple * rowsMultiple)),
      stride(wholeLines(size_t(panelRows) * rowBytes)), storage(stride * threads),
      own(threads, std::vector<void *>(mapOperands.size())) {}

const void *Panels::make(int64_t begin, int64_t end, unsigned worker, void *scratch) {
  assert(end - begin <= panelRows);
  char *panel = storage.data() + worker * stride;
  std::vector<void *> &tensors = own[worker];
  std::copy(operands.begin(), operands.end(), tensors.begin());
  // The kernel writes row r at r rows from its base; only [begin, end) are written.
  tensors.back() = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(panel) - uintptr_t(begin) * rowBytes);
  gnn_kernel_args_t call = args;
  call.tensors = tensors.data();
  call.scratch = scratch;
  kernel(&call, begin, end);
  return panel;
}

} // namespace gnn::rt
