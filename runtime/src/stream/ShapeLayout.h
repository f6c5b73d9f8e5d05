//===- ShapeLayout.h - What a program over a shape has in memory *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As StreamLayout, of a graph that is not there: with sizes, and without places.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SHAPELAYOUT_H
#define GNN_STREAM_SHAPELAYOUT_H

#include "runtime/src/stream/GraphShape.h"
#include "runtime/src/stream/Stages.h"

namespace gnn::rt {

class ShapeLayout {
public:
  /// Of one of `ranks`, with vertices in `parts` intervals. Shape and program must outlive this.
  ShapeLayout(const GraphShape &shape, const gnn_program_t &program, int64_t parts, int ranks,
              const Residents &residents);

  /// Memory of a run, and of results between runs.
  uint64_t runBytes() const { return arenaBytes; }
  uint64_t resultBytes() const { return bytesOfResults; }
  /// How often this rank runs a step, of an interval or a chunk.
  uint64_t calls() const { return numCalls; }
  /// Bytes that a run of this rank reads of its file and writes to it, and those by what they are of.
  uint64_t read() const { return bytesRead; }
  uint64_t written() const { return bytesWritten; }
  const std::map<uint32_t, uint64_t> &ofTables() const { return tableTraffic; }
  const std::map<Residents::Edges, uint64_t> &ofEdges() const { return edgeTraffic; }

private:
  uint64_t ourIntervals(uint32_t type) const;
  bool isOfRows(const ProgramStep &sweep) const;
  uint64_t halves(uint64_t bytes) const { return (parts > 1 ? 2 : 1) * bytes; }
  void addRows(const Stage &stage);
  void addSweep(const ProgramStep &step);
  void addTemporaries();
  void addTotals();
  void addRead(uint32_t tensor, uint64_t bytes);
  void addWritten(uint32_t tensor, uint64_t bytes);

  const GraphShape &shape;
  const Library &library;
  const gnn_program_t &program;
  const int64_t parts;
  const int ranks;
  const Residents &residents;
  std::vector<bool> spilled; // [tensors]
  std::vector<Stage> stages;
  uint64_t rowArea = 0, colArea = 0, edgeArea = 0; // of the stage or sweep that takes most
  uint64_t arenaBytes = 0, bytesOfResults = 0, bytesRead = 0, bytesWritten = 0, numCalls = 0;
  std::map<uint32_t, uint64_t> tableTraffic;
  std::map<Residents::Edges, uint64_t> edgeTraffic;
};

} // namespace gnn::rt

#endif // GNN_STREAM_SHAPELAYOUT_H
