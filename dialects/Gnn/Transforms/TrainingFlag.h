//===- TrainingFlag.h - Programs that train and programs that do not -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes of a copy of @forward what it is in training, or in inference.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_TRANSFORMS_TRAININGFLAG_H
#define GNNC_DIALECTS_GNN_TRANSFORMS_TRAININGFLAG_H

#include "dialects/Gnn/IR/Gnn.h"

namespace gnnc::gnn {

/// Replaces `gnn.training` by `training`, and choices by it by what is chosen, so that no gradient is built of the
/// rest. Without training dropout masks are 1.
void setTraining(ProgramOp program, bool training);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_TRANSFORMS_TRAININGFLAG_H
