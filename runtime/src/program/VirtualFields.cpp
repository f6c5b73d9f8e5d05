//===- VirtualFields.cpp - Fields that are not stored ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/VirtualFields.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Smaller fields stay in the caches between the map and the products.
constexpr size_t leastBytes = size_t(4) << 20, leastBytesOfSweep = size_t(64) << 20;
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

bool isTemporaryProduct(const Library &library, const gnn_step_t &step) {
  return step.kind == GNN_STEP_MATMUL && library.tensor(step.tensors[2]).role == GNN_ROLE_TEMP;
}

/// Whether input `i` of a step may come in panels that `maker` makes.
bool readsPanels(const Library &library, const gnn_step_t &step, uint32_t i, const gnn_step_t &maker) {
  if (isProduct(maker))
    return step.kind == GNN_STEP_MAP && library.kernel(step.kernel).access[i] == GNN_ACCESS_ROW;
  return isProduct(step) && (i == 0 || (i == 1 && step.kind == GNN_STEP_MATMUL_TN));
}

/// For each tensor the last step that reads it.
std::vector<int32_t> findLastReaders(const Library &library, const gnn_program_t &program) {
  std::vector<int32_t> last(library.tensors().size(), -1);
  for (const gnn_use_t *use = program.uses; use != program.uses + program.num_uses; ++use)
    last[use->tensor] = use->last;
  return last;
}

} // namespace

std::vector<int32_t> findVirtualFields(const Library &library, const gnn_program_t &program,
                                       const std::function<size_t(uint32_t)> &bytesOf,
                                       const std::function<size_t(const gnn_step_t &)> &bytesOnEdges, bool byDepth) {
  // A sweep is worth doing again where its edges read less than storing takes: sums by hundreds of types.
  auto makesPanels = [&](const gnn_step_t &step) {
    const size_t bytes = bytesOf(step.tensors[step.num_tensors - 1]);
    if (isProduct(step))
      return isTemporaryProduct(library, step) && bytes >= leastBytes;
    return canBeRepeated(library, step) &&
           (step.kind == GNN_STEP_MAP ? bytes >= leastBytes : bytes >= leastBytesOfSweep && bytes > bytesOnEdges(step));
  };
  const std::vector<int32_t> lastReaders = findLastReaders(library, program);
  // What a product multiplies lives until its result is read, which takes more memory if it is larger and not read then
  // anyway, unless nothing but products is done in between.
  auto keepsMore = [&](int32_t product, uint32_t reader) {
    const gnn_step_t *steps = program.steps;
    const uint32_t operand = steps[product].tensors[0];
    return library.tensor(operand).role == GNN_ROLE_TEMP && lastReaders[operand] < int32_t(reader) &&
           bytesOf(operand) > bytesOf(steps[product].tensors[2]) &&
           !std::all_of(steps + product, steps + reader, isProduct);
  };
  std::vector<int32_t> producers(library.tensors().size(), -1);
  std::vector<uint32_t> readers(library.tensors().size(), 0);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    for (uint32_t i = 0; i < firstOutput(library.table(), step); ++i) {
      int32_t &producer = producers[step.tensors[i]];
      if (producer < 0)
        continue;
      const gnn_step_t &maker = program.steps[producer];
      const uint32_t most = isProduct(maker) ? 1 : mostReaders;
      if (!readsPanels(library, step, i, maker) || (byDepth && step.row_depth > maker.row_depth) ||
          ++readers[step.tensors[i]] > most || (isProduct(maker) && keepsMore(producer, s)))
        producer = -1;
    }
    if (makesPanels(step))
      producers[step.tensors[step.num_tensors - 1]] = int32_t(s);
  }
  for (uint32_t i = 0; i < program.num_results; ++i)
    producers[program.results[i]] = -1;
  return producers;
}

} // namespace gnn::rt
