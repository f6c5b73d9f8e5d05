//===- StepEnd.cpp - The end of a step of training ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/StepEnd.h"

#include "runtime/src/cpu/ClipGradients.h"
#include "runtime/src/cpu/FiniteCheck.h"
#include "runtime/src/cpu/Tasks.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

namespace {

/// Elements of a parameter that are one task.
constexpr int64_t taskElements = 4096;

int64_t tasksOf(const Update &update) { return (update.count + taskElements - 1) / taskElements; }

/// One step of an optimizer, with the gradients that the updates have.
void applyAll(Team &team, const UpdateRule &rule, const std::vector<Update> &updates) {
  int64_t count = 0;
  for (const Update &update : updates)
    count += tasksOf(update);
  forTasks(team, count, [&](int64_t task, unsigned) {
    const Update *update = updates.data();
    for (; task >= tasksOf(*update); ++update)
      task -= tasksOf(*update);
    applyUpdate(rule, *update, task * taskElements, std::min((task + 1) * taskElements, update->count));
  });
}

} // namespace

StepOutcome endStep(Team &team, const TrainingStep &step, const std::vector<Tensor> &results) {
  const StepOutcome outcome{numberAt(results[0], 0), firstNotFinite(team, results)};
  if (outcome.refusedBy)
    return outcome;
  std::vector<Update> updates = step.updates;
  for (size_t i = 0; i < updates.size(); ++i)
    updates[i].gradient = results[i + 1].data();
  if (step.mostNorm > 0)
    clipGradients(team, step.mostNorm, updates);
  applyAll(team, step.rule, updates);
  for (const StateUpdate &state : step.states)
    std::memcpy(state.value, results[state.result].data(), state.bytes);
  return outcome;
}

} // namespace gnn::rt
