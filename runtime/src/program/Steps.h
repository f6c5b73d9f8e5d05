//===- Steps.h - The operands of a step -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_STEPS_H
#define GNN_PROGRAM_STEPS_H

#include "gnn/program.h"

namespace gnn::rt {

/// Whether the tensors [inputs, count) of a step are its results: where they begin.
uint32_t firstOutput(const gnn_library_t &library, const gnn_step_t &step);

/// How a step reads or writes an operand: GNN_ACCESS_*.
uint32_t accessOf(const gnn_library_t &library, const gnn_step_t &step, uint32_t operand);

/// Whether the cols of a sweep are those who read its rows: gradients go back.
bool isBack(const gnn_step_t &sweep);

/// The direction in which values came over the edges of a sweep.
uint32_t directionOf(const gnn_step_t &sweep);

} // namespace gnn::rt

#endif // GNN_PROGRAM_STEPS_H
