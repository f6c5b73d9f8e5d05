//===- ShapePlan.cpp - What ranks would do over a shape -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/ShapePlan.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/stream/EdgeTables.h"
#include "runtime/src/stream/RankOutputs.h"
#include "runtime/src/stream/StreamPlanner.h"

#include <algorithm>

namespace gnn::train_tool {

using namespace rt;

namespace {

/// Parameters have moments, and perhaps a copy of the best: bytesOfTraining.
constexpr uint64_t timesParameters = 4;

const gnn_program_t &programOf(const Library &library, uint32_t kind) {
  const gnn_program_t *program = library.program(kind);
  require(program != nullptr, GNN_ERROR_MISMATCH, library.path(), " can't be trained: its model states no loss");
  return *program;
}

} // namespace

ShapePlan::ShapePlan(const GraphShape &graph)
    : shape(graph), library(graph.library()), programs{&programOf(library, GNN_PROGRAM_TRAIN),
                                                       &programOf(library, GNN_PROGRAM_EVALUATE)} {
  for (const gnn_program_t *program : programs) {
    const std::string obstacle = StreamLayout::obstacle(library, *program, /*toDevice=*/false, /*areRanks=*/true);
    require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't be trained by ranks: ", obstacle);
  }
}

//===----------------------------------------------------------------------===//
// Memory and files
//===----------------------------------------------------------------------===//

bool ShapePlan::isBound(uint32_t tensor) const {
  const uint32_t role = library.tensor(tensor).role;
  return role == GNN_ROLE_INPUT || role == GNN_ROLE_TARGET || role == GNN_ROLE_MASK || role == GNN_ROLE_SCALE ||
         role == GNN_ROLE_WEIGHTS || countsEdges(role);
}

uint64_t ShapePlan::inputBytes(const Cut &cut) const {
  uint64_t bytes = 0;
  for (uint32_t t = 0; t < library.tensors().size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    if (!isBound(t) || (isReleasable(library, programs, t) && !cut.residents.tables.count(t)))
      continue;
    const bool isOwn = info.role == GNN_ROLE_INPUT && isReadByOwnRows(library, t);
    bytes += isOwn ? uint64_t(shape.rankRows(info.type, cut.ranks)) * shape.rowBytes(t) : shape.tableBytes(t);
  }
  return bytes;
}

uint64_t ShapePlan::edgeRowBytes(const Residents::Edges &edges, const Cut &cut) const {
  const auto rows = uint64_t(shape.rankRows(shape.rowType(edges), cut.ranks)),
             intervals = uint64_t((cut.parts + cut.ranks - 1) / cut.ranks);
  return (rows + intervals) * sizeof(int64_t) + uint64_t(shape.rankEdges(edges, cut.ranks)) * shape.edgeBytes(edges);
}

RankPlan ShapePlan::planFor(Cut cut) const {
  addWholeEdgeTables(library, cut.ranks, cut.residents.tables); // as SpilledData
  RankPlan plan{};
  plan.ranks = cut.ranks;
  plan.intervals = cut.parts;
  plan.memory.inputs = inputBytes(cut);
  if (cut.ranks > 1)
    plan.memory.exchange =
        exchangeBytes(library, programs, cut.ranks, [this](uint32_t relation) { return shape.edges(relation); });
  for (const Residents::Edges &edges : cut.residents.edges)
    plan.memory.edges += edgeRowBytes(edges, cut);
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (const uint32_t role = library.tensor(t).role; role == GNN_ROLE_PARAM || role == GNN_ROLE_STATE)
      plan.memory.parameters += timesParameters * shape.tableBytes(t);
  uint64_t mostOfRuns = 0;
  for (const gnn_program_t *program : programs) {
    const ShapeLayout layout(shape, *program, cut.parts, cut.ranks, cut.residents);
    mostOfRuns = std::max(mostOfRuns, layout.runBytes());
    plan.memory.steps += layout.resultBytes();
    const Spill::Traffic &moved = layout.traffic().moved;
    plan.read += moved.bytesRead();
    plan.written += moved.bytesWritten();
    plan.cost += moved.bytesRead() + moved.bytesWritten() + layout.traffic().calls * bytesOfStepCall;
  }
  plan.memory.steps += mostOfRuns;
  return plan;
}

/// By what they save where nothing stays.
void ShapePlan::addCandidates(const Cut &nothing, Residents &all, ResidentSearch &candidates) const {
  std::map<uint32_t, uint64_t> ofTables;
  std::map<Residents::Edges, uint64_t> ofEdges;
  for (const gnn_program_t *program : programs) {
    const ShapeLayout layout(shape, *program, nothing.parts, nothing.ranks, nothing.residents);
    for (auto [tensor, bytes] : layout.traffic().ofTables)
      ofTables[tensor] += bytes;
    for (auto [edges, bytes] : layout.traffic().ofEdges)
      ofEdges[edges] += bytes;
  }
  for (auto [tensor, bytes] : ofTables) {
    all.tables.insert(tensor);
    candidates.add({{tensor}, {}}, bytes, shape.tableBytes(tensor) + 1);
  }
  for (auto [edges, bytes] : ofEdges) {
    all.edges.insert(edges);
    candidates.add({{}, {edges}}, bytes, edgeRowBytes(edges, nothing));
  }
  candidates.sort();
}

RankPlan ShapePlan::keepMost(const Cut &nothing, uint64_t limit) const {
  Residents all;
  ResidentSearch candidates;
  addCandidates(nothing, all, candidates);
  auto planOf = [&](const Residents &kept) { return planFor({nothing.parts, nothing.ranks, kept}); };
  auto fits = [&](const RankPlan &plan) { return plan.memory.all() <= limit; };
  const RankPlan most = planOf(both(nothing.residents, all));
  if (fits(most))
    return most;
  const RankPlan least = planOf(nothing.residents);
  if (most.memory.all() < least.memory.all())
    return most;
  return fits(least) ? candidates.keepMost(nothing.residents, least, planOf, fits) : least;
}

//===----------------------------------------------------------------------===//
// What travels, and seconds
//===----------------------------------------------------------------------===//

/// Of results that are asked for, an evaluation has the loss of each vertex and whether it is right.
RankPlan::Sent ShapePlan::sentBy(int ranks) const {
  RankPlan::Sent sent{};
  const uint32_t numOutputs = programOf(library, GNN_PROGRAM_INFER).num_results;
  for (const gnn_program_t *program : programs)
    for (const RankOutput &output : rankOutputs(library, *program)) {
      const uint32_t tensor = program->steps[output.step].tensors[output.operand];
      const uint32_t *end = program->results + program->num_results;
      if (output.way == RankOutput::OnDemand &&
          (program->kind != GNN_PROGRAM_EVALUATE || std::find(program->results + numOutputs, end, tensor) == end))
        continue;
      (output.way == RankOutput::Summed ? sent.totals
       : output.isOfEdges               ? sent.edgeTables
                                        : sent.vertexTables) += bytesSent(output.way, shape.tableBytes(tensor), ranks);
    }
  sent.agreement = uint64_t(ranks) * uint64_t(ranks - 1) * sizeof(int64_t); // on whether to stop
  return sent;
}

/// Each step takes as long as memory moves what it reads and makes or, of products, as arithmetic does.
double ShapePlan::computing(const gnn_program_t &program, int ranks, const MachineRates &rates) const {
  double seconds = 0;
  for (const ProgramStep step : library.steps(program)) {
    const Residents::Edges of{step->relation, step->direction};
    const auto rows = double(shape.rankRows(step.rowType(), ranks));
    const double edges = step.isSweep() ? double(shape.rankEdges(of, ranks)) : 0;
    double bytes = step.isSweep() ? rows * sizeof(int64_t) + edges * double(shape.edgeBytes(of)) : 0;
    for (const Operand operand : step.operands())
      bytes += (operand.isWhole() ? 1 : operand.isPerRow() ? rows : edges) * double(shape.rowBytes(operand.tensor));
    const std::vector<int64_t> &extents = shape.dimensions().extents();
    const double operations = step.isProduct() ? 2 * rows * double(extents[step->k]) * double(extents[step->n]) : 0;
    seconds += std::max(bytes / rates.memory, operations / rates.arithmetic);
  }
  return seconds;
}

RankPlan ShapePlan::over(int ranks, uint64_t limit, const MachineRates &rates) const {
  Residents always; // targets and masks, which somebody asks for
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (isBound(t) && !isReleasable(library, programs, t))
      always.tables.insert(t);
  std::optional<RankPlan> best;
  uint64_t least = UINT64_MAX;
  for (int64_t parts = ranks, most = mostIntervals; parts <= most; parts *= 2) {
    const RankPlan plan = keepMost({parts, ranks, always}, limit);
    least = std::min(least, plan.memory.all());
    if (plan.memory.all() > limit)
      continue;
    if (!best)
      most = std::min(most, mostTimesFewest * parts);
    if (!best || plan.cost < best->cost)
      best = plan;
  }
  require(best.has_value(), GNN_ERROR_MEMORY, library.name(), " by ", ranks, ranks == 1 ? " rank" : " ranks",
          " does not fit in ", sizeText(limit), " of memory: the least that does is ", sizeText(least));
  best->sent = sentBy(ranks);
  // Rows go out of all ranks at once; totals go from one rank to the next, and then out of the last one.
  const double tables = double(best->sent.vertexTables + best->sent.edgeTables) / ranks;
  best->seconds.sending = (tables + double(best->sent.totals)) / rates.link;
  best->seconds.reading = double(best->read + best->written) / rates.disk;
  for (const gnn_program_t *program : programs)
    best->seconds.computing += computing(*program, ranks, rates);
  return *best;
}

} // namespace gnn::train_tool
