//===- Transforms.cpp - Edges that models ask for --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each transform finds the edges to add and appends them, or marks those that it leaves out.
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
    const bool isLeftOut = edges.src[i] == leftOutEdge; // its inverse has an id, and is left out too
    inverse[i] = {isLeftOut ? leftOutEdge : edges.dst[i], isLeftOut ? 0 : edges.src[i],
                  edges.type[i] + int32_t(graph.numTypes), from};
  }
  append(graph, inverse);
  graph.numTypes *= 2;
}

/// The positions of loops in the list, in no order.
std::vector<size_t> findLoops(const EdgeList &edges) {
  tbb::enumerable_thread_specific<std::vector<size_t>> found;
  parallelFor(tbb::blocked_range<size_t>(0, edges.src.size(), size_t(1) << 18),
              [&](const tbb::blocked_range<size_t> &range) {
                for (size_t i = range.begin(); i < range.end(); ++i)
                  if (edges.src[i] == edges.dst[i])
                    found.local().push_back(i);
              });
  std::vector<size_t> loops;
  for (const std::vector<size_t> &part : found)
    loops.insert(loops.end(), part.begin(), part.end());
  return loops;
}

void addSelfLoops(GrowingEdges &graph, int64_t numVertices, const VertexOrder *order, int32_t type) {
  std::vector<bool> hasLoop(numVertices);
  for (size_t loop : findLoops(graph.edges))
    hasLoop[graph.edges.src[loop]] = true;
  std::vector<NewEdge> loops;
  for (int64_t id = 0; id < numVertices; ++id) {
    uint32_t v = order ? order->local[id] : uint32_t(id);
    if (!hasLoop[v])
      loops.push_back({v, v, type, -1});
  }
  append(graph, loops);
}

void leaveOutLoops(EdgeList &edges) {
  for (size_t loop : findLoops(edges))
    edges.src[loop] = leftOutEdge;
}

/// The positions of all loops of a vertex but the last.
std::vector<size_t> findRepeatedLoops(const EdgeList &edges) {
  std::vector<size_t> loops = findLoops(edges), repeated;
  parallelSort(loops.begin(), loops.end(),
               [&](size_t a, size_t b) { return edges.src[a] != edges.src[b] ? edges.src[a] < edges.src[b] : a < b; });
  for (size_t i = 0; i + 1 < loops.size(); ++i)
    if (edges.dst[loops[i]] == edges.dst[loops[i + 1]])
      repeated.push_back(loops[i]);
  return repeated;
}

void leaveOutRepeatedLoops(EdgeList &edges) {
  for (size_t loop : findRepeatedLoops(edges))
    edges.src[loop] = leftOutEdge;
}

/// Types that are the same for all edges.
void setTypes(GrowingEdges &graph, uint32_t numTypes, int32_t type) {
  graph.numTypes = numTypes;
  graph.edges.type = Buffer<int32_t>(graph.edges.src.size());
  std::fill(graph.edges.type.begin(), graph.edges.type.end(), type);
}

void tellLoopsApart(GrowingEdges &graph, int64_t numVertices, const VertexOrder *order) {
  setTypes(graph, GNN_EDGE_KINDS, GNN_EDGE_NO_LOOP);
  for (size_t loop : findLoops(graph.edges))
    graph.edges.type[loop] = GNN_EDGE_LAST_LOOP;
  for (size_t loop : findRepeatedLoops(graph.edges))
    graph.edges.type[loop] = GNN_EDGE_EARLIER_LOOP;
  addSelfLoops(graph, numVertices, order, GNN_EDGE_ADDED_LOOP);
}

} // namespace

uint32_t gnn::rt::numTypesUnder(uint32_t transforms, uint32_t given) {
  if (transforms & GNN_GRAPH_LOOP_KINDS)
    return GNN_EDGE_KINDS;
  const uint32_t marked = transforms & GNN_GRAPH_MARK_LOOPS ? 1 : 0;
  return std::max(transforms & GNN_GRAPH_INVERSE_RELATIONS ? 2 * given : given, marked);
}

void gnn::rt::applyTransforms(GrowingEdges &graph, uint32_t transforms, int64_t numVertices, const VertexOrder *order) {
  if (transforms & GNN_GRAPH_SYMMETRIC)
    addMissingReverse(graph, numVertices);
  if (transforms & GNN_GRAPH_INVERSE_RELATIONS) {
    require(graph.numTypes > 0, GNN_ERROR_MISMATCH, "inverse relations were asked for, but the edges have no types");
    addInverseRelations(graph);
  }
  if (transforms & GNN_GRAPH_LOOP_KINDS) {
    tellLoopsApart(graph, numVertices, order);
    return;
  }
  if (transforms & GNN_GRAPH_MARK_LOOPS && graph.numTypes == 0)
    setTypes(graph, /*numTypes=*/1, 0);
  if (transforms & GNN_GRAPH_NO_LOOPS)
    leaveOutLoops(graph.edges);
  if (transforms & GNN_GRAPH_ONE_LOOP)
    leaveOutRepeatedLoops(graph.edges);
  if (transforms & (GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_ONE_LOOP))
    addSelfLoops(graph, numVertices, order, /*type=*/-1);
}
