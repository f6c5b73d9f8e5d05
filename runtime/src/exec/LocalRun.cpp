//===- LocalRun.cpp - A program over a neighbourhood ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/LocalRun.h"

#include "runtime/src/bind/EdgeCounts.h"
#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/exec/PoisonMemory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace gnn::rt {

LocalRun::LocalRun(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &program,
                   Going whereTo, std::unique_ptr<Neighbourhood> first)
    : engine(machine), library(opened), binding(bound), compiled(program), going(whereTo), around(std::move(first)),
      edges(library.table().num_relations, 0), tables(engine.tables(binding)), placed(library.tensors().size()),
      bases(placed.size()) {
  checkEdgeTypes(library, binding, program);
  findRows();
}

void LocalRun::place(uint32_t tensor, void *data) {
  if (std::exchange(placed[tensor], data) != data)
    operands.clear();
}

/// What steps see of each tensor.
void LocalRun::findRows() {
  for (uint32_t s = 0; s < compiled.num_steps; ++s) {
    const ProgramStep step = library.step(compiled.steps[s]);
    rowsOf.emplace_back();
    for (const Operand operand : step.operands())
      rowsOf[s].push_back(int32_t(noteRows(step, operand)) - 1);
  }
  for (const gnn_use_t &use : usesIn(compiled))
    for (Rows &here : rows)
      if (here.tensor == use.tensor)
        here.depth = std::max(use.depth, 0);
}

/// One more than the place of the operand's rows in `rows`; 0 if it is there as a whole.
uint32_t LocalRun::noteRows(const ProgramStep &step, const Operand &operand) {
  if (operand.isWhole())
    return 0;
  Rows found{};
  found.tensor = operand.tensor;
  const bool isOfEdges = operand.isPerEdge();
  if (isOfEdges && around && around->readsWholeTables(step))
    return 0;
  found.isMade = operand.isOutput;
  found.isOfCols = operand.isPerCol();
  found.edgeRows = isOfEdges ? int32_t(Neighbourhood::edgeRowsOf(library, step)) : notOfEdges;
  found.type = isOfEdges ? step->relation : step.typeOf(operand);
  if (!isOfEdges && library.isTable(found.type))
    return 0; // all of a parameter
  const gnn_tensor_info_t &info = library.tensor(found.tensor);
  found.bytes = engine.rowBytes(binding.dimensions(), info);
  if (info.domain == GNN_DOMAIN_PARAM) // with a row for each vertex
    found.bytes /= std::max<size_t>(size_t(binding.rows(found.type)), 1);
  for (size_t r = 0; r < rows.size(); ++r)
    if (rows[r].tensor == found.tensor && rows[r].edgeRows == found.edgeRows) {
      rows[r].isMade |= found.isMade;
      rows[r].isOfCols |= found.isOfCols;
      return uint32_t(r) + 1;
    }
  rows.push_back(found);
  return uint32_t(rows.size());
}

int64_t LocalRun::count(const Rows &of) const {
  return of.edgeRows == notOfEdges ? around->rows(of.depth, of.type)
                                   : int64_t(around->edgesOf(uint32_t(of.edgeRows)).size());
}

/// Whether there are rows, after all others, of vertices that are here by stored rows.
bool LocalRun::hasStored(const Rows &of) const {
  return of.edgeRows == notOfEdges && of.isOfCols && around->numStored(of.type) > 0;
}

int64_t LocalRun::firstStored(const Rows &of) const {
  return int64_t(around->verticesOf(of.type).size()) - around->numStored(of.type);
}

/// Whether there is to be more room than there is.
bool LocalRun::grow() {
  bool isMore = !prepared;
  auto fit = [&](int64_t &room, int64_t needed) {
    isMore |= needed > room;
    if (needed > room) // samples are about as large as each other
      room = going == Going::Once      ? needed
             : going == Going::Sampled ? needed + needed / 16
                                       : std::max(needed, 2 * room);
  };
  for (Rows &here : rows)
    fit(here.capacity, hasStored(here) ? int64_t(around->verticesOf(here.type).size()) : count(here));
  for (uint32_t relation = 0; relation < edges.size(); ++relation)
    fit(edges[relation], around->edges(relation));
  return isMore;
}

void LocalRun::expectSize(std::unique_ptr<Neighbourhood> &other) {
  std::swap(around, other);
  grow();
  std::swap(around, other);
}

void LocalRun::releaseMemory() {
  engine.settle();
  prepared.reset();
  arena.reset();
  kept.reset();
  lasting.reset();
}

void LocalRun::prepare() {
  prepared.reset();
  Capacity most;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    most.rows.push_back(around->rows(around->deepest(), type));
  for (Rows &here : rows) {
    here.isGiven = !here.isMade && isGiven(here.tensor);
    if (here.edgeRows == notOfEdges)
      most.rows[here.type] = std::max(most.rows[here.type], here.capacity);
  }
  most.edges = edges;
  StepViews views;
  for (uint32_t s = 0; s < compiled.num_steps && going == Going::Once; ++s)
    views.push_back(&around->viewOf(compiled.steps[s]));
  prepared = engine.prepare(binding.dimensions(), compiled, most, views);
  planTemporaries();
  placeLasting();
  placeTemporaries();
}

bool LocalRun::isGiven(uint32_t tensor) const {
  return binding.paged().file(tensor) || std::find(given.begin(), given.end(), tensor) != given.end();
}

/// As there is room for.
size_t LocalRun::bytesOf(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  for (const Rows &here : rows)
    if (here.tensor == tensor)
      return size_t(here.capacity) * here.bytes;
  return size_t(binding.leadingExtent(info)) * engine.rowBytes(binding.dimensions(), info);
}

void LocalRun::planTemporaries() {
  const ProgramPlan &plan = prepared->plan();
  std::vector<size_t> rooms;
  for (uint32_t s = 0; s < compiled.num_steps; ++s)
    rooms.push_back(prepared->roomBytes(s));
  memory = planMemory(
      library, compiled, [&](uint32_t tensor) { return plan.isStored(tensor) ? bytesOf(tensor) : 0; }, plan.producers,
      plan.fixed, rooms);
  arena.reset();
  arena = going == Going::Once ? engine.allocateTransient(memory.arenaBytes) : engine.allocate(memory.arenaBytes);
  kept = engine.allocate(memory.keptBytes);
}

void LocalRun::placeTemporaries() {
  arenaAt = arena->data();
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = static_cast<char *>((planned.isKept ? kept : arena)->data()) + planned.offset;
  for (Rows &here : rows)
    if (here.isMade)
      here.base = placed[here.tensor] ? placed[here.tensor] : bases[here.tensor];
  operands.clear();
}

/// What is gathered, and results that nobody has placed.
void LocalRun::placeLasting() {
  std::vector<std::pair<void **, size_t>> offsets;
  lastingBytes = 0;
  auto add = [&](void *&base, size_t bytes) {
    offsets.emplace_back(&base, lastingBytes);
    lastingBytes += wholeLines(bytes);
  };
  for (Rows &here : rows)
    if (!here.isMade && !here.isGiven)
      add(here.base, size_t(here.capacity) * here.bytes);
  for (uint32_t i = 0; i < compiled.num_results; ++i)
    if (const uint32_t tensor = compiled.results[i]; !placed[tensor] && !binding.data(tensor))
      add(bases[tensor], bytesOf(tensor));
  lasting.reset();
  lasting = engine.allocate(lastingBytes);
  for (auto [base, offset] : offsets)
    *base = static_cast<char *>(lasting->data()) + offset;
}

/// How many edges each vertex is seen with, in all or of each type; of vertices whose edges are not here, the whole
/// graph's.
Tensor LocalRun::countsOf(const Rows &here) const {
  const gnn_tensor_info_t &info = library.tensor(here.tensor);
  const auto relation = uint32_t(info.source);
  const uint32_t direction = info.role == GNN_ROLE_COUNT_IN ? GNN_TO_DESTINATION : GNN_TO_SOURCE;
  const Span<const int64_t> offsets = around->offsetsOf(relation, direction), vertices = around->verticesOf(here.type);
  const auto numRows = size_t(count(here)), seen = std::min(numRows, offsets.empty() ? 0 : offsets.size() - 1);
  const Tensor others = binding.data(here.tensor).onHost().rowsAt(vertices.slice(seen, numRows - seen));
  if (seen == 0)
    return others;
  const Span<const int64_t> ofSeen = offsets.slice(0, seen + 1);
  const Tensor counts = info.rank > 0 ? countEdgesByType(ofSeen, around->typesOf(relation, direction),
                                                         binding.dimensions().rowElements(info), info.element)
                                      : countEdges(ofSeen, info.element);
  std::vector<int64_t> shape = others.shape();
  shape[0] = int64_t(numRows);
  Tensor all = Tensor::empty(info.element, std::move(shape));
  std::memcpy(all.mutableData(), counts.data(), counts.bytes());
  std::memcpy(static_cast<char *>(all.mutableData()) + counts.bytes(), others.data(), others.bytes());
  return all;
}

/// How many edges each of some vertices has in the graph that has changed.
Tensor LocalRun::countsWithChanged(const Rows &here, int64_t first, int64_t number) const {
  const gnn_tensor_info_t &info = library.tensor(here.tensor);
  const bool isIn = info.role == GNN_ROLE_COUNT_IN || info.role == GNN_ROLE_DEGREE_IN;
  const Span<const int64_t> vertices =
      Span<const int64_t>(around->verticesOf(here.type)).slice(size_t(first), size_t(number));
  std::vector<int64_t> offsets{0}, rowsOfChanged;
  std::vector<RowEdge> edges;
  for (int64_t row = 0; row < number; ++row)
    if (changed->find(uint32_t(info.source), isIn ? GNN_TO_DESTINATION : GNN_TO_SOURCE, vertices[size_t(row)], edges)) {
      rowsOfChanged.push_back(row);
      offsets.push_back(int64_t(edges.size()));
    }
  std::vector<int32_t> types;
  for (const RowEdge &edge : edges)
    types.push_back(edge.type);
  const Tensor counts = info.rank > 0
                            ? countEdgesByType(offsets, types, binding.dimensions().rowElements(info), info.element)
                            : countEdges(offsets, info.element);
  Tensor all = binding.data(here.tensor).onHost().rowsAt(vertices);
  for (size_t i = 0; i < rowsOfChanged.size(); ++i)
    std::memcpy(static_cast<char *>(all.mutableData()) + size_t(rowsOfChanged[i]) * here.bytes,
                static_cast<const char *>(counts.data()) + i * here.bytes, here.bytes);
  return all;
}

void LocalRun::gather(const std::function<void *(uint32_t tensor)> &rowsOf) {
  for (Rows &here : rows)
    if (!here.isMade)
      gatherRows(here, rowsOf);
}

/// What is bound beside them has the same numbers as before, but perhaps elsewhere.
void LocalRun::gatherParameters() {
  operands.clear();
  for (Rows &here : rows)
    if (!here.isMade && library.tensor(here.tensor).domain == GNN_DOMAIN_PARAM)
      gatherRows(here, nullptr);
}

void LocalRun::gatherRows(Rows &here, const std::function<void *(uint32_t tensor)> &rowsOf) {
  if (here.isGiven) {
    here.base = rowsOf(here.tensor);
    operands.clear();
    return;
  }
  const uint32_t role = library.tensor(here.tensor).role;
  const bool isCount = role == GNN_ROLE_COUNT_IN || role == GNN_ROLE_COUNT_OUT;
  poison(engine, here.base, size_t(here.capacity) * here.bytes);
  if (going == Going::Sampled && isCount) {
    const Tensor counts = countsOf(here);
    engine.copyIn(here.base, counts.data(), counts.bytes());
    return;
  }
  gatherRange(here, 0, count(here));
  if (hasStored(here) && firstStored(here) >= count(here))
    gatherRange(here, firstStored(here), around->numStored(here.type));
  if (role == GNN_ROLE_MASK &&
      here.edgeRows == notOfEdges) // others that are here may be of the split too, but not of the batch
    clearFrom(here, around->rows(/*depth=*/0, here.type));
}

/// Rows [first, first + number) of what is bound.
void LocalRun::gatherRange(Rows &here, int64_t first, int64_t number) {
  char *to = static_cast<char *>(here.base) + size_t(first) * here.bytes;
  if (changed && countsEdges(library.tensor(here.tensor).role)) {
    const Tensor counts = countsWithChanged(here, first, number);
    engine.copyIn(to, counts.data(), counts.bytes());
    return;
  }
  const std::vector<int64_t> &ids =
      here.edgeRows == notOfEdges ? around->verticesOf(here.type) : around->edgesOf(uint32_t(here.edgeRows));
  const Tensor table = binding.data(here.tensor).onHost();
  engine.gatherIn(to, placed[here.tensor] ? placed[here.tensor] : table.data(), here.bytes,
                  {ids.data() + first, size_t(number)});
}

void LocalRun::moveTo(std::unique_ptr<Neighbourhood> &other, const ChangedRows *others, StoredUse *use) {
  std::swap(around, other);
  changed = others;
  stored = use;
  views.clear();
  engine.settle();
  if (grow())
    prepare();
}

void LocalRun::findPlaces() {
  for (uint32_t s = 0; s < compiled.num_steps; ++s) {
    operands.emplace_back();
    for (const Operand operand : library.step(compiled.steps[s]).operands()) {
      const uint32_t tensor = operand.tensor;
      const int32_t slot = rowsOf[s][operand.index];
      operands[s].push_back(slot >= 0              ? rows[size_t(slot)].base
                            : placed[tensor]       ? placed[tensor]
                            : binding.data(tensor) ? tables->table(tensor)
                                                   : bases[tensor]);
      assert(operands[s].back() && "every tensor of a program is made, gathered, bound or placed");
    }
  }
}

/// What earlier steps and runs have left where a step is about to write.
void LocalRun::poisonOutput(uint32_t tensor, int32_t slot) {
  if (placed[tensor] || !prepared->plan().isStored(tensor))
    return;
  poison(engine, slot >= 0 ? rows[size_t(slot)].base : bases[tensor], bytesOf(tensor));
}

/// Rows deeper than those that a step goes over are 0: gradients that nothing flows to.
void LocalRun::clearBeyond(const gnn_step_t &step, uint32_t slot) {
  if (rows[slot].edgeRows == notOfEdges)
    clearFrom(rows[slot], around->rows(std::max(step.row_depth, 0), rows[slot].type));
}

void LocalRun::clearFrom(const Rows &here, int64_t first) {
  if (first < count(here))
    engine.clear(static_cast<char *>(here.base) + size_t(first) * here.bytes, size_t(count(here) - first) * here.bytes);
}

/// Of the steps those that are fixed, or the others.
void LocalRun::runSteps(bool fixedOnes, StepClock *clock) {
  if (arenaAt != arena->data())
    placeTemporaries();
  if (operands.empty())
    findPlaces();
  StepCall call;
  call.rowsStandAlone = going == Going::Around;
  for (uint32_t s = 0; s < compiled.num_steps; ++s) {
    if (prepared->plan().fixed[s] != fixedOnes)
      continue;
    const ProgramStep step = library.step(compiled.steps[s]);
    call.room = static_cast<char *>(arena->data()) + memory.stepOffsets[s];
    for (const Operand output : step.outputs())
      poisonOutput(output.tensor, rowsOf[s][output.index]);
    if (clock)
      clock->begin(s);
    prepared->run(s, views.empty() ? around->viewOf(step) : *views[s], operands[s].data(), call);
    if (clock)
      clock->end(s);
    for (const Operand output : step.outputs())
      if (const int32_t slot = rowsOf[s][output.index]; slot >= 0 && prepared->plan().isStored(output.tensor))
        clearBeyond(step, uint32_t(slot));
    if (stored && stored->rows())
      exchangeStored(s);
  }
}

/// Of what a step has made: stored rows come beside it, and rows that are to be stored are kept.
void LocalRun::exchangeStored(uint32_t s) {
  for (const Operand output : library.step(compiled.steps[s]).outputs()) {
    const StoredTensor *of = stored->rows()->layout().find(output.tensor);
    const int32_t slot = rowsOf[s][output.index];
    if (!of || slot < 0)
      continue;
    const Rows &here = rows[size_t(slot)];
    char *base = static_cast<char *>(here.base), *behind = base + size_t(firstStored(here)) * here.bytes;
    stored->forTaken(of->vertexType, of->depth, [&](size_t at, const char *row) {
      engine.copyIn(behind + at * of->bytes, row + of->offset, of->bytes);
    });
    stored->forMade(of->vertexType, of->depth, [&](uint32_t place, char *row) {
      engine.copyOut(row + of->offset, base + place * of->bytes, of->bytes);
    });
  }
}

bool LocalRun::makesRows(uint32_t tensor) const {
  return std::any_of(rows.begin(), rows.end(), [&](const Rows &here) { return here.tensor == tensor && here.isMade; });
}

void LocalRun::putRows(uint32_t tensor, void *whole) {
  const Rows &here =
      *std::find_if(rows.begin(), rows.end(), [&](const Rows &each) { return each.tensor == tensor && each.isMade; });
  const auto numRows = size_t(count(here));
  std::vector<char> made(numRows * here.bytes);
  engine.copyOut(made.data(), here.base, made.size());
  engine.clear(whole, size_t(binding.rows(here.type)) * here.bytes);
  const std::vector<int64_t> &vertices = around->verticesOf(here.type);
  for (size_t row = 0; row < numRows; ++row)
    engine.copyIn(static_cast<char *>(whole) + size_t(vertices[row]) * here.bytes, made.data() + row * here.bytes,
                  here.bytes);
}

const void *LocalRun::at(uint32_t tensor) const { return placed[tensor] ? placed[tensor] : bases[tensor]; }

} // namespace gnn::rt
