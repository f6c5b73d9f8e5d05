//===- SnapshotRows.cpp - A snapshot as a library sees it -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/SnapshotRows.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/InputForms.h"
#include "runtime/src/program/Obstacles.h"

namespace gnn::rt {

namespace {

constexpr char where[] = "the graph that grows";

/// What stands in the way of a library; empty: nothing.
std::string obstacleOf(const Library &library, const gnn_program_t &infer, const GraphEpoch &epoch) {
  const std::string whole = obstacleToNeighbourhoods(library, infer);
  if (!whole.empty())
    return whole;
  for (uint32_t t = 0; t < library.table().num_vertex_types; ++t)
    if (const gnn_vertex_type_t &type = library.table().vertex_types[t]; !type.is_table && type.rows >= 0)
      return std::string("it has parameters for each vertex of type ") + type.name;
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (const gnn_relation_t &relation = library.relation(r);
        relation.kind == GNN_RELATION_SPARSE_INPUT && !isUnread(library, r))
      return std::string(relation.name) + " is a sparse input";
  for (const gnn_tensor_info_t &info : library.tensors()) {
    if (info.role != GNN_ROLE_INPUT || info.domain == GNN_DOMAIN_PARAM)
      continue;
    if (info.domain == GNN_DOMAIN_EDGE)
      return std::string("it reads the input ") + info.name + " of edges";
    if (info.flags & GNN_INPUT_ROW_NORMALIZED)
      return std::string("it normalizes the rows of ") + info.name;
    const Feature *feature = featureOf(library, info, epoch.features);
    if (feature && feature->dense.element() != info.element)
      return std::string("it reads ") + info.name + " as " + elementName(info.element) + ", which is " +
             elementName(feature->dense.element()) + " (gnnc --storage=f32 compiles it so that it reads f32)";
  }
  return "";
}

} // namespace

void requireSnapshots(const Library &library, const GraphEpoch &epoch) {
  const gnn_program_t *infer = library.program(GNN_PROGRAM_INFER);
  const std::string obstacle = infer ? obstacleOf(library, *infer, epoch) : "it has no program @infer";
  require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't answer over a graph that grows: ", obstacle);
}

SnapshotRows::SnapshotRows(const Library &library, const Snapshot &of)
    : snapshot(of), match(library, *of.epoch->graph, where), relations(library.table().num_relations) {
  for (uint32_t r = 0; r < relations.size(); ++r)
    if (const int32_t at = match.relations[r]; at != SchemaMatch::none)
      relations[r].emplace(*of.epoch->graph->relations()[size_t(at)].set, *of.epoch->appended[size_t(at)],
                           of.appended[size_t(at)], library.relation(r).transforms);
}

bool SnapshotRows::find(uint32_t relation, uint32_t direction, int64_t row, std::vector<RowEdge> &edges) const {
  if (!relations[relation] || !relations[relation]->isChanged(direction, row))
    return false;
  relations[relation]->addRow(direction, row, edges);
  return true;
}

} // namespace gnn::rt
