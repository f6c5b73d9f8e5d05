//===- Generators.cpp - Data sets from nothing -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planted partitions to learn from; R-MAT, power-law, two-degree and uniform graphs, made in parallel from a counter,
// to measure with.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Generators.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/data/Import.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace gnn::rt;

namespace {

/// Calls body(random, i) for 0 <= i < count in parallel; the numbers depend on seed and i alone.
template <class Body> void forEachSeeded(int64_t count, uint64_t seed, Body &&body) {
  constexpr int64_t chunk = 1 << 14;
  parallelFor(int64_t(0), (count + chunk - 1) / chunk, [&](int64_t block) {
    RandomSequence random(mix64(seed) + uint64_t(block));
    for (int64_t i = block * chunk; i < std::min(count, (block + 1) * chunk); ++i)
      body(random, i);
  });
}

// ---- planted ----

/// Undirected edges, four in five within a class.
std::vector<std::pair<int64_t, int64_t>> plantedEdges(const gnn_generate_options_t &options,
                                                      const std::vector<int64_t> &labels, RandomSequence &random) {
  std::vector<std::vector<int64_t>> members(options.num_classes);
  for (size_t v = 0; v < labels.size(); ++v)
    members[size_t(labels[v])].push_back(int64_t(v));
  std::set<std::pair<int64_t, int64_t>> chosen;
  while (int64_t(chosen.size()) < options.num_edges) {
    int64_t u = int64_t(random.below(labels.size()));
    const std::vector<int64_t> &same = members[size_t(labels[size_t(u)])];
    bool within = random.uniform() < 0.8;
    int64_t v = within ? same[random.below(same.size())] : int64_t(random.below(labels.size()));
    if (u != v)
      chosen.emplace(std::min(u, v), std::max(u, v));
  }
  std::vector<std::pair<int64_t, int64_t>> edges;
  for (auto [u, v] : chosen) {
    edges.emplace_back(u, v);
    edges.emplace_back(v, u);
  }
  return edges;
}

/// Each vertex has 8 to 19 words, a few of them from those of its class.
SparseMatrix plantedWords(const gnn_generate_options_t &options, const std::vector<int64_t> &labels,
                          RandomSequence &random) {
  constexpr uint64_t fewestWords = 8, moreWords = 12;
  uint64_t wordsOfClass = uint64_t(options.num_features) / options.num_classes;
  std::vector<int64_t> indptr{0};
  std::vector<int32_t> indices;
  for (int64_t label : labels) {
    std::set<int32_t> words;
    for (uint64_t n = fewestWords + random.below(moreWords); n > 0; --n) {
      bool topical = random.uniform() < 0.2;
      uint64_t word =
          topical ? uint64_t(label) * wordsOfClass + random.below(wordsOfClass) : random.below(options.num_features);
      words.insert(int32_t(word));
    }
    indices.insert(indices.end(), words.begin(), words.end());
    indptr.push_back(int64_t(indices.size()));
  }
  std::vector<float> ones(indices.size(), 1.0f);
  return SparseMatrix(options.num_vertices, options.num_features, Tensor::of(indptr), Tensor::of(indices),
                      Tensor::of(ones), "planted: x");
}

Dataset planted(const gnn_generate_options_t &options) {
  int64_t n = options.num_vertices;
  require(options.num_edges <= n * (n - 1) / 8, GNN_ERROR_ARGUMENT, options.num_edges, " edges are too many for ", n,
          " vertices, at most an eighth of all ordered pairs");
  require(int64_t(options.num_classes) <= n && options.num_features >= int64_t(options.num_classes), GNN_ERROR_ARGUMENT,
          options.num_classes, " classes need as many vertices and words, got ", n, " and ", options.num_features);
  RandomSequence random(options.seed);
  Dataset data;
  std::vector<int64_t> labels(static_cast<size_t>(n));
  for (size_t v = 0; v < labels.size(); ++v)
    labels[v] = int64_t(v % options.num_classes);
  for (size_t v = labels.size(); v > 1; --v)
    std::swap(labels[v - 1], labels[random.below(v)]);
  setEdges(data, plantedEdges(options, labels, random));
  data.vertexFeatures["x"].sparse = plantedWords(options, labels, random);
  data.labels = Tensor::of(labels);
  return data;
}

// ---- rmat, powerlaw, hubs, uniform ----

std::pair<int64_t, int64_t> rmatEdge(RandomSequence &random, int scale) {
  constexpr double a = 0.57, b = 0.19, c = 0.19;
  int64_t src = 0, dst = 0;
  for (int bit = 0; bit < scale; ++bit) {
    double u = random.uniform();
    src = src * 2 + (u >= a + b);
    dst = dst * 2 + ((u >= a && u < a + b) || u >= a + b + c);
  }
  return {src, dst};
}

/// Edges from `draw`, random features and labels.
template <class Draw> Dataset randomDataset(const gnn_generate_options_t &options, Draw &&draw) {
  Dataset data;
  int64_t n = options.num_vertices, edges = options.num_edges, columns = std::max<int64_t>(options.num_features, 0);
  require(n > 0 || edges == 0, GNN_ERROR_ARGUMENT, edges, " edges need vertices");
  data.edgeIndex = Tensor::empty(GNN_I64, {2, edges});
  int64_t *ids = data.edgeIndex.mutableData<int64_t>();
  forEachSeeded(edges, options.seed,
                [&](RandomSequence &random, int64_t i) { std::tie(ids[i], ids[edges + i]) = draw(random); });
  if (columns > 0) {
    data.vertexFeatures["x"].dense = Tensor::empty(GNN_F32, {n, columns});
    float *x = data.vertexFeatures["x"].dense.mutableData<float>();
    forEachSeeded(n * columns, options.seed + 1,
                  [&](RandomSequence &random, int64_t i) { x[i] = float(2 * random.uniform() - 1); });
  }
  data.labels = Tensor::empty(GNN_I64, {n});
  int64_t *labels = data.labels.mutableData<int64_t>();
  forEachSeeded(n, options.seed + 2,
                [&](RandomSequence &random, int64_t i) { labels[i] = int64_t(random.below(options.num_classes)); });
  return data;
}

/// Of a graph of a power of two, the edges between the first vertices: others are drawn again.
Dataset rmat(const gnn_generate_options_t &options) {
  int64_t n = options.num_vertices;
  int scale = 0;
  while ((int64_t(1) << scale) < n)
    ++scale;
  return randomDataset(options, [scale, n](RandomSequence &random) {
    auto edge = rmatEdge(random, scale);
    while (edge.first >= n || edge.second >= n)
      edge = rmatEdge(random, scale);
    return edge;
  });
}

Dataset uniform(const gnn_generate_options_t &options) {
  uint64_t n = uint64_t(options.num_vertices);
  return randomDataset(options, [n](RandomSequence &random) {
    int64_t src = int64_t(random.below(n));
    return std::make_pair(src, int64_t(random.below(n)));
  });
}

/// Both ends of an edge are drawn alike: vertex i, counted by falling degree, with a probability proportional to
/// 1 / sqrt(i + n / 8000) (degrees of power-law exponent 3; the largest is about 40 times the mean). Ids are shuffled.
Dataset powerLaw(const gnn_generate_options_t &options) {
  constexpr uint64_t prime = 2654435761; // times which, modulo n, is a permutation of 0 .. n - 1
  uint64_t n = uint64_t(options.num_vertices);
  double offset = double(n) / 8000, low = std::sqrt(offset), high = std::sqrt(double(n) + offset);
  auto drawEnd = [=](RandomSequence &random) {
    double root = low + random.uniform() * (high - low);
    uint64_t rank = std::min(uint64_t(std::max(root * root - offset, 0.0)), n - 1);
    return int64_t(rank * prime % n);
  };
  return randomDataset(options, [=](RandomSequence &random) {
    int64_t src = drawEnd(random);
    return std::make_pair(src, drawEnd(random));
  });
}

/// Every fifth vertex is a hub; five sixths of the ends of edges are hubs.
Dataset hubs(const gnn_generate_options_t &options) {
  constexpr uint64_t every = 5, hubEnds = 5, ends = 6;
  uint64_t n = uint64_t(options.num_vertices), numHubs = (n + every - 1) / every;
  auto drawEnd = [=](RandomSequence &random) {
    if (n == numHubs || random.below(ends) < hubEnds)
      return int64_t(random.below(numHubs) * every);
    uint64_t other = random.below(n - numHubs);
    return int64_t(other / (every - 1) * every + 1 + other % (every - 1));
  };
  return randomDataset(options, [=](RandomSequence &random) {
    int64_t src = drawEnd(random);
    return std::make_pair(src, drawEnd(random));
  });
}

const std::map<std::string, Dataset (*)(const gnn_generate_options_t &)> generators{
    {"planted", planted}, {"rmat", rmat}, {"powerlaw", powerLaw}, {"hubs", hubs}, {"uniform", uniform}};

template <class T> void defaultTo(T &value, T fallback) {
  if (value == 0)
    value = fallback;
}

} // namespace

Dataset gnn::rt::generateDataset(const std::string &kind, gnn_generate_options_t options) {
  if (kind == "karate")
    return karateClub();
  if (kind == "relational")
    return relationalGraph(options);
  if (kind == "knowledge")
    return knowledgeGraph(options);
  if (kind == "molecules")
    return moleculeGraphs(options);
  bool isPlanted = kind == "planted";
  auto generator = generators.find(kind);
  require(generator != generators.end(), GNN_ERROR_ARGUMENT, "unknown kind of data set '", kind,
          "', expected karate, planted, relational, knowledge, molecules, rmat, powerlaw, hubs or uniform");
  defaultTo<int64_t>(options.num_vertices, isPlanted ? 1500 : 1 << 14);
  constexpr int64_t maxVertices = int64_t(1) << 31;
  defaultTo<int64_t>(options.num_edges,
                     std::clamp(options.num_vertices, int64_t(0), maxVertices) * (isPlanted ? 2 : 16));
  defaultTo<uint32_t>(options.num_classes, 6);
  defaultTo<int64_t>(options.num_features, isPlanted ? 480 : 16);
  require(options.num_vertices > 0 && options.num_vertices <= maxVertices && options.num_edges >= 0 &&
              options.num_edges <= int64_t(1) << 40 && options.num_features <= INT32_MAX &&
              options.num_classes <= INT32_MAX,
          GNN_ERROR_ARGUMENT, "impossible numbers: ", options.num_vertices, " vertices, ", options.num_edges,
          " edges, ", options.num_features, " features, ", options.num_classes, " classes");
  Dataset data = generator->second(options);
  data.name = data.source = kind;
  data.numVertices = options.num_vertices;
  data.numClasses = int64_t(options.num_classes);
  data.finish();
  int64_t perClass = std::max<int64_t>(options.num_vertices / options.num_classes, 1);
  splitPerClass(data, std::max<int64_t>(isPlanted ? std::min<int64_t>(perClass / 4, 20) : perClass / 2, 1),
                perClass / 5, options.seed);
  data.finish();
  return data;
}
