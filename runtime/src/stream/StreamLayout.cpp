//===- StreamLayout.cpp - The plan of a streamed program -------------------===//
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
  ofRun = placeRun(*this, planned, chunks, *made, perRun);
}

std::unique_ptr<Prepared> StreamLayout::prepareOn(Engine &other) const {
  return other.prepare(binding.dimensions(), program, capacityFor(library, binding, program, intervals), /*views=*/{});
}

void StreamLayout::placeFile() {
  for (uint32_t s = 0; s < steps.size(); ++s)
    if (planned.isOfRows(s))
      data.edgeRows(steps[s]->relation, steps[s]->direction); // its memory
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

/// Several engines give cols on to each other, so each has them at the same place.
size_t StreamLayout::colsAt(uint32_t s, uint32_t operand, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  const bool areAlike = data.file().isMemory();
  return bytesOfTables(
      chunks, planned.stageOf(s), Per::Chunk, s,
      areAlike ? intervals.most(step.colType()) : intervals.rows(step.colType(), q),
      areAlike ? chunks.mostEdges(step) : data.counts().at(step->relation).edges(step->direction, p, q), operand);
}

size_t StreamLayout::colPiece(uint32_t s, int64_t p, int64_t q) const {
  const int64_t rows = intervals.rows(steps[s].colType(), q);
  return colIdsAt(s, p, q) + (ofRun.steps[s].makesColIds ? bytesOfIds(data, /*inPieces=*/true, rows) : 0);
}

} // namespace gnn::rt
