//===- RankDevices.h - Which GPU a rank has ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RANKDEVICES_H
#define GNN_TOOLS_TRAIN_RANKDEVICES_H

#include "runtime/src/comm/Comm.h"
#include "runtime/src/engine/Engine.h"

namespace gnn::train_tool {

/// How ranks on GPUs send each other what is there: "nccl", from GPU to GPU; "host", by the memory of their processes;
/// "auto", the first if all can. Called by all ranks, once each has its `engine`. Rank 0 says what it is, and why.
/// Throws GNN_ERROR_MISMATCH, in all of them, where it is to be NCCL and a rank can't.
void linkRanks(rt::Engine &engine, const std::string &asked, rt::Comm &comm);

/// The GPU of this rank, among those that `asked` names, or among all of the machine for "cuda": the ranks of a machine
/// get one each, in order. "cpu" holds for all ranks. Called by all ranks. Throws GNN_ERROR_MISMATCH in all of them if
/// a rank has no GPU, or if only some ranks compute on GPUs.
std::string deviceOfRank(const std::string &asked, rt::Comm &comm);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RANKDEVICES_H
