//===- BoundGraph.cpp - A graph under the schema of a library -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/BoundGraph.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/program/InputForms.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

bool fitsTypes(const EdgeSet &edges, const gnn_relation_t &relation, int64_t types) {
  int64_t found = edges.numEdgeTypesWith(relation.transforms);
  bool isExact = (edges.transforms() | relation.transforms) & GNN_GRAPH_INVERSE_RELATIONS;
  return edges.numEdges() == 0 || found == types || (found > 0 && found < types && !isExact);
}

BoundGraph::BoundGraph(std::shared_ptr<const Library> library, const Dims &finished, const Graph &graph,
                       const std::string &where)
    : opened(std::move(library)), dims(finished), origin(where) {
  const SchemaMatch match(*opened, graph, where);
  countVertices(graph, match);
  prepareRelations(graph, match);
  for (const gnn_tensor_info_t &info : opened->tensors())
    rowSizes.push_back(dims.rowBytes(info));
}

void BoundGraph::countVertices(const Graph &graph, const SchemaMatch &match) {
  const gnn_library_t &table = opened->table();
  orders.resize(table.num_vertex_types);
  for (uint32_t t = 0; t < table.num_vertex_types; ++t) {
    const gnn_vertex_type_t &type = table.vertex_types[t];
    int64_t extent = type.rows < 0 ? -1 : dims.extents()[size_t(type.rows)];
    vertexRows.push_back(type.is_table ? extent : graph.vertexSets()[size_t(match.vertices[t])].count);
    if (extent >= 0 && extent != vertexRows[t])
      fail(GNN_ERROR_MISMATCH, origin, " has ", vertexRows[t], " vertices of type ", type.name, ", but ",
           opened->name(), " has parameters for each of ", extent, ": ", dims.describe());
  }
  dims = dims.over(vertexRows, origin);
}

void BoundGraph::prepareRelations(const Graph &graph, const SchemaMatch &match) {
  const gnn_library_t &table = opened->table();
  edges.resize(table.num_relations);
  ownRelations.resize(table.num_relations);
  for (uint32_t r = 0; r < table.num_relations; ++r) {
    const gnn_relation_t &relation = table.relations[r];
    if (isUnread(*opened, r))
      ownRelations[r] = std::make_unique<Relation>(EdgeList(), 0, 0, nullptr, nullptr);
    else if (match.relations[r] == SchemaMatch::none && isOfPairs(*opened, r))
      ownRelations[r] = std::make_unique<Relation>(EdgeList(), vertexRows[relation.source_type],
                                                   vertexRows[relation.destination_type], nullptr, nullptr);
    if (match.relations[r] == SchemaMatch::none)
      continue;
    // Rows of a parameter that has one for each vertex are those of ids.
    bool hasTables = table.vertex_types[relation.source_type].rows >= 0;
    edges[r] = EdgeSet::transformed(graph.relations()[size_t(match.relations[r])].set, relation.transforms,
                                    /*inGivenOrder=*/hasTables);
    checkTypes(r, *edges[r]);
    if (edges[r]->order())
      orders[relation.source_type] = orders[relation.destination_type] = edges[r]->order();
  }
}

/// Kernels trust types to be below the extent that they were compiled for.
void BoundGraph::checkTypes(uint32_t index, const EdgeSet &set) const {
  const gnn_relation_t &relation = opened->relation(index);
  if (relation.types < 0)
    return;
  int64_t expected = dims.extents()[size_t(relation.types)];
  if (!fitsTypes(set, relation, expected))
    fail(GNN_ERROR_MISMATCH, "the edges of '", relation.name, "' in ", origin, " have ", set.numEdgeTypes(),
         " types, but ", opened->name(), " is for ", expected, ": ", dims.describe());
}

void BoundGraph::setSparseInput(uint32_t index, const SparseMatrix &entries) {
  ownRelations[index] = entries.relation(orders[opened->relation(index).destination_type]);
}

void BoundGraph::setPairs(uint32_t index, SortedEdges pairs) {
  const gnn_relation_t &relation = opened->relation(index);
  const int64_t count = pairs.byDestination.offsets.end()[-1];
  if (released)
    released->edgeIds[index] = count;
  edges[index] = nullptr;
  ownRelations[index] = std::make_unique<Relation>(std::move(pairs), count, orders[relation.source_type],
                                                   orders[relation.destination_type]);
}

void BoundGraph::releaseEdges() {
  Counts counts{numEdges(), {}};
  for (uint32_t r = 0; r < edges.size(); ++r)
    counts.edgeIds.push_back(numEdgeIds(r));
  released = std::move(counts);
  std::fill(edges.begin(), edges.end(), nullptr);
  for (uint32_t r = 0; r < ownRelations.size(); ++r)
    if (!isOfPairs(*opened, r)) // which come anew
      ownRelations[r].reset();
}

int64_t BoundGraph::numEdges() const {
  if (released)
    return released->edges;
  int64_t count = 0;
  for (const std::shared_ptr<const EdgeSet> &set : edges)
    if (set)
      count += set->numEdges();
  return count;
}

int64_t BoundGraph::leadingExtent(const gnn_tensor_info_t &tensor) const {
  if (tensor.domain == GNN_DOMAIN_VERTEX)
    return vertexRows[tensor.type];
  return tensor.domain == GNN_DOMAIN_EDGE ? numEdgeIds(tensor.type) : 1;
}

size_t BoundGraph::tensorBytes(uint32_t tensor) const {
  size_t bytes = 0;
  require(!__builtin_mul_overflow(size_t(leadingExtent(opened->tensor(tensor))), rowSizes[tensor], &bytes),
          GNN_ERROR_MEMORY, opened->tensor(tensor).name, " is too large");
  return bytes;
}

template <class To>
static Buffer<To> checkedIds(const std::vector<int64_t> &ids, int64_t bound, const char *what, const std::string &where,
                             const VertexOrder *order) {
  Buffer<To> result(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    require(ids[i] >= 0 && ids[i] < bound, GNN_ERROR_DATA, "pair ", i, " of ", where, ": ", what, " ", ids[i],
            " is out of range, expected 0 <= ", what, " < ", bound);
    result[i] = To(order ? int64_t(order->local[size_t(ids[i])]) : ids[i]);
  }
  return result;
}

EdgeList BoundGraph::rowsOf(const Pairs &pairs) const {
  std::optional<uint32_t> index = pairsRelation(*opened);
  require(index.has_value(), GNN_ERROR_MISMATCH, opened->name(), " scores no pairs");
  const gnn_relation_t &relation = opened->relation(*index);
  const uint32_t from = relation.source_type, to = relation.destination_type;
  EdgeList list;
  list.src = checkedIds<uint32_t>(pairs.src, rows(from), "source", origin, order(from));
  list.dst = checkedIds<uint32_t>(pairs.dst, rows(to), "destination", origin, order(to));
  if (relation.types >= 0) {
    require(pairs.types.size() == pairs.src.size(), GNN_ERROR_MISMATCH, opened->name(),
            " reads the types of pairs, but ", origin, " has none");
    list.type = checkedIds<int32_t>(pairs.types, dims.extents()[size_t(relation.types)], "type", origin, nullptr);
  }
  return list;
}

/// A copy with the rows in local order (`toLocal`) or in that of ids; rows move as they are, whatever the element.
static Tensor permuted(const Tensor &table, const Buffer<int64_t> &idOfLocal, bool toLocal) {
  Tensor result = Tensor::empty(table.element(), table.shape());
  size_t bytes = table.dim(0) ? table.bytes() / size_t(table.dim(0)) : 0;
  auto *from = static_cast<const char *>(table.data());
  auto *to = static_cast<char *>(result.mutableData());
  for (int64_t local = 0; local < table.dim(0); ++local) {
    int64_t id = idOfLocal[size_t(local)];
    std::memcpy(to + bytes * size_t(toLocal ? local : id), from + bytes * size_t(toLocal ? id : local), bytes);
  }
  return result;
}

Tensor BoundGraph::inLocalOrder(const gnn_tensor_info_t &info, const Tensor &table) const {
  const VertexOrder *vertices = orderOf(info);
  return vertices ? permuted(table, vertices->id, /*toLocal=*/true) : table;
}

Tensor BoundGraph::inOriginalOrder(const gnn_tensor_info_t &info, const Tensor &table) const {
  const VertexOrder *vertices = orderOf(info);
  return vertices ? permuted(table, vertices->id, /*toLocal=*/false) : table;
}

} // namespace gnn::rt
