//===- ProgramUses.cpp - What the steps of a program say together ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/ProgramUses.h"

#include "runtime/src/program/Steps.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// A step is forward if some result that is no gradient is made of what it makes.
std::vector<uint32_t> phasesOf(const gnn_library_t &library, const gnn_program_t &program) {
  std::vector<uint32_t> phases(program.num_steps, GNN_PHASE_BACKWARD);
  std::vector<bool> isNeeded(library.num_tensors, false);
  for (uint32_t result : resultsIn(program))
    isNeeded[result] = library.tensors[result].role != GNN_ROLE_GRAD;
  for (uint32_t s = program.num_steps; s-- > 0;) {
    const ProgramStep step(library, program.steps[s]);
    if (!step.outputs().any([&](const Operand &output) { return isNeeded[output.tensor]; }))
      continue;
    phases[s] = GNN_PHASE_FORWARD;
    for (const Operand input : step.inputs())
      isNeeded[input.tensor] = true;
  }
  return phases;
}

/// Layers are counted from the edges that are farthest from the seeds.
std::vector<int32_t> layersOf(const gnn_library_t &library, const gnn_program_t &program) {
  std::vector<int32_t> nearest; // depth of the ends that are nearer to the seeds
  for (const ProgramStep step : ProgramSteps(library, program)) {
    const bool flowsBothWays = step->row_depth == step->col_depth;
    const int32_t depth = flowsBothWays ? step->row_depth - 1 : std::min(step->row_depth, step->col_depth);
    nearest.push_back(step.isSweepOver(GNN_RELATION_EDGES) ? std::max(depth, 0) : -1);
  }
  const int32_t deepest = nearest.empty() ? 0 : *std::max_element(nearest.begin(), nearest.end());
  for (int32_t &layer : nearest)
    layer = layer < 0 ? -1 : deepest - layer;
  return nearest;
}

} // namespace

ProgramUses usesOf(const gnn_library_t &library, const gnn_program_t &program) {
  ProgramUses found{phasesOf(library, program), layersOf(library, program), {}};
  std::vector<size_t> placeOf(library.num_tensors, SIZE_MAX);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step(library, program.steps[s]);
    for (const Operand operand : step.operands()) {
      size_t &place = placeOf[operand.tensor];
      if (place == SIZE_MAX) {
        place = found.uses.size();
        found.uses.push_back({operand.tensor, 0, -1, -1, -1, 0});
      }
      gnn_use_t &use = found.uses[place];
      use.accesses |= 1u << operand.access;
      if (operand.isPerRow() || operand.isPerCol())
        use.depth = std::max(use.depth, operand.isPerRow() ? step->row_depth : step->col_depth);
      if (operand.isOutput)
        use.first = int32_t(s);
      use.last = int32_t(s);
      use.is_kept |= use.first >= 0 && found.phases[size_t(use.first)] == GNN_PHASE_FORWARD &&
                     found.phases[s] == GNN_PHASE_BACKWARD;
    }
  }
  for (uint32_t result : resultsIn(program))
    if (placeOf[result] != SIZE_MAX)
      found.uses[placeOf[result]].last = int32_t(program.num_steps);
  return found;
}

} // namespace gnn::rt
