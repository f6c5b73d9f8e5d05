//===- StageSchedule.h - The operations of a streamed program ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stage is a run of steps over rows of one type of which each needs nothing that another makes but its own rows:
// all of them are done for an interval before the next one. So what they make for each other alone never leaves memory.
// What a stage does is a short list of operation templates: a template stands for all intervals, chunks or slices for
// which the operation is done, so the list is as long for three intervals as for 512.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STAGESCHEDULE_H
#define GNN_STREAM_STAGESCHEDULE_H

#include "runtime/src/program/Library.h"
#include "runtime/src/stream/SpilledData.h"

#include <vector>

namespace gnn::rt {

/// Where data lies: as a whole in the memory of the engine, in memory of this process beside an engine that has memory
/// of its own, or in a file.
enum class Tier : uint8_t { Engine, Host, Disk };

enum class OpKind : uint8_t {
  MakeIds,    // original ids of vertices
  ReadTable,  // rows of a table, to the memory of the engine
  WriteTable, // rows of a table, from there
  Gather,     // reads an interval of a table; rows that pairs end at are kept
  ReadEdges,
  Compute, // calls a step
  Fold,    // adds the part of a total that an interval has made to those before it, or all parts
};

/// For each of which an operation is done.
enum class Per : uint8_t { Stage, ColInterval, Interval, Chunk, Slice };

/// The rows that an operation goes over: of the interval at hand, of the cols or the edges of a chunk, or all.
enum class Extent : uint8_t { Rows, Cols, Edges, Whole };

struct OpTemplate {
  OpKind kind;
  Per per;
  Extent extent;
  Tier home;        // of the table or edges that are moved
  uint32_t step;    // of the program; of tables by rows, the first one of the stage
  uint32_t operand; // of the step, where the operation is of one
  uint32_t tensor;  // of the library, where the operation is of one

  /// True if rows of a table are moved and have a place in a piece of a ring.
  bool movesTable() const { return kind == OpKind::ReadTable || kind == OpKind::WriteTable; }
};

struct Stage {
  uint32_t first, end;         // steps
  uint32_t type;               // of vertices
  std::vector<OpTemplate> ops; // in the order in which they are issued

  /// Calls `body` with each operation of a kind that is done so often for a step.
  template <class Body> void forEach(OpKind kind, Per per, uint32_t step, Body body) const {
    for (const OpTemplate &op : ops)
      if (op.kind == kind && op.per == per && op.step == step)
        body(op);
  }
};

/// [library tensors] those of a program that are in memory by intervals or chunks: tables over vertices which steps
/// have by rows or cols alone, and over edges in the order of chunks. Of the others all is in memory.
std::vector<bool> spilledTensors(const Library &library, const gnn_program_t &program);

/// True if nobody asks for a bound table once it is in the file: masks change, targets are looked at, and what is in
/// memory as a whole stays there.
bool isReleasable(const Library &library, const std::vector<const gnn_program_t *> &programs, uint32_t tensor);

/// Where the tables and edges of a program lie.
class Placement {
public:
  /// `residents` lie in the memory of the engine. If that is apart from this process's, `inHost` lie there (none: all
  /// that is spilled), and all else in a file.
  Placement(const Library &library, const gnn_program_t &program, Residents residents, bool isForDevice,
            std::optional<Residents> inHost);

  Tier home(uint32_t tensor) const { return tables[tensor]; }
  /// The tier of edges that come chunk by chunk. Those of residents come so too, for a sweep whose cols are spilled.
  Tier home(const Residents::Edges &edges) const { return below(!inHost || inHost->edges.count(edges)); }
  bool isResident(const Residents::Edges &edges) const { return residents.edges.count(edges) > 0; }
  bool isSpilled(uint32_t tensor) const { return tables[tensor] != Tier::Engine; }
  /// True if the engine has memory of its own, to which all that it computes with is copied.
  bool isForDevice() const { return isDevice; }
  /// True if data of a tier lie in a file below host memory, through which they come to a device.
  bool isBelowHost(Tier home) const { return isDevice && home == Tier::Disk; }
  bool isBelowHost(uint32_t tensor) const { return isBelowHost(tables[tensor]); }

private:
  Tier below(bool isInHost) const { return isDevice && isInHost ? Tier::Host : Tier::Disk; }

  const Residents residents;
  const std::optional<Residents> inHost;
  const bool isDevice;
  std::vector<Tier> tables; // [library tensors]
};

class StageSchedule {
public:
  /// `isAlone`: one engine of one process does all intervals, so that it folds totals as they end; else they are folded
  /// once a stage has ended. `isOrdered`: the vertex types whose original ids are known to this process; empty: of all,
  /// so that none are made.
  StageSchedule(const Library &library, const gnn_program_t &program, Placement placement, bool isAlone,
                const std::vector<bool> &isOrdered = {});

  const Library &library;
  const gnn_program_t &program;
  const ProgramSteps steps;

  /// All steps, in their order.
  const std::vector<Stage> &stages() const { return all; }
  const Stage &stageOf(uint32_t step) const { return all[numberOf(step)]; }
  /// The number of a step's stage.
  size_t numberOf(uint32_t step) const;
  const Placement &placement() const { return places; }
  bool isSpilled(uint32_t tensor) const { return places.isSpilled(tensor); }
  bool isBelowHost(const OpTemplate &op) const { return places.isBelowHost(op.home); }
  /// Whether a step is a sweep that is called chunk by chunk; else it is called once for each interval of rows.
  bool isInChunks(uint32_t step) const { return inChunks[step]; }
  /// Whether a step is a sweep that meets all edges of its rows in one call, as edges and cols are in memory.
  bool isOfRows(uint32_t step) const { return steps[step].isSweep() && !inChunks[step]; }
  /// Whether what a tensor has is made by a stage for itself alone, so that an interval of it is there at once.
  bool isTemporary(const gnn_use_t &use) const;
  /// A line for each stage and each of its operations.
  std::vector<std::string> lines() const;

private:
  const Placement places;
  std::vector<bool> inChunks; // [steps]
  std::vector<Stage> all;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STAGESCHEDULE_H
