//===- InferAt.cpp - Executor of inference for some vertices --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/InferAt.h"

#include "runtime/src/core/Buffer.h"
#include "runtime/src/exec/StepOperands.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <unordered_map>

namespace gnn::rt {

namespace {} // namespace

InferAt::InferAt(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled)
    : engine(machine), library(opened), binding(bound), program(compiled), neighbourhood(library, binding, program),
      rows(library.tensors().size()), capacity(rows.size(), 0), edges(library.table().num_relations, 0),
      tables(engine.tables(binding)), placed(rows.size()), bases(rows.size()) {
  checkEdgeTypes(library, binding, program);
  findRows();
}

/// What steps see of each tensor.
void InferAt::findRows() {
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    operands.resize(std::max<size_t>(operands.size(), step.num_tensors));
    for (uint32_t i = 0; i < step.num_tensors; ++i) {
      const uint32_t access = accessOf(library, step, i);
      if (access == GNN_ACCESS_WHOLE)
        continue;
      Rows found;
      found.isMade = i >= firstOutput(library.table(), step);
      found.isOfEdges = access == GNN_ACCESS_EDGE;
      found.type = found.isOfEdges ? step.relation : endType(library, step, access == GNN_ACCESS_ROW);
      found.depth = std::max(access == GNN_ACCESS_COL ? step.col_depth : step.row_depth, 0);
      note(step.tensors[i], found);
    }
  }
}

void InferAt::note(uint32_t tensor, const Rows &found) {
  Rows &known = rows[tensor];
  if (!known.isMade && !found.isMade && !found.isOfEdges && library.table().vertex_types[found.type].is_table)
    return; // all of a parameter
  const bool isMade = known.isMade || found.isMade;
  const int32_t depth = std::max(known.isUsed ? known.depth : 0, found.depth);
  known = found;
  known.isUsed = true;
  known.isMade = isMade;
  known.depth = depth;
  const gnn_tensor_info_t &info = library.tensor(tensor);
  known.bytes = engine.rowBytes(binding.dimensions(), info);
  if (info.domain == GNN_DOMAIN_PARAM) // with a row for each vertex
    known.bytes /= std::max<size_t>(size_t(binding.rows(known.type)), 1);
}

int64_t InferAt::count(const Rows &of) const {
  return of.isOfEdges ? int64_t(neighbourhood.edgesOf(of.type).size()) : neighbourhood.rows(of.depth, of.type);
}

/// Whether there is to be more room than there is.
bool InferAt::grow() {
  bool isMore = !prepared;
  auto fit = [&](int64_t &room, int64_t needed) {
    isMore |= needed > room;
    if (needed > room)
      room = std::max(needed, 2 * room);
  };
  for (size_t tensor = 0; tensor < rows.size(); ++tensor)
    if (rows[tensor].isUsed)
      fit(capacity[tensor], count(rows[tensor]));
  for (uint32_t relation = 0; relation < edges.size(); ++relation)
    fit(edges[relation], neighbourhood.edges(relation));
  return isMore;
}

void InferAt::prepare() {
  prepared.reset();
  Capacity most;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    most.rows.push_back(neighbourhood.rows(neighbourhood.deepest(), type));
  for (size_t tensor = 0; tensor < rows.size(); ++tensor)
    if (rows[tensor].isUsed && !rows[tensor].isOfEdges)
      most.rows[rows[tensor].type] = std::max(most.rows[rows[tensor].type], capacity[tensor]);
  most.edges = edges;
  prepared = engine.prepare(binding.dimensions(), program, most, /*only=*/nullptr);

  auto bytesOf = [&](uint32_t tensor) {
    return rows[tensor].isUsed ? size_t(capacity[tensor]) * rows[tensor].bytes
                               : engine.rowBytes(binding.dimensions(), library.tensor(tensor));
  };
  std::vector<size_t> rooms;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    rooms.push_back(prepared->roomBytes(s));
  memory = planMemory(library, program, bytesOf, {}, {}, rooms);
  arena.reset();
  arena = engine.allocate(memory.arenaBytes);
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = static_cast<char *>(arena->data()) + planned.offset;

  std::vector<std::pair<uint32_t, size_t>> offsets;
  size_t end = 0;
  auto add = [&](uint32_t tensor) {
    offsets.emplace_back(tensor, end);
    end += wholeLines(bytesOf(tensor));
  };
  for (uint32_t tensor = 0; tensor < rows.size(); ++tensor)
    if (rows[tensor].isUsed && !rows[tensor].isMade)
      add(tensor);
  for (uint32_t i = 0; i < program.num_results; ++i)
    if (!isGiven(program.results[i]))
      add(program.results[i]);
  lasting.reset();
  lasting = engine.allocate(end);
  for (auto [tensor, offset] : offsets)
    bases[tensor] = static_cast<char *>(lasting->data()) + offset;
}

/// What steps read of the rows of features, degrees and parameters.
void InferAt::gather() {
  for (uint32_t tensor = 0; tensor < rows.size(); ++tensor) {
    const Rows &read = rows[tensor];
    if (!read.isUsed || read.isMade)
      continue;
    const std::vector<int64_t> &ids =
        read.isOfEdges ? neighbourhood.edgesOf(read.type) : neighbourhood.verticesOf(read.type);
    const Tensor table = binding.data(tensor).onHost();
    engine.gatherIn(bases[tensor], table ? table.data() : placed[tensor], read.bytes,
                    {ids.data(), size_t(count(read))});
  }
}

void InferAt::runStep(uint32_t s) {
  const gnn_step_t &step = program.steps[s];
  for (uint32_t i = 0; i < step.num_tensors; ++i) {
    const uint32_t tensor = step.tensors[i];
    operands[i] = rows[tensor].isUsed && accessOf(library, step, i) != GNN_ACCESS_WHOLE ? bases[tensor]
                  : binding.data(tensor)                                                ? tables->table(tensor)
                  : placed[tensor]                                                      ? placed[tensor]
                                                                                        : bases[tensor];
    assert(operands[i] && "every tensor of a program is made, gathered or placed");
  }
  StepCall call;
  call.room = static_cast<char *>(arena->data()) + memory.stepOffsets[s];
  prepared->run(s, neighbourhood.at(step.row_depth), operands.data(), call);
}

std::vector<Tensor> InferAt::run(uint32_t vertexType, Span<const int64_t> seeds) {
  std::vector<int64_t> distinct, rowOfSeed;
  std::unordered_map<int64_t, int64_t> known;
  for (int64_t seed : seeds) {
    auto [at, isNew] = known.emplace(seed, int64_t(distinct.size()));
    if (isNew)
      distinct.push_back(seed);
    rowOfSeed.push_back(at->second);
  }
  neighbourhood.expand(vertexType, distinct);
  engine.settle();
  if (grow())
    prepare();
  gather();
  prepared->begin({});
  engine.beginRun();
  for (uint32_t s = 0; s < program.num_steps; ++s)
    runStep(s);
  engine.endRun();
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < program.num_results; ++i)
    results.push_back(resultFor(program.results[i], vertexType, rowOfSeed));
  return results;
}

/// Whether no step makes it.
bool InferAt::isGiven(uint32_t tensor) const { return placed[tensor] || binding.data(tensor); }

Tensor InferAt::resultFor(uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed) {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const bool isOfVertices = info.domain == GNN_DOMAIN_VERTEX;
  const int64_t distinct = isOfVertices ? neighbourhood.rows(/*depth=*/0, info.type) : 1;
  std::vector<int64_t> shape = binding.dimensions().shapeOf(info);
  if (isOfVertices)
    shape.insert(shape.begin(), distinct);
  Tensor result;
  if (binding.data(tensor)) { // an input that is passed on
    const std::vector<int64_t> &all = neighbourhood.verticesOf(info.type);
    const Tensor given = binding.data(tensor).onHost();
    result = isOfVertices ? given.rowsAt({all.data(), size_t(distinct)}) : given;
  } else {
    result = Tensor::empty(info.element, std::move(shape));
    engine.copyOut(result.mutableData(), placed[tensor] ? placed[tensor] : bases[tensor], result.bytes());
  }
  const bool isRepeated = isOfVertices && info.type == vertexType && int64_t(rowOfSeed.size()) > distinct;
  return isRepeated ? result.rowsAt({rowOfSeed.data(), rowOfSeed.size()}) : result;
}

} // namespace gnn::rt
