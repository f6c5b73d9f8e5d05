//===- FixedSteps.h - What every run computes alike -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that read nothing but inputs, degrees and what such steps made, and draw no random numbers, give the same in
// every run over the same data: the sums of features with which a first layer may begin, norms of vertices. An executor
// whose data stays does them once and keeps what other steps read of them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_FIXEDSTEPS_H
#define GNN_PROGRAM_FIXEDSTEPS_H

#include "runtime/src/program/Library.h"

#include <vector>

namespace gnn::rt {

/// For each step of `program` whether it is one. What is made in panels (`producers`, see findVirtualFields) is not
/// stored, so no step that makes such a field is.
/// `parametersStay`: parameters and states are data too, and results stay where they are.
std::vector<bool> findFixedSteps(const Library &library, const gnn_program_t &program,
                                 const std::vector<int32_t> &producers, bool parametersStay = false);

} // namespace gnn::rt

#endif // GNN_PROGRAM_FIXEDSTEPS_H
