//===- Stages.h - Steps that share the rows at hand -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stage is a run of steps over rows of one type of which each needs nothing that another makes but its own rows:
// all of them are done for an interval before the next one. So what they make for each other alone never leaves memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STAGES_H
#define GNN_STREAM_STAGES_H

#include "runtime/src/program/Library.h"

#include <vector>

namespace gnn::rt {

struct Stage {
  /// A spilled tensor that steps have by GNN_ACCESS_ROW.
  struct Table {
    uint32_t tensor;
    bool isLoaded; // it was made before; else here
    bool isStored; // made here, for later steps or as a result

    /// Whether it is for the steps of this stage alone.
    bool isTemporary() const { return !isLoaded && !isStored; }
  };

  uint32_t first, end; // steps
  uint32_t type;       // of vertices
  std::vector<Table> tables;
};

/// [library tensors] those of a program that are in memory by intervals or chunks: tables over vertices which steps
/// have by rows or cols alone, and over edges in the order of chunks. Of the others all is in memory.
std::vector<bool> spilledTensors(const Library &library, const gnn_program_t &program);

/// All steps, in their order.
std::vector<Stage> stagesOf(const Library &library, const gnn_program_t &program, const std::vector<bool> &isSpilled);

} // namespace gnn::rt

#endif // GNN_STREAM_STAGES_H
