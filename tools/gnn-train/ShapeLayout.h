//===- ShapeLayout.h - What a program over a shape has in memory *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As StreamLayout, of a graph that is not there: with sizes, and without places.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_SHAPELAYOUT_H
#define GNN_TOOLS_TRAIN_SHAPELAYOUT_H

#include "runtime/src/stream/ScheduleSizes.h"
#include "tools/gnn-train/GraphShape.h"

namespace gnn::train_tool {

class ShapeLayout {
public:
  /// The layout of one of `ranks` ranks, with vertices in `parts` intervals. Shape and program must outlive this.
  ShapeLayout(const GraphShape &shape, const gnn_program_t &program, int64_t parts, int ranks,
              const rt::Residents &residents);

  /// Memory of a run, and of results between runs.
  uint64_t runBytes() const { return arenaBytes; }
  uint64_t resultBytes() const { return bytesOfResults; }
  /// Bytes that a run of this rank reads from its file and writes to it, and the number of calls of its steps.
  const rt::RunTraffic &traffic() const { return perRun; }

private:
  uint64_t arenaBytes = 0, bytesOfResults = 0;
  rt::RunTraffic perRun;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_SHAPELAYOUT_H
