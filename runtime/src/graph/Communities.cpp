//===- Communities.cpp - Communities of vertices side by side -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices move to where modularity gains most, a batch of them at a time: all of a batch look at what was before it,
// and weights are whole numbers, so nothing depends on who is first. Then communities become the vertices of a smaller
// graph, as long as that is much smaller.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Communities.h"
#include "runtime/src/core/Parallel.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tbb/enumerable_thread_specific.h>
#include <vector>

namespace gnn::rt {

namespace {

constexpr size_t numBatches = 32; // of the vertices of a graph: neighbours are seldom in the same
constexpr int maxRounds = 8;      // over all vertices of a graph
constexpr size_t fewMoves = 64;   // the last round is one in which less than one vertex in so many moves
constexpr size_t grain = 256;     // vertices

/// Sums of weights by community, of the edges of a vertex, or of a community, at a time.
class Weights {
public:
  /// Of none so far, and at most `count` to come.
  void clear(size_t count) {
    for (uint32_t slot : used)
      keys[slot] = none;
    used.clear();
    size_t size = 16;
    while (size < 2 * count)
      size *= 2;
    if (size > keys.size()) {
      keys.assign(size, none);
      sums.resize(size);
    }
    mask = uint32_t(size - 1);
  }

  void add(uint32_t key, uint64_t weight) {
    uint32_t slot = (key * 2654435769u >> 7) & mask; // multiplicative hashing, by the golden ratio
    while (keys[slot] != key && keys[slot] != none)
      slot = (slot + 1) & mask;
    if (keys[slot] == none) {
      keys[slot] = key;
      sums[slot] = 0;
      used.push_back(slot);
    }
    sums[slot] += weight;
  }

  /// In no order that says anything.
  template <class Body> void forEach(Body &&body) const {
    for (uint32_t slot : used)
      body(keys[slot], sums[slot]);
  }

private:
  static constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> keys, used;
  std::vector<uint64_t> sums;
  uint32_t mask = 0;
};

/// The graph itself: each edge weighs 1, and is seen from both ends.
class GivenGraph {
public:
  explicit GivenGraph(const Relation &relation)
      : in(relation.csr(GNN_TO_DESTINATION)), out(relation.csr(GNN_TO_SOURCE)),
        isBalanced(std::equal(in.offsets.begin(), in.offsets.end(), out.offsets.begin())) {}

  size_t size() const { return size_t(in.numRows()); }
  size_t numEdges() const { return in.cols.size() + (isBalanced ? 0 : out.cols.size()); }
  size_t degree(size_t v) const { return size_t(in.degree(int64_t(v)) + (isBalanced ? 0 : out.degree(int64_t(v)))); }
  uint64_t weight(size_t v) const { return degree(v); }
  template <class Body> void forNeighbours(size_t v, Body &&body) const {
    for (auto i = size_t(in.offsets[v]); i < size_t(in.offsets[v + 1]); ++i)
      body(in.cols[i], uint64_t(1));
    for (auto i = size_t(out.offsets[v]); !isBalanced && i < size_t(out.offsets[v + 1]); ++i)
      body(out.cols[i], uint64_t(1));
  }

private:
  const Csr &in, &out;
  const bool isBalanced; // as many edges come as go, at every vertex: surely the same ones, so one direction says all
};

/// Communities as vertices. Edges within one count in its weight alone.
struct JoinedGraph {
  struct Edge {
    uint32_t col;
    uint64_t weight;
  };

  size_t size() const { return weights.size(); }
  size_t numEdges() const { return edges.size(); }
  size_t degree(size_t v) const { return offsets[v + 1] - offsets[v]; }
  uint64_t weight(size_t v) const { return weights[v]; }
  template <class Body> void forNeighbours(size_t v, Body &&body) const {
    for (size_t i = offsets[v]; i < offsets[v + 1]; ++i)
      body(edges[i].col, edges[i].weight);
  }

  std::vector<size_t> offsets{0};
  std::vector<Edge> edges;
  std::vector<uint64_t> weights;
};

/// Finds which community each vertex of a graph is in: one of those numbered as their first members were.
template <class Of> class Moves {
public:
  explicit Moves(const Of &graph) : graph(graph), community(graph.size()), next(graph.size()), totals(graph.size()) {
    std::iota(community.begin(), community.end(), 0u);
    for (size_t v = 0; v < graph.size(); ++v)
      totals[v] = graph.weight(v);
    all = double(std::accumulate(totals.begin(), totals.end(), uint64_t(0)));
  }

  std::vector<uint32_t> run() && {
    for (int round = 0; round < maxRounds; ++round) {
      size_t moved = 0;
      for (size_t batch = 0; batch < std::min(numBatches, graph.size()); ++batch)
        moved += move(batch);
      if (moved * fewMoves < graph.size())
        break;
    }
    return std::move(community);
  }

private:
  /// What a thread needs for one vertex.
  struct Scratch {
    std::vector<std::pair<uint32_t, uint64_t>> edges; // community, weight
    Weights weights;
  };

  size_t move(size_t batch) {
    const size_t count = (graph.size() - batch + numBatches - 1) / numBatches;
    parallelFor(tbb::blocked_range<size_t>(0, count, grain), [&](const auto &range) {
      Scratch &scratch = scratches.local();
      for (size_t i = range.begin(); i < range.end(); ++i)
        next[batch + i * numBatches] = best(batch + i * numBatches, scratch);
    });
    size_t moved = 0;
    for (size_t v = batch; v < graph.size(); v += numBatches)
      if (next[v] != community[v]) {
        totals[community[v]] -= graph.weight(v);
        totals[next[v]] += graph.weight(v);
        community[v] = next[v];
        ++moved;
      }
    return moved;
  }

  /// Where modularity is highest with `v` in it (Blondel et al. 2008, equation 2); the lowest number of equal ones.
  uint32_t best(size_t v, Scratch &scratch) const {
    scratch.edges.clear(); // communities are read first, by themselves: they lie anywhere, and reads overlap so
    graph.forNeighbours(v, [&](uint32_t u, uint64_t weight) {
      if (u != v)
        scratch.edges.emplace_back(community[u], weight);
    });
    const uint32_t own = community[v];
    scratch.weights.clear(scratch.edges.size() + 1);
    scratch.weights.add(own, 0);
    for (const auto &[to, weight] : scratch.edges)
      scratch.weights.add(to, weight);
    uint32_t found = own;
    double highest = -all;
    scratch.weights.forEach([&](uint32_t to, uint64_t weight) {
      if (double(weight) < highest)
        return;
      const uint64_t others = totals[to] - (to == own ? graph.weight(v) : 0);
      const double gain = double(weight) - double(graph.weight(v)) * double(others) / all;
      if (gain > highest || (gain == highest && to < found)) {
        highest = gain;
        found = to;
      }
    });
    return found;
  }

  const Of &graph;
  std::vector<uint32_t> community, next;
  std::vector<uint64_t> totals; // weights of a community's members
  double all = 0;
  tbb::enumerable_thread_specific<Scratch> scratches;
};

/// Numbers communities from 0 on, by their first members, and returns how many there are.
size_t renumber(std::vector<uint32_t> &community) {
  std::vector<uint32_t> number(community.size(), UINT32_MAX);
  uint32_t count = 0;
  for (uint32_t &c : community) {
    if (number[c] == UINT32_MAX)
      number[c] = count++;
    c = number[c];
  }
  return count;
}

/// Members of communities, one community after the other, each by number.
struct Members {
  Members(const std::vector<uint32_t> &community, size_t count) : offsets(count + 1), list(community.size()) {
    for (uint32_t c : community)
      ++offsets[c + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<size_t> next(offsets.begin(), offsets.end() - 1);
    for (size_t v = 0; v < community.size(); ++v)
      list[next[community[v]]++] = uint32_t(v);
  }

  size_t count() const { return offsets.size() - 1; }
  Span<const uint32_t> of(size_t c) const { return {list.data() + offsets[c], offsets[c + 1] - offsets[c]}; }

  std::vector<size_t> offsets;
  std::vector<uint32_t> list;
};

/// The edges from community `c` to others, by number.
template <class Of>
void addEdges(const Of &graph, const std::vector<uint32_t> &community, const Members &members, size_t c,
              Weights &weights, std::vector<JoinedGraph::Edge> &edges) {
  size_t most = 0;
  for (uint32_t v : members.of(c))
    most += graph.degree(v);
  weights.clear(std::min(most, members.count()));
  for (uint32_t v : members.of(c))
    graph.forNeighbours(v, [&](uint32_t u, uint64_t weight) {
      if (community[u] != c)
        weights.add(community[u], weight);
    });
  const size_t first = edges.size();
  weights.forEach([&](uint32_t to, uint64_t weight) { edges.push_back({to, weight}); });
  std::sort(edges.begin() + int64_t(first), edges.end(), [](const auto &a, const auto &b) { return a.col < b.col; });
}

template <class Of> JoinedGraph join(const Of &graph, const std::vector<uint32_t> &community, const Members &members) {
  struct Chunk {
    std::vector<JoinedGraph::Edge> edges;
    std::vector<size_t> ends; // of its communities
  };
  std::vector<Chunk> chunks((members.count() + grain - 1) / grain);
  tbb::enumerable_thread_specific<Weights> weights;
  parallelFor(size_t(0), chunks.size(), [&](size_t chunk) {
    for (size_t c = chunk * grain; c < std::min(members.count(), (chunk + 1) * grain); ++c) {
      addEdges(graph, community, members, c, weights.local(), chunks[chunk].edges);
      chunks[chunk].ends.push_back(chunks[chunk].edges.size());
    }
  });
  JoinedGraph joined;
  for (Chunk &chunk : chunks) {
    const size_t before = joined.edges.size();
    for (size_t end : chunk.ends)
      joined.offsets.push_back(before + end);
    joined.edges.insert(joined.edges.end(), chunk.edges.begin(), chunk.edges.end());
    chunk.edges = {};
  }
  joined.weights.resize(members.count());
  for (size_t v = 0; v < graph.size(); ++v)
    joined.weights[community[v]] += graph.weight(v);
  return joined;
}

/// The vertices of a graph, those of a community side by side, and communities of communities.
template <class Of> std::vector<uint32_t> sorted(const Of &graph) {
  std::vector<uint32_t> community = Moves<Of>(graph).run();
  const Members members(community, renumber(community));
  if (members.count() == graph.size())
    return members.list;
  const JoinedGraph smaller = join(graph, community, members);
  if (smaller.numEdges() > graph.numEdges() / 2) // these communities are none, and so would larger ones be
    return members.list;
  std::vector<uint32_t> result;
  result.reserve(graph.size());
  for (uint32_t c : sorted(smaller))
    result.insert(result.end(), members.of(c).begin(), members.of(c).end());
  return result;
}

} // namespace

std::shared_ptr<const VertexOrder> communityOrder(const Relation &relation) {
  const std::vector<uint32_t> ids = sorted(GivenGraph(relation));
  auto order = std::make_shared<VertexOrder>();
  order->id = Buffer<int64_t>(ids.size());
  order->local = Buffer<uint32_t>(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    order->id[i] = ids[i];
    order->local[ids[i]] = uint32_t(i);
  }
  return order;
}

} // namespace gnn::rt
