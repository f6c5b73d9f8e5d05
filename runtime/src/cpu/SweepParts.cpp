//===- SweepParts.cpp - The parts in which a sweep goes over a block ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/SweepParts.h"

#include "runtime/src/core/Caches.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/cpu/RowCuts.h"
#include "runtime/src/engine/Tunings.h"
#include "runtime/src/graph/Relation.h"

#include <algorithm>

namespace gnn::rt {

SweepTraits::SweepTraits(const CpuProgram &shared, uint32_t step)
    : program(shared), info(program.program.steps[step]), kernel(program.library.kernel(info.kernel)),
      knobs(knobsOf(program.library.table(), program.tuning, info.kernel)), isVirtual(program.isVirtual(info)),
      isDoneOnce(program.plan.fixed[step]), elements(kernel.passes < 0 ? 1 : program.extent(uint32_t(kernel.passes))),
      stateBytes(size_t(program.extent(kernel.state_bytes))), hasStates(stateBytes > 0) {
  for (uint32_t i = kernel.num_inputs; i < kernel.num_operands; ++i)
    hasStates |= kernel.access[i] == GNN_ACCESS_ROW;
}

bool SweepTraits::readsEdgeIds() const {
  return (kernel.needs & GNN_KERNEL_EDGE_ID) || std::find(kernel.access, kernel.access + kernel.num_operands,
                                                          GNN_ACCESS_EDGE) != kernel.access + kernel.num_operands;
}

bool SweepTraits::isInPasses(uint32_t i) const {
  const gnn_tensor_info_t &tensor = program.library.tensor(info.tensors[i]);
  const bool isTable = tensor.domain == GNN_DOMAIN_PARAM; // of the columns of a sparse input
  return kernel.passes >= 0 && tensor.rank == 1u + isTable && tensor.element != GNN_BITS &&
         tensor.shape[tensor.rank - 1] == uint32_t(kernel.passes);
}

namespace {

/// What the model of sweeps is to know of one, but for what takes a walk over its edges.
SweepShape shapeOf(const SweepTraits &sweep, const gnn_block_t &block) {
  const CpuProgram &program = sweep.program;
  SweepShape shape{block.num_rows, block.num_cols, block.offsets[block.num_rows], sweep.elements};
  shape.stateBytes = sweep.stateBytes;
  for (uint32_t i = 0; i < sweep.kernel.num_operands; ++i) {
    const gnn_tensor_info_t &tensor = program.library.tensor(sweep.info.tensors[i]);
    const size_t rowBytes = program.dims.rowBytes(tensor);
    const bool isTable = tensor.domain == GNN_DOMAIN_PARAM; // whose rows are those of the columns
    switch (sweep.kernel.access[i]) {
    case GNN_ACCESS_COL:
      if (sweep.isInPasses(i))
        shape.colElementBytes += elementBytes(tensor.element);
      else
        shape.colBytes += isTable ? rowBytes / std::max<size_t>(size_t(shape.cols), 1) : rowBytes;
      break;
    case GNN_ACCESS_EDGE:
      shape.edgeBytes += rowBytes;
      break;
    case GNN_ACCESS_ROW:
      shape.rowBytes += i < sweep.kernel.num_inputs ? rowBytes : 0;
      break;
    default:
      break;
    }
  }
  return shape;
}

PassCols passColsOf(const SweepTraits &sweep, int64_t cols, int64_t pass) {
  PassCols made(cols, sweep.elements, pass);
  for (uint32_t i = 0; i < sweep.kernel.num_inputs; ++i)
    if (sweep.kernel.access[i] == GNN_ACCESS_COL && sweep.isInPasses(i))
      made.add(i, elementBytes(sweep.program.elementOf(sweep.info.tensors[i])));
  return made;
}

/// The model's choice; then, where steps may try, what it finds close to it.
std::vector<SweepPlan> plansOf(const SweepTraits &sweep, const Relation &relation, const SweepShape &ofBlock) {
  const uint16_t partitions = sweep.hasTiles() ? sweep.knobs.hilbert : sweep.knobs.partition;
  const uint32_t direction = sweep.info.direction;
  SweepShape shape = ofBlock;
  shape.shares = DegreeShares(relation.csr(direction == GNN_TO_SOURCE ? GNN_TO_DESTINATION : GNN_TO_SOURCE).offsets);
  shape.repeated = repeatedEdges(relation.csr(direction).offsets, shape.cols);
  std::vector<SweepPlan> plans = closePlans(shape, cachesOfMachine(), {partitions, sweep.knobs.pass});
  if (!sweep.program.tried || sweep.isDoneOnce)
    plans.resize(1);
  return plans;
}

} // namespace

std::vector<SweepPlan> SweepParts::plan(const SweepTraits &sweep, const View &view, const gnn_block_t &block) {
  const Relation *relation = sweep.program.viewOf(sweep.info) ? view.lasting(sweep.info.relation) : nullptr;
  const bool takesLong = sweep.isDoneOnce && !sweep.hasTiles() && !sweep.knobs.partition; // sorting the edges would
  if (!relation || block.edge_type || sweep.isVirtual || takesLong) {
    plan(sweep, view, block, {1, sweep.elements});
    return {};
  }
  std::vector<SweepPlan> plans = plansOf(sweep, *relation, shapeOf(sweep, block));
  plan(sweep, view, block, plans.front());
  makePartitions(sweep, view);
  plans.erase(plans.begin());
  return plans;
}

void SweepParts::plan(const SweepTraits &sweep, const View &view, const gnn_block_t &block, const SweepPlan &plan) {
  const SweepShape shape = shapeOf(sweep, block);
  const size_t gathered = size_t(shape.elements) * shape.colElementBytes + shape.colBytes;
  flags = size_t(shape.cols) * gathered > cachesOfMachine().own / 2 ? GNN_SWEEP_PREFETCH : 0;
  pass = plan.pass;
  numPartitions = plan.partitions;
  partitions.reset();
  cutRows(sweep, block, sweep.program.viewOf(sweep.info) && view.stays(sweep.info.relation));
  if (numPartitions > 1)
    groupRows(sweep, block, plan.groups);
  if (pass < sweep.elements)
    passCols = passColsOf(sweep, block.num_cols, pass);
  placeStates(sweep);
}

/// Where sweeps over edges that do not last would have states, their rows stay whole.
void SweepParts::cutRows(const SweepTraits &sweep, const gnn_block_t &block, bool lasts) {
  hubs = HubRows();
  if (sweep.isVirtual) {
    cuts.assign(1, 0);
    groups.assign(1, 0);
    return;
  }
  const unsigned threads = sweep.program.team.size();
  if (lasts || !sweep.hasStates)
    hubs = HubRows(block, HubRows::longestWhole(block, sweep.knobs.split, threads));
  cutByEdges(block, hubs, maxTasksPerThread * int64_t(threads), cuts);
  groups.assign(1, 0);
  if (tasks() > 0)
    groups.push_back(size_t(tasks()));
}

void SweepParts::groupRows(const SweepTraits &sweep, const gnn_block_t &block, int64_t count) {
  if (sweep.hasTiles())
    cutByEdges(block, hubs, sweep.knobs.hilbert, cuts);
  else
    cuts = cutTasks(cuts, block.num_rows / count + 1);
  groups = groupTasks(cuts, count);
}

void SweepParts::makePartitions(const SweepTraits &sweep, const View &view) {
  if (numPartitions == 1 || partitions)
    return;
  partitions = view.lasting(sweep.info.relation)
                   ->partitions(sweep.info.direction, numPartitions, /*withIds=*/sweep.readsEdgeIds());
  if (!partitions->areCopied())
    flags |= GNN_SWEEP_ROWS_APART;
  if (sweep.hasTiles())
    tiles = hilbertCurve(tasks(), numPartitions);
}

void SweepParts::placeStates(const SweepTraits &sweep) {
  const size_t ofRow = size_t(pass) * sweep.stateBytes;
  bytesOfStates = hubs.planStates(ofRow);
  for (size_t group = 0; numPartitions > 1 && group + 1 < groups.size(); ++group)
    bytesOfStates = std::max(bytesOfStates, size_t(cuts[groups[group + 1]] - cuts[groups[group]]) * ofRow);
}

} // namespace gnn::rt
