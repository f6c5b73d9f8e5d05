//===- FiledEdgesTest.cpp - Edges that are drawn of a file ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "FaultyFiles.h"
#include "TemporaryFolder.h"
#include "gnn/error.hpp"
#include "runtime/src/graph/PagedEdges.h"
#include "runtime/src/sample/Sampled.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// The graph of `data` with its edges in a file.
std::shared_ptr<const Graph> withEdgesInFile(const FakeData &data, const TemporaryFolder &folder, FileSystem &files) {
  std::vector<int64_t> both = data.src;
  both.insert(both.end(), data.dst.begin(), data.dst.end());
  writeNpy(folder.path("edge_index.npy"), Tensor::of(both, {2, int64_t(data.src.size())}));
  EdgeTables tables{std::make_shared<const NpyFile>(folder.path("edge_index.npy"), "edge_index.npy", files), nullptr,
                    "ends", "types", -1};
  PagingOptions options;
  options.folder = folder.path();
  options.workBytes = 1 << 20;
  const Graph::Edges &edges = data.graph->relations()[0];
  const int64_t vertices = edges.set->relation().numSources();
  EdgeSpec spec;
  spec.name = edges.name;
  spec.source = edges.source;
  spec.destination = edges.destination;
  spec.prepared = pagedEdges(tables, vertices, vertices, /*isBetweenTypes=*/false, options, files);
  return Graph::fromSchema(data.graph->vertexSets(), {spec});
}

/// A training program on samples of 20 seeds.
struct Samples {
  explicit Samples(std::shared_ptr<const Graph> graph, const FakeData &data)
      : run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2),
        binding(run.library, run.dims, std::move(graph), data.features, /*withTargets=*/true, "test data"),
        sampled(run.engine, *run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN), FanOuts("5", "test")) {
    binding.setLossRows({data.train.data(), data.train.size()});
    sampled.place(FakeLibrary::W, run.w.data());
    sampled.place(FakeLibrary::B, run.b.data());
    seeds.assign(data.train.begin(), data.train.begin() + 20);
  }
  std::vector<float> gradient(uint64_t key) {
    sampled.expect(key, {seeds, {}, {}});
    sampled.run(key);
    return values(sampled.result(1));
  }

  FakeLibrary fake;
  FakeRun run;
  Binding binding;
  Sampled sampled;
  std::vector<int64_t> seeds;
};

} // namespace

TEST_CASE("samples of edges in a file have the bits of those of edges in memory, whatever is kept") {
  TemporaryFolder folder;
  FaultyFiles files;
  const FakeData data(200, 3000);
  Samples expected(data.graph, data), filed(withEdgesInFile(data, folder, files), data);
  FiledEdges &edges = filed.sampled.filedEdges();
  CHECK(expected.sampled.filedEdges().tables().empty());
  REQUIRE(!edges.tables().empty());
  CHECK(filed.gradient(1) == expected.gradient(1));
  const FiledEdges::Counts first = edges.counts();
  CHECK((first.rows > 0 && first.hits == 0 && first.bytes >= first.rows * sizeof(uint32_t)));

  for (size_t t = 0; t < edges.tables().size(); ++t)
    edges.keep(t, [](int64_t row) { return row % 3 == 0; });
  const FiledEdges::Counts before = edges.counts();
  CHECK(filed.gradient(2) == expected.gradient(2));
  const FiledEdges::Counts some = edges.counts() - before;
  CHECK((some.hits > 0 && some.hits < some.rows));
  CHECK(edges.keptBytes() > 0);

  for (size_t t = 0; t < edges.tables().size(); ++t)
    edges.keep(t, [](int64_t) { return true; });
  const FiledEdges::Counts kept = edges.counts();
  CHECK(filed.gradient(3) == expected.gradient(3));
  CHECK((edges.counts() - kept).hitRate() == 1);
  CHECK((edges.counts() - kept).bytes == 0);
}
