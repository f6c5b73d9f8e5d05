//===- StreamPlanner.cpp - Into what a limit of memory makes a graph ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamPlanner.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/stream/RankOutputs.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// More is not loaded ahead, if nobody says so. A disk that is limited goes by jerks: what it may do in a tenth of a
/// second it does at once. So much is that of 640 MB/s.
constexpr size_t mostAhead = 64 << 20;

} // namespace

StreamPlanner::StreamPlanner(Engine &machine, const Library &opened, const Binding &bound,
                             const std::vector<const gnn_program_t *> &compiled, size_t others, const MemoryLimit &most)
    : engine(machine), library(opened), binding(bound), programs(compiled),
      otherBytes(others + engine.usedBytes() + engine.chargedBytes(most.held)), limit(most),
      counts(std::make_shared<CountedChunks>(library, binding)) {}

bool StreamPlanner::isReleased(uint32_t tensor, const Residents &residents) const {
  return isReleasable(library, programs, tensor) && !residents.tables.count(tensor);
}

/// Memory of this process that a bound table takes which stays: of one that a rank reads its part of, that.
size_t StreamPlanner::boundBytes(uint32_t tensor, const SpilledData &planned) const {
  if (!binding.paged().file(tensor))
    return binding.data(tensor) ? binding.data(tensor).bytes() : 0;
  return isReadByOwnRows(library, tensor)
             ? size_t(planned.intervals().mostOfRank(library.tensor(tensor).type)) * binding.rowBytes(tensor)
             : binding.tensorBytes(tensor);
}

/// An engine that has memory of its own has a place for each row.
size_t StreamPlanner::keptDataBytes(const SpilledData &planned) const {
  size_t bytes = 0;
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (!isReleased(t, planned.residents()))
      bytes += binding.data(t)                              ? engine.takenBytes(binding.data(t).bytes())
               : binding.paged().file(t) && planned.below() ? engine.takenBytes(binding.tensorBytes(t))
                                                            : boundBytes(t, planned);
  return bytes + engine.chargedBytes(orderBytes());
}

size_t StreamPlanner::orderBytes() const {
  size_t bytes = 0;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    if (const VertexOrder *order = binding.order(type))
      bytes += order->id.size() * sizeof(int64_t) + order->local.size() * sizeof(uint32_t);
  return bytes;
}

/// Of this process, beside an engine that has memory of its own: data that it has copied, parameters and the best of
/// them, and what it exchanges with other ranks.
size_t StreamPlanner::keptHostBytes(const SpilledData &planned) const {
  size_t bytes = limit.held + orderBytes() +
                 (limit.comm ? exchangeBytes(library, programs, limit.comm->size(), edgesOf(binding)) : 0);
  for (uint32_t t = 0; t < library.tensors().size(); ++t) {
    if (library.tensor(t).role == GNN_ROLE_PARAM)
      bytes += 2 * binding.tensorBytes(t);
    if (!isReleased(t, planned.residents()))
      bytes += boundBytes(t, planned);
  }
  return bytes;
}

StreamPlanner::Cut StreamPlanner::cutInto(int64_t parts, CutBy by, uint64_t passOver) const {
  Cut cut{std::make_unique<SpilledData>(engine, library, binding, Cuts(parts, limit.comm, by), limit.spillFolder,
                                        Residents(), FileSystem::real(), counts),
          {},
          {},
          {},
          {}};
  cut.data->passOver(passOver);
  std::map<uint32_t, uint64_t> ofTables;
  std::map<Residents::Edges, uint64_t> ofEdges;
  for (const gnn_program_t *program : programs) {
    const StreamLayout layout(engine, library, binding, *program, *cut.data);
    cut.prepared.push_back(layout.prepared());
    for (auto [tensor, bytes] : layout.traffic().ofTables)
      ofTables[tensor] += bytes;
    for (auto [edges, bytes] : layout.traffic().ofEdges)
      ofEdges[edges] += bytes;
  }
  addCandidates(cut, ofTables, ofEdges);
  return cut;
}

/// By what they save where nothing stays.
void StreamPlanner::addCandidates(Cut &cut, const std::map<uint32_t, uint64_t> &ofTables,
                                  const std::map<Residents::Edges, uint64_t> &ofEdges) const {
  for (auto [tensor, bytes] : ofTables) {
    cut.all.tables.insert(tensor);
    if (binding.data(tensor) && !isReleasable(library, programs, tensor))
      cut.free.tables.insert(tensor);
    else
      cut.candidates.add({{tensor}, {}}, bytes, binding.tensorBytes(tensor) + 1);
  }
  for (auto [edges, bytes] : ofEdges) {
    cut.all.edges.insert(edges);
    SpilledData alone(*cut.data, {});
    alone.edgeRows(edges.first, edges.second);
    cut.candidates.add({{}, {edges}}, bytes, alone.edgeRowBytes());
  }
  cut.candidates.sort();
}

/// With as little in memory of this process as may be, where that is limited, else with all.
StreamPlan StreamPlanner::planFor(const Cut &cut, Residents residents, size_t ahead) const {
  return planFor(cut, std::move(residents), limit.hostBytes == SIZE_MAX ? std::nullopt : std::optional(Residents()),
                 ahead);
}

StreamPlan StreamPlanner::planFor(const Cut &cut, Residents residents, const std::optional<Residents> &here,
                                  size_t ahead) const {
  SpilledData planned(*cut.data, std::move(residents));
  planned.keepHere(here);
  planned.lookAhead(ahead);
  StreamPlan plan{cut.data->intervals().parts(), otherBytes + keptDataBytes(planned)};
  size_t mostOfRuns = 0, madeHere = 0;
  for (size_t i = 0; i < programs.size(); ++i) {
    const StreamLayout layout(engine, library, binding, *programs[i], planned, cut.prepared[i]);
    mostOfRuns = std::max(mostOfRuns, layout.memory().bytes);
    plan.ahead = std::max(plan.ahead, layout.memory().aheadBytes());
    plan.bytes += layout.lastingBytes();
    const RunTraffic &traffic = layout.traffic();
    plan.cost += traffic.calls * bytesOfStepCall + traffic.seeks * bytesOfSeek;
    plan.moved += traffic.moved.bytesRead() + traffic.moved.bytesWritten();
    plan.movedBelow += traffic.below.bytesRead() + traffic.below.bytesWritten();
    madeHere += layout.memory().madeHereBytes();
  }
  plan.cost += plan.moved + plan.movedBelow;
  plan.fileBytes = planned.file().bytes();
  if (const Spill *below = planned.below()) {
    plan.hostBytes = plan.fileBytes + keptHostBytes(planned) + enginesOf(engine).size() * madeHere;
    plan.belowBytes = below->bytes();
  }
  plan.here = here;
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (binding.paged().file(t) && isReleased(t, planned.residents()) && binding.paged().isSameInFile(t) &&
        !planned.spillOf(t).isMemory())
      plan.dataBytes += boundBytes(t, planned);
  plan.isFileInMemory = !planned.below() && isInMemory(limit.spillFolder);
  plan.bytes += engine.takenBytes(mostOfRuns) + planned.edgeRowBytes() + (plan.isFileInMemory ? plan.fileBytes : 0);
  plan.residents = planned.residents();
  plan.by = cut.data->intervals().by();
  return plan;
}

/// The plan that takes least, of those that fit if one does: with all in memory no rows and edges are there twice.
StreamPlan StreamPlanner::leastOf(const Cut &cut) const {
  const StreamPlan nothing = planFor(cut, cut.free), all = planFor(cut, cut.all);
  if (fits(all) != fits(nothing))
    return fits(all) ? all : nothing;
  return all.bytes <= nothing.bytes ? all : nothing;
}

/// What the plans take that `leastOf` chooses from. Memory of this process counts only beside what fits on the engine:
/// a plan that needs little of one may need much of the other.
StreamPlanner::Least StreamPlanner::leastBytes(const Cut &cut) const {
  Least least;
  for (const Residents &residents : {cut.free, cut.all}) {
    const StreamPlan plan = planFor(cut, residents);
    least.add({plan.bytes, plan.bytes <= limit.bytes ? size_t(plan.hostBytes) : SIZE_MAX});
  }
  return least;
}

StreamPlan StreamPlanner::keepMost(const Cut &cut, size_t most) const {
  const StreamPlan all = planFor(cut, cut.all);
  if (fits(all, most))
    return keepHere(cut, all);
  const StreamPlan least = planFor(cut, cut.free);
  return keepHere(cut, cut.candidates.keepMost(
                           least.residents, least, [&](const Residents &kept) { return planFor(cut, kept); },
                           [&](const StreamPlan &plan) { return fits(plan, most); }));
}

/// Of what is streamed to a GPU, as much lies in memory of this process as has room: first what saves most bytes of the
/// file below for each that it holds.
StreamPlan StreamPlanner::keepHere(const Cut &cut, const StreamPlan &plan) const {
  if (!plan.here || !fits(plan))
    return plan;
  if (StreamPlan all = planFor(cut, plan.residents, std::nullopt); fits(all))
    return all;
  StreamPlan best = plan;
  cut.candidates.forEach([&](const Residents &candidate) {
    const StreamPlan more = planFor(cut, plan.residents, both(*best.here, candidate));
    if (fits(more) && more.cost < best.cost)
      best = more;
  });
  return best;
}

/// The same intervals: what is loaded ahead has the room that is left, or, where somebody says how much, that of what
/// stays no longer. Bits do not depend on it.
StreamPlan StreamPlanner::lookingAhead(const StreamPlan &plan) const {
  if (plan.hostBytes > 0 || plan.moved == 0 || limit.ahead == size_t(0))
    return plan;
  const Cut cut = cutInto(plan.parts, plan.by, limit.passOver);
  StreamPlan kept = plan;
  if (limit.ahead)
    kept = keepMost(cut, limit.bytes - std::min(*limit.ahead, limit.bytes));
  if (!fits(kept))
    kept = plan;
  return planFor(cut, kept.residents, std::min(limit.ahead.value_or(mostAhead), limit.bytes - kept.bytes));
}

std::string StreamPlanner::tooLittle(const std::string &what, const Least &least) const {
  if (least.bytes <= limit.bytes) // of those plans that have room on the engine
    return what + " does not fit in " + sizeText(limit.hostBytes) + " of memory beside " + engine.device() +
           ": the least that does is " + sizeText(least.hostBytes);
  return what + " does not fit in " + sizeText(limit.bytes) + " of " +
         (engine.hasDeviceMemory() ? "the memory of " + engine.device() : "memory") + ": the least that does is " +
         sizeText(least.bytes);
}

/// More intervals take less memory, but for what chance has in it. Counts for the most are those for all halves of it.
/// Returns 0 where none fit; `least` is what they take at least then.
int64_t StreamPlanner::fewestIntervals(CutBy by, Least &least) const {
  counts->of(Intervals(library, binding, Cuts(mostIntervals, /*comm=*/nullptr, by)));
  least = {};
  int64_t enough = limit.comm ? limit.comm->size() : int64_t(enginesOf(engine).size()), tooFew = enough - 1;
  for (;; tooFew = enough, enough = std::min(2 * enough, mostIntervals)) {
    const Cut cut = cutInto(enough, by, wholeIntervals); // which has nothing to do with rows
    least.add(leastBytes(cut));
    if (fits(leastOf(cut)))
      break;
    if (enough == mostIntervals)
      return 0;
  }
  while (enough - tooFew > 1) {
    const int64_t middle = (tooFew + enough) / 2;
    (fits(leastOf(cutInto(middle, by, wholeIntervals))) ? enough : tooFew) = middle;
  }
  return enough;
}

StreamPlan StreamPlanner::leastCost(CutBy by, int64_t fewest) const {
  StreamPlan best = keepMost(cutInto(fewest, by, limit.passOver), limit.bytes);
  const int64_t most = std::min(mostIntervals, mostTimesFewest * fewest);
  int64_t largest = fewest; // its counts are those of the others
  while (2 * largest <= most)
    largest *= 2;
  counts->of(Intervals(library, binding, Cuts(largest, /*comm=*/nullptr, by)));
  for (int64_t parts = 2 * fewest; parts <= most; parts *= 2) {
    const Cut cut = cutInto(parts, by, limit.passOver);
    const StreamPlan plan = keepMost(cut, limit.bytes);
    if (fits(plan) && plan.cost < best.cost)
      best = plan;
  }
  return best;
}

/// Ranks and several devices have the numbers of one, so there the cut is not chosen.
bool StreamPlanner::mayChooseCut() const {
  return !limit.by && limit.intervals == 0 && !limit.comm && enginesOf(engine).size() == 1;
}

size_t StreamPlanner::leastLimit(Engine &engine, const Library &library, const Binding &binding,
                                 const std::vector<const gnn_program_t *> &programs, size_t otherBytes,
                                 MemoryLimit limit) {
  limit.bytes = 0; // in which no number of intervals fits
  const StreamPlanner planner(engine, library, binding, programs, otherBytes, limit);
  Least least;
  planner.fewestIntervals(limit.by.value_or(CutBy::Vertices), least);
  if (planner.mayChooseCut()) {
    Least byWork;
    planner.fewestIntervals(CutBy::Work, byWork);
    least.add(byWork);
  }
  return least.bytes;
}

StreamPlan StreamPlanner::choose() const {
  const CutBy first = limit.by.value_or(CutBy::Vertices);
  if (limit.intervals > 0) {
    const Cut cut = cutInto(limit.intervals, first, limit.passOver);
    const StreamPlan least = leastOf(cut);
    require(fits(least), GNN_ERROR_MEMORY,
            tooLittle(library.name() + std::string(" in ") + std::to_string(limit.intervals) +
                          (limit.intervals == 1 ? " interval" : " intervals"),
                      leastBytes(cut)));
    return lookingAhead(keepMost(cut, limit.bytes));
  }
  Least least;
  const int64_t fewest = fewestIntervals(first, least);
  std::optional<StreamPlan> best;
  if (fewest > 0)
    best = leastCost(first, fewest);
  // Where edges are spread evenly, another cut has nothing to gain.
  if (mayChooseCut() && !Intervals(library, binding, fewest > 0 ? fewest : mostIntervals).areEven()) {
    Least leastByWork;
    const int64_t fewestByWork = fewestIntervals(CutBy::Work, leastByWork);
    least.add(leastByWork);
    if (fewestByWork > 0)
      if (const StreamPlan byWork = leastCost(CutBy::Work, fewestByWork); !best || byWork.cost < best->cost)
        best = byWork;
  }
  require(best.has_value(), GNN_ERROR_MEMORY, tooLittle(library.name(), least));
  return lookingAhead(*best);
}

} // namespace gnn::rt
