//===- UsefulRowsTest.cpp - The rows that the edges of a chunk touch ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "gnn/error.hpp"
#include "runtime/src/stream/StreamPlanner.h"
#include "runtime/src/stream/Streamed.h"

#include <catch2/catch.hpp>
#include <set>

using namespace gnn::rt;

namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

Ranges rangesOf(const RowMarks &marks, int64_t first, int64_t last, int64_t gap) {
  Ranges found;
  marks.forRanges(first, last, gap, [&](int64_t begin, int64_t end) { found.push_back({begin, end}); });
  return found;
}

/// The same of rows in order, one after the other.
Ranges expectedOf(const std::set<int64_t> &rows, int64_t first, int64_t last, int64_t gap) {
  Ranges found;
  for (int64_t row : rows)
    if (row >= first && row < last) {
      if (found.empty() || row - found.back().second > gap)
        found.push_back({row, row});
      found.back().second = row + 1;
    }
  return found;
}

/// What a run of the training program gives, where so many bytes that nobody needs are passed over, perhaps past the
/// page cache.
struct Passing {
  Passing(const FakeData &data, int64_t parts, uint64_t bytes, const std::string &folder, bool isPastCache = false,
          FileSystem &files = FileSystem::real())
      : run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2),
        spilled(
            std::make_shared<SpilledData>(run.engine, *run.library, run.binding, parts, folder, Residents(), files)) {
    spilled->passOver(bytes);
    if (isPastCache)
      spilled->file().leaveCache();
    streamed = std::make_unique<Streamed>(run.engine, *run.library, run.binding,
                                          *run.library->program(GNN_PROGRAM_TRAIN), spilled);
    streamed->place(FakeLibrary::W, run.w.data());
    streamed->place(FakeLibrary::B, run.b.data());
    streamed->run(/*key=*/5);
    for (uint32_t i = 0; i < run.library->program(GNN_PROGRAM_TRAIN)->num_results; ++i)
      results.push_back(values(streamed->result(i)));
  }
  uint64_t tablesRead() const { return streamed->traffic().host.read[Spill::Tables]; }

  FakeLibrary fake;
  FakeRun run;
  std::shared_ptr<SpilledData> spilled;
  std::unique_ptr<Streamed> streamed;
  std::vector<std::vector<float>> results;
};

} // namespace

TEST_CASE("ranges of marked rows begin and end with one, and gaps in them are as wide as is asked") {
  std::mt19937 random(3);
  for (int64_t rows : {1, 63, 64, 65, 1000}) {
    RowMarks marks;
    marks.begin(rows);
    std::set<int64_t> expected;
    CHECK(rangesOf(marks, 0, rows, 5).empty());
    for (int64_t i = 0; i < rows / 7 + 1; ++i) {
      const auto row = uint32_t(random() % uint64_t(rows));
      marks.mark(&row, 1);
      expected.insert(row);
    }
    for (int64_t gap : {0, 1, 2, 10, 1000})
      for (int64_t first : {int64_t(0), rows / 3})
        for (int64_t last : {rows, rows - rows / 4})
          REQUIRE(rangesOf(marks, first, last, gap) == expectedOf(expected, first, last, gap));
    std::vector<uint32_t> numbers(expected.begin(), expected.end());
    CHECK(marks.count(0, rows) == int64_t(expected.size()));
    marks.number();
    marks.renumber(numbers.data(), int64_t(numbers.size()));
    for (size_t i = 0; i < numbers.size(); ++i)
      REQUIRE(numbers[i] == i);
    marks.begin(rows);
    CHECK(rangesOf(marks, 0, rows, 5).empty());
  }
}

TEST_CASE("useful rows of chunks are those that their edges touch, in both directions") {
  const FakeLibrary fake;
  const FakeData data(500, 700);
  const FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  const Relation &relation = run.binding.relation(0);
  const RowGaps gaps{{4, 0}, {8, 3}, {16, 3}, {32, 100}}; // two kinds of rows may have one gap
  int64_t wrong = 0;
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
    for (int64_t parts : {1, 3, 7, 100}) {
      const Intervals intervals(*run.library, run.binding, parts);
      const UsefulRows useful(relation, direction, 0, 0, intervals, gaps);
      const Csr &csr = relation.csr(direction);
      for (int64_t p = 0; p < parts; ++p) {
        const std::set<int64_t> touched(csr.cols.begin() + csr.offsets[size_t(intervals.begin(0, p))],
                                        csr.cols.begin() + csr.offsets[size_t(intervals.begin(0, p + 1))]);
        for (int64_t q = 0; q < parts; ++q)
          for (auto [rowBytes, gap] : gaps) {
            int64_t rows = 0;
            const Ranges ranges = expectedOf(touched, intervals.begin(0, q), intervals.begin(0, q + 1), gap);
            for (auto [begin, end] : ranges)
              rows += end - begin;
            const RowsRead found = useful.of(p, q, rowBytes);
            wrong += found.rows != rows || found.ranges != ranges.size();
          }
      }
    }
  CHECK(wrong == 0);
}

TEST_CASE("rows that no edge of a chunk touches are passed over: fewer bytes, as planned, and the same bits") {
  TemporaryFolder folder;
  const FakeData data(2000, 1500, GNN_ORDER_GIVEN, /*in=*/16);
  for (int64_t parts : {2, 5}) {
    const Passing whole(data, parts, wholeIntervals, folder.path());
    CHECK(whole.streamed->traffic().passedOver == 0);
    uint64_t before = whole.tablesRead();
    for (uint64_t bytes : {2000, 200, 1}) {
      const Passing some(data, parts, bytes, folder.path());
      CHECK(some.results == whole.results);
      CHECK(some.tablesRead() < before);
      CHECK(some.tablesRead() + some.streamed->traffic().passedOver == whole.tablesRead());
      const Spill::Traffic once = some.spilled->file().traffic();
      some.streamed->run(/*key=*/5);
      CHECK(some.spilled->file().traffic() - once == some.streamed->traffic().host);
      before = some.tablesRead();
    }
  }
}

TEST_CASE("a plan counts what is passed over") {
  TemporaryFolder folder;
  const FakeData data(3000, 2000, GNN_ORDER_GIVEN, /*in=*/16);
  auto planned = [&](size_t bytes, uint64_t passOver) {
    const FakeLibrary fake;
    FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
    const std::vector<const gnn_program_t *> programs{run.library->program(GNN_PROGRAM_TRAIN)};
    const MemoryLimit limit{bytes, folder.path(), /*intervals=*/20, /*comm=*/nullptr, passOver};
    return StreamPlanner(run.engine, *run.library, run.binding, programs, /*otherBytes=*/1000, limit).choose();
  };
  size_t least = 0; // where nothing is kept
  try {
    planned(1000, wholeIntervals);
  } catch (const gnn::Error &error) {
    const std::string message = error.what(), before = "the least that does is ";
    least = std::stoul(message.substr(message.find(before) + before.size())) << 10;
  }
  CHECK(planned(least, bytesOfSeek).cost < planned(least, wholeIntervals).cost);
}

TEST_CASE("rows are sent alone to a GPU where gathering them takes less than it saves") {
  CHECK(isWorthPacking(0, 1));
  CHECK(isWorthPacking(249, 1000));
  CHECK_FALSE(isWorthPacking(250, 1000));
  CHECK_FALSE(isWorthPacking(1000, 1000));
}

TEST_CASE("a run past the page cache has the bits of one in it, and leaves nothing of its file there") {
  /// Counts what is dropped, and reads together where the system does.
  class Dropping : public FileSystem {
  public:
    std::atomic<uint64_t> dropped{0};
    void uncache(int file, uint64_t at, size_t size) override {
      dropped += size;
      FileSystem::uncache(file, at, size);
    }
    bool readsTogether() override { return real().readsTogether(); }
    std::vector<bool> readTogether(int file, Span<const WantedPiece> pieces) override {
      return real().readTogether(file, pieces);
    }
  };
  TemporaryFolder folder;
  const FakeData data(2000, 1500, GNN_ORDER_GIVEN, /*in=*/16);
  for (uint64_t bytes : {wholeIntervals, uint64_t(1)}) {
    Dropping files;
    const Passing inCache(data, /*parts=*/5, bytes, folder.path());
    const Passing past(data, /*parts=*/5, bytes, folder.path(), /*isPastCache=*/true, files);
    CHECK(past.results == inCache.results);
    CHECK(past.tablesRead() == inCache.tablesRead());
    CHECK(files.dropped >= past.tablesRead() + past.streamed->traffic().host.written[Spill::Tables]);
  }
}
