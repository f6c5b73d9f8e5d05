//===- Neighbourhood.cpp - What the answers for some vertices need --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Neighbourhood.h"

#include "runtime/src/core/UniqueNumber.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace gnn::rt {

namespace {

constexpr uint32_t notMet = UINT32_MAX;

Span<const gnn_step_t> stepsOf(const gnn_program_t &program) { return {program.steps, program.num_steps}; }

bool isTable(const Library &library, uint32_t vertexType) {
  return library.table().vertex_types[vertexType].is_table != 0;
}

bool touchesEdges(const gnn_kernel_t &kernel) {
  return std::find(kernel.access, kernel.access + kernel.num_operands, uint32_t(GNN_ACCESS_EDGE)) !=
         kernel.access + kernel.num_operands;
}

bool isSweep(const gnn_step_t &step) { return step.kind == GNN_STEP_SWEEP; }
bool isMap(const gnn_step_t &step) { return step.kind == GNN_STEP_MAP; }

/// Whether a step is none that a neighbourhood can be asked for.
std::string obstacleOf(const Library &library, const gnn_step_t &step) {
  const bool isOfTable = isTable(library, step.vertex_type);
  if (isSweep(step)) {
    const gnn_relation_t &relation = library.table().relations[step.relation];
    if (relation.kind == GNN_RELATION_PAIRS)
      return "it scores pairs of vertices";
    const bool isInput = relation.kind == GNN_RELATION_SPARSE_INPUT;
    return step.row_depth >= 0 && step.col_depth == (isInput ? -1 : step.row_depth + 1)
               ? ""
               : "edges are read both ways in one of its steps";
  }
  if (isMap(step) ? library.kernel(step.kernel).num_totals > 0 : step.kind == GNN_STEP_MATMUL_TN)
    return isOfTable ? "" : "it computes totals over all vertices";
  const bool isLearned = !isMap(step) && library.tensor(step.tensors[0]).domain == GNN_DOMAIN_PARAM;
  return !isOfTable && (step.row_depth < 0 || isLearned) ? "it computes with parameters of all vertices" : "";
}

} // namespace

/// Rows of one relation in one direction, in the order in which their vertices are met.
struct Neighbourhood::Walk {
  uint32_t relation, direction, rowType, colType;
  int32_t deepest;    // depth of the rows
  bool touchesTables; // of edges
  std::vector<int64_t> offsets{0}, edges{};
  std::vector<uint32_t> cols{};
  std::vector<int32_t> types{};

  int64_t rows() const { return int64_t(offsets.size()) - 1; }
};

/// The first rows of all walks.
class Neighbourhood::Layer : public View {
public:
  Layer(const Neighbourhood &all, int32_t depth) : all(all), depth(depth) {}

  int64_t rows(uint32_t vertexType) const override { return all.rows(depth, vertexType); }
  const int64_t *ids(uint32_t vertexType) const override {
    if (isTable(all.library, vertexType))
      return nullptr;
    return all.binding.order(vertexType) ? all.ids[vertexType].data() : all.vertices[vertexType].data();
  }
  gnn_block_t block(uint32_t relation, uint32_t direction) const override {
    const Walk &walk = *all.walkOf(relation, direction);
    assert(depth <= walk.deepest);
    return {sizeof(gnn_block_t),   0,
            rows(walk.rowType),    all.rows(std::min(depth + 1, all.deepest()), walk.colType),
            walk.offsets.data(),   walk.offsets.data() + 1,
            walk.cols.data(),      ids(walk.rowType),
            ids(walk.colType),
            /*edge_id=*/nullptr,
            /*edge_id32=*/nullptr, walk.types.empty() ? nullptr : walk.types.data(),
            /*row_pos=*/nullptr};
  }
  uint64_t content(uint32_t) const override { return number; }
  const Relation *lasting(uint32_t) const override { return nullptr; }

  uint64_t number = 0;

private:
  const Neighbourhood &all;
  const int32_t depth;
};

std::string Neighbourhood::obstacle(const Library &library, const gnn_program_t &program) {
  std::map<uint32_t, uint32_t> directions; // by relation whose tables of edges a step touches
  for (const gnn_step_t &step : stepsOf(program)) {
    if (std::string found = obstacleOf(library, step); !found.empty())
      return found;
    if (isSweep(step) && touchesEdges(library.kernel(step.kernel)))
      if (directions.emplace(step.relation, step.direction).first->second != step.direction)
        return "it keeps numbers of edges that are read from both ends";
  }
  for (uint32_t i = 0; i < program.num_results; ++i)
    if (library.tensor(program.results[i]).domain == GNN_DOMAIN_EDGE)
      return "it has outputs of edges";
  return "";
}

Neighbourhood::Neighbourhood(const Library &opened, const Binding &bound, const gnn_program_t &program)
    : library(opened), binding(bound), vertices(library.table().num_vertex_types), ids(vertices.size()),
      places(vertices.size()) {
  assert(obstacle(library, program).empty());
  int32_t depths = 1;
  for (const gnn_step_t &step : stepsOf(program)) {
    depths = std::max({depths, step.row_depth + 1, step.col_depth + 1});
    if (isSweep(step))
      addWalk(step);
  }
  numRows.assign(size_t(depths), std::vector<int64_t>(vertices.size(), 0));
  for (int32_t depth = 0; depth < depths; ++depth)
    layers.push_back(std::make_unique<Layer>(*this, depth));
  for (uint32_t type = 0; type < vertices.size(); ++type)
    if (isTable(library, type))
      for (std::vector<int64_t> &counts : numRows)
        counts[type] = binding.rows(type);
    else
      places[type].assign(size_t(binding.rows(type)), notMet);
}

Neighbourhood::~Neighbourhood() = default;

void Neighbourhood::addWalk(const gnn_step_t &step) {
  const bool touches = touchesEdges(library.kernel(step.kernel));
  if (Walk *known = walkOf(step.relation, step.direction)) {
    known->deepest = std::max(known->deepest, step.row_depth);
    known->touchesTables |= touches;
    return;
  }
  const gnn_relation_t &relation = library.table().relations[step.relation];
  const bool toSource = step.direction == GNN_TO_SOURCE;
  auto walk = std::make_unique<Walk>();
  walk->relation = step.relation;
  walk->direction = step.direction;
  walk->rowType = toSource ? relation.source_type : relation.destination_type;
  walk->colType = toSource ? relation.destination_type : relation.source_type;
  walk->deepest = step.row_depth;
  walk->touchesTables = touches;
  walks.push_back(std::move(walk));
}

Neighbourhood::Walk *Neighbourhood::walkOf(uint32_t relation, uint32_t direction) const {
  for (const auto &walk : walks)
    if (walk->relation == relation && walk->direction == direction)
      return walk.get();
  return nullptr;
}

void Neighbourhood::forget() {
  for (uint32_t type = 0; type < vertices.size(); ++type) {
    for (int64_t vertex : vertices[type])
      places[type][size_t(vertex)] = notMet;
    vertices[type].clear();
    ids[type].clear();
  }
  for (const auto &walk : walks) {
    walk->offsets.resize(1);
    walk->edges.clear();
    walk->cols.clear();
    walk->types.clear();
  }
}

uint32_t Neighbourhood::meet(uint32_t vertexType, int64_t vertex) {
  uint32_t &place = places[vertexType][size_t(vertex)];
  if (place == notMet) {
    vertices[vertexType].push_back(vertex); // first: what is in there, `forget` knows
    place = uint32_t(vertices[vertexType].size()) - 1;
  }
  return place;
}

/// Adds the edges of the rows up to `rows`.
void Neighbourhood::follow(Walk &walk, int64_t rows) {
  const Csr &csr = binding.relation(walk.relation).csr(walk.direction);
  const bool isOfTable = isTable(library, walk.colType);
  for (int64_t row = walk.rows(); row < rows; ++row) {
    const auto vertex = size_t(vertices[walk.rowType][size_t(row)]);
    const auto begin = size_t(csr.offsets[vertex]), end = size_t(csr.offsets[vertex + 1]);
    for (size_t e = begin; e < end; ++e)
      walk.cols.push_back(isOfTable ? csr.cols[e] : meet(walk.colType, csr.cols[e]));
    for (size_t e = begin; e < end && walk.touchesTables; ++e)
      walk.edges.push_back(csr.edgeIds[e]);
    if (!csr.types.empty())
      walk.types.insert(walk.types.end(), csr.types.begin() + begin, csr.types.begin() + end);
    walk.offsets.push_back(int64_t(walk.cols.size()));
  }
}

void Neighbourhood::expand(uint32_t vertexType, Span<const int64_t> seeds) {
  forget();
  for (int64_t seed : seeds)
    meet(vertexType, seed);
  assert(vertices[vertexType].size() == seeds.size() && "each seed once");
  for (int32_t depth = 0; depth <= deepest(); ++depth) {
    std::vector<int64_t> &counts = numRows[size_t(depth)];
    for (uint32_t type = 0; type < vertices.size(); ++type)
      if (!isTable(library, type))
        counts[type] = int64_t(vertices[type].size());
    // What a deeper step reads is read at this depth too.
    for (const auto &walk : walks)
      if (depth <= walk->deepest)
        follow(*walk, counts[walk->rowType]);
    layers[size_t(depth)]->number = uniqueNumber();
  }
  for (uint32_t type = 0; type < vertices.size(); ++type)
    if (const VertexOrder *order = binding.order(type))
      for (int64_t vertex : vertices[type])
        ids[type].push_back(order->id[size_t(vertex)]);
}

const View &Neighbourhood::at(int32_t depth) const { return *layers[size_t(std::max(depth, 0))]; }

int64_t Neighbourhood::edges(uint32_t relation) const {
  size_t most = 0;
  for (const auto &walk : walks)
    if (walk->relation == relation)
      most = std::max(most, walk->cols.size());
  return int64_t(most);
}

const std::vector<int64_t> &Neighbourhood::edgesOf(uint32_t relation) const {
  for (const auto &walk : walks)
    if (walk->relation == relation && walk->touchesTables)
      return walk->edges;
  static const std::vector<int64_t> none;
  return none;
}

} // namespace gnn::rt
