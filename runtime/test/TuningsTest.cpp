//===- TuningsTest.cpp - Which measurements a graph is like ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/engine/Tunings.h"
#include "FakeData.h"
#include "gnn/error.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

using Knobs = std::array<gnn_knobs_t, FakeLibrary::NumKernels>;

/// A library that was tuned on two graphs: the sum of @infer goes over 8 ranges on the one, over 2 on the other.
struct Tuned : FakeLibrary {
  Knobs ofSmall{}, ofLarge{};
  std::vector<gnn_tuning_t> tunings;

  Tuned() {
    ofSmall[Aggregate].partition = 8;
    ofLarge[Aggregate] = {0, 2, 0, 0, 0};
    tunings = {{2000, 7000, 2003, 2, 0, ofSmall.data()}, {1000000, 50000000, 9000, 2, 0, ofLarge.data()}};
    library.tunings = tunings.data();
    library.num_tunings = uint32_t(tunings.size());
  }
};

size_t bytesOf(const FakeLibrary &fake, const FakeData &data) {
  return FakeRun(fake, data, GNN_PROGRAM_INFER, 2).executor.peakBytes();
}

} // namespace

TEST_CASE("the tuning of the most similar graph is taken, of two as similar that of the number of threads") {
  Tuned fake;
  const gnn_library_t &library = fake.library;
  CHECK(nearestTuning(library, {2708, 10556, 168}, 1) == &fake.tunings[0]);
  CHECK(nearestTuning(library, {230000, 115000000, 20000}, 1) == &fake.tunings[1]);
  CHECK(nearestTuning(library, {0, 50000000, 0}, 2) == &fake.tunings[1]);
  CHECK(nearestTuning(library, {3, 4, 2}, 2) == nullptr);
  CHECK(nearestTuning(FakeLibrary().library, {2000, 7000, 2003}, 2) == nullptr);
  fake.tunings[1] = fake.tunings[0];
  fake.tunings[1].threads = 32;
  CHECK(nearestTuning(library, {2000, 7000, 2000}, 2) == &fake.tunings[0]);
  CHECK(nearestTuning(library, {2000, 7000, 2000}, 16) == &fake.tunings[1]);
}

TEST_CASE("what the source says of a kernel prevails over tunings, knob by knob") {
  Tuned fake;
  fake.ofSmall[FakeLibrary::Aggregate] = {4096, 8, 256, 16, 0};
  fake.kernels[FakeLibrary::Aggregate].knobs = {0, 4, 0, 0, 0};
  const gnn_knobs_t knobs = knobsOf(fake.library, &fake.tunings[0], FakeLibrary::Aggregate);
  CHECK(knobs.split == 4096);
  CHECK(knobs.partition == 4);
  CHECK(knobs.pass == 256);
  CHECK(knobs.hilbert == 16);
  CHECK(knobsOf(fake.library, nullptr, FakeLibrary::Aggregate).split == 0);
}

TEST_CASE("executors go by the tuning of a graph like theirs") {
  const FakeData data(2000, 5000);
  auto bytes = [&](uint16_t partitions) {
    FakeLibrary fake;
    fake.kernels[FakeLibrary::Aggregate].knobs.partition = partitions;
    return bytesOf(fake, data);
  };
  Tuned fake;
  CHECK(bytesOf(fake, data) == bytes(8));
  std::swap(fake.tunings[0].knobs, fake.tunings[1].knobs);
  CHECK(bytesOf(fake, data) == bytes(2));
  CHECK(bytes(8) > bytes(2));
  std::swap(fake.tunings[0], fake.tunings[1]); // their order says nothing
  CHECK(bytesOf(fake, data) == bytes(2));
  fake.kernels[FakeLibrary::Aggregate].knobs.partition = 4;
  CHECK(bytesOf(fake, data) == bytes(4));
}

TEST_CASE("what a graph is like counts its edges after the transforms") {
  const FakeData data(2000, 5000);
  FakeLibrary fake;
  FakeRun run(fake, data, GNN_PROGRAM_INFER, 1);
  const GraphStatistics found = statisticsOf(*run.library, WholeView(*run.library, run.binding));
  CHECK(found.vertices == 2000);
  CHECK(found.edges == 7000);
  CHECK(found.longest == data.graph->edgeSet().relation().csr(GNN_TO_DESTINATION).degree(0));
  fake.relations[0].transforms = GNN_GRAPH_SELF_LOOPS;
  FakeRun looped(fake, data, GNN_PROGRAM_INFER, 1);
  CHECK(statisticsOf(*looped.library, WholeView(*looped.library, looped.binding)).edges >= 7000);
  CHECK(statisticsOf(*looped.library, WholeView(*looped.library, looped.binding)).edges == looped.binding.numEdges());
}

TEST_CASE("a library with a wrong tuning is refused") {
  Tuned fake;
  auto open = [&] { return Library::fromTable(&fake.library, "fake.so"); };
  SECTION("no kernels") { fake.tunings[1].knobs = nullptr; }
  SECTION("a pass that no kernel can take") { fake.ofLarge[0].pass = 100; }
  SECTION("a graph of less than nothing") { fake.tunings[1].edges = -1; }
  CHECK_THROWS_WITH(open(), Contains("tuning 1 is wrong"));
}
