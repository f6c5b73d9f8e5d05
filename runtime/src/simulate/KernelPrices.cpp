//===- KernelPrices.cpp - What steps take on a device of stated rates -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/simulate/KernelPrices.h"

#include "runtime/src/program/Library.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

namespace {

/// What a row of a table moves that is read by itself, as that of a neighbour: whole sectors of memory, in the mean
/// over where such rows begin.
uint64_t gatheredBytes(uint64_t row) {
  constexpr uint64_t sector = 32;
  return row + sector - std::gcd(row, sector);
}

} // namespace

KernelPrices::KernelPrices(const Library &library, const Dims &dims, const gnn_program_t &program, const Engine &engine,
                           const DeviceKind &devices)
    : kind(devices) {
  for (const ProgramStep step : library.steps(program)) {
    Price price{0, 0, 0, 0};
    if (step.isSweep()) {
      price.ofRow = 2 * sizeof(int64_t); // where its edges begin and end
      price.ofEdge = sizeof(uint32_t);
    }
    for (const Operand operand : step.operands()) {
      const uint64_t bytes = engine.rowBytes(dims, library.tensor(operand.tensor));
      (operand.isWhole()    ? price.whole
       : operand.isPerRow() ? price.ofRow
                            : price.ofEdge) += double(operand.isPerCol() ? gatheredBytes(bytes) : bytes);
    }
    if (step.isProduct())
      price.operations = 2 * double(dims.extents()[step->k]) * double(dims.extents()[step->n]);
    prices.push_back(price);
  }
}

double KernelPrices::seconds(uint32_t step, uint64_t rows, uint64_t edges) const {
  const Price &price = prices[step];
  const double bytes = price.whole + double(rows) * price.ofRow + double(edges) * price.ofEdge;
  return kind.launchSeconds + std::max(bytes / kind.memoryRate, double(rows) * price.operations / kind.arithmetic);
}

} // namespace gnn::rt
