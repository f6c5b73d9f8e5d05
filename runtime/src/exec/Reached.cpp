//===- Reached.cpp - Executor of the rows that a loss reaches -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Reached.h"

#include "runtime/src/exec/Reach.h"
#include "runtime/src/program/Obstacles.h"

#include <cassert>

namespace gnn::rt {

Reached::Reached(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled)
    : LocalExecutor(machine, opened, bound, compiled, Going::Once) {
  assert(obstacleToReached(library, program).empty());
  auto around = std::make_unique<Neighbourhood>(library, binding, program, /*lasts=*/true);
  around->expand(lossMask(library)->type, rowsOfLoss(library, binding), /*chooser=*/nullptr);
  local.moveTo(around);
}

/// What is bound stays, parameters do not.
void Reached::gather() {
  isGathered ? local.gatherParameters() : local.gather();
  isGathered = true;
}

void Reached::run(uint64_t key) {
  gather();
  begin({key, {}});
  engine.beginRun();
  runSteps();
  finish();
}

StepOutcome Reached::train(const TrainingStep &step) {
  gather();
  begin({step.key, step.rule});
  local.program().expectUpdate(step, results);
  engine.beginRun();
  runSteps();
  local.program().update();
  finish();
  return local.program().outcome();
}

size_t Reached::peakBytes() const {
  size_t bytes = local.bytes() + local.neighbourhood().bytes();
  for (uint32_t i = 0; i < program.num_results; ++i)
    bytes += binding.tensorBytes(program.results[i]);
  return bytes;
}

} // namespace gnn::rt
