//===- FiniteCheck.h - What a step of training gave -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the run of a training program and the update of what it trains: a loss, a gradient or a next value of a state
// that is infinite or no number must not be learnt from.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_FINITECHECK_H
#define GNN_CPU_FINITECHECK_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/cpu/Team.h"

#include <optional>
#include <vector>

namespace gnn::rt {

/// The first of `results` with a number that is not finite, at any number of threads. Reads each number once.
std::optional<uint32_t> firstNotFinite(Team &team, const std::vector<Tensor> &results);

} // namespace gnn::rt

#endif // GNN_CPU_FINITECHECK_H
