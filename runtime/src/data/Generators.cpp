//===- Generators.cpp - Data sets from nothing -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planted partitions to learn from, and what all generated data sets have in common.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Generators.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/data/Import.h"
#include "runtime/src/data/RandomGraph.h"
#include <algorithm>
#include <filesystem>
#include <set>

using namespace gnn::rt;

namespace {

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

template <class T> void defaultTo(T &value, T fallback) {
  if (value == 0)
    value = fallback;
}

gnn_generate_options_t withDefaults(const std::string &kind, gnn_generate_options_t options) {
  const bool isPlanted = kind == "planted";
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
  return options;
}

void describe(Dataset &data, const std::string &kind, const gnn_generate_options_t &options) {
  data.name = data.source = kind;
  data.numVertices = options.num_vertices;
  data.numClasses = int64_t(options.num_classes);
}

void split(Dataset &data, bool isPlanted, const gnn_generate_options_t &options) {
  const int64_t perClass = std::max<int64_t>(options.num_vertices / options.num_classes, 1);
  splitPerClass(data, std::max<int64_t>(isPlanted ? std::min<int64_t>(perClass / 4, 20) : perClass / 2, 1),
                perClass / 5, options.seed);
}

Tensor labelsOf(const RandomGraph &graph, int64_t vertices) {
  Tensor labels = Tensor::empty(GNN_I64, {vertices});
  graph.labels(0, vertices, labels.mutableData<int64_t>());
  return labels;
}

Dataset randomDataset(const RandomGraph &graph, const gnn_generate_options_t &options) {
  Dataset data;
  const int64_t vertices = options.num_vertices, columns = graph.columns();
  data.edgeIndex = Tensor::empty(GNN_I64, {2, options.num_edges});
  graph.edgeIndex(0, 2 * options.num_edges, data.edgeIndex.mutableData<int64_t>());
  if (columns > 0) {
    Tensor &x = data.vertexFeatures["x"].dense = Tensor::empty(GNN_F32, {vertices, columns});
    graph.features(0, vertices * columns, x.mutableData<float>());
  }
  data.labels = labelsOf(graph, vertices);
  return data;
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
  const bool isPlanted = kind == "planted";
  require(isPlanted || RandomGraph::has(kind), GNN_ERROR_ARGUMENT, "unknown kind of data set '", kind,
          "', expected karate, planted, relational, knowledge, molecules, rmat, powerlaw, hubs or uniform");
  options = withDefaults(kind, options);
  Dataset data = isPlanted ? planted(options) : randomDataset(RandomGraph(kind, options), options);
  describe(data, kind, options);
  data.finish();
  split(data, isPlanted, options);
  data.finish();
  return data;
}

/// What does not fit is not begun: the files are large.
static void requireSpace(const std::string &folder, const MadeTables &made) {
  uint64_t bytes = 0;
  auto add = [&](const MadeTable &table) {
    bytes += uint64_t(countElements(table.shape, table.element)) * elementBytes(table.element);
  };
  add(*made.edgeIndex);
  for (const auto &[name, table] : made.vertexFeatures)
    add(table);
  std::error_code unknown;
  const std::filesystem::path parent = std::filesystem::absolute(folder, unknown).parent_path();
  const std::filesystem::space_info space = std::filesystem::space(parent, unknown);
  require(unknown || bytes <= space.available, GNN_ERROR_IO, folder, ": it takes ", bytes, " bytes, and ",
          space.available, " are free");
}

GeneratedCounts gnn::rt::generateFolder(const std::string &kind, gnn_generate_options_t options,
                                        const std::string &folder) {
  if (!RandomGraph::has(kind)) {
    const Dataset data = generateDataset(kind, options);
    saveDataset(data, folder);
    return {data.totalVertices(), data.numEdges()};
  }
  options = withDefaults(kind, options);
  const RandomGraph graph(kind, options);
  MadeTables made;
  made.edgeIndex = {GNN_I64, {2, options.num_edges}, [&](int64_t first, int64_t count, void *to) {
                      graph.edgeIndex(first, count, static_cast<int64_t *>(to));
                    }};
  if (graph.columns() > 0)
    made.vertexFeatures["x"] = {
        GNN_F32, {options.num_vertices, graph.columns()}, [&](int64_t first, int64_t count, void *to) {
          graph.features(first, count, static_cast<float *>(to));
        }};
  requireSpace(folder, made);
  Dataset data;
  describe(data, kind, options);
  data.numEdgeTypes = 0;
  data.labels = labelsOf(graph, options.num_vertices);
  split(data, /*isPlanted=*/false, options);
  saveDataset(data, folder, {}, FileSystem::real(), made);
  return {options.num_vertices, options.num_edges};
}
