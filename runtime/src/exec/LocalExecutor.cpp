//===- LocalExecutor.cpp - Executors of some vertices ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/LocalExecutor.h"

#include <cstring>

namespace gnn::rt {

LocalExecutor::LocalExecutor(Engine &machine, const Library &opened, const Binding &bound,
                             const gnn_program_t &compiled, Going going)
    : Executor(opened, compiled), engine(machine), binding(bound),
      local(engine, library, binding, program, going,
            std::make_unique<Neighbourhood>(library, binding, program, /*lasts=*/going == Going::Once)),
      results(program.num_results), onHost(results.size()) {
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    results[i] = engine.empty(info.element, binding.dimensions().shapeOf(info));
    if (!local.makesRows(program.results[i]))
      local.place(program.results[i], results[i].mutableData());
  }
}

void LocalExecutor::begin(const RunNumbers &numbers) {
  onHost.assign(onHost.size(), Tensor());
  local.program().begin(numbers);
}

/// Gradients of learned rows are those of the rows that are here; all others are 0.
void LocalExecutor::runSteps() {
  if (profile && !clock)
    clock = engine.clock(program.num_steps);
  if (!areFixedDone)
    local.runFixedSteps(clock.get());
  local.runSteps(clock.get());
  for (uint32_t i = 0; i < results.size(); ++i)
    if (local.makesRows(program.results[i]))
      local.putRows(program.results[i], results[i].mutableData());
  for (uint32_t s = 0; profile && s < program.num_steps; ++s)
    if (!areFixedDone || !local.program().plan().fixed[s])
      profile->note(s, clock->seconds(s));
  areFixedDone = true;
}

void LocalExecutor::finish() {
  engine.endRun();
  if (profile)
    profile->endRun();
}

const Tensor &LocalExecutor::result(uint32_t i) {
  if (!onHost[i])
    onHost[i] = results[i].onHost();
  return onHost[i];
}

Tensor LocalExecutor::takeResult(uint32_t i) {
  Tensor taken = Tensor::empty(result(i).element(), result(i).shape());
  std::memcpy(taken.mutableData(), result(i).data(), taken.bytes());
  return taken;
}

} // namespace gnn::rt
