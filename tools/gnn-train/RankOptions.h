//===- RankOptions.h - What ranks are asked for -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RANKOPTIONS_H
#define GNN_TOOLS_TRAIN_RANKOPTIONS_H

#include "tools/gnn-train/Options.h"

namespace gnn::train_tool {

/// The options of a rank: only rank 0 stores and resumes runs.
TrainOptions optionsOfRank(TrainOptions asked, rt::Comm &comm);

/// In all ranks, after rank 0 has completed what was `asked` for to its `options`: those of each. Throws
/// GNN_ERROR_MISMATCH, in all of them, unless all have the same version and library and were asked for the same, as
/// far as TrainingOptions.def says that ranks have the same.
void shareOptions(rt::Comm &comm, const TrainOptions &asked, TrainOptions &options);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RANKOPTIONS_H
