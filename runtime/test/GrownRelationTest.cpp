//===- GrownRelationTest.cpp - Tests of rows that grow --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/GrownRelation.h"
#include "runtime/src/graph/Transforms.h"

#include <catch2/catch.hpp>
#include <random>

using namespace gnn::rt;

namespace {

struct Edges {
  std::vector<int64_t> src, dst, types;

  /// Few vertices, so that there are loops, mirrored and repeated edges; half of them enter or leave one.
  Edges(int64_t count, int64_t vertices, uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int64_t i = 0; i < count; ++i) {
      src.push_back(random() % 4 ? int64_t(random() % uint64_t(vertices)) : 1);
      dst.push_back(random() % 4 ? int64_t(random() % uint64_t(vertices)) : 1);
      types.push_back(int64_t(random() % 3));
    }
  }
};

using Row = std::vector<std::pair<int32_t, uint32_t>>; // types and ends

Row preparedRow(const EdgeSet &set, uint32_t direction, int64_t row) {
  const Csr &csr = set.relation().csr(direction);
  Row edges;
  for (auto e = size_t(csr.offsets[size_t(row)]); e < size_t(csr.offsets[size_t(row) + 1]); ++e)
    edges.emplace_back(csr.types.empty() ? 0 : csr.types[e], csr.cols[e]);
  return edges;
}

} // namespace

TEST_CASE("rows of edges that were appended are those of edges that are prepared at once") {
  const int64_t vertices = 12, given = 30, all = 70;
  const Edges edges(all, vertices, 5);
  for (bool hasTypes : {false, true})
    for (uint32_t transforms = 0; transforms <= knownTransforms; ++transforms) {
      if (!hasTypes && (transforms & GNN_GRAPH_INVERSE_RELATIONS))
        continue;
      auto prepare = [&](int64_t count, uint32_t wanted) {
        EdgeOptions options;
        options.transforms = wanted;
        options.numTypes = hasTypes ? 3 : 0;
        if (hasTypes)
          options.edgeTypes = {edges.types.data(), size_t(count)};
        return EdgeSet::fromEdges({edges.src.data(), size_t(count)}, {edges.dst.data(), size_t(count)}, vertices,
                                  options);
      };
      const auto set = prepare(given, 0), transformed = prepare(given, transforms);
      AppendedEdges appended(all - given, vertices, vertices);
      for (int64_t e = given; e < all; ++e)
        appended.append(uint32_t(edges.src[size_t(e)]), uint32_t(edges.dst[size_t(e)]),
                        hasTypes ? int32_t(edges.types[size_t(e)]) : 0);
      for (int64_t count : {0, 1, 7, 40}) {
        const GrownRelation grown(*set, appended, count, transforms);
        const auto expected = prepare(given + count, transforms);
        for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
          for (int64_t v = 0; v < vertices; ++v) {
            std::vector<RowEdge> found;
            grown.addRow(direction, v, found);
            Row row;
            for (const RowEdge &edge : found)
              row.emplace_back(edge.type, edge.col);
            INFO("types " << hasTypes << " transforms " << transforms << " count " << count << " vertex " << v);
            CHECK(row == preparedRow(*expected, direction, v));
            const Csr &rows = expected->relation().csr(direction);
            const bool addsLoopsAlone = !(transforms & (GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS));
            for (size_t i = 0; i < found.size() && addsLoopsAlone; ++i)
              if (found[i].id < given + count) // of several loops the last one
                CHECK(found[i].id == rows.edgeIds[size_t(rows.offsets[size_t(v)]) + i]);
            if (!grown.isChanged(direction, v))
              CHECK(row == preparedRow(*transformed, direction, v));
          }
      }
    }
}
