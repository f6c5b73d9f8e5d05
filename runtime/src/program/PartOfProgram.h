//===- PartOfProgram.h - Programs made of steps of others -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for some of its results. A program over pairs in two: what vertices compute, and the sweeps over pairs;
// nothing is aggregated over pairs where no gradient is asked for, so the first part needs nothing of the second.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_PARTOFPROGRAM_H
#define GNN_PROGRAM_PARTOFPROGRAM_H

#include "runtime/src/program/Library.h"

namespace gnn::rt {

class PartOfProgram {
public:
  /// The sweeps over pairs; what they make is the results, among those of `whole` in their order.
  static std::unique_ptr<const PartOfProgram> overPairs(const Library &library, const gnn_program_t &whole);
  /// The steps that make the fields of vertices which sweeps over pairs read, parameters excepted.
  static std::unique_ptr<const PartOfProgram> overVertices(const Library &library, const gnn_program_t &whole);

  /// The steps that make these results, in the order of `whole`.
  static std::unique_ptr<const PartOfProgram> forResults(const Library &library, const gnn_program_t &whole,
                                                         std::vector<uint32_t> results);

  PartOfProgram(const PartOfProgram &) = delete;
  PartOfProgram &operator=(const PartOfProgram &) = delete;

  const gnn_program_t &program() const { return part; }

private:
  PartOfProgram(const Library &library, const gnn_program_t &whole, std::vector<gnn_step_t> steps,
                std::vector<uint32_t> results);

  const std::vector<gnn_step_t> steps;
  const std::vector<uint32_t> results;
  std::vector<gnn_use_t> uses;
  gnn_program_t part;
};

} // namespace gnn::rt

#endif // GNN_PROGRAM_PARTOFPROGRAM_H
