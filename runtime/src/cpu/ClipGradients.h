//===- ClipGradients.h - Gradients of bounded size --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_CLIPGRADIENTS_H
#define GNN_CPU_CLIPGRADIENTS_H

#include "runtime/src/cpu/Team.h"
#include "runtime/src/engine/TrainingStep.h"

#include <vector>

namespace gnn::rt {

/// Where the Euclidean norm of all finite gradients together exceeds `most`, scales them down to it, as
/// torch.nn.utils.clip_grad_norm_ does. Squares are added in double, in pieces and an order that don't depend on the
/// number of threads.
void clipGradients(Team &team, double most, const std::vector<Update> &updates);

} // namespace gnn::rt

#endif // GNN_CPU_CLIPGRADIENTS_H
