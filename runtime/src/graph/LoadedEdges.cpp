//===- LoadedEdges.cpp - Edges of a file in memory ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/LoadedEdges.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// What belongs to a set, which nobody changes, is shared with it.
template <class T> Buffer<T> sharedWith(const std::shared_ptr<const EdgeSet> &set, const Buffer<T> &of) {
  return {std::const_pointer_cast<EdgeSet>(set), const_cast<T *>(of.data()), of.size()};
}

Csr loaded(const std::shared_ptr<const EdgeSet> &set, uint32_t direction, bool hasEdges, bool hasIds) {
  const Relation &relation = set->relation();
  Csr csr;
  csr.offsets = sharedWith(set, relation.csr(direction).offsets);
  if (!hasEdges)
    return csr;
  const auto count = size_t(relation.numEdges());
  csr.cols = Buffer<uint32_t>(count);
  if (relation.hasTypes())
    csr.types = Buffer<int32_t>(count);
  if (hasIds && relation.hasWideIds())
    csr.edgeIds.wide = Buffer<int64_t>(count);
  else if (hasIds)
    csr.edgeIds.narrow = Buffer<uint32_t>(count);
  relation.forPieces(direction, 0, relation.numEdges(), [&](const EdgePiece &piece) {
    const int64_t numHere = piece.end - piece.begin;
    std::copy_n(piece.cols, numHere, csr.cols.begin() + piece.begin);
    if (piece.types)
      std::copy_n(piece.types, numHere, csr.types.begin() + piece.begin);
    for (int64_t e = 0; hasIds && e < numHere; ++e)
      if (csr.edgeIds.wide.empty())
        csr.edgeIds.narrow[size_t(piece.begin + e)] = uint32_t(piece.id(e));
      else
        csr.edgeIds.wide[size_t(piece.begin + e)] = piece.id(e);
  });
  return csr;
}

std::shared_ptr<const EdgeSet> loaded(const Graph::Edges &edges, const LoadedFields &fields) {
  const EdgeSet &set = *edges.set;
  if (!set.relation().isPaged())
    return edges.set;
  EdgeSetParts parts;
  parts.byDestination = loaded(edges.set, GNN_TO_DESTINATION, fields.toDestination, fields.ids);
  parts.bySource = loaded(edges.set, GNN_TO_SOURCE, fields.toSource, fields.ids);
  parts.order = set.order();
  parts.addedFrom = sharedWith(edges.set, set.addedEdges());
  parts.transforms = set.transforms();
  parts.givenTypes = set.numGivenTypes();
  parts.types = set.numEdgeTypes();
  parts.givenEdges = set.numGivenEdges();
  parts.isBetweenTypes = edges.source != edges.destination;
  parts.digest = set.digest();
  return EdgeSet::fromParts(std::move(parts));
}

} // namespace

bool hasEdgesInFile(const Graph &graph) {
  const auto &relations = graph.relations();
  return std::any_of(relations.begin(), relations.end(),
                     [](const Graph::Edges &edges) { return edges.set->relation().isPaged(); });
}

uint64_t bytesInMemory(const Graph &graph, const LoadedFields &fields) {
  uint64_t bytes = 0;
  for (const Graph::Edges &edges : graph.relations()) {
    const Relation &relation = edges.set->relation();
    if (!relation.isPaged())
      continue;
    const size_t idBytes = fields.ids ? relation.hasWideIds() ? sizeof(int64_t) : sizeof(uint32_t) : 0,
                 edgeBytes = sizeof(uint32_t) + idBytes + (relation.hasTypes() ? sizeof(int32_t) : 0);
    bytes += relation.bytes() +
             uint64_t(relation.numEdges()) * edgeBytes * (unsigned(fields.toDestination) + unsigned(fields.toSource));
  }
  return bytes;
}

std::shared_ptr<const Graph> withEdgesInMemory(std::shared_ptr<const Graph> graph, const LoadedFields &fields) {
  std::vector<EdgeSpec> specs;
  bool isPaged = false;
  for (const Graph::Edges &edges : graph->relations()) {
    isPaged |= edges.set->relation().isPaged();
    EdgeSpec spec;
    spec.name = edges.name;
    spec.source = edges.source;
    spec.destination = edges.destination;
    spec.prepared = loaded(edges, fields);
    specs.push_back(std::move(spec));
  }
  return isPaged ? Graph::fromSchema(graph->vertexSets(), specs) : graph;
}

} // namespace gnn::rt
