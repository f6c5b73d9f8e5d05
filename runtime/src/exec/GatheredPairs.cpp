//===- GatheredPairs.cpp - Pairs on rows of their ends --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/GatheredPairs.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

namespace {

bool isOfEnd(const Operand &operand) { return operand.isPerRow() || operand.isPerCol(); }

/// Of a parameter with rows for the vertices of a type, what one has of it.
size_t bytesOfVertex(const Binding &binding, const gnn_tensor_info_t &info, uint32_t tensor, uint32_t type) {
  return info.domain == GNN_DOMAIN_PARAM ? binding.tensorBytes(tensor) / std::max<size_t>(size_t(binding.rows(type)), 1)
                                         : binding.rowBytes(tensor);
}

Capacity capacityFor(const Library &library, int64_t pairs) {
  return {std::vector<int64_t>(library.table().num_vertex_types, pairs),
          std::vector<int64_t>(library.table().num_relations, pairs)};
}

std::vector<int64_t> eachOnce(const Buffer<uint32_t> &ends) {
  std::vector<int64_t> rows(ends.begin(), ends.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Buffer<uint32_t> placesIn(const std::vector<int64_t> &rows, const Buffer<uint32_t> &ends) {
  Buffer<uint32_t> places(ends.size());
  for (size_t i = 0; i < ends.size(); ++i)
    places[i] = uint32_t(std::lower_bound(rows.begin(), rows.end(), int64_t(ends[i])) - rows.begin());
  return places;
}

} // namespace

class GatheredPairs::BlockView : public View {
public:
  BlockView(const Relation &pairs, uint32_t direction) : edges(pairs.block(direction)), number(pairs.number()) {}
  int64_t rows(uint32_t) const override { return edges.num_rows; }
  const int64_t *ids(uint32_t) const override { return nullptr; }
  gnn_block_t block(uint32_t, uint32_t) const override { return edges; }
  uint64_t content(uint32_t) const override { return number; }
  const Relation *lasting(uint32_t) const override { return nullptr; }

private:
  const gnn_block_t edges;
  const uint64_t number;
};

size_t GatheredPairs::bytes(const Library &library, const Binding &binding, const gnn_program_t &whole, int64_t pairs) {
  constexpr size_t ofPair = 96; // the pair sorted by both ends, as it was before, and rows of ends
  size_t bytes = ofPair * size_t(pairs);
  const auto sweeps = PartOfProgram::overPairs(library, whole);
  for (const ProgramStep step : library.steps(sweeps->program()))
    for (const Operand operand : step.operands()) {
      const uint32_t tensor = operand.tensor, type = step.typeOf(operand);
      if (isOfEnd(operand))
        bytes +=
            size_t(std::min(pairs, binding.rows(type))) * bytesOfVertex(binding, library.tensor(tensor), tensor, type);
      else if (operand.isPerEdge())
        bytes += size_t(pairs) * binding.rowBytes(tensor);
    }
  return bytes;
}

GatheredPairs::GatheredPairs(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &whole,
                             Executor &ofVertices, int64_t pairs)
    : engine(machine), library(opened), binding(bound), sweeps(PartOfProgram::overPairs(library, whole)),
      program(sweeps->program()), fields(ofVertices), most(pairs),
      prepared(engine.prepare(binding.dimensions(), program, capacityFor(library, most), /*views=*/{})),
      tables(engine.tables(binding)), bases(library.tensors().size()) {
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    rooms.push_back(engine.allocate(prepared->roomBytes(s)));
    for (const Operand operand : library.step(program.steps[s]).operands())
      if (operand.isPerEdge()) {
        const gnn_tensor_info_t &info = library.tensor(operand.tensor);
        require(info.role != GNN_ROLE_INPUT, GNN_ERROR_MISMATCH, library.name(), " reads ", info.name,
                " of pairs, which is not there within a limit of memory");
        ofPairs[operand.tensor] = engine.zeros(info.element, binding.dimensions().shapeOf(info, most));
      }
  }
}

void GatheredPairs::run(const EdgeList &pairs, const std::vector<double> &targets) {
  const std::vector<int64_t> sources = eachOnce(pairs.src), destinations = eachOnce(pairs.dst);
  EdgeList placed;
  placed.src = placesIn(sources, pairs.src);
  placed.dst = placesIn(destinations, pairs.dst);
  placed.type = Buffer<int32_t>(pairs.type.size());
  std::copy(pairs.type.begin(), pairs.type.end(), placed.type.begin());
  run(sortEdges(placed, int64_t(sources.size()), int64_t(destinations.size())), sources, destinations, targets);
}

void GatheredPairs::run(SortedEdges sorted, const std::vector<int64_t> &sources,
                        const std::vector<int64_t> &destinations, const std::vector<double> &targets) {
  const int64_t count = sorted.byDestination.offsets.end()[-1];
  const Relation pairs(std::move(sorted), count, nullptr, nullptr);
  for (auto &[tensor, table] : ofPairs)
    if (const gnn_tensor_info_t &info = library.tensor(tensor); info.role == GNN_ROLE_TARGET && !targets.empty()) {
      const Tensor given = Tensor::of(targets).converted(info.element, info.name);
      std::memcpy(table.mutableData(), given.data(), given.bytes());
    }
  prepared->begin({});
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    std::vector<void *> operands;
    for (const Operand each : step.operands())
      operands.push_back(place(step, each, sources, destinations));
    StepCall call;
    call.room = rooms[s]->data();
    engine.beginRun();
    prepared->run(s, BlockView(pairs, step->direction), operands.data(), call);
    engine.endRun();
  }
}

void *GatheredPairs::place(const ProgramStep &step, const Operand &operand, const std::vector<int64_t> &sources,
                           const std::vector<int64_t> &destinations) {
  const uint32_t tensor = operand.tensor;
  if (operand.isPerEdge())
    return ofPairs.at(tensor).mutableData();
  if (!isOfEnd(operand) && bases[tensor])
    return bases[tensor];
  if (!isOfEnd(operand))
    return isField(tensor) ? const_cast<void *>(fields.result(fieldOf(tensor)).data()) : tables->table(tensor);
  const bool ofSource = operand.isPerRow() == (step->direction == GNN_TO_SOURCE);
  const std::vector<int64_t> &rows = ofSource ? sources : destinations;
  Rows &known = rowsOf[{tensor, ofSource}];
  if (!known.table || known.rows != rows)
    known = {rows, rowsAt(tensor, step.typeOf(operand), rows)};
  return known.table.mutableData();
}

uint32_t GatheredPairs::fieldOf(uint32_t tensor) const {
  const gnn_program_t &made = fields.walked();
  return uint32_t(std::find(made.results, made.results + made.num_results, tensor) - made.results);
}

/// Of a parameter with rows for the vertices of a type, too.
Tensor GatheredPairs::rowsAt(uint32_t tensor, uint32_t type, const std::vector<int64_t> &rows) {
  if (isField(tensor))
    return fields.resultRows(fieldOf(tensor), rows);
  const size_t rowBytes = bytesOfVertex(binding, library.tensor(tensor), tensor, type);
  Tensor taken = Tensor::empty(GNN_BOOL, {int64_t(rows.size() * rowBytes)});
  auto *to = static_cast<char *>(taken.mutableData());
  for (int64_t row : rows) {
    std::memcpy(to, bases[tensor] + size_t(row) * rowBytes, rowBytes);
    to += rowBytes;
  }
  return taken;
}

} // namespace gnn::rt
