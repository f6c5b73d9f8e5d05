//===- ChosenProgram.cpp - The order of products over a graph -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/ChosenProgram.h"

#include "runtime/src/program/Price.h"

namespace gnn::rt {

const gnn_program_t &programOver(const Library &library, const Binding &binding, uint32_t kind) {
  auto counts = [&](const gnn_step_t &of) -> StepCounts {
    const ProgramStep step = library.step(of);
    return {binding.rows(step.rowType()), step.isSweep() ? binding.relation(step->relation).numEdges() : 0};
  };
  const std::vector<ProgramPrice> prices =
      pricesOf(library, binding.dimensions(), library.programs(kind),
               kind == GNN_PROGRAM_TRAIN || kind == GNN_PROGRAM_EVALUATE ? FixedWork::Kept : FixedWork::Repeated);
  return prices[cheapest(prices, counts)].program();
}

} // namespace gnn::rt
