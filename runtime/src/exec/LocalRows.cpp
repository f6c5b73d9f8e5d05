//===- LocalRows.cpp - Rows of a neighbourhood ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/LocalRows.h"

#include "runtime/src/bind/EdgeCounts.h"
#include "runtime/src/exec/PoisonMemory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gnn::rt {

LocalRows::LocalRows(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &program,
                     Going whereTo, const std::vector<void *> &places, const Neighbourhood *first)
    : engine(machine), library(opened), binding(bound), going(whereTo), placed(places), around(first),
      edges(library.table().num_relations, 0) {
  for (const ProgramStep step : library.steps(program)) {
    numbers.emplace_back();
    for (const Operand operand : step.operands())
      numbers.back().push_back(int32_t(note(step, operand)) - 1);
  }
  for (const gnn_use_t &use : usesIn(program))
    for (Table &table : all)
      if (table.tensor == use.tensor)
        table.depth = std::max(use.depth, 0);
}

/// One more than the place of the operand's rows in `all`; 0 if it is there as a whole.
uint32_t LocalRows::note(const ProgramStep &step, const Operand &operand) {
  if (operand.isWhole())
    return 0;
  Table found{};
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
  for (size_t r = 0; r < all.size(); ++r)
    if (all[r].tensor == found.tensor && all[r].edgeRows == found.edgeRows) {
      all[r].isMade |= found.isMade;
      all[r].isOfCols |= found.isOfCols;
      return uint32_t(r) + 1;
    }
  all.push_back(found);
  return uint32_t(all.size());
}

int64_t LocalRows::count(const Table &of) const {
  return of.edgeRows == notOfEdges ? around->rows(of.depth, of.type)
                                   : int64_t(around->edgesOf(uint32_t(of.edgeRows)).size());
}

/// Whether there are rows, after all others, of vertices that are here by stored rows.
bool LocalRows::hasStored(const Table &of) const {
  return of.edgeRows == notOfEdges && of.isOfCols && around->numStored(of.type) > 0;
}

int64_t LocalRows::firstStored(const Table &of) const {
  return int64_t(around->verticesOf(of.type).size()) - around->numStored(of.type);
}

bool LocalRows::grow() {
  bool isMore = false;
  auto fit = [&](int64_t &room, int64_t needed) {
    isMore |= needed > room;
    if (needed > room) // samples are about as large as each other
      room = going == Going::Once      ? needed
             : going == Going::Sampled ? needed + needed / 16
                                       : std::max(needed, 2 * room);
  };
  for (Table &here : all)
    fit(here.capacity, hasStored(here) ? int64_t(around->verticesOf(here.type).size()) : count(here));
  for (uint32_t relation = 0; relation < edges.size(); ++relation)
    fit(edges[relation], around->edges(relation));
  return isMore;
}

void LocalRows::expectSize(const Neighbourhood &other) {
  const Neighbourhood *before = std::exchange(around, &other);
  grow();
  around = before;
}

Capacity LocalRows::fixCapacity() {
  Capacity most;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    most.rows.push_back(around->rows(around->deepest(), type));
  for (Table &here : all) {
    here.isGiven = !here.isMade && isGiven(here.tensor);
    if (here.edgeRows == notOfEdges)
      most.rows[here.type] = std::max(most.rows[here.type], here.capacity);
  }
  most.edges = edges;
  return most;
}

bool LocalRows::isGiven(uint32_t tensor) const {
  return binding.paged().file(tensor) || std::find(given.begin(), given.end(), tensor) != given.end();
}

size_t LocalRows::bytesOf(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  for (const Table &here : all)
    if (here.tensor == tensor)
      return size_t(here.capacity) * here.bytes;
  return size_t(binding.leadingExtent(info)) * engine.rowBytes(binding.dimensions(), info);
}

const LocalRows::Table *LocalRows::madeOf(uint32_t tensor) const {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Table &here) { return here.tensor == tensor && here.isMade; });
  return found == all.end() ? nullptr : &*found;
}

/// How many edges each vertex is seen with, in all or of each type; of vertices whose edges are not here, the whole
/// graph's.
Tensor LocalRows::countsOf(const Table &here) const {
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
Tensor LocalRows::countsWithChanged(const Table &here, int64_t first, int64_t number) const {
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

bool LocalRows::gather(const RowsOf &rowsOf) {
  bool isMoved = false;
  for (Table &here : all)
    if (!here.isMade) {
      gatherTable(here, rowsOf);
      isMoved |= here.isGiven;
    }
  return isMoved;
}

void LocalRows::gatherParameters() {
  for (Table &here : all)
    if (!here.isMade && library.tensor(here.tensor).domain == GNN_DOMAIN_PARAM)
      gatherTable(here, nullptr);
}

void LocalRows::gatherTable(Table &here, const RowsOf &rowsOf) {
  if (here.isGiven) {
    here.base = rowsOf(here.tensor);
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
void LocalRows::gatherRange(Table &here, int64_t first, int64_t number) {
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

void LocalRows::clearBeyond(const gnn_step_t &step, const Table &here) {
  if (here.edgeRows == notOfEdges)
    clearFrom(here, around->rows(std::max(step.row_depth, 0), here.type));
}

void LocalRows::clearFrom(const Table &here, int64_t first) {
  if (first < count(here))
    engine.clear(static_cast<char *>(here.base) + size_t(first) * here.bytes, size_t(count(here) - first) * here.bytes);
}

void LocalRows::put(const Table &here, void *whole) {
  const auto numRows = size_t(count(here));
  std::vector<char> made(numRows * here.bytes);
  engine.copyOut(made.data(), here.base, made.size());
  engine.clear(whole, size_t(binding.rows(here.type)) * here.bytes);
  const std::vector<int64_t> &vertices = around->verticesOf(here.type);
  for (size_t row = 0; row < numRows; ++row)
    engine.copyIn(static_cast<char *>(whole) + size_t(vertices[row]) * here.bytes, made.data() + row * here.bytes,
                  here.bytes);
}

} // namespace gnn::rt
