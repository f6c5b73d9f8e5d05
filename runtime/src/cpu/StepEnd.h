//===- StepEnd.h - The end of a step of training ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_STEPEND_H
#define GNN_CPU_STEPEND_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/cpu/Team.h"
#include "runtime/src/engine/TrainingStep.h"

#include <vector>

namespace gnn::rt {

/// Updates parameters and states from the results of a training program, if all of these are finite.
StepOutcome endStep(Team &team, const TrainingStep &step, const std::vector<Tensor> &results);

} // namespace gnn::rt

#endif // GNN_CPU_STEPEND_H
