//===- TiersTest.cpp - A stream from files by way of memory ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine that has memory of its own is sent what this process has, and what that has no room for is read of files.
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "FaultyFiles.h"
#include "PacedEngine.h"
#include "gnn/error.hpp"
#include "runtime/src/stream/WithinMemory.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// A processor that says it is a GPU. It knows how much memory it has given away on this side.
class ApartEngine : public PacedEngine {
public:
  ApartEngine(std::shared_ptr<const Library> library, bool loadsEarly)
      : PacedEngine(std::move(library), /*threads=*/1, loadsEarly) {}
  int ordinal() const override { return 0; }
  std::shared_ptr<void> reachable(size_t bytes) override {
    reached += bytes;
    return {std::malloc(bytes), [this, bytes](void *memory) {
              reached -= bytes;
              std::free(memory);
            }};
  }

  size_t reached = 0;
};

enum class Here { All, Some, Nothing };

std::optional<Residents> tablesHere(const Library &library, Here here) {
  if (here == Here::All)
    return std::nullopt;
  Residents some;
  for (uint32_t t = 0; t < library.tensors().size() && here == Here::Some; t += 2)
    some.tables.insert(t);
  if (here == Here::Some)
    some.edges.insert({0, GNN_TO_SOURCE});
  return some;
}

/// The training program, whose input is in a file of the data.
struct Tiers {
  Tiers(const TemporaryFolder &folder, Here here, int64_t parts = 3, bool loadsEarly = true,
        uint64_t passOver = bytesOfSeek)
      : features(data.features), run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1), engine(run.library, loadsEarly),
        binding(run.library, run.dims, data.graph, xInFile(features, folder, files), /*withTargets=*/true, "test data"),
        spilled(std::make_shared<SpilledData>(engine, *run.library, binding, parts, folder.path("spill"), Residents(),
                                              files)) {
    spilled->passOver(passOver);
    spilled->keepHere(tablesHere(*run.library, here));
    binding.setLossRows({data.train.data(), data.train.size()});
    streamed =
        std::make_unique<Streamed>(engine, *run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN), spilled);
    streamed->place(FakeLibrary::W, run.w.data());
    streamed->place(FakeLibrary::B, run.b.data());
  }
  /// The message of an error; empty: there was none.
  std::string go() {
    try {
      streamed->run(/*key=*/5);
      return "";
    } catch (const gnn::Error &error) {
      CHECK(error.code() == GNN_ERROR_IO);
      return error.what();
    }
  }
  std::vector<std::vector<float>> results() {
    std::vector<std::vector<float>> found;
    for (uint32_t i = 0; i < run.library->program(GNN_PROGRAM_TRAIN)->num_results; ++i)
      found.push_back(values(streamed->result(i)));
    return found;
  }

  FakeLibrary fake;
  FakeData data{200, 900};
  FaultyFiles files;
  Features features;
  FakeRun run;
  ApartEngine engine;
  Binding binding;
  std::shared_ptr<SpilledData> spilled;
  std::unique_ptr<Streamed> streamed;
};

} // namespace

TEST_CASE("what is read of files by way of memory has the bits of what memory has, and is what was planned") {
  for (int64_t parts : {1, 2, 7})
    for (bool loadsEarly : {true, false}) {
      TemporaryFolder folder;
      Tiers all(folder, Here::All, parts, loadsEarly);
      REQUIRE(all.go() == "");
      CHECK(all.spilled->below()->bytes() == 0);
      for (Here here : {Here::Some, Here::Nothing})
        for (uint64_t passOver : {bytesOfSeek, uint64_t(1), wholeIntervals}) {
          Tiers some(folder, here, parts, loadsEarly, passOver);
          for (int time = 0; time < 2; ++time) {
            const Spill::Traffic copied = some.spilled->file().traffic(), read = some.spilled->below()->traffic();
            REQUIRE(some.go() == "");
            if (time > 0) {
              CHECK(some.spilled->file().traffic() - copied == some.streamed->traffic().host);
              CHECK(some.spilled->below()->traffic() - read == some.streamed->traffic().below);
            }
            CHECK(some.results() == all.results());
          }
          CHECK(some.streamed->traffic().below.read[Spill::Tables] > 0);
          if (passOver == bytesOfSeek)
            CHECK(some.streamed->traffic().host == all.streamed->traffic().host);
        }
    }
}

TEST_CASE("files below memory that fail are errors that name them, and the next run is as if they had not") {
  TemporaryFolder folder;
  Tiers straight(folder, Here::Nothing);
  straight.files.calls = 0;
  REQUIRE(straight.go() == "");
  const std::vector<std::vector<float>> expected = straight.results();
  const int calls = straight.files.calls;
  REQUIRE(calls > 50);
  for (int failAt = 0; failAt < calls; ++failAt) {
    Tiers tiers(folder, Here::Nothing);
    tiers.files.calls = 0;
    tiers.files.failAt = failAt;
    const std::string message = tiers.go();
    CHECK_THAT(message, Catch::Contains(folder.path()) && Catch::Contains("Input/output error"));
    CHECK(tiers.go() == "");
    CHECK(tiers.results() == expected);
  }
  Tiers tiers(folder, Here::Nothing);
  tiers.files.isShort = true;
  CHECK(tiers.go() == "");
  CHECK(tiers.results() == expected);
  std::filesystem::resize_file(folder.path("x.npy"), 300);
  CHECK_THAT(tiers.go(), Catch::Contains("x.npy: it ends at byte 300"));
  CHECK(std::filesystem::is_empty(folder.path("spill")));
}

TEST_CASE("beside a GPU a limit of memory is kept, and what has no room there lies in files") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(3000, 9000);
  struct Found {
    StreamPlan plan;
    size_t reached;
  };
  auto planned = [&](size_t hostBytes) {
    FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
    ApartEngine engine(run.library, /*loadsEarly=*/true);
    const gnn_program_t *program = run.library->program(GNN_PROGRAM_TRAIN);
    MemoryLimit limit{SIZE_MAX, folder.path(), /*intervals=*/4};
    limit.bytes = 200 << 10;
    limit.hostBytes = hostBytes;
    const WithinMemory within(engine, *run.library, run.binding, {program}, /*otherBytes=*/1000, limit,
                              [](Executor &) {});
    return Found{within.plan(), engine.reached};
  };
  const Found all = planned(size_t(1) << 40);
  CHECK(all.plan.belowBytes == 0);
  CHECK(all.reached <= all.plan.hostBytes);
  StreamPlan before = all.plan;
  for (int cut = 0; cut < 3; ++cut) { // what is here is less and less
    const Found next = planned(before.hostBytes - 1);
    CHECK(next.plan.parts == 4);
    CHECK(next.plan.bytes <= size_t(200 << 10));
    CHECK(next.plan.hostBytes < before.hostBytes);
    CHECK(next.reached <= next.plan.hostBytes);
    CHECK(next.plan.belowBytes > 0);
    CHECK(next.plan.movedBelow > 0);
    before = next.plan;
  }
  try {
    planned(1000);
    FAIL("nothing is so small");
  } catch (const gnn::Error &error) {
    CHECK(error.code() == GNN_ERROR_MEMORY);
    const std::string message = error.what(), words = "the least that does is ";
    REQUIRE_THAT(message, Catch::Contains("does not fit in 1KB of memory beside cpu: " + words));
    const size_t kilobytes = std::stoul(message.substr(message.find(words) + words.size()));
    CHECK(planned(kilobytes << 10).plan.parts == 4);
    CHECK_THROWS_AS(planned((kilobytes - 1) << 10), gnn::Error);
  }
}
