//===- Transforms.cpp - Edges that models ask for --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each transform finds the edges to add and appends them.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Transforms.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include <algorithm>
#include <tbb/enumerable_thread_specific.h>
#include <vector>

using namespace gnn::rt;

namespace {

struct NewEdge {
  uint32_t src, dst;
  int32_t type;
  int64_t from;
};

void append(GrowingEdges &graph, const std::vector<NewEdge> &added) {
  size_t base = graph.edges.src.size(), addedBase = graph.addedFrom.size();
  size_t total = base + added.size();
  graph.edges.src.grow(total);
  graph.edges.dst.grow(total);
  graph.addedFrom.grow(addedBase + added.size());
  if (graph.numTypes)
    graph.edges.type.grow(total);
  for (size_t i = 0; i < added.size(); ++i) {
    graph.edges.src[base + i] = added[i].src;
    graph.edges.dst[base + i] = added[i].dst;
    graph.addedFrom[addedBase + i] = added[i].from;
    if (graph.numTypes)
      graph.edges.type[base + i] = added[i].type;
  }
}

/// For vertex v: the k-th edge of a type from u to v, by id, is the counterpart of the k-th from v to u. Mirrors those
/// without one. Both rows are sorted by (type, other end), then id.
void findMissing(uint32_t v, const Csr &in, const Csr &out, std::vector<NewEdge> &missing) {
  auto typeAt = [](const Csr &csr, int64_t i) { return csr.types.empty() ? 0 : csr.types[i]; };
  auto keyAt = [&](const Csr &csr, int64_t i) { return std::make_pair(typeAt(csr, i), csr.cols[i]); };
  int64_t j = out.offsets[v], outEnd = out.offsets[v + 1];
  for (int64_t i = in.offsets[v]; i < in.offsets[v + 1]; ++i) {
    auto key = keyAt(in, i);
    while (j < outEnd && keyAt(out, j) < key)
      ++j;
    if (j < outEnd && keyAt(out, j) == key)
      ++j;
    else if (key.second != v)
      missing.push_back({v, key.second, key.first, in.edgeIds[i]});
  }
}

void addMissingReverse(GrowingEdges &graph, int64_t numVertices) {
  std::vector<NewEdge> missing;
  {
    Relation relation(graph.edges, numVertices, numVertices, nullptr, nullptr);
    tbb::enumerable_thread_specific<std::vector<NewEdge>> found;
    parallelFor(tbb::blocked_range<int64_t>(0, numVertices, 1024), [&](const tbb::blocked_range<int64_t> &range) {
      for (int64_t v = range.begin(); v < range.end(); ++v)
        findMissing(uint32_t(v), relation.csr(GNN_TO_DESTINATION), relation.csr(GNN_TO_SOURCE), found.local());
    });
    for (const std::vector<NewEdge> &part : found)
      missing.insert(missing.end(), part.begin(), part.end());
  }
  // Which thread found an edge is chance; the id of the edge it mirrors is not.
  parallelSort(missing.begin(), missing.end(), [](const NewEdge &a, const NewEdge &b) { return a.from < b.from; });
  append(graph, missing);
}

void addInverseRelations(GrowingEdges &graph) {
  const EdgeList &edges = graph.edges;
  size_t count = edges.src.size(), given = graph.numGiven();
  std::vector<NewEdge> inverse(count);
  for (size_t i = 0; i < count; ++i) {
    int64_t from = i < given ? int64_t(i) : graph.addedFrom[i - given];
    inverse[i] = {edges.dst[i], edges.src[i], edges.type[i] + int32_t(graph.numTypes), from};
  }
  append(graph, inverse);
  graph.numTypes *= 2;
}

void addSelfLoops(GrowingEdges &graph, int64_t numVertices, const VertexOrder *order) {
  const EdgeList &edges = graph.edges;
  std::vector<bool> hasLoop(numVertices);
  tbb::enumerable_thread_specific<std::vector<uint32_t>> looped;
  parallelFor(tbb::blocked_range<size_t>(0, edges.src.size(), size_t(1) << 18),
              [&](const tbb::blocked_range<size_t> &range) {
                for (size_t i = range.begin(); i < range.end(); ++i)
                  if (edges.src[i] == edges.dst[i])
                    looped.local().push_back(edges.src[i]);
              });
  for (const std::vector<uint32_t> &part : looped)
    for (uint32_t v : part)
      hasLoop[v] = true;
  std::vector<NewEdge> loops;
  for (int64_t id = 0; id < numVertices; ++id) {
    uint32_t v = order ? order->local[id] : uint32_t(id);
    if (!hasLoop[v])
      loops.push_back({v, v, /*type=*/-1, -1});
  }
  append(graph, loops);
}

} // namespace

void gnn::rt::applyTransforms(GrowingEdges &graph, uint32_t transforms, int64_t numVertices, const VertexOrder *order) {
  if (transforms & GNN_GRAPH_SYMMETRIC)
    addMissingReverse(graph, numVertices);
  if (transforms & GNN_GRAPH_INVERSE_RELATIONS) {
    require(graph.numTypes > 0, GNN_ERROR_MISMATCH, "inverse relations were asked for, but the edges have no types");
    addInverseRelations(graph);
  }
  if (transforms & GNN_GRAPH_SELF_LOOPS)
    addSelfLoops(graph, numVertices, order);
}
