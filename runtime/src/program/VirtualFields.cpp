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

/// Whether a map's or sweep's only output is a temporary of its rows; of a map, that the inputs outlive every step.
bool canBeRepeated(const Library &library, const ProgramStep &step) {
  const gnn_kernel_t &kernel = step.kernel();
  if (kernel.num_totals != 0 || kernel.num_operands != kernel.num_inputs + 1)
    return false;
  auto isMade = [&](const Operand &operand) {
    const uint32_t role = library.tensor(operand.tensor).role;
    return role == GNN_ROLE_TEMP || role == GNN_ROLE_OUTPUT || role == GNN_ROLE_GRAD;
  };
  if (step.isMap() && step.inputs().any(isMade))
    return false;
  return library.tensor(step.output().tensor).role == GNN_ROLE_TEMP && step.output().isPerRow();
}

bool isTemporaryProduct(const Library &library, const ProgramStep &step) {
  return step->kind == GNN_STEP_MATMUL && library.tensor(step.output().tensor).role == GNN_ROLE_TEMP;
}

/// Whether an input of a step may come in panels that `maker` makes.
bool readsPanels(const ProgramStep &step, const Operand &input, const ProgramStep &maker) {
  if (maker.isProduct())
    return step.isMap() && input.isPerRow();
  return step.isProduct() && input.isPerRow();
}

/// For each tensor the last step that reads it.
std::vector<int32_t> findLastReaders(const Library &library, const gnn_program_t &program) {
  std::vector<int32_t> last(library.tensors().size(), -1);
  for (const gnn_use_t &use : usesIn(program))
    last[use.tensor] = use.last;
  return last;
}

} // namespace

std::vector<int32_t> findVirtualFields(const Library &library, const gnn_program_t &program,
                                       const std::function<size_t(uint32_t)> &bytesOf,
                                       const std::function<size_t(const gnn_step_t &)> &bytesOnEdges, bool byDepth) {
  // A sweep is worth doing again where its edges read less than storing takes: sums by hundreds of types.
  auto makesPanels = [&](const ProgramStep &step) {
    const size_t bytes = bytesOf(step.output().tensor);
    if (step.isProduct())
      return isTemporaryProduct(library, step) && bytes >= leastBytes;
    return canBeRepeated(library, step) &&
           (step.isMap() ? bytes >= leastBytes : bytes >= leastBytesOfSweep && bytes > bytesOnEdges(step));
  };
  const std::vector<int32_t> lastReaders = findLastReaders(library, program);
  // What a product multiplies lives until its result is read, which takes more memory if it is larger and not read then
  // anyway, unless nothing but products is done in between.
  auto keepsMore = [&](int32_t product, uint32_t reader) {
    const gnn_step_t *steps = program.steps;
    const uint32_t operand = steps[product].tensors[0];
    return library.tensor(operand).role == GNN_ROLE_TEMP && lastReaders[operand] < int32_t(reader) &&
           bytesOf(operand) > bytesOf(steps[product].tensors[2]) &&
           !std::all_of(steps + product, steps + reader,
                        [&](const gnn_step_t &step) { return library.step(step).isProduct(); });
  };
  std::vector<int32_t> producers(library.tensors().size(), -1);
  std::vector<uint32_t> readers(library.tensors().size(), 0);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    for (const Operand input : step.inputs()) {
      int32_t &producer = producers[input.tensor];
      if (producer < 0)
        continue;
      const ProgramStep maker = library.step(program.steps[producer]);
      const uint32_t most = maker.isProduct() ? 1 : mostReaders;
      if (!readsPanels(step, input, maker) || (byDepth && step->row_depth > maker->row_depth) ||
          ++readers[input.tensor] > most || (maker.isProduct() && keepsMore(producer, s)))
        producer = -1;
    }
    if (makesPanels(step))
      producers[step.output().tensor] = int32_t(s);
  }
  for (uint32_t result : resultsIn(program))
    producers[result] = -1;
  return producers;
}

} // namespace gnn::rt
