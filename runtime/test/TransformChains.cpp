//===- TransformChains.cpp - Transforms one after the other ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// transform-chains [--seed N] [--count N]: random small graphs, with many loops, repeated edges and types, go through
// random chains of transforms. After each link the edges must be those of a graph that was given all transforms at
// once, and those of the rules in gnn/graph.h, which are written down here a second time, plainly.
//
//===----------------------------------------------------------------------===//

#include "RandomCampaign.h"
#include "gnn/error.hpp"
#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/graph/Transforms.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace gnn::rt;

namespace {

using Ids = std::vector<int64_t>;

struct Edge {
  int64_t id, src, dst, type, from; // `from`: the edge given that it mirrors, or itself; -1 for an added loop

  auto key() const { return std::make_tuple(id, src, dst, type, from); }
  bool operator==(const Edge &other) const { return key() == other.key(); }
  bool operator<(const Edge &other) const { return key() < other.key(); }
};

/// What a graph is made from.
struct Given {
  int64_t vertices = 0, numTypes = 0; // 0: edges have no types
  Ids src, dst, types;

  EdgeOptions options(uint32_t transforms, uint32_t order) const {
    EdgeOptions options;
    options.transforms = transforms;
    options.order = order;
    options.numTypes = uint32_t(numTypes);
    if (numTypes)
      options.edgeTypes = types;
    return options;
  }
};

Given randomGraph(Random &random) {
  Given given;
  given.vertices = random.below(10) ? random.below(8) : random.below(300);
  given.numTypes = random.below(2) ? random.below(3) + 1 : 0;
  const int64_t count = given.vertices ? random.below(random.below(10) ? 20 : 600) : 0;
  for (int64_t i = 0; i < count; ++i) {
    const bool isRepeated = i > 0 && random.below(4) == 0, isLoop = random.below(4) == 0;
    const size_t other = isRepeated ? size_t(random.below(i)) : 0;
    given.src.push_back(isRepeated ? given.src[other] : random.below(given.vertices));
    given.dst.push_back(isRepeated ? given.dst[other] : isLoop ? given.src.back() : random.below(given.vertices));
    if (given.numTypes)
      given.types.push_back(isRepeated && random.below(2) ? given.types[other] : random.below(given.numTypes));
  }
  return given;
}

/// gnn/graph.h, "Edge ids".
std::set<Edge> edgesByTheRules(const Given &given, uint32_t transforms) {
  std::vector<Edge> list;
  auto add = [&](int64_t src, int64_t dst, int64_t type, int64_t from) {
    list.push_back({int64_t(list.size()), src, dst, type, from});
  };
  for (size_t i = 0; i < given.src.size(); ++i)
    add(given.src[i], given.dst[i], given.numTypes ? given.types[i] : 0, int64_t(i));
  if (transforms & GNN_GRAPH_SYMMETRIC) {
    std::vector<bool> hasCounterpart(given.src.size());
    auto areOpposite = [](const Edge &a, const Edge &b) {
      return a.src == b.dst && a.dst == b.src && a.type == b.type;
    };
    for (size_t i = 0; i < given.src.size(); ++i)
      for (size_t j = i; j < given.src.size() && !hasCounterpart[i]; ++j)
        if (!hasCounterpart[j] && areOpposite(list[i], list[j]))
          hasCounterpart[i] = hasCounterpart[j] = true;
    for (size_t i = 0; i < given.src.size(); ++i)
      if (const Edge edge = list[i]; !hasCounterpart[i])
        add(edge.dst, edge.src, edge.type, edge.from);
  }
  if (transforms & GNN_GRAPH_INVERSE_RELATIONS)
    for (size_t i = 0, count = list.size(); i < count; ++i)
      if (const Edge edge = list[i]; true)
        add(edge.dst, edge.src, edge.type + given.numTypes, edge.from);
  std::vector<Edge> kept = list;
  if (transforms & GNN_GRAPH_ONE_LOOP)
    kept.erase(std::remove_if(kept.begin(), kept.end(),
                              [&](const Edge &edge) {
                                return edge.src == edge.dst &&
                                       std::any_of(list.begin(), list.end(), [&](const Edge &other) {
                                         return other.id > edge.id && other.src == edge.src && other.dst == edge.dst;
                                       });
                              }),
               kept.end());
  const bool hasKinds = transforms & GNN_GRAPH_LOOP_KINDS;
  if (transforms & GNN_GRAPH_NO_LOOPS)
    kept.erase(std::remove_if(kept.begin(), kept.end(), [](const Edge &edge) { return edge.src == edge.dst; }),
               kept.end());
  if (hasKinds)
    kept = list;
  if (transforms & (GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_ONE_LOOP | GNN_GRAPH_LOOP_KINDS)) {
    std::set<int64_t> looped;
    for (const Edge &edge : kept)
      if (edge.src == edge.dst)
        looped.insert(edge.src);
    for (int64_t v = 0; v < given.vertices; ++v)
      if (!looped.count(v)) {
        add(v, v, given.numTypes || transforms & GNN_GRAPH_MARK_LOOPS ? -1 : 0, -1);
        kept.push_back(list.back());
      }
  }
  std::map<int64_t, int64_t> last; // ids of loops, by vertex
  for (const Edge &edge : kept)
    if (edge.src == edge.dst)
      last[edge.src] = std::max(last[edge.src], edge.id);
  for (Edge &edge : kept)
    if (hasKinds)
      edge.type = edge.src != edge.dst ? 0 : edge.from < 0 ? 3 : last[edge.src] == edge.id ? 1 : 2;
  return {kept.begin(), kept.end()};
}

/// The edges of one direction in the ids of vertices. Rows must be in the order that gnn/graph.h promises.
std::set<Edge> edgesOf(const EdgeSet &set, uint32_t direction) {
  std::set<Edge> edges;
  const gnn_block_t block = set.relation().block(direction);
  for (int64_t row = 0; row < block.num_rows; ++row) {
    std::tuple<uint32_t, uint32_t, int64_t> before;
    for (int64_t i = block.offsets[row]; i < block.offsets[row + 1]; ++i) {
      const int64_t id = block.edge_id ? block.edge_id[i] : block.edge_id32[i], local = block.cols[i];
      const int64_t type = block.edge_type ? block.edge_type[i] : 0;
      const auto place = std::make_tuple(uint32_t(type), block.cols[i], id);
      expect(i == block.offsets[row] || before < place, "edges of a row are in order");
      before = place;
      const int64_t end = block.row_id ? block.row_id[row] : row, other = block.col_id ? block.col_id[local] : local;
      const bool isForward = direction == GNN_TO_DESTINATION;
      expect(id < set.numEdgeIds(), "ids are below their number");
      edges.insert({id, isForward ? other : end, isForward ? end : other, type,
                    id < set.numGivenEdges() ? id : set.addedEdges()[size_t(id - set.numGivenEdges())]});
    }
  }
  return edges;
}

bool areEqual(const Csr &a, const Csr &b) {
  auto same = [](const auto &some, const auto &others) {
    return std::equal(some.begin(), some.end(), others.begin(), others.end());
  };
  return same(a.offsets, b.offsets) && same(a.cols, b.cols) && same(a.types, b.types) &&
         same(a.edgeIds.narrow, b.edgeIds.narrow) && same(a.edgeIds.wide, b.edgeIds.wide);
}

void expectTable(const EdgeSet &set, const std::set<Edge> &edges) {
  std::vector<float> rows(size_t(set.numGivenEdges()));
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = float(i) + 2;
  const Tensor table = set.extendEdgeTable(Tensor::of(rows), "the table");
  expect(table.count() == set.numEdgeIds(), "a table over edges has a row for each id");
  for (const Edge &edge : edges)
    expect(table.data<float>()[edge.id] == (edge.from < 0 ? 1 : float(edge.from) + 2),
           "rows are those of the original");
}

void expectIsAtOnce(const EdgeSet &set, const Given &given, uint32_t order) {
  const auto atOnce = EdgeSet::fromEdges(given.src, given.dst, given.vertices, given.options(set.transforms(), order));
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
    expect(areEqual(set.relation().csr(direction), atOnce->relation().csr(direction)), "edges are those of at once");
  expect(std::equal(set.addedEdges().begin(), set.addedEdges().end(), atOnce->addedEdges().begin(),
                    atOnce->addedEdges().end()),
         "added edges are those of at once");
  expect(set.numEdgeTypes() == atOnce->numEdgeTypes() && set.numEdgeIds() == atOnce->numEdgeIds() &&
             bool(set.order()) == bool(atOnce->order()),
         "numbers and order are those of at once");
  const std::set<Edge> edges = edgesByTheRules(given, set.transforms());
  expect(edgesOf(set, GNN_TO_DESTINATION) == edges, "edges by destination follow the rules");
  expect(edgesOf(set, GNN_TO_SOURCE) == edges, "edges by source follow the rules");
  expectTable(set, edges);
}

/// One graph; gives the number of links.
int64_t runChain(Random &random) {
  const Given given = randomGraph(random);
  const uint32_t usable = given.numTypes ? knownTransforms : knownTransforms & ~uint32_t(GNN_GRAPH_INVERSE_RELATIONS);
  // That of communities is of the edges that were there when it was made: transforms later give another than at once.
  uint32_t order = uint32_t(random.below(GNN_ORDER_COMMUNITY)), applied = uint32_t(random.below(128)) & usable;
  std::vector<std::shared_ptr<const EdgeSet>> chain{
      EdgeSet::fromEdges(given.src, given.dst, given.vertices, given.options(applied, order))};
  expectIsAtOnce(*chain.back(), given, order);
  const int64_t links = 1 + random.below(4);
  for (int64_t link = 0; link < links; ++link) {
    const uint32_t more = uint32_t(random.below(128));
    const bool inGivenOrder = random.below(5) == 0;
    const bool hasKinds = applied & GNN_GRAPH_LOOP_KINDS, wantsKinds = more & GNN_GRAPH_LOOP_KINDS;
    const bool isUnfit =
        hasKinds ? !wantsKinds || (more & ~applied) != 0 ||
                       (inGivenOrder && chain.back()->order() && given.numTypes > 1 && applied & GNN_GRAPH_SYMMETRIC)
                 : (wantsKinds && applied & (GNN_GRAPH_ONE_LOOP | GNN_GRAPH_NO_LOOPS)) ||
                       (more & GNN_GRAPH_NO_LOOPS && applied & (GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_ONE_LOOP));
    try {
      chain.push_back(EdgeSet::transformed(chain.back(), more, inGivenOrder));
      expect(!isUnfit, "what is lost cannot be transformed");
      expect((more & ~usable) == 0 || (more & ~applied) == 0, "relations without types have no inverse");
      applied |= more;
      order = inGivenOrder ? uint32_t(GNN_ORDER_GIVEN) : order;
    } catch (const gnn::Error &error) {
      expect((isUnfit || (more & ~usable) != 0) && error.code() == GNN_ERROR_MISMATCH, error.what());
    }
    expect(chain.back()->transforms() == applied, "the transforms are those that were asked for");
    expectIsAtOnce(*chain.back(), given, order);
    if (random.below(3) == 0)
      chain.erase(chain.begin(), chain.end() - 1); // what is shared goes with its last user
  }
  return links;
}

} // namespace

int main(int argc, char **argv) {
  const Campaign campaign = parseCampaign(argc, argv, /*count=*/30000);
  int64_t links = 0;
  const int64_t failures = campaign.run([&](Random &random) { links += runChain(random); });
  std::cout << campaign.count << " graphs through " << links << " transforms from seed " << campaign.seed << ": "
            << failures << " differ\n";
  return failures ? 1 : 0;
}
