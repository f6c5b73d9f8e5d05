//===- ChosenProgram.cpp - The order of products over a graph -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/ChosenProgram.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/program/Price.h"

namespace gnn::rt {

const gnn_program_t &programOver(const Library &library, const Binding &binding, uint32_t kind) {
  auto counts = [&](const gnn_step_t &step) -> StepCounts {
    if (step.kind != GNN_STEP_SWEEP)
      return {binding.rows(step.vertex_type), 0};
    return {binding.rows(endType(library, step, /*isRow=*/true)), binding.relation(step.relation).numEdges()};
  };
  const std::vector<ProgramPrice> prices = pricesOf(library, binding.dimensions(), library.programs(kind),
                                                    kind == GNN_PROGRAM_INFER ? FixedWork::Repeated : FixedWork::Kept);
  return prices[cheapest(prices, counts)].program();
}

} // namespace gnn::rt
