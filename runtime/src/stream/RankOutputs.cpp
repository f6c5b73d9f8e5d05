//===- RankOutputs.cpp - What of a program travels between ranks ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/RankOutputs.h"

#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <set>

namespace gnn::rt {

namespace {

const gnn_use_t &useOf(const gnn_program_t &program, uint32_t tensor) {
  return *std::find_if(program.uses, program.uses + program.num_uses,
                       [=](const gnn_use_t &use) { return use.tensor == tensor; });
}

/// Whether rows other than its own read it, or the update does.
bool isForAll(const Library &library, const gnn_program_t &program, uint32_t tensor) {
  return (useOf(program, tensor).accesses & ~(1u << GNN_ACCESS_ROW)) != 0 ||
         (isResult(program, tensor) && library.tensor(tensor).domain == GNN_DOMAIN_PARAM);
}

/// The same of a table over edges that a sweep makes: rows know their own edges in one direction alone.
bool isForAll(const ProgramSteps &steps, uint32_t tensor, const ProgramStep &maker) {
  for (const ProgramStep step : steps)
    for (const Operand input : step.inputs())
      if (input.tensor == tensor &&
          (!input.isPerEdge() || step->relation != maker->relation || step->direction != maker->direction))
        return true;
  return false;
}

RankOutput::Way wayOf(const Library &library, const gnn_program_t &program, const ProgramStep &step,
                      const Operand &output) {
  if (output.isTotal())
    return RankOutput::Summed;
  const uint32_t tensor = output.tensor;
  const bool isNow =
      output.isPerEdge() ? isForAll(library.steps(program), tensor, step) : isForAll(library, program, tensor);
  return isNow ? RankOutput::ToAll : isResult(program, tensor) ? RankOutput::OnDemand : RankOutput::Stays;
}

} // namespace

std::vector<RankOutput> rankOutputs(const Library &library, const gnn_program_t &program) {
  std::vector<RankOutput> outputs;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    for (const Operand output : step.outputs())
      outputs.push_back({s, output.index, output.isPerEdge(), wayOf(library, program, step, output)});
  }
  return outputs;
}

uint64_t bytesSent(RankOutput::Way way, uint64_t bytes, int ranks) {
  const auto others = uint64_t(ranks - 1);
  return way == RankOutput::Stays ? 0 : way == RankOutput::Summed ? 2 * others * bytes : others * bytes;
}

uint64_t exchangeBytes(const Library &library, const std::vector<const gnn_program_t *> &programs, int ranks,
                       const std::function<int64_t(uint32_t)> &numEdges) {
  uint64_t bytes = 0;
  for (const gnn_program_t *program : programs) {
    std::set<std::pair<uint32_t, uint32_t>> edges; // by relation and direction
    for (const RankOutput &output : rankOutputs(library, *program))
      if (const gnn_step_t &step = program->steps[output.step]; output.isOfEdges && output.travels())
        edges.insert({step.relation, step.direction});
    bytes += uint64_t(ranks) * bytesOfRankPiece;
    for (auto [relation, direction] : edges)
      bytes += uint64_t(numEdges(relation)) * sizeof(int64_t);
  }
  return bytes;
}

} // namespace gnn::rt
