//===- SampleDepths.cpp - What the law of samples says of depths ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/SampleDepths.h"

#include <algorithm>

namespace gnnc::verify {

SampleDepths::SampleDepths(const CheckedModel &model) : model(model), depths(model.values.size()) {
  read(unsigned(model.loss), {0, 0});
  for (const StateUpdate &update : model.stateUpdates)
    read(update.value, {0, 0});
  for (unsigned index = unsigned(model.values.size()); index-- > 0;)
    if (depths[index].source >= 0 || depths[index].destination >= 0)
      visit(index);
}

void SampleDepths::read(unsigned value, Ends ends) {
  const GraphKind kind = model.values[value].type.kind;
  if (kind == GraphKind::P || kind == GraphKind::V)
    ends.source = ends.destination = std::max(ends.source, ends.destination);
  Ends &known = depths[value];
  known = {std::max(known.source, ends.source), std::max(known.destination, ends.destination)};
}

/// Reads the operands on all edges of vertices up to depth `rows`: the other ends are one step farther.
void SampleDepths::readEdges(const Value &value, int rows) {
  const Relation &relation = model.relations[value.relation];
  const bool isHop = !relation.isSparseInput && !relation.isPairs;
  const int cols = isHop ? rows + 1 : rows;
  if (isHop && (value.reduction != Reduction::Count || value.filtered || value.kind == ValueKind::Softmax)) {
    ways.push_back({value.relation, value.toward, rows});
    deepest = std::max(deepest, cols);
  }
  for (unsigned operand : value.operands)
    read(operand, value.toward == End::Source ? Ends{rows, cols} : Ends{cols, rows});
}

void SampleDepths::visit(unsigned index) {
  const Value &value = model.values[index];
  Ends own = depths[index];
  if (value.type.kind == GraphKind::S) // of that end alone
    own.destination = -1;
  else if (value.type.kind == GraphKind::D)
    own.source = -1;
  const auto [source, destination] = own;
  switch (value.kind) {
  case ValueKind::Aggregate:
    return readEdges(value, source);
  case ValueKind::Softmax: // over all edges of the vertices at the end
    for (unsigned operand : value.operands)
      read(operand, own);
    return readEdges(value, value.toward == End::Source ? source : destination);
  case ValueKind::ReadSource:
    return read(value.operands[0], {source, source});
  case ValueKind::ReadDestination:
    return read(value.operands[0], {destination, destination});
  default:
    for (unsigned operand : value.operands)
      read(operand, own);
  }
}

std::vector<std::vector<int>> SampleDepths::distances(const Scenario &scenario) const {
  const OracleBindings &bindings = scenario.bindings;
  std::vector<std::vector<int>> result;
  for (int64_t count : bindings.numVertices)
    result.emplace_back(size_t(std::max<int64_t>(count, 0)), -1);
  for (int64_t row : scenario.lossRows)
    result[model.values[model.loss].type.type][size_t(row)] = 0;
  for (int depth = 0; depth < deepest; ++depth)
    for (const Way &way : ways) {
      const Relation &relation = model.relations[way.relation];
      const OracleGraph &graph = bindings.relations[way.relation];
      const bool isBack = way.rows == End::Source;
      std::vector<int> &near = result[isBack ? relation.sourceType : relation.destinationType],
                       &far = result[isBack ? relation.destinationType : relation.sourceType];
      for (size_t edge = 0; way.depth >= depth && edge < graph.src.size(); ++edge) {
        if (bindings.isSeen && !bindings.isSeen(way.relation, way.rows, int64_t(edge)))
          continue;
        const auto row = size_t(isBack ? graph.src[edge] : graph.dst[edge]),
                   col = size_t(isBack ? graph.dst[edge] : graph.src[edge]);
        if (near[row] == depth && far[col] < 0)
          far[col] = depth + 1;
      }
    }
  return result;
}

std::map<unsigned, std::vector<int64_t>> SampleDepths::totalVertices(const Scenario &scenario) const {
  const std::vector<std::vector<int>> steps = distances(scenario);
  std::map<unsigned, std::vector<int64_t>> result;
  for (unsigned index = 0; index < model.values.size(); ++index) {
    const Value &total = model.values[index];
    if (total.kind != ValueKind::Total || depths[index].source < 0)
      continue;
    const std::vector<int> &ofType = steps[model.values[total.operands[0]].type.type];
    for (size_t vertex = 0; vertex < ofType.size(); ++vertex)
      if (ofType[vertex] >= 0 && ofType[vertex] <= depths[index].source)
        result[index].push_back(int64_t(vertex));
    result[index]; // of none: an empty list
  }
  return result;
}

} // namespace gnnc::verify
