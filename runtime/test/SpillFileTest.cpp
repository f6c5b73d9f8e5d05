//===- SpillFileTest.cpp - What lies in a spill file ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallStreams.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

TEST_CASE("a spill file that fails is an error with its folder, and the next run is as if it had not been") {
  TemporaryFolder folder;
  Streams straight(folder.path());
  REQUIRE(messageOf(straight) == "");
  const std::vector<std::vector<float>> expected = straight.results();
  const int calls = straight.files.calls;
  REQUIRE(calls > 20);
  for (int failAt = 0; failAt < calls; ++failAt) {
    Streams streams(folder.path(), bytesOfSeek, failAt % 3 == 0 ? 0 : someAhead);
    streams.files.failAt = failAt;
    streams.files.error = failAt % 2 ? EIO : ENOSPC;
    const std::string message = messageOf(streams);
    CHECK_THAT(message, Catch::Contains("spill file") && Catch::Contains(folder.path()) &&
                            Catch::Contains(failAt % 2 ? "Input/output error" : "No space left on device"));
    CHECK(messageOf(streams) == "");
    CHECK(streams.results() == expected);
  }
  CHECK(folder.names().empty());
}

TEST_CASE("what is changed in a spill file is an error with its folder, and the next run is as if it had not been") {
  TemporaryFolder folder;
  const size_t ahead = GENERATE(size_t(0), someAhead);
  Streams streams(folder.path(), wholeIntervals, ahead); // of some rows alone it is not known what they were
  REQUIRE(messageOf(streams) == "");
  const std::vector<std::vector<float>> expected = streams.results();
  const int first = streams.files.calls;
  REQUIRE(messageOf(streams) == "");
  const int calls = streams.files.calls - first;
  int reads = 0;
  for (int call = 0; call < calls; ++call) {
    streams.files.calls = 0;
    streams.files.flipAt = call;
    streams.files.hasFlipped = false;
    const std::string message = messageOf(streams);
    reads += streams.files.hasFlipped;
    CHECK(streams.files.hasFlipped == !message.empty());
    if (!message.empty())
      CHECK_THAT(message, Catch::Contains("the spill file in " + folder.path() + " was changed or damaged: "));
    streams.files.flipAt = -1;
    CHECK(messageOf(streams) == "");
    CHECK(streams.results() == expected);
  }
  CHECK(reads > 20);
}

TEST_CASE("of what is read in part of a spill file the blocks that are read as a whole are verified") {
  TemporaryFolder folder;
  FaultyFiles files;
  SpillFile spill(folder.path(), files);
  constexpr size_t block = 64 << 10, bytes = 5 * block + 100;
  const uint64_t at = spill.add(bytes);
  spill.allocate();
  std::vector<char> written(bytes), found(bytes);
  for (size_t i = 0; i < bytes; ++i)
    written[i] = char(i * 31 % 127);
  spill.write(Spill::Tables, written.data(), bytes, at);
  files.flips = true; // the bit in the middle
  auto isFound = [&](std::vector<std::pair<size_t, size_t>> ranges) {
    std::vector<WantedPiece> pieces;
    for (auto [begin, end] : ranges)
      pieces.push_back({found.data() + begin, end - begin, at + begin});
    try {
      spill.read(Spill::Tables, {pieces.data(), pieces.size()});
      return false;
    } catch (const gnn::Error &error) {
      CHECK_THAT(error.what(), Catch::Contains("was changed or damaged: ") && Catch::Contains(" bytes of tables at "));
      return true;
    }
  };
  CHECK(isFound({{0, bytes}}));
  CHECK(isFound({{block, 2 * block}}));
  CHECK(isFound({{block - 1, 2 * block + 1}}));
  CHECK(isFound({{2 * block - 10, 3 * block + 10}}));
  CHECK(isFound({{5 * block, bytes}}));
  CHECK_FALSE(isFound({{block + 1, 2 * block}}));
  CHECK_FALSE(isFound({{block / 2, 2 * block - 1}}));
  CHECK_FALSE(isFound({{block / 2, 3 * block / 2}}));
  files.flips = false;
  CHECK_FALSE(isFound({{0, bytes}}));
  spill.write(Spill::Tables, written.data() + 1, block / 2, at + block); // what lay there is known no more
  CHECK_FALSE(isFound({{0, bytes}}));
  files.flips = true;
  CHECK(isFound({{block, 3 * block / 2}}));
  CHECK_FALSE(isFound({{3 * block / 2, 2 * block}}));
  const std::vector<std::pair<size_t, size_t>> scattered{{10, 20}, {block, 3 * block}, {4 * block + 7, 4 * block + 8}};
  files.flips = false;
  CHECK_FALSE(isFound(scattered));
}

TEST_CASE(
    "rows that are read of the data: a file that fails or changes is an error with its name, and runs go on after it") {
  TemporaryFolder folder, other;
  Streams whole(other.path());
  REQUIRE(messageOf(whole) == "");
  auto gradient = [](auto &streams) { return values(streams.streamed.result(1)); };
  const std::vector<float> expected = gradient(whole);
  int calls = 0;
  {
    PagedStreams straight(folder);
    straight.files.calls = 0;
    REQUIRE(messageOf(straight) == "");
    CHECK(gradient(straight) == expected);
    calls = straight.files.calls;
  }
  REQUIRE(calls > 20);
  for (int failAt = 0; failAt < calls; ++failAt) {
    PagedStreams streams(folder);
    streams.files.calls = 0;
    streams.files.failAt = failAt;
    CHECK_THAT(messageOf(streams), Catch::Contains(folder.path()) && Catch::Contains("Input/output error"));
    CHECK(messageOf(streams) == "");
    CHECK(gradient(streams) == expected);
  }
  PagedStreams streams(folder);
  streams.files.isShort = true;
  CHECK(messageOf(streams) == "");
  CHECK(gradient(streams) == expected);
  std::filesystem::resize_file(folder.path("x.npy"), 300);
  CHECK_THAT(messageOf(streams), Catch::Contains("x.npy: it ends at byte 300"));
  CHECK(std::filesystem::is_empty(folder.path("spill")));
}

TEST_CASE("rows of the data that tables have in another order give the same numbers, and are verified") {
  TemporaryFolder folder, spill;
  FakeLibrary fake;
  const FakeData data(200, 900, GNN_ORDER_DEGREE);
  FaultyFiles files;
  Features features(data.features);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2);
  Binding paged(run.library, run.dims, data.graph, xInFile(features, folder, files), /*withTargets=*/true, "test data");
  paged.setLossRows({data.train.data(), data.train.size()});
  auto gradientOf = [&](const Binding &binding) {
    auto spilled =
        std::make_shared<SpilledData>(run.engine, *run.library, binding, /*parts=*/3, spill.path(), Residents(), files);
    Streamed streamed(run.engine, *run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN), spilled);
    streamed.place(FakeLibrary::W, run.w.data());
    streamed.place(FakeLibrary::B, run.b.data());
    streamed.run(/*key=*/5);
    return values(streamed.result(1));
  };
  CHECK(gradientOf(paged) == gradientOf(run.binding));
  files.flips = true; // a bit of all that is read
  CHECK_THROWS_WITH(gradientOf(paged), Catch::Contains("was changed or damaged"));
}

TEST_CASE("a binding that takes the place of another reads its files in the order of its own graph") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData given(200, 900), ordered(200, 900, GNN_ORDER_DEGREE);
  FaultyFiles files;
  Features features(ordered.features);
  FakeRun run(fake, ordered, GNN_PROGRAM_TRAIN, /*threads=*/2);
  Binding binding(run.library, run.dims, given.graph, features, /*withTargets=*/true, "test data");
  REQUIRE(values(binding.data(FakeLibrary::X)) != values(run.binding.data(FakeLibrary::X)));
  binding = Binding(run.library, run.dims, ordered.graph, xInFile(features, folder, files), /*withTargets=*/true,
                    "test data");
  REQUIRE(binding.paged().file(FakeLibrary::X) != nullptr);
  binding.loadPaged(FakeLibrary::X);
  CHECK(values(binding.data(FakeLibrary::X)) == values(run.binding.data(FakeLibrary::X)));
}

TEST_CASE("short transfers are gone on with, and a file that ends too early is an error") {
  TemporaryFolder folder;
  Streams streams(folder.path());
  REQUIRE(messageOf(streams) == "");
  const std::vector<std::vector<float>> expected = streams.results();
  streams.files.isShort = true;
  CHECK(messageOf(streams) == "");
  CHECK(streams.results() == expected);
  streams.files.endsEarly = true;
  CHECK_THAT(messageOf(streams), Catch::Contains("it ends too early"));
}

TEST_CASE("what is spilled to memory stays where it is while more is, and counts what is copied alone") {
  size_t taken = 0;
  SpillMemory spill([&](size_t bytes) {
    taken += bytes;
    return std::shared_ptr<void>(std::malloc(bytes), std::free);
  });
  const std::vector<char> first(100, 'a'), second(5000, 'b');
  const uint64_t atFirst = spill.add(first.size());
  spill.allocate();
  spill.write(Spill::Tables, first.data(), first.size(), atFirst);
  const char *where = spill.memory(atFirst);
  const uint64_t atSecond = spill.add(second.size()), atNothing = spill.add(0);
  spill.allocate();
  spill.write(Spill::Edges, second.data(), second.size(), atSecond);
  CHECK(spill.memory(atFirst) == where);
  CHECK(spill.memory(atNothing) == nullptr);
  CHECK(taken == spill.bytes());
  std::vector<char> found(1000);
  spill.read(Spill::Tables, found.data(), found.size(), atSecond + 4000);
  CHECK(found == std::vector<char>(1000, 'b'));
  CHECK(spill.traffic() == Spill::Traffic());
  spill.noteRead(Spill::Tables, 7);
  spill.noteWritten(Spill::Edges, 8);
  CHECK(spill.traffic() == Spill::Traffic{{7, 0}, {0, 8}});
}

TEST_CASE("edges in the file take as much as edges do, however many chunks there are") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(3000, 9000);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  const auto edges = uint64_t(run.binding.relation(0).numEdges());
  for (int64_t parts : {1, 20, 512}) { // at most an edge in a chunk, and three lines: its row, its col, its id
    SpilledData spilled(run.engine, *run.library, run.binding, parts, folder.path());
    CHECK(spilled.chunks(0, GNN_TO_DESTINATION).ofSweep().bytes <= edges * 3 * 64 + 3000 * 4);
    CHECK(spilled.file().bytes() < spilled.chunks(0, GNN_TO_DESTINATION).ofSweep().bytes + 4096);
  }
}
