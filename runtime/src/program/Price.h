//===- Price.h - What a program costs by counts -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library may have a program several times, with sums over edges and products in other orders. Which is the cheapest
// follows from sizes and from the numbers of rows and edges alone: never from a time that was measured, so that the
// same data gives the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_PRICE_H
#define GNN_PROGRAM_PRICE_H

#include "runtime/src/program/Dims.h"
#include "runtime/src/program/Library.h"

#include <functional>
#include <vector>

namespace gnn::rt {

/// The rows and edges that a step goes over; maps and products have no edges.
struct StepCounts {
  int64_t rows = 0, edges = 0;
};
using CountsOfStep = std::function<StepCounts(const gnn_step_t &)>;

/// Whether an executor does the steps that every run does alike once and keeps what they make (FixedSteps.h).
enum class FixedWork { Kept, Repeated };

/// The cost of a program: bytes that its steps move, and its products as the number of bytes that memory delivers in
/// their time.
class ProgramPrice {
public:
  /// The program must outlive it.
  ProgramPrice(const Library &library, const Dims &dims, const gnn_program_t &program, FixedWork fixed);

  const gnn_program_t &program() const { return priced; }
  double over(const CountsOfStep &counts) const;

private:
  struct Step {
    double ofRow, ofEdge;
  };

  const gnn_program_t &priced;
  std::vector<Step> steps;
};

std::vector<ProgramPrice> pricesOf(const Library &library, const Dims &dims,
                                   const std::vector<const gnn_program_t *> &programs, FixedWork fixed);

/// The place of the program with the lowest price among programs with the same results; the first of equal ones.
size_t cheapest(const std::vector<ProgramPrice> &prices, const CountsOfStep &counts);

} // namespace gnn::rt

#endif // GNN_PROGRAM_PRICE_H
