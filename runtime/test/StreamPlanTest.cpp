//===- StreamPlanTest.cpp - Into what a limit of memory cuts a graph ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsRanks.h"
#include "FakeData.h"
#include "TemporaryFolder.h"
#include "gnn/error.hpp"
#include "runtime/src/stream/WithinMemory.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace gnn::rt;

TEST_CASE("intervals know the interval of each row") {
  FakeLibrary fake;
  for (int64_t rows : {1, 2, 511, 512, 513, 3000, 70001}) {
    const FakeData data(rows, /*edges=*/5);
    const FakeRun run(fake, data, GNN_PROGRAM_INFER, /*threads=*/1);
    for (int64_t parts : {1, 2, 3, 7, 100, 511, 512})
      for (CutBy by : {CutBy::Vertices, CutBy::Work}) {
        const Intervals intervals(*run.library, run.binding, Cuts(parts, /*comm=*/nullptr, by));
        CHECK(intervals.count(0) == std::min(parts, rows));
        int64_t wrong = 0, most = 0;
        for (int64_t row = 0; row < rows; ++row) {
          const int64_t interval = intervals.of(0, row);
          wrong += row < intervals.begin(0, interval) || row >= intervals.begin(0, interval + 1);
          most = std::max(most, intervals.rows(0, interval));
        }
        CHECK(wrong == 0);
        CHECK(most == intervals.most(0));
      }
  }
}

TEST_CASE(
    "intervals that are cut by work have at most twice their share of vertices and of edges, but for one vertex") {
  FakeLibrary fake;
  for (uint32_t order : {GNN_ORDER_GIVEN, GNN_ORDER_DEGREE}) {
    const FakeData data(5000, 30000, order);
    const FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
    const Buffer<int64_t> &in = run.binding.relation(0).csr(GNN_TO_DESTINATION).offsets,
                          &out = run.binding.relation(0).csr(GNN_TO_SOURCE).offsets;
    auto edgesOf = [&](int64_t begin, int64_t end) {
      return in[size_t(end)] - in[size_t(begin)] + out[size_t(end)] - out[size_t(begin)];
    };
    for (int64_t parts : {2, 3, 64, 500}) {
      const Intervals intervals(*run.library, run.binding, Cuts(parts, /*comm=*/nullptr, CutBy::Work));
      for (int64_t p = 0; p < parts; ++p) {
        const int64_t begin = intervals.begin(0, p), end = intervals.begin(0, p + 1);
        CHECK((end - begin - 1) * parts <= 2 * 5000);
        CHECK(edgesOf(begin, end - 1) * parts <= 2 * edgesOf(0, 5000));
      }
      CHECK(intervals.most(0) > 5000 / parts); // not as many in each
    }
    CHECK(Intervals(*run.library, run.binding, Cuts(2, nullptr, CutBy::Work)).areEven());
    CHECK_FALSE(Intervals(*run.library, run.binding, Cuts(512)).areEven()); // vertex 0 is in one
  }
}

TEST_CASE("counts of edges in chunks are the sums of counts in smaller ones, and read where they are not") {
  FakeLibrary fake;
  const FakeData data(300, 4000);
  const FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  CountedChunks counted(*run.library, run.binding);
  for (CutBy by : {CutBy::Vertices, CutBy::Work, CutBy::Vertices})
    for (int64_t parts : {512, 60, 64, 32, 30, 20, 7, 4, 2, 1}) {
      const Intervals intervals(*run.library, run.binding, Cuts(parts, /*comm=*/nullptr, by));
      const auto known = counted.of(intervals), fresh = CountedChunks(*run.library, run.binding).of(intervals);
      REQUIRE(known->size() == fresh->size());
      for (const auto &[relation, counts] : *fresh)
        for (int64_t p = 0; p < intervals.count(0); ++p)
          for (int64_t q = 0; q < intervals.count(0); ++q)
            REQUIRE(known->at(relation).edges(GNN_TO_SOURCE, p, q) == counts.edges(GNN_TO_SOURCE, p, q));
    }
}

TEST_CASE("of a chunk with many edges two slices are in memory, and beside the rows of each no more is read") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(300, 20000);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  for (int64_t parts : {1, 3}) {
    SpilledData whole(run.engine, *run.library, run.binding, parts, folder.path()),
        sliced(run.engine, *run.library, run.binding, parts, folder.path());
    sliced.cutSlices(1);
    const gnn_program_t &program = *run.library->program(GNN_PROGRAM_TRAIN);
    const StreamLayout inOne(run.engine, *run.library, run.binding, program, whole),
        inMany(run.engine, *run.library, run.binding, program, sliced);
    CHECK(inMany.memory().edges.ring.most < inOne.memory().edges.ring.most / 4);
    CHECK(inMany.memory().edges.ring.pieces == 2);
    CHECK(inMany.traffic().calls > inOne.traffic().calls);
    const Chunks &chunks = whole.chunks(0, GNN_TO_DESTINATION), &inSlices = sliced.chunks(0, GNN_TO_DESTINATION);
    CHECK(chunks.ofSweep().slices == chunks.ofSweep().met);
    CHECK(inSlices.ofSweep().slices > 2 * inSlices.ofSweep().met);
    CHECK(inSlices.ofSweep().bytes <=
          chunks.ofSweep().bytes + inSlices.ofSweep().slices * (size_t(300 / parts) * sizeof(uint32_t) + 3 * 64));
  }
}

TEST_CASE("a limit of memory is kept, and what it leaves keeps tables and edges out of the file") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(3000, 9000);
  auto planned = [&](size_t bytes, int64_t intervals = 0) {
    FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2);
    const gnn_program_t *program = run.library->program(GNN_PROGRAM_TRAIN);
    return WithinMemory(run.engine, *run.library, run.binding, {program}, /*otherBytes=*/1000,
                        {bytes, folder.path(), intervals}, [](Executor &) {})
        .plan();
  };
  const StreamPlan whole = planned(size_t(1) << 30);
  CHECK(whole.parts == 0);
  CHECK(planned(whole.bytes).parts == 0);
  const StreamPlan most = planned(whole.bytes - 1);
  CHECK(most.parts > 0);
  CHECK(most.bytes < whole.bytes);
  for (int64_t parts : {3, 7}) {
    const StreamPlan all = planned(size_t(1) << 30, parts);
    CHECK(all.parts == parts);
    CHECK(all.fileBytes == 0);
    const StreamPlan kept = planned(all.bytes, parts);
    CHECK(kept.bytes == all.bytes);
    StreamPlan before = all;
    for (int cut = 0; cut < 3; ++cut) { // what stays is less and less
      const StreamPlan next = planned(before.bytes - 1, parts);
      CHECK(next.parts == parts);
      CHECK(next.bytes < before.bytes);
      CHECK(next.fileBytes > 0);
      CHECK(next.cost > all.cost);
      before = next;
    }
  }
  try {
    planned(1000);
    FAIL("nothing is so small");
  } catch (const gnn::Error &error) {
    CHECK(error.code() == GNN_ERROR_MEMORY);
    const std::string message = error.what(), before = "the least that does is ";
    REQUIRE_THAT(message, Catch::Contains("does not fit in 1KB of memory: " + before));
    const size_t kilobytes = std::stoul(message.substr(message.find(before) + before.size()));
    CHECK(planned(kilobytes << 10).parts > 0);
    CHECK_THROWS_AS(planned((kilobytes - 1) << 10), gnn::Error);
    CHECK_THROWS_WITH(planned(kilobytes << 10, /*intervals=*/2), Catch::Contains("in 2 intervals does not fit"));
  }
}

TEST_CASE("vertices are cut by work where that reads and writes less within a limit, and as is asked for else") {
  TemporaryFolder folder;
  FakeLibrary fake;
  auto planned = [&](const FakeData &data, size_t bytes, std::optional<CutBy> by, int64_t intervals = 0) {
    FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2);
    const gnn_program_t *program = run.library->program(GNN_PROGRAM_TRAIN);
    MemoryLimit limit{bytes, folder.path(), intervals};
    limit.by = by;
    return WithinMemory(run.engine, *run.library, run.binding, {program}, /*otherBytes=*/1000, limit, [](Executor &) {})
        .plan();
  };
  auto leastOf = [&](const FakeData &data, std::optional<CutBy> by) {
    try {
      planned(data, 1000, by);
    } catch (const gnn::Error &error) {
      const std::string message = error.what(), before = "the least that does is ";
      return std::stoul(message.substr(message.find(before) + before.size())) << 10;
    }
    return 0ul;
  };
  // Edges among the first vertices alone, so that one chunk has almost all of them.
  FakeData skewed(3000, 0);
  std::vector<int64_t> src, dst;
  for (int64_t e = 0; e < 60000; ++e) {
    src.push_back(e * 7 % 101);
    dst.push_back(e * 11 % 103);
  }
  skewed.graph = Graph::fromEdges({src.data(), src.size()}, {dst.data(), dst.size()}, 3000, EdgeOptions());
  const size_t least = leastOf(skewed, std::nullopt);
  CHECK(leastOf(skewed, CutBy::Work) == least);
  CHECK(least < leastOf(skewed, CutBy::Vertices));
  const StreamPlan chosen = planned(skewed, least, std::nullopt);
  CHECK(chosen.by == CutBy::Work);
  CHECK(chosen.bytes <= least);
  CHECK(planned(skewed, SIZE_MAX, std::nullopt, chosen.parts).by == CutBy::Vertices);
  CHECK(planned(skewed, SIZE_MAX, CutBy::Work, 3).by == CutBy::Work);
  const size_t more = 2 * least;
  const StreamPlan free = planned(skewed, more, std::nullopt);
  for (CutBy by : {CutBy::Vertices, CutBy::Work})
    if (more >= leastOf(skewed, by))
      CHECK(free.cost <= planned(skewed, more, by).cost);
}

TEST_CASE("the most intervals are tried, also where twice as many as were would be more") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(300000, 0);
  auto planned = [&](Comm &comm, size_t bytes, int64_t intervals) {
    FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
    const gnn_program_t *program = run.library->program(GNN_PROGRAM_TRAIN);
    return WithinMemory(run.engine, *run.library, run.binding, {program}, /*otherBytes=*/1000,
                        {bytes, folder.path(), intervals, &comm}, [](Executor &) {})
        .plan();
  };
  const std::vector<std::string> messages = asRanks(3, std::chrono::seconds(20), [&](Comm &comm) {
    if (comm.rank() > 0) // what rank 0 plans it could only ask the others for in a run
      return;
    auto leastOf = [&](int64_t intervals) {
      try {
        planned(comm, 1000, intervals);
      } catch (const gnn::Error &error) {
        const std::string message = error.what(), before = "the least that does is ";
        return std::stoul(message.substr(message.find(before) + before.size())) << 10;
      }
      return 0ul;
    };
    const size_t least = leastOf(mostIntervals);
    if (leastOf(384) <= least) // 3, 6, 12 and so on
      throw std::runtime_error("these data do not test it");
    if (const int64_t parts = planned(comm, least, 0).parts; parts <= 384)
      throw std::runtime_error("in " + std::to_string(parts) + " intervals");
  });
  CHECK(messages == std::vector<std::string>(3));
}
