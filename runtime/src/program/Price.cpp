//===- Price.cpp - What a program costs by counts -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Price.h"

#include "runtime/src/program/FixedSteps.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

namespace {

/// What a core computes in f32 while a byte comes from memory.
constexpr double flopsPerByte = 8;
/// What is kept takes memory, and the first run makes it: so many runs it counts as done in.
constexpr double onceFor = 8;

} // namespace

ProgramPrice::ProgramPrice(const Library &library, const Dims &dims, const gnn_program_t &program, FixedWork fixed)
    : priced(program) {
  const std::vector<int32_t> allStored(library.tensors().size(), -1);
  const std::vector<bool> isFixed = fixed == FixedWork::Kept ? findFixedSteps(library, program, allStored)
                                                             : std::vector<bool>(program.num_steps, false);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    Step price{0, step.isSweep() ? sizeof(uint32_t) : 0.0};
    for (const Operand operand : step.operands())
      if (!operand.isWhole())
        (operand.isPerRow() ? price.ofRow : price.ofEdge) += double(dims.rowBytes(library.tensor(operand.tensor)));
    if (step.isProduct())
      price.ofRow += 2.0 * double(dims.extents()[step->k]) * double(dims.extents()[step->n]) / flopsPerByte *
                     (library.table().real == GNN_F64 ? 2 : 1);
    const double times = isFixed[s] ? 1 / onceFor : 1;
    steps.push_back({times * price.ofRow, times * price.ofEdge});
  }
}

double ProgramPrice::over(const CountsOfStep &counts) const {
  double price = 0;
  for (uint32_t s = 0; s < priced.num_steps; ++s) {
    const StepCounts here = counts(priced.steps[s]);
    price += steps[s].ofRow * double(here.rows) + steps[s].ofEdge * double(here.edges);
  }
  return price;
}

std::vector<ProgramPrice> pricesOf(const Library &library, const Dims &dims,
                                   const std::vector<const gnn_program_t *> &programs, FixedWork fixed) {
  std::vector<ProgramPrice> prices;
  for (const gnn_program_t *program : programs)
    prices.emplace_back(library, dims, *program, fixed);
  return prices;
}

size_t cheapest(const std::vector<ProgramPrice> &prices, const CountsOfStep &counts) {
  assert(!prices.empty());
  if (prices.size() == 1)
    return 0;
  std::vector<double> all;
  for (const ProgramPrice &price : prices)
    all.push_back(price.over(counts));
  return size_t(std::min_element(all.begin(), all.end()) - all.begin());
}

} // namespace gnn::rt
