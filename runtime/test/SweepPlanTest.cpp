//===- SweepPlanTest.cpp - In which parts a sweep goes --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/SweepPlan.h"
#include "gnn/program.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

static const Caches caches{size_t(1) << 20, size_t(32) << 20};

/// A sum of rows of `width` floats.
static SweepPlan planOfSum(int64_t vertices, int64_t edges, int64_t width, const SweepPlan &wanted = {0, 0}) {
  return planSweep({vertices, vertices, edges, width, 4, 0, 8, 0, 0}, caches, wanted);
}

TEST_CASE("tables that outgrow the last cache are swept in partitions, and in passes where that takes fewer") {
  CHECK(planOfSum(2708, 13264, 16).partitions == 1);
  CHECK(planOfSum(100000, 1000000, 32).partitions == 1);  // 12.8 MB stay
  SweepPlan larger = planOfSum(230000, 11500000, 64);     // 59 MB
  CHECK(230000 / larger.partitions * larger.pass * 4 <= 16 << 20);
  CHECK(planOfSum(230000, 11500000, 64, {0, 64}).partitions == 4);
  SweepPlan wide = planOfSum(230000, 11500000, 512);
  CHECK(wide.pass < 512);
  CHECK(wide.partitions > 1);
}

TEST_CASE("rows stay whole unless passes promise to gain over them") {
  const SweepPlan narrow = planOfSum(230000, 11500000, 64), wide = planOfSum(230000, 11500000, 256);
  CHECK(narrow.partitions == 4); // two partitions in passes of 32 would take 0.97 of the time
  CHECK(narrow.pass == 64);
  CHECK(wide.partitions == 2);
  CHECK(wide.pass == 32);
}

TEST_CASE("of a skewed graph the last cache has what most edges read, and partitions gain less") {
  std::vector<int64_t> offsets{0}; // 20 thousand of degree 200, 80 thousand of degree 10
  for (int64_t col = 0; col < 100000; ++col)
    offsets.push_back(offsets.back() + (col < 20000 ? 200 : 10));
  const DegreeShares skewed(offsets);
  CHECK(skewed.ofHighest(20000) == Approx(5.0 / 6));
  CHECK(skewed.ofHighest(60000) == Approx(11.0 / 12));
  CHECK(skewed.ofHighest(200000) == Approx(1));
  CHECK(DegreeShares(100000).ofHighest(20000) == Approx(0.2));
  SweepShape shape{100000, 100000, 4800000, 512, 4, 0, 8, 0, 0};
  const int64_t even = planSweep(shape, caches, {0, 128}).partitions;
  CHECK(even > 1);
  shape.shares = skewed;
  CHECK(planSweep(shape, caches, {0, 128}).partitions < even);
}

TEST_CASE("where rows have hundreds of edges partitions of what own caches hold pay, though the last one has it all") {
  CHECK(planOfSum(100000, 48000000, 32).partitions > 1);
  CHECK(planOfSum(3000, 48000000, 32).partitions == 1); // 0.4 MB stay
}

TEST_CASE("beside the plan by counts those are tried that are best on other machines, if they take little memory") {
  const SweepShape narrow{230000, 230000, 11500000, 64, 4, 0, 8, 0, 0};
  auto ways = [](const SweepShape &shape, const SweepPlan &wanted = {0, 0}) {
    std::vector<std::pair<int64_t, int64_t>> found;
    for (const SweepPlan &plan : closePlans(shape, caches, wanted))
      found.emplace_back(plan.partitions, plan.pass);
    return found;
  };
  using Ways = std::vector<std::pair<int64_t, int64_t>>;
  CHECK(ways(narrow) == Ways{{4, 64}, {1, 64}, {2, 64}});
  CHECK(ways(narrow, {4, 64}) == Ways{{4, 64}}); // nothing is left to choose
  CHECK(ways({34, 34, 156, 64, 4, 0, 8, 0, 0}) == Ways{{1, 64}});
  const Ways wide = ways({230000, 230000, 11500000, 512, 4, 0, 8, 0, 0});
  CHECK(wide.size() > 1);
  for (const auto &[partitions, pass] : wide)
    CHECK(pass <= 64); // copies of longer passes would take more than 64 MB
}

TEST_CASE("where a partition has hardly an edge of a row the sweep stays plain") {
  SweepPlan sparse = planOfSum(10000000, 20000000, 64);
  CHECK(sparse.partitions == 1);
  CHECK(sparse.pass == 64);
}

TEST_CASE("states that wait between partitions are those of a group of rows, where rows have many edges") {
  SweepPlan dense = planOfSum(230000, 115000000, 128);
  CHECK(dense.partitions > 1);
  CHECK(230000 / dense.groups * dense.pass * 8 <= 33 << 20);
  SweepPlan sparser = planOfSum(230000, 11500000, 256, {0, 128});
  CHECK(sparser.partitions > 1);
  CHECK(sparser.groups == 3);
  CHECK(planOfSum(100000, 48000000, 32).groups == 1);
}

TEST_CASE("a sweep that makes numbers of edges alone has no states, and one group of rows") {
  SweepPlan plan = planSweep({230000, 230000, 11500000, 1, 0, 1024, 0, 1024, 4}, caches);
  CHECK(plan.partitions > 1);
  CHECK(plan.groups == 1);
}

TEST_CASE("a row with more edges than there are columns reads them in order, and needs no partitions for it") {
  const int64_t offsets[] = {0, 5, 5, 12, 13};
  CHECK(repeatedEdges({offsets, 5}, 4) == 1 + 3);
  SweepShape shape{200000, 200000, 6000000, 64, 4, 0, 8, 0, 0};
  CHECK(planSweep(shape, caches).partitions > 1);
  shape.repeated = 5800000; // all edges enter one vertex
  CHECK(planSweep(shape, caches).partitions == 1);
  CHECK(planSweep(shape, caches).pass == 64);
}

TEST_CASE("what rows and edges have of their own speaks against partitions") {
  auto plan = [](size_t rowBytes, size_t edgeBytes) {
    return planSweep({230000, 230000, 11500000, 1, 0, 256, 0, rowBytes, edgeBytes}, caches).partitions;
  };
  CHECK(plan(0, 0) > 1);
  CHECK(plan(256, 4) <= plan(0, 0));
  CHECK(plan(100000, 0) == 1);
}

TEST_CASE("what a schedule asks for is done, as far as there are columns and elements, and the rest is planned") {
  const SweepShape small{34, 34, 156, 256, 4, 0, 8, 0, 0}, large{230000, 230000, 11500000, 512, 4, 0, 8, 0, 0};
  auto plan = [](const SweepShape &shape, SweepPlan wanted) {
    SweepPlan found = planSweep(shape, caches, wanted);
    return std::pair(found.partitions, found.pass);
  };
  CHECK(plan(small, {0, 0}) == std::pair<int64_t, int64_t>(1, 256));
  CHECK(plan(small, {4, 128}) == std::pair<int64_t, int64_t>(4, 128));
  CHECK(plan(small, {64, 512}) == std::pair<int64_t, int64_t>(34, 256));
  CHECK(plan(large, {1, 512}) == std::pair<int64_t, int64_t>(1, 512));
  CHECK(plan(large, {2, 0}).first == 2);
  CHECK(plan(large, {0, 128}).second == 128);
  CHECK(plan(large, {0, 128}).first > 1);
}

TEST_CASE("of a last cache that a virtual machine is told of plans count on what its processors may have") {
  const size_t mebibyte = size_t(1) << 20;
  CHECK(processorsIn("0-1") == 2);
  CHECK(processorsIn("0-3,8,10-11") == 7);
  CHECK(processorsIn("5") == 1);
  for (const char *list : {"", "none", "3-1", "0-", "1;2"})
    CHECK(processorsIn(list) == 0);
  CHECK(shareOfLastCache(300 * mebibyte, 2) == 32 * mebibyte);
  CHECK(shareOfLastCache(32 * mebibyte, 2) == 32 * mebibyte);
  CHECK(shareOfLastCache(96 * mebibyte, 16) == 96 * mebibyte);
  CHECK(shareOfLastCache(300 * mebibyte, 0) == 300 * mebibyte); // nothing is known of who shares it
}
