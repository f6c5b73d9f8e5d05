//===- RankOutputs.cpp - What of a program travels between ranks ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/RankOutputs.h"

#include "runtime/src/program/Steps.h"

#include <algorithm>

namespace gnn::rt {

namespace {

const gnn_use_t &useOf(const gnn_program_t &program, uint32_t tensor) {
  return *std::find_if(program.uses, program.uses + program.num_uses,
                       [=](const gnn_use_t &use) { return use.tensor == tensor; });
}

bool isResult(const gnn_program_t &program, uint32_t tensor) {
  return useOf(program, tensor).last == int32_t(program.num_steps);
}

/// Whether rows other than its own read it, or the update does.
bool isForAll(const Library &library, const gnn_program_t &program, uint32_t tensor) {
  return (useOf(program, tensor).accesses & ~(1u << GNN_ACCESS_ROW)) != 0 ||
         (isResult(program, tensor) && library.tensor(tensor).domain == GNN_DOMAIN_PARAM);
}

/// The same of a table over edges that a sweep makes: rows know their own edges in one direction alone.
bool isForAll(const Library &library, const gnn_program_t &program, uint32_t tensor, const gnn_step_t &maker) {
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step)
    for (uint32_t i = 0; i < firstOutput(library.table(), *step); ++i)
      if (step->tensors[i] == tensor && (accessOf(library.table(), *step, i) != GNN_ACCESS_EDGE ||
                                         step->relation != maker.relation || step->direction != maker.direction))
        return true;
  return false;
}

RankOutput::Way wayOf(const Library &library, const gnn_program_t &program, const gnn_step_t &step, uint32_t operand) {
  const uint32_t tensor = step.tensors[operand], access = accessOf(library.table(), step, operand);
  if (access == GNN_ACCESS_WHOLE)
    return RankOutput::Summed;
  const bool isNow =
      access == GNN_ACCESS_EDGE ? isForAll(library, program, tensor, step) : isForAll(library, program, tensor);
  return isNow ? RankOutput::ToAll : isResult(program, tensor) ? RankOutput::OnDemand : RankOutput::Stays;
}

} // namespace

std::vector<RankOutput> rankOutputs(const Library &library, const gnn_program_t &program) {
  std::vector<RankOutput> outputs;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    for (uint32_t i = firstOutput(library.table(), step); i < step.num_tensors; ++i)
      outputs.push_back(
          {s, i, accessOf(library.table(), step, i) == GNN_ACCESS_EDGE, wayOf(library, program, step, i)});
  }
  return outputs;
}

uint64_t bytesSent(RankOutput::Way way, uint64_t bytes, int ranks) {
  const auto others = uint64_t(ranks - 1);
  return way == RankOutput::Stays ? 0 : way == RankOutput::Summed ? 2 * others * bytes : others * bytes;
}

} // namespace gnn::rt
