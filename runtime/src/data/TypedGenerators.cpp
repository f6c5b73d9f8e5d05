//===- TypedGenerators.cpp - Small data sets with types -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One data set for each task beyond the classes of vertices in a plain graph. Each hides a rule that a model must use
// the types to find.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/data/Generators.h"
#include "runtime/src/data/Import.h"

#include <algorithm>
#include <set>

using namespace gnn::rt;

namespace {

struct Triple {
  int64_t src, type, dst;
  bool operator<(const Triple &other) const {
    return std::tie(type, src, dst) < std::tie(other.type, other.src, other.dst);
  }
};

Tensor edgeIndexOf(const std::vector<Triple> &triples) {
  Tensor index = Tensor::empty(GNN_I64, {2, int64_t(triples.size())});
  int64_t *to = index.mutableData<int64_t>();
  for (size_t i = 0; i < triples.size(); ++i) {
    to[i] = triples[i].src;
    to[triples.size() + i] = triples[i].dst;
  }
  return index;
}

Tensor edgeTypesOf(const std::vector<Triple> &triples) {
  std::vector<int64_t> types;
  for (const Triple &triple : triples)
    types.push_back(triple.type);
  return Tensor::of(types);
}

Tensor pairTable(const std::vector<Triple> &triples) {
  std::vector<int64_t> rows;
  for (const Triple &triple : triples)
    rows.insert(rows.end(), {triple.src, triple.type, triple.dst});
  return Tensor::of(rows, {int64_t(triples.size()), 3});
}

template <class T> void shuffle(std::vector<T> &items, RandomSequence &random) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[random.below(i)]);
}

int64_t orDefault(int64_t value, int64_t fallback) { return value ? value : fallback; }

std::vector<int64_t> range(int64_t begin, int64_t end) {
  std::vector<int64_t> ids;
  for (int64_t id = begin; id < end; ++id)
    ids.push_back(id);
  return ids;
}

} // namespace

Dataset gnn::rt::relationalGraph(const gnn_generate_options_t &options) {
  constexpr int64_t maxVertices = int64_t(1) << 24;
  const int64_t vertices = std::clamp(orDefault(options.num_vertices, 400), int64_t(0), maxVertices),
                edges = orDefault(options.num_edges, 6 * vertices);
  const uint64_t classes = uint64_t(orDefault(options.num_classes, 4));
  require(vertices >= int64_t(classes) && vertices < maxVertices && edges >= 0 && edges <= 100 * vertices,
          GNN_ERROR_ARGUMENT, "impossible numbers: ", vertices, " vertices, ", edges, " edges, ", classes, " classes");
  RandomSequence random(options.seed + 1);
  std::vector<int64_t> labels;
  for (int64_t v = 0; v < vertices; ++v)
    labels.push_back(v % int64_t(classes));
  shuffle(labels, random);
  std::vector<std::vector<int64_t>> members(classes);
  for (int64_t v = 0; v < vertices; ++v)
    members[size_t(labels[size_t(v)])].push_back(v);
  std::vector<Triple> triples;
  for (int64_t i = 0; i < edges; ++i) {
    int64_t src = int64_t(random.below(uint64_t(vertices)));
    uint64_t type = random.below(classes);
    const std::vector<int64_t> &meant = members[(uint64_t(labels[size_t(src)]) + type) % classes];
    bool isNoise = random.uniform() < 0.1;
    int64_t dst = isNoise ? int64_t(random.below(uint64_t(vertices))) : meant[random.below(meant.size())];
    triples.push_back({src, int64_t(type), dst});
  }
  std::sort(triples.begin(), triples.end());
  Dataset data;
  data.name = data.source = "relational";
  data.numVertices = vertices;
  data.numEdgeTypes = data.numClasses = int64_t(classes);
  data.edgeIndex = edgeIndexOf(triples);
  data.edgeType = edgeTypesOf(triples);
  data.labels = Tensor::of(labels);
  data.finish();
  int64_t perClass = vertices / int64_t(classes);
  splitPerClass(data, std::max<int64_t>(perClass / 5, 1), perClass / 5, options.seed);
  data.finish();
  return data;
}

Dataset gnn::rt::knowledgeGraph(const gnn_generate_options_t &options) {
  constexpr int64_t shifts[] = {1, 2, 4, 0}; // 4 of 8 groups and 0 are symmetric relations
  constexpr int64_t groups = 8, relations = 4, perEntity = 3;
  const int64_t vertices = orDefault(options.num_vertices, 120);
  require(vertices >= 4 * groups && vertices <= int64_t(1) << 20, GNN_ERROR_ARGUMENT, vertices, " vertices, expected ",
          4 * groups, " to 2^20");
  RandomSequence random(options.seed + 2);
  std::set<Triple> chosen;
  for (int64_t src = 0; src < vertices; ++src)
    for (int64_t type = 0; type < relations; ++type)
      for (int64_t i = 0; i < perEntity; ++i) {
        int64_t group = (src + shifts[type]) % groups; // entity v is of group v mod groups
        int64_t inGroup = (vertices - group + groups - 1) / groups;
        chosen.insert({src, type, group + groups * int64_t(random.below(uint64_t(inGroup)))});
      }
  std::vector<Triple> triples(chosen.begin(), chosen.end());
  shuffle(triples, random);
  auto held = std::ptrdiff_t(triples.size() / 10);
  auto part = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    std::vector<Triple> some(triples.begin() + begin, triples.begin() + end);
    std::sort(some.begin(), some.end());
    return some;
  };
  std::vector<Triple> train = part(2 * held, std::ptrdiff_t(triples.size()));
  Dataset data;
  data.name = data.source = "knowledge";
  data.numVertices = vertices;
  data.numEdgeTypes = relations;
  data.edgeIndex = edgeIndexOf(train);
  data.edgeType = edgeTypesOf(train);
  data.pairs["val"] = pairTable(part(0, held));
  data.pairs["test"] = pairTable(part(held, 2 * held));
  data.finish();
  return data;
}

Dataset gnn::rt::moleculeGraphs(const gnn_generate_options_t &options) {
  constexpr int64_t kinds = 4;
  const int64_t molecules = orDefault(options.num_vertices, 240);
  require(molecules >= 4 && molecules <= int64_t(1) << 20, GNN_ERROR_ARGUMENT, molecules,
          " molecules, expected 4 to 2^20");
  RandomSequence random(options.seed + 3);
  std::vector<int64_t> kind, moleculeOf, labels;
  std::vector<Triple> bonds, memberships;
  for (int64_t m = 0; m < molecules; ++m) {
    int64_t first = int64_t(kind.size()), atoms = 5 + int64_t(random.below(8));
    std::vector<Triple> own;
    for (int64_t a = first; a < first + atoms; ++a) {
      kind.push_back(int64_t(random.below(kinds)));
      memberships.push_back({a, 0, m});
      if (a > first)
        own.push_back({a, random.uniform() < 0.3, first + int64_t(random.below(uint64_t(a - first)))});
    }
    auto isGroup = [&](const Triple &bond) {
      return bond.type == 1 && kind[size_t(bond.src)] + kind[size_t(bond.dst)] == 1;
    };
    labels.push_back(m % 2);
    if (labels.back()) {
      Triple &bond = own[random.below(own.size())];
      bond.type = 1;
      kind[size_t(bond.src)] = 0;
      kind[size_t(bond.dst)] = 1;
    }
    for (Triple &bond : own)
      if (!labels.back() && isGroup(bond))
        bond.type = 0;
    for (const Triple &bond : own)
      for (Triple direction : {bond, Triple{bond.dst, bond.type, bond.src}})
        bonds.push_back(direction);
  }
  std::vector<float> oneHot(kind.size() * size_t(kinds), 0.0f);
  for (size_t a = 0; a < kind.size(); ++a)
    oneHot[a * size_t(kinds) + size_t(kind[a])] = 1;
  Dataset data;
  data.name = data.source = "molecules";
  data.vertexTypes = {{"Atom", int64_t(kind.size()), {}}, {"Molecule", molecules, {}}};
  data.vertexTypes[0].features["x"].dense = Tensor::of(oneHot, {int64_t(kind.size()), kinds});
  data.relations = {{"bond", "Atom", "Atom", edgeIndexOf(bonds), edgeTypesOf(bonds), 2, {}},
                    {"of", "Atom", "Molecule", edgeIndexOf(memberships), Tensor(), -1, {}}};
  data.labelled = "Molecule";
  data.numClasses = 2;
  data.labels = Tensor::of(labels);
  int64_t train = molecules * 2 / 3, val = train + molecules / 6;
  data.splits["train"] = Tensor::of(range(0, train));
  data.splits["val"] = Tensor::of(range(train, val));
  data.splits["test"] = Tensor::of(range(val, molecules));
  data.finish();
  return data;
}
