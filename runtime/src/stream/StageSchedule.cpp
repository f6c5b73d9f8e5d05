//===- StageSchedule.cpp - The operations of a streamed program -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StageSchedule.h"

#include "runtime/src/exec/StepProfile.h"
#include "runtime/src/stream/EdgeTables.h"

#include <algorithm>
#include <map>

namespace gnn::rt {

namespace {

/// The steps of a stage that is not complete, as far as others depend on them.
class OpenStage {
public:
  OpenStage(const Library &library, const gnn_program_t &program) : library(library), program(program) {}

  /// Whether step `s` reads of what is made here nothing but its own rows and their edges.
  bool takes(uint32_t s) const {
    const ProgramStep step = library.step(program.steps[s]);
    for (const Operand input : step.inputs()) {
      const auto made = maker.find(input.tensor);
      if (made == maker.end())
        continue;
      const gnn_step_t &before = program.steps[made->second];
      const bool hasSameEdges = input.isPerEdge() && step->relation == before.relation &&
                                step->direction == before.direction; // those of its own rows
      if (!input.isPerRow() && !hasSameEdges)
        return false;
    }
    return true;
  }
  void add(uint32_t s) {
    for (const Operand output : library.step(program.steps[s]).outputs())
      maker[output.tensor] = s;
  }
  bool makes(uint32_t tensor) const { return maker.count(tensor) > 0; }
  void clear() { maker.clear(); }

private:
  const Library &library;
  const gnn_program_t &program;
  std::map<uint32_t, uint32_t> maker; // by tensor, the step
};

/// The last step that reads each tensor; one more than there are for results.
std::vector<uint32_t> lastUses(const Library &library, const gnn_program_t &program) {
  std::vector<uint32_t> last(library.tensors().size(), 0);
  for (const gnn_use_t &use : usesIn(program))
    last[use.tensor] = uint32_t(std::max(use.last, 0));
  return last;
}

} // namespace

std::vector<bool> spilledTensors(const Library &library, const gnn_program_t &program) {
  constexpr uint32_t others = ~((1u << GNN_ACCESS_ROW) | (1u << GNN_ACCESS_COL));
  const std::vector<bool> isChunked = chunkedEdgeTables(library);
  std::vector<bool> found(library.tensors().size(), false);
  for (const gnn_use_t &use : usesIn(program)) {
    const gnn_tensor_info_t &info = library.tensor(use.tensor);
    found[use.tensor] = info.domain == GNN_DOMAIN_VERTEX ? !library.isTable(info.type) && !(use.accesses & others)
                                                         : isChunked[use.tensor];
  }
  return found;
}

bool isReleasable(const Library &library, const std::vector<const gnn_program_t *> &programs, uint32_t tensor) {
  const uint32_t role = library.tensor(tensor).role;
  bool isInFile = role == GNN_ROLE_INPUT || countsEdges(role);
  for (const gnn_program_t *program : programs) {
    const std::vector<bool> isSpilled = spilledTensors(library, *program);
    for (const gnn_use_t &use : usesIn(*program))
      isInFile &= use.tensor != tensor || isSpilled[tensor];
  }
  return isInFile;
}

Placement::Placement(const Library &library, const gnn_program_t &program, Residents inEngine, bool isForDevice,
                     std::optional<Residents> host)
    : residents(std::move(inEngine)), inHost(std::move(host)), isDevice(isForDevice) {
  const std::vector<bool> isSpilled = spilledTensors(library, program);
  for (uint32_t t = 0; t < isSpilled.size(); ++t)
    tables.push_back(!isSpilled[t] || residents.tables.count(t) ? Tier::Engine
                                                                : below(!inHost || inHost->tables.count(t)));
}

namespace {

/// Cuts a program into stages, and lists what each does.
class ScheduleBuilder {
public:
  ScheduleBuilder(const Library &library, const gnn_program_t &program, const Placement &placement, bool isAlone,
                  const std::vector<bool> &isOrdered)
      : library(library), program(program), steps(library.steps(program)), placement(placement), isAlone(isAlone),
        isOrdered(isOrdered), last(lastUses(library, program)) {
    for (const ProgramStep step : steps)
      needs |= step.isProduct() ? 0 : step.kernel().needs;
  }

  std::vector<Stage> cut() const {
    std::vector<Stage> stages;
    OpenStage open(library, program);
    for (uint32_t s = 0; s < program.num_steps; ++s) {
      const uint32_t type = steps[s].rowType();
      if (stages.empty() || stages.back().type != type || !open.takes(s)) {
        stages.push_back({s, s, type, {}});
        open.clear();
      }
      stages.back().end = s + 1;
      open.add(s);
    }
    return stages;
  }

  /// Edges and cols of a sweep that meets all edges of its rows in one call are in memory. A total over edges is folded
  /// in the order of chunks wherever these lie, so that its bits do not depend on the memory that there is.
  bool isInChunks(const ProgramStep &step) const {
    const Residents::Edges edges{step->relation, step->direction};
    if (!step.isSweep() || step.isSweepOver(GNN_RELATION_PAIRS))
      return false;
    if (step.isSumOfEdges() || !placement.isResident(edges) ||
        step.operands().any([&](const Operand &of) { return of.isInChunks() && placement.isSpilled(of.tensor); }))
      return true;
    // Ids of all cols are on this side.
    return placement.isForDevice() && step.needs(GNN_KERNEL_COL_ID) && knowsIds(step.colType());
  }

  void build(Stage &stage) const {
    OpenStage made(library, program);
    for (uint32_t s = stage.first; s < stage.end; ++s) {
      made.add(s);
      if (steps[s].isSweepOver(GNN_RELATION_PAIRS))
        addGathers(stage, s);
    }
    addIds(stage, stage.first, Per::Interval, Extent::Rows, stage.type);
    std::vector<OpTemplate> writes;
    std::vector<bool> isKnown(library.tensors().size(), false);
    for (uint32_t s = stage.first; s < stage.end; ++s)
      for (const Operand operand : steps[s].operands()) {
        const uint32_t tensor = operand.tensor;
        if (!operand.isPerRow() || !placement.isSpilled(tensor) || isKnown[tensor])
          continue;
        isKnown[tensor] = true;
        if (!made.makes(tensor))
          addTable(stage.ops, OpKind::ReadTable, Per::Interval, Extent::Rows, stage.first, operand);
        else if (last[tensor] >= stage.end)
          addTable(writes, OpKind::WriteTable, Per::Interval, Extent::Rows, stage.first, operand);
      }
    for (uint32_t s = stage.first; s < stage.end; ++s)
      if (isInChunks(steps[s]))
        addChunks(stage, s);
      else
        stage.ops.push_back({OpKind::Compute, Per::Interval, Extent::Rows, Tier::Engine, s, 0, 0});
    stage.ops.insert(stage.ops.end(), writes.begin(), writes.end());
    for (uint32_t s = stage.first; s < stage.end; ++s)
      for (const Operand output : steps[s].outputs())
        if (output.isTotal())
          addTable(stage.ops, OpKind::Fold, isAlone ? Per::Interval : Per::Stage, Extent::Whole, s, output);
  }

private:
  bool knowsIds(uint32_t type) const { return isOrdered.empty() || isOrdered[type]; }

  void addTable(std::vector<OpTemplate> &ops, OpKind kind, Per per, Extent extent, uint32_t s,
                const Operand &operand) const {
    ops.push_back({kind, per, extent, placement.home(operand.tensor), s, operand.index, operand.tensor});
  }

  /// Original ids that are not where a step can read them.
  void addIds(Stage &stage, uint32_t s, Per per, Extent extent, uint32_t type) const {
    const uint32_t need = extent == Extent::Rows ? GNN_KERNEL_ROW_ID : GNN_KERNEL_COL_ID;
    if ((needs & need) && (placement.isForDevice() || !knowsIds(type)))
      stage.ops.push_back({OpKind::MakeIds, per, extent, Tier::Host, s, 0, 0});
  }

  void addGathers(Stage &stage, uint32_t s) const {
    for (const Operand input : steps[s].inputs())
      if (input.isPerCol())
        addTable(stage.ops, OpKind::Gather, Per::ColInterval, Extent::Cols, s, input);
    if (steps[s].needs(GNN_KERNEL_COL_ID))
      stage.ops.push_back({OpKind::MakeIds, Per::Stage, Extent::Cols, Tier::Engine, s, 0, 0});
  }

  void addChunks(Stage &stage, uint32_t s) const {
    const ProgramStep step = steps[s];
    addIds(stage, s, Per::Chunk, Extent::Cols, step.colType());
    const Tier home = placement.home(Residents::Edges{step->relation, step->direction});
    stage.ops.push_back({OpKind::ReadEdges, Per::Slice, Extent::Edges, home, s, 0, 0});
    auto addTables = [&](bool areOutputs) {
      for (const Operand operand : step.operands())
        if (operand.isInChunks() && placement.isSpilled(operand.tensor) && operand.isOutput == areOutputs)
          addTable(stage.ops, areOutputs ? OpKind::WriteTable : OpKind::ReadTable, Per::Chunk,
                   operand.isPerCol() ? Extent::Cols : Extent::Edges, s, operand);
    };
    addTables(/*areOutputs=*/false);
    stage.ops.push_back({OpKind::Compute, Per::Slice, Extent::Edges, Tier::Engine, s, 0, 0});
    addTables(/*areOutputs=*/true);
  }

  const Library &library;
  const gnn_program_t &program;
  const ProgramSteps steps;
  const Placement &placement;
  const bool isAlone;
  const std::vector<bool> &isOrdered;
  const std::vector<uint32_t> last;
  uint32_t needs = 0; // of all kernels
};

} // namespace

StageSchedule::StageSchedule(const Library &opened, const gnn_program_t &compiled, Placement placement, bool isAlone,
                             const std::vector<bool> &isOrdered)
    : library(opened), program(compiled), steps(library.steps(program)), places(std::move(placement)) {
  const ScheduleBuilder builder(library, program, places, isAlone, isOrdered);
  for (const ProgramStep step : steps)
    inChunks.push_back(builder.isInChunks(step));
  all = builder.cut();
  for (Stage &stage : all)
    builder.build(stage);
}

size_t StageSchedule::numberOf(uint32_t step) const {
  return size_t(std::find_if(all.begin(), all.end(), [&](const Stage &stage) { return step < stage.end; }) -
                all.begin());
}

bool StageSchedule::isTemporary(const gnn_use_t &use) const {
  return library.tensor(use.tensor).domain != GNN_DOMAIN_EDGE && use.first >= 0 &&
         use.last < int32_t(stageOf(uint32_t(use.first)).end);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static const char *nameOf(Per per) {
  constexpr const char *names[] = {"stage", "col interval", "interval", "chunk", "slice"};
  return names[size_t(per)];
}

static const char *nameOf(Extent extent) {
  constexpr const char *names[] = {"rows", "cols", "edges", "all"};
  return names[size_t(extent)];
}

static const char *nameOf(Tier tier) {
  constexpr const char *names[] = {"memory", "host memory", "file"};
  return names[size_t(tier)];
}

/// "read x of rows from file"
static std::string textOf(const Library &library, const ProgramStep &step, const OpTemplate &op) {
  const std::string home = nameOf(op.home), extent = nameOf(op.extent), tensor = library.tensor(op.tensor).name;
  switch (op.kind) {
  case OpKind::MakeIds:
    return "make ids of " + extent;
  case OpKind::ReadTable:
    return "read " + tensor + " of " + extent + " from " + home;
  case OpKind::WriteTable:
    return "write " + tensor + " of " + extent + " to " + home;
  case OpKind::Gather:
    return "gather " + tensor + " of " + extent + " from " + home;
  case OpKind::ReadEdges:
    return "read edges of " + std::string(step.relation().name) +
           (step->direction == GNN_TO_DESTINATION ? " to destinations from " : " to sources from ") + home;
  case OpKind::Compute:
    return "compute step " + std::to_string(op.step) + ", " + stepName(library, step);
  case OpKind::Fold:
    return "fold " + tensor;
  }
  return "";
}

std::vector<std::string> StageSchedule::lines() const {
  std::vector<std::string> found;
  for (const Stage &stage : all) {
    found.push_back("stage " + std::to_string(&stage - all.data()) + ": rows of " +
                    library.table().vertex_types[stage.type].name + ", steps " + std::to_string(stage.first) + "-" +
                    std::to_string(stage.end - 1));
    for (const OpTemplate &op : stage.ops)
      found.push_back("  per " + std::string(nameOf(op.per)) + ": " + textOf(library, steps[op.step], op));
  }
  return found;
}

} // namespace gnn::rt
