//===- PagedRowsTest.cpp - Features that are read row by row --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "FaultyFiles.h"
#include "TemporaryFolder.h"
#include "gnn/error.hpp"
#include "runtime/src/sample/Hotness.h"
#include "runtime/src/sample/RowReads.h"
#include "runtime/src/sample/Sampled.h"

#include <catch2/catch.hpp>
#include <mutex>

using namespace gnn::rt;

namespace {

/// A training program on samples, which reads the rows of its input from a file of the data.
struct PagedSamples {
  PagedSamples(const TemporaryFolder &folder, int64_t ahead, bool isPaged = true)
      : features(data.features), run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2),
        binding(run.library, run.dims, data.graph, isPaged ? xInFile(features, folder, files) : features,
                /*withTargets=*/true, "test data"),
        sampled(run.engine, *run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN), FanOuts("5", "test"), {},
                ahead),
        rows(std::make_shared<PagedRows>(*run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN),
                                         folder.path("spill"), files)) {
    binding.setLossRows({data.train.data(), data.train.size()});
    sampled.place(FakeLibrary::W, run.w.data());
    sampled.place(FakeLibrary::B, run.b.data());
    rows->open();
    sampled.readFrom(rows);
  }
  /// The gradients of steps with these keys, of which as many are known as are drawn ahead.
  std::vector<std::vector<float>> gradients(const std::vector<uint64_t> &keys) {
    std::vector<std::vector<float>> found;
    for (size_t i = 0; i < keys.size(); ++i) {
      for (size_t next = i; next < std::min(i + size_t(sampled.numSamples()), keys.size()); ++next)
        if (!sampled.isExpected(keys[next]))
          sampled.expect(keys[next], seeds());
      found.push_back(gradient(keys[i]));
    }
    return found;
  }
  Seeds seeds() const { return {{data.train.begin(), data.train.begin() + 20}, {}, {}}; }
  /// The gradient of a step over them; throws what the step does.
  std::vector<float> gradient(uint64_t key = 5) {
    if (!sampled.isExpected(key))
      sampled.expect(key, seeds());
    sampled.run(key);
    return values(sampled.result(1));
  }
  std::string message() {
    try {
      gradient();
      return "";
    } catch (const gnn::Error &error) {
      CHECK(error.code() == GNN_ERROR_IO);
      return error.what();
    }
  }

  FakeLibrary fake;
  FakeData data{200, 900};
  FaultyFiles files;
  Features features;
  FakeRun run;
  Binding binding;
  Sampled sampled;
  std::shared_ptr<PagedRows> rows;
};

} // namespace

TEST_CASE("scattered rows are read each once, neighbours in one read") {
  const bool together = GENERATE(false, true);
  std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> reads;
  constexpr size_t rowBytes = 8;
  auto read = [&](Span<const WantedRows> asked) {
    for (auto [first, count, to] : asked) {
      for (int64_t i = 0; i < count; ++i)
        static_cast<int64_t *>(to)[i] = 1000 + first + i;
      std::lock_guard<std::mutex> lock(mutex);
      reads.emplace_back(first, count);
    }
  };
  std::vector<int64_t> found(2000, 0);
  std::vector<WantedRow> wanted;
  auto want = [&](int64_t row) { wanted.push_back({row, &found[wanted.size()]}); };
  for (int64_t row : {90000, 7, 5, 9, 600000, 5 + 4096 / 8 + 5})
    want(row);
  CHECK(readRows(wanted, rowBytes, together, read) == 3);
  std::sort(reads.begin(), reads.end());
  CHECK(reads == std::vector<std::pair<int64_t, int64_t>>{{5, 518}, {90000, 1}, {600000, 1}});
  CHECK(std::vector<int64_t>(found.begin(), found.begin() + 6) ==
        std::vector<int64_t>{91000, 1007, 1005, 1009, 601000, 1522});

  // More than a read has, by several threads.
  wanted.clear();
  reads.clear();
  std::mt19937 random(3);
  std::vector<int64_t> rows;
  for (int i = 0; i < 2000; ++i) {
    rows.push_back(int64_t(random() % 300000));
    want(rows.back());
  }
  CHECK(readRows(wanted, rowBytes, together, read) == int64_t(reads.size()));
  CHECK(reads.size() > 30);
  for (size_t i = 0; i < rows.size(); ++i)
    REQUIRE(found[i] == 1000 + rows[i]);
  for (auto [first, count] : reads)
    CHECK(size_t(count) * rowBytes <= 65536);
}

TEST_CASE("rows larger than a read are read one by one") {
  std::vector<char> rows(3 * 70000, 'x');
  std::vector<WantedRow> wanted;
  for (int64_t i = 0; i < 3; ++i)
    wanted.push_back({i, rows.data() + i * 70000});
  auto read = [](Span<const WantedRows> asked) {
    for (auto [first, count, to] : asked)
      std::fill_n(static_cast<char *>(to), count * 70000, char('a' + first));
  };
  CHECK(readRows(wanted, 70000, /*together=*/GENERATE(false, true), read) == 3);
  CHECK((rows[0] == 'a' && rows[70000] == 'b' && rows.back() == 'c'));
}

TEST_CASE("the rows that most batches read are kept") {
  Hotness hotness({{6, 8}, {2, 4}});
  auto add = [&](std::vector<int64_t> first, std::vector<int64_t> second) { hotness.add({first, second}); };
  add({0, 1, 2}, {0});
  add({1, 2, 5}, {0});
  auto kept = [&](size_t bytes) {
    hotness.choose(bytes);
    std::string text;
    for (int64_t row = 0; row < 6; ++row)
      text += hotness.isKept(0, row) ? char('0' + row) : '.';
    for (int64_t row = 0; row < 2; ++row)
      text += hotness.isKept(1, row) ? char('a' + row) : '.';
    int64_t count = 0;
    for (char c : text)
      count += c != '.';
    CHECK(hotness.numKept(0) + hotness.numKept(1) == count);
    return text;
  };
  CHECK(kept(0) == "........");
  CHECK(kept(4) == "......a."); // as many pages are not read for half the memory
  CHECK(kept(19) == ".1....a.");
  CHECK(kept(20) == ".12...a.");
  CHECK(kept(28) == "012...a.");
  CHECK(kept(36) == "012..5a.");
  CHECK(kept(56) == "012345ab");
  CHECK(kept(1000) == "012345ab");
  CHECK((hotness.keptBytes(0) == 48 && hotness.keptBytes(1) == 8));
  CHECK(hotness.rowsOfBatch() == 8. / 2);
  CHECK(hotness.bytesOfBatch() == (6 * 8 + 2 * 4) / 2.);
}

TEST_CASE("rows of edges are kept by their bytes beside rows of features") {
  const std::vector<int64_t> offsets{0, 2, 2, 102};
  Hotness hotness({{2, 64}, {3, 16, 4, offsets.data()}});
  hotness.add({std::vector<int64_t>{0}, std::vector<int64_t>{0, 2}});
  hotness.choose(24 + 64);
  CHECK((hotness.isKept(1, 0) && hotness.isKept(0, 0) && !hotness.isKept(1, 2)));
  CHECK((hotness.keptBytes(0) == 64 && hotness.keptBytes(1) == 24));
  CHECK(hotness.rowsOfBatch() == 1);
  hotness.choose(24 + 64 + 416);
  CHECK((hotness.isKept(1, 2) && !hotness.isKept(0, 1)));
}

TEST_CASE("samples that read rows of a file have the bits of those whose features are in memory") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("spill"));
  const std::vector<float> expected = PagedSamples(folder, /*ahead=*/0, /*isPaged=*/false).gradient();
  PagedSamples samples(folder, /*ahead=*/0);
  CHECK(samples.gradient() == expected);
  const PagedRows::Counts all = samples.rows->counts();
  CHECK((all.rows > 20 && all.hits == 0 && all.reads > 0 && all.bytes >= all.rows * 6 * sizeof(float)));

  samples.rows->keep(0, 100, [](int64_t row) { return row % 2 == 1; });
  CHECK(samples.gradient() == expected);
  const PagedRows::Counts some = samples.rows->counts();
  CHECK((some.rows == all.rows && some.hits > 20 && some.hits < all.rows));

  samples.rows->keep(0, 200, [](int64_t) { return true; });
  CHECK(samples.gradient() == expected);
  CHECK(samples.rows->counts().hits == all.rows);
  CHECK(samples.rows->counts().bytes == 0);
  CHECK(std::filesystem::is_empty(folder.path("spill")));
}

TEST_CASE("what a sample reads of files is known without reading it") {
  TemporaryFolder folder;
  PagedSamples samples(folder, /*ahead=*/0);
  samples.rows->keep(0, 67, [](int64_t row) { return row % 3 == 0; });
  PagedRows::Counts said;
  BatchRows batch;
  samples.sampled.rehearse(
      {3}, [&](int64_t) { return samples.seeds(); },
      [&](int64_t, const Neighbourhood &around) { said = samples.rows->countsOf(around, {}, batch); });
  const PagedRows::Counts counted = samples.rows->counts();
  CHECK((said.hits > 0 && said.reads > 0));
  CHECK((said.rows == counted.rows && said.hits == counted.hits));
  CHECK((said.reads == counted.reads && said.bytes == counted.bytes));
}

TEST_CASE("rows of batches that are still in memory are not read again") {
  TemporaryFolder folder;
  const std::vector<uint64_t> keys{5, 6, 7};
  const auto expected = PagedSamples(folder, /*ahead=*/2, /*isPaged=*/false).gradients(keys);
  std::vector<uint64_t> hits;
  for (int64_t ahead : {0, 1, 2}) {
    PagedSamples samples(folder, ahead), again(folder, ahead);
    CHECK(samples.gradients(keys) == expected);
    CHECK(again.gradients(keys) == expected);
    const PagedRows::Counts counts = samples.rows->counts();
    hits.push_back(counts.hits);
    CHECK((counts.rows > 3 * 20 && again.rows->counts().hits == counts.hits)); // whoever was faster
  }
  CHECK(hits[0] == 0);
  CHECK(hits[1] >= 2 * 20); // the seeds are the same
  CHECK(hits[2] > hits[1]); // what the last but one had, and the last one not
}

TEST_CASE("a sample that fails passes its turn on, and nobody takes its rows") {
  TemporaryFolder folder;
  const auto expected = PagedSamples(folder, /*ahead=*/2, /*isPaged=*/false).gradients({5, 6, 7});
  PagedSamples samples(folder, /*ahead=*/2);
  samples.files.calls = 0;
  samples.files.failAt = 0;
  for (uint64_t key : {5, 6, 7})
    samples.sampled.expect(key, samples.seeds());
  CHECK_THAT(samples.message(), Catch::Contains("x.npy"));
  CHECK(samples.gradient(6) == expected[1]);
  CHECK(samples.gradient(7) == expected[2]);
}

TEST_CASE("features of samples: a file that fails or is cut is an error with its name, and steps go on after it") {
  TemporaryFolder folder;
  for (int64_t ahead : {0, 1}) {
    std::vector<float> expected;
    int calls = 0;
    {
      PagedSamples straight(folder, ahead);
      straight.files.calls = 0;
      expected = straight.gradient();
      calls = straight.files.calls;
    }
    REQUIRE(calls >= 2);
    for (int failAt = 0; failAt < calls; ++failAt) {
      PagedSamples samples(folder, ahead);
      samples.files.calls = 0;
      samples.files.failAt = failAt;
      CHECK_THAT(samples.message(), Catch::Contains("x.npy") && Catch::Contains("Input/output error"));
      CHECK(samples.gradient() == expected);
    }
    PagedSamples samples(folder, ahead);
    samples.files.isShort = true;
    CHECK(samples.gradient() == expected);
    std::filesystem::resize_file(folder.path("x.npy"), 300);
    CHECK_THAT(samples.message(), Catch::Contains("x.npy: it ends at byte 300"));
  }
}
