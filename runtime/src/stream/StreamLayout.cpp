//===- StreamLayout.cpp - What a program has in memory at a time ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamLayout.h"

#include "runtime/src/engine/Peers.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// The most rows and edges of a call. Where parameters have a row for each vertex products are checked against all.
Capacity capacityFor(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const Intervals &intervals) {
  Capacity most;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    most.rows.push_back(intervals.most(type));
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    most.edges.push_back(binding.relation(r).numEdges());
  for (const ProgramStep step : library.steps(program))
    for (const Operand operand : step.operands())
      if (!step.isSweep() && operand.isPerRow() && library.tensor(operand.tensor).domain == GNN_DOMAIN_PARAM)
        most.rows[step->vertex_type] = binding.rows(step->vertex_type);
  return most;
}

/// [vertex types] whether their original ids are known.
std::vector<bool> orderedTypes(const Library &library, const Binding &binding) {
  std::vector<bool> found;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    found.push_back(binding.order(type) != nullptr);
  return found;
}

} // namespace

std::string StreamLayout::obstacle(const Library &library, const gnn_program_t &program, bool toDevice, bool areRanks) {
  const bool scoresPairs =
      library.steps(program).any([](const ProgramStep &step) { return step.isSweepOver(GNN_RELATION_PAIRS); });
  if (scoresPairs && areRanks)
    return "it scores pairs of vertices, which one process does, or several on samples (--fanout)";
  if (scoresPairs && toDevice)
    return "it scores pairs of vertices, which a GPU does over a graph that is all there, or on samples (--fanout)";
  return "";
}

bool StreamLayout::isOfPairs(uint32_t step) const { return steps[step].isSweepOver(GNN_RELATION_PAIRS); }

size_t StreamLayout::bytesOfVertex(uint32_t tensor, uint32_t type) const {
  return grid().tableBytes(tensor) / std::max<size_t>(size_t(binding.rows(type)), 1);
}

StreamLayout::StreamLayout(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                           SpilledData &spilledData, std::shared_ptr<Prepared> prepared)
    : StreamedProgram(opened, bound, compiled, spilledData), engine(machine),
      planned(library, program,
              Placement(library, program, data.residents(), data.file().isMemory(), data.hostResidents()),
              /*isAlone=*/intervals.numRanks() == 1 && enginesOf(machine).size() == 1, orderedTypes(library, binding)),
      chunks(engine, library, binding, program, planned, data),
      made(prepared ? std::move(prepared)
                    : machine.prepare(binding.dimensions(), program, capacityFor(library, binding, program, intervals),
                                      /*views=*/{})) {
  placeFile();
  perRun = trafficOf(planned, chunks);
  placeAreas();
  placeTensors();
  placeTotals();
}

std::unique_ptr<Prepared> StreamLayout::prepareOn(Engine &other) const {
  return other.prepare(binding.dimensions(), program, capacityFor(library, binding, program, intervals), /*views=*/{});
}

void StreamLayout::placeFile() {
  places.resize(library.tensors().size());
  for (const gnn_use_t &use : usesIn(program))
    if (isSpilled(use.tensor) && !planned.isTemporary(use))
      places[use.tensor] =
          use.first < 0 ? data.table(use.tensor) : data.spillOf(use.tensor).add(chunks.tableBytes(use.tensor));
    else if (!isSpilled(use.tensor) && use.first >= 0 && use.last == int32_t(program.num_steps))
      resultBytes += engine.takenBytes(chunks.tableBytes(use.tensor));
}

std::pair<uint32_t, std::vector<int64_t>> StreamLayout::storedShape(uint32_t tensor, int64_t rows) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  if (info.element == GNN_BITS)
    return {GNN_BOOL, {rows, int64_t(rowBytes(tensor))}};
  return {info.element, binding.dimensions().shapeOf(info, rows)};
}

/// Of the stage that takes the most; the others lie there too.
size_t StreamLayout::placeRows() {
  size_t most = 0;
  for (const Stage &stage : stages()) {
    size_t end = 0;
    rowPlaces.emplace_back();
    for (const OpTemplate &op : stage.ops)
      if (op.movesTable() && op.per == Per::Interval) {
        rowPlaces.back()[op.tensor] = end;
        end += wholeLines(size_t(intervals.most(stage.type)) * rowBytes(op.tensor));
      }
    rowEnds.push_back(end);
    most = std::max(most, rowPiece(rowEnds.size() - 1));
  }
  return most;
}

size_t StreamLayout::stateBytes(uint32_t s) const {
  const ProgramStep step = steps[s];
  const bool isInParts = planned.isInChunks(s) && (intervals.count(step.colType()) > 1 || chunks.isInSlices(s));
  return isInParts ? wholeLines(size_t(intervals.most(step.rowType())) * made->stateBytes(s)) : 0;
}

void StreamLayout::placeTensors() {
  std::vector<PlannedTensor> tensors = temporariesOf(planned, chunks);
  const size_t count = tensors.size();
  for (uint32_t s = 0; s < program.num_steps; ++s)
    tensors.push_back({UINT32_MAX, s, s, stateBytes(s) + wholeLines(made->roomBytes(s)), 0, false});
  std::vector<PlannedTensor *> all;
  for (PlannedTensor &tensor : tensors)
    all.push_back(&tensor);
  const size_t area = arenaBytes;
  arenaBytes += placeByLifeTime(all);
  for (size_t i = count; i < tensors.size(); ++i)
    stepPlaces.push_back(area + tensors[i].offset);
  tensors.resize(count);
  for (const PlannedTensor &tensor : tensors)
    runPlaces[tensor.tensor] = area + tensor.offset;
}

bool StreamLayout::makesIds(const Stage &stage, Per per, uint32_t step) const {
  return std::any_of(stage.ops.begin(), stage.ops.end(), [&](const OpTemplate &op) {
    return op.kind == OpKind::MakeIds && op.per == per && op.step == step;
  });
}

/// Of ids of so many rows, which are in their pieces or, where they are copied, in an area of their own.
size_t StreamLayout::idBytes(bool inPieces, int64_t rows) const {
  return inPieces != data.file().isMemory() ? wholeLines(size_t(rows) * sizeof(int64_t)) : 0;
}

size_t StreamLayout::rowPiece(size_t stage) const {
  const int64_t rows = intervals.most(stages()[stage].type);
  return rowEnds[stage] + (makesRowIds(stage) ? idBytes(/*inPieces=*/true, rows) : 0);
}

/// What the first operands of a sweep take, of so many cols and edges.
size_t StreamLayout::colBytes(uint32_t s, uint32_t operands, int64_t cols, int64_t edges) const {
  return bytesOfTables(chunks, planned.stageOf(s), Per::Chunk, s, cols, edges, operands);
}

/// Several engines give cols on to each other, so each has them at the same place.
size_t StreamLayout::colsAt(uint32_t s, uint32_t operand, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  const uint32_t type = step.colType();
  return data.file().isMemory() ? colBytes(s, operand, intervals.most(type), chunks.mostEdges(step))
                                : colBytes(s, operand, intervals.rows(type, q),
                                           data.counts().at(step->relation).edges(step->direction, p, q));
}

size_t StreamLayout::colPiece(uint32_t s, int64_t p, int64_t q) const {
  const int64_t rows = intervals.rows(steps[s].colType(), q);
  return colIdsAt(s, p, q) + (makesColIds(s) ? idBytes(/*inPieces=*/true, rows) : 0);
}

/// An interval of the widest table that is in the file.
size_t StreamLayout::mostToGather(uint32_t s) const {
  const ProgramStep step = steps[s];
  size_t widest = 0;
  for (const Operand operand : step.operands())
    if (operand.isPerCol() && isSpilled(operand.tensor))
      widest = std::max(widest, rowBytes(operand.tensor));
  return wholeLines(size_t(intervals.most(step.colType())) * widest);
}

/// Ids of the rows come after the tables.
void StreamLayout::placeGathered() {
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    gatherPlaces.emplace_back();
    if (!isOfPairs(s))
      continue;
    const ProgramStep step = steps[s];
    const uint32_t type = step.colType();
    const auto rows = size_t(EdgeRows::mostTouched(binding.relation(step->relation).numEdges(), binding.rows(type)));
    for (const Operand operand : step.operands()) {
      gatherPlaces[s].push_back(arenaBytes);
      if (operand.isPerCol())
        arenaBytes += wholeLines(rows * bytesOfVertex(operand.tensor, type));
    }
    gatherPlaces[s].push_back(arenaBytes);
    if (step.needs(GNN_KERNEL_COL_ID))
      arenaBytes += wholeLines(rows * sizeof(int64_t));
  }
}

size_t StreamLayout::mostCols() const {
  size_t most = 0;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = steps[s];
    const int64_t rows = step.isSweep() ? intervals.most(step.colType()) : 0;
    if (isOfPairs(s))
      most = std::max(most, mostToGather(s));
    else if (planned.isInChunks(s))
      most = std::max(most, colBytes(s, step->num_tensors, rows, chunks.mostEdges(step)) +
                                (makesColIds(s) ? idBytes(/*inPieces=*/true, rows) : 0));
  }
  return most;
}

size_t StreamLayout::mostEdges() {
  size_t most = 0;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = steps[s];
    if (isOfRows(s))
      data.edgeRows(step->relation, step->direction); // its memory
    if (!planned.isInChunks(s))
      continue;
    const int64_t slice = std::min(chunks.mostEdges(step), data.sliceEdges(step->relation, step->direction));
    most = std::max(most,
                    Chunks::slotBytes(binding.relation(step->relation), data.edgeNeeds(step->relation, step->direction),
                                      intervals.most(step.rowType()), slice));
  }
  return wholeLines(most);
}

/// Gives rings, and the bytes that go through them in a run, of what is to be loaded ahead. First those whose pieces
/// would not lie side by side: a ring of two pieces holds up the others, however few bytes go through it. Then so that
/// each has as long a part of the run.
void StreamLayout::shareAhead(std::vector<std::pair<RingSize *, uint64_t>> rings) const {
  size_t left = data.aheadBytes();
  for (auto &[ring, through] : rings)
    if (const size_t more = ring->bytesToPack() - std::min(ring->bytesToPack(), ring->bytes()); more <= left) {
      ring->ahead = more;
      left -= more;
    }
  double part = 0, tooMuch = 1; // of a run
  auto moreFor = [](const RingSize &ring, uint64_t through, double ofRun) {
    return ring.isPacked() ? std::max(ofRun * double(through) - double(ring.bytes()), 0.0) : 0;
  };
  for (int halvings = 0; halvings < 40; ++halvings) {
    const double middle = (part + tooMuch) / 2;
    double bytes = 0;
    for (const auto &[ring, through] : rings)
      bytes += moreFor(*ring, through, middle);
    (bytes <= double(left) ? part : tooMuch) = middle;
  }
  for (auto &[ring, through] : rings)
    ring->ahead += size_t(moreFor(*ring, through, part)) / cacheLine * cacheLine;
}

/// Of edges the last slice stays, as the next one goes on where the edges of each row ended.
void StreamLayout::placeAreas() {
  const unsigned halves = intervals.parts() > 1 ? 2 : 1;
  bool hasSlices = false;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    hasSlices = hasSlices || chunks.isInSlices(s);
  RingSize rows{placeRows(), halves}, cols{mostCols(), halves}, edges{mostEdges(), hasSlices ? 2 : halves};
  if (!data.file().isMemory()) {
    rows.keepsLast = cols.keepsLast = false;
    edges.keepsLast = edges.most > 0;
    shareAhead({{&rows, perRun.throughRows}, {&cols, perRun.throughCols}, {&edges, perRun.moved.read[Spill::Edges]}});
  }
  int64_t mostRows = 0;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    mostRows = std::max(mostRows, intervals.most(type));
  auto idsFor = [&](uint32_t need) {
    const bool areRead = steps.any([&](const ProgramStep &step) { return step.needs(need); });
    return areRead ? idBytes(/*inPieces=*/false, mostRows) : 0;
  };
  auto add = [&](const RingSize &ring) {
    const Area area{arenaBytes, ring};
    arenaBytes += ring.bytes();
    return area;
  };
  rowArea = add(rows);
  colArea = add(cols);
  edgeArea = add(edges);
  rowIdArea = add({idsFor(GNN_KERNEL_ROW_ID), halves});
  colIdArea = add({idsFor(GNN_KERNEL_COL_ID), halves});
  placeGathered();
}

void StreamLayout::placeTotals() {
  Totals found = totalsOf(planned, chunks);
  for (std::vector<TotalParts> &totals : found.ofStages)
    for (TotalParts &total : totals)
      total.offset += arenaBytes;
  totalPlaces = std::move(found.ofStages);
  arenaBytes += found.bytes;
}

} // namespace gnn::rt
