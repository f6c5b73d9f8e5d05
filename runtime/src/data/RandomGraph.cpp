//===- RandomGraph.cpp - Graphs drawn edge by edge --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/RandomGraph.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"

#include <algorithm>
#include <cmath>

namespace gnn::rt {

/// What is drawn from one sequence of random numbers, and so made at once.
static constexpr int64_t chunk = 1 << 14;

/// Calls put(i, draw(random)) for begin <= i < end in parallel.
template <class Draw, class Put> static void forDrawn(int64_t begin, int64_t end, uint64_t seed, Draw draw, Put put) {
  parallelFor(begin / chunk, (end + chunk - 1) / chunk, [&](int64_t block) {
    RandomSequence random(mix64(seed) + uint64_t(block));
    for (int64_t i = block * chunk; i < std::min(end, (block + 1) * chunk); ++i) {
      auto drawn = draw(random);
      if (i >= begin)
        put(i, drawn);
    }
  });
}

static std::pair<int64_t, int64_t> rmatEdge(RandomSequence &random, int scale) {
  constexpr double a = 0.57, b = 0.19, c = 0.19;
  int64_t src = 0, dst = 0;
  for (int bit = 0; bit < scale; ++bit) {
    double u = random.uniform();
    src = src * 2 + (u >= a + b);
    dst = dst * 2 + ((u >= a && u < a + b) || u >= a + b + c);
  }
  return {src, dst};
}

/// Of a graph of a power of two, the edges between the first vertices: others are drawn again.
static auto rmat(int64_t vertices) {
  int scale = 0;
  while ((int64_t(1) << scale) < vertices)
    ++scale;
  return [scale, vertices](RandomSequence &random) {
    auto edge = rmatEdge(random, scale);
    while (edge.first >= vertices || edge.second >= vertices)
      edge = rmatEdge(random, scale);
    return edge;
  };
}

/// Both ends of an edge are drawn alike, by `drawEnd`.
template <class DrawEnd> static auto bothEnds(DrawEnd drawEnd) {
  return [drawEnd](RandomSequence &random) {
    int64_t src = drawEnd(random);
    return std::make_pair(src, drawEnd(random));
  };
}

static auto uniform(int64_t vertices) {
  return bothEnds([n = uint64_t(vertices)](RandomSequence &random) { return int64_t(random.below(n)); });
}

/// Vertex i, counted by falling degree, has a probability proportional to 1 / sqrt(i + n / 8000) (degrees of power-law
/// exponent 3; the largest is about 40 times the mean). Ids are shuffled.
static auto powerLaw(int64_t vertices) {
  constexpr uint64_t prime = 2654435761; // times which, modulo n, is a permutation of 0 .. n - 1
  const auto n = uint64_t(vertices);
  const double offset = double(n) / 8000, low = std::sqrt(offset), high = std::sqrt(double(n) + offset);
  return bothEnds([=](RandomSequence &random) {
    double root = low + random.uniform() * (high - low);
    uint64_t rank = std::min(uint64_t(std::max(root * root - offset, 0.0)), n - 1);
    return int64_t(rank * prime % n);
  });
}

/// Every fifth vertex is a hub; five sixths of the ends of edges are hubs.
static auto hubs(int64_t vertices) {
  constexpr uint64_t every = 5, hubEnds = 5, ends = 6;
  const uint64_t n = uint64_t(vertices), numHubs = (n + every - 1) / every;
  return bothEnds([=](RandomSequence &random) {
    if (n == numHubs || random.below(ends) < hubEnds)
      return int64_t(random.below(numHubs) * every);
    uint64_t other = random.below(n - numHubs);
    return int64_t(other / (every - 1) * every + 1 + other % (every - 1));
  });
}

RandomGraph::Draw RandomGraph::drawOf(const std::string &kind, int64_t vertices) {
  return kind == "rmat"       ? Draw(rmat(vertices))
         : kind == "powerlaw" ? Draw(powerLaw(vertices))
         : kind == "hubs"     ? Draw(hubs(vertices))
         : kind == "uniform"  ? Draw(uniform(vertices))
                              : Draw();
}

bool RandomGraph::has(const std::string &kind) { return bool(drawOf(kind, /*vertices=*/1)); }

RandomGraph::RandomGraph(const std::string &kind, const gnn_generate_options_t &chosen)
    : options(chosen), numColumns(std::max<int64_t>(options.num_features, 0)),
      draw(drawOf(kind, options.num_vertices)) {
  require(options.num_vertices > 0 || options.num_edges == 0, GNN_ERROR_ARGUMENT, options.num_edges,
          " edges need vertices");
}

void RandomGraph::edgeIndex(int64_t first, int64_t count, int64_t *to) const {
  const int64_t edges = options.num_edges;
  for (int end = 0; end < 2; ++end) {
    const int64_t row = end * edges, from = std::max(first, row), until = std::min(first + count, row + edges);
    if (from < until)
      forDrawn(from - row, until - row, options.seed, draw,
               [&](int64_t i, const Edge &edge) { to[row + i - first] = end == 0 ? edge.first : edge.second; });
  }
}

void RandomGraph::features(int64_t first, int64_t count, float *to) const {
  forDrawn(
      first, first + count, options.seed + 1, [](RandomSequence &random) { return float(2 * random.uniform() - 1); },
      [&](int64_t i, float x) { to[i - first] = x; });
}

void RandomGraph::labels(int64_t first, int64_t count, int64_t *to) const {
  forDrawn(
      first, first + count, options.seed + 2,
      [&](RandomSequence &random) { return int64_t(random.below(options.num_classes)); },
      [&](int64_t i, int64_t label) { to[i - first] = label; });
}

} // namespace gnn::rt
