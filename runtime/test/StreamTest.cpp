//===- StreamTest.cpp - Graphs in a spill file ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsRanks.h"
#include "FakeData.h"
#include "FakeKernels.h"
#include "FaultyFiles.h"
#include "RankCheck.h"
#include "StreamCheck.h"
#include "TemporaryFolder.h"
#include "gnn/error.hpp"
#include "runtime/src/io/Npy.h"
#include "runtime/src/stream/Prediction.h"
#include "runtime/src/stream/Prices.h"
#include "runtime/src/stream/Timeline.h"
#include "runtime/src/stream/WithinMemory.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <mutex>

using namespace gnn::rt;

namespace {

/// Vertex 0 has a row of three segments.
std::vector<std::string> failuresOf(const FakeLibrary &fake, const TemporaryFolder &folder,
                                    const FakeData &data = FakeData(2500, 6000)) {
  auto library = Library::fromTable(&fake.library, "fake.so");
  Model model(library, 2);
  bindDims(model.dims(), *library, *data.graph, data.features, "test data");
  model.initialize(7);
  Tensor &w = model.parameter(FakeLibrary::W); // with a single 1 in each column, products are exact in any order
  const int64_t in = w.dim(0), classes = w.dim(1);
  for (int64_t i = 0; i < in * classes; ++i)
    w.mutableData<float>()[i] = i / classes == i % classes % in ? 1.0f : 0.0f;
  const Span<const int64_t> train(data.train.data(), data.train.size());
  std::vector<std::string> failures =
      checkStream(model, data.graph, data.features, train, folder.path(), /*areProductsExact=*/true);
  for (const std::string &failure : checkRanks(model, data.graph, data.features, train, folder.path()))
    failures.push_back(failure);
  return failures;
}

/// A training program over a small graph, whole and streamed.
struct Streams {
  explicit Streams(const std::string &folder, uint64_t passOver = bytesOfSeek, size_t ahead = 0)
      : run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2), spilled(spilledTo(folder, passOver, ahead)),
        streamed(run.engine, *run.library, run.binding, *run.library->program(GNN_PROGRAM_TRAIN), spilled) {
    streamed.place(FakeLibrary::W, run.w.data());
    streamed.place(FakeLibrary::B, run.b.data());
  }
  std::shared_ptr<SpilledData> spilledTo(const std::string &folder, uint64_t passOver, size_t ahead) {
    auto made =
        std::make_shared<SpilledData>(run.engine, *run.library, run.binding, /*parts=*/3, folder, Residents(), files);
    made->passOver(passOver);
    made->lookAhead(ahead);
    return made;
  }
  std::vector<std::vector<float>> results() {
    std::vector<std::vector<float>> found;
    for (uint32_t i = 0; i < run.library->program(GNN_PROGRAM_TRAIN)->num_results; ++i)
      found.push_back(values(streamed.result(i)));
    return found;
  }

  FakeLibrary fake;
  FakeData data{200, 900};
  FakeRun run;
  FaultyFiles files;
  std::shared_ptr<SpilledData> spilled;
  Streamed streamed;
};

/// The same program, which reads the rows of its input from a file of the data.
struct PagedStreams {
  explicit PagedStreams(const TemporaryFolder &folder)
      : features(data.features), run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2),
        binding(run.library, run.dims, data.graph, xInFile(features, folder, files), /*withTargets=*/true, "test data"),
        spilled(std::make_shared<SpilledData>(run.engine, *run.library, binding, /*parts=*/3, folder.path("spill"),
                                              Residents(), files)),
        streamed(run.engine, *run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN), spilled) {
    binding.setLossRows({data.train.data(), data.train.size()});
    streamed.place(FakeLibrary::W, run.w.data());
    streamed.place(FakeLibrary::B, run.b.data());
  }

  FakeLibrary fake;
  FakeData data{200, 900};
  FaultyFiles files;
  Features features;
  FakeRun run;
  Binding binding;
  std::shared_ptr<SpilledData> spilled;
  Streamed streamed;
};

/// Room for several pieces, not for all.
constexpr size_t someAhead = size_t(20) << 10;

template <class S> std::string messageOf(S &streams) {
  try {
    streams.streamed.run(/*key=*/5);
    return "";
  } catch (const gnn::Error &error) {
    CHECK(error.code() == GNN_ERROR_IO);
    return error.what();
  }
}

} // namespace

TEST_CASE("streamed programs match the whole graph") {
  TemporaryFolder folder;
  CHECK(failuresOf(FakeLibrary(), folder) == std::vector<std::string>());
  CHECK(folder.names().empty());
}

TEST_CASE("the comparison of streamed programs notices a kernel that forgets where its chunk begins") {
  FakeLibrary fake;
  fake.run[FakeLibrary::Aggregate] = [](const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
    gnn_block_t block = *args->block;
    block.row_pos = nullptr;
    gnn_kernel_args_t wrong = *args;
    wrong.block = &block;
    fake::aggregate(&wrong, begin, end);
  };
  TemporaryFolder folder;
  CHECK_FALSE(failuresOf(fake, folder).empty());
}

TEST_CASE(
    "what is loaded ahead takes the memory that is planned for it, and many loads are under way before a step runs") {
  TemporaryFolder folder;
  Streams next(folder.path()), more(folder.path(), bytesOfSeek, someAhead), all(folder.path(), bytesOfSeek, 64 << 20);
  CHECK(next.streamed.places().aheadBytes() == 0);
  CHECK(more.streamed.places().aheadBytes() > 0);
  CHECK(more.streamed.places().aheadBytes() <= someAhead);
  CHECK(all.streamed.places().aheadBytes() > more.streamed.places().aheadBytes()); // as much as there is, and no more
  CHECK(all.streamed.places().aheadBytes() < 8 << 20);
  for (Streams *streams : {&more, &all}) {
    CHECK(streams->streamed.runBytes() == next.streamed.runBytes() + streams->streamed.places().aheadBytes());
    CHECK(streams->streamed.traffic() == next.streamed.traffic());
    REQUIRE(messageOf(*streams) == "");
  }
  REQUIRE(messageOf(next) == "");
  CHECK(more.results() == next.results());
  CHECK(all.results() == next.results());
  auto mostAhead =
      [](Streams &streams) { // how many orders of Queue::Load are asked for before an order of Queue::Work ends
        std::vector<LaneSpan> spans;
        Prices prices(nullptr);
        streams.streamed.runSome(0, [&](const LaneSpan &span) {
          prices.note({span.order, 0, span.order.queue == Queue::Load ? 0.001 : 1});
        });
        streams.streamed.rehearse(prices, [&](const LaneSpan &span) { spans.push_back(span); });
        size_t most = 0;
        for (const LaneSpan &work : spans)
          if (work.order.queue == Queue::Work && work.order.edges > 0)
            most =
                std::max(most, size_t(std::count_if(spans.begin(), spans.end(), [&](const LaneSpan &span) {
                           return span.order.queue == Queue::Load && span.begin >= work.begin && span.end <= work.end;
                         })));
        return most;
      };
  CHECK(mostAhead(more) > mostAhead(next));
  CHECK(mostAhead(all) >= mostAhead(more));
}

TEST_CASE("a rehearsal asks for what a run asks for, and does none of it") {
  TemporaryFolder folder;
  Streams streams(folder.path());
  using Orders = std::array<std::vector<std::array<uint64_t, 3>>, numQueues>;
  std::mutex mutex;
  Orders asked, rehearsed;
  auto noteIn = [&mutex](Orders &orders) {
    return [&](const LaneSpan &span) {
      const std::lock_guard lock(mutex);
      orders[unsigned(span.order.queue)].push_back({span.order.step, span.order.bytes, span.order.size});
      CHECK(span.begin <= span.end);
    };
  };
  Prices prices(nullptr);
  streams.streamed.watchBy([&, note = noteIn(asked)](const LaneSpan &span) {
    note(span);
    prices.note(span);
  });
  REQUIRE(messageOf(streams) == "");
  streams.streamed.watchBy({});
  const std::vector<std::vector<float>> expected = streams.results();
  std::array<uint64_t, numQueues> bytes{};
  for (unsigned queue = 0; queue < numQueues; ++queue)
    for (const auto &order : asked[queue])
      bytes[queue] += order[1];
  const SpillFile::Traffic traffic = streams.streamed.traffic();
  CHECK(bytes[unsigned(Queue::Load)] == traffic.read[SpillFile::Tables] + traffic.read[SpillFile::Edges]);
  CHECK(bytes[unsigned(Queue::Store)] == traffic.written[SpillFile::Tables]);

  const int calls = streams.files.calls;
  const double first = streams.streamed.rehearse(prices, noteIn(rehearsed)), second = streams.streamed.rehearse(prices);
  CHECK(rehearsed == asked);
  CHECK(first > 0);
  CHECK(first == second);
  CHECK(streams.files.calls == calls);
  CHECK(messageOf(streams) == "");
  CHECK(streams.results() == expected);
}

TEST_CASE("prices grow with what is asked for") {
  const Order work{Queue::Work, 3, 0, 100}, load{Queue::Load, 3, 1000, 1000};
  Prices prices(nullptr);
  CHECK(prices.seconds(work) == 0); // nothing is known
  prices.note({work, 1, 9});        // the first is forgotten when there are others
  CHECK(prices.seconds(work) == Approx(8));
  prices.note({work, 1, 2});
  prices.note({{Queue::Work, 3, 0, 300}, 2, 5});
  CHECK(prices.seconds({Queue::Work, 3, 0, 50}) == Approx(0.5));
  prices.note({load, 0, 9});
  prices.note({load, 9, 10});
  prices.note({load, 10, 13});
  CHECK(prices.seconds({Queue::Load, 3, 2000, 2000}) == Approx(4));
}

TEST_CASE("a limited disk is no faster than it was for what was watched, once that is much") {
  const DiskRates limited{{300, 2000, 30}, {300, 2000, 30}}, free{{300, 300, 0}, {300, 300, 0}};
  const Order load{Queue::Load, 3, /*bytes=*/100, 100};
  Prices slow(&limited), fast(&limited), unlimited(&free);
  slow.note({load, 0, 0.5});
  CHECK(slow.rateOf(Queue::Load).steady == 300);
  slow.note({load, 1, 1.5});
  CHECK(slow.rateOf(Queue::Load).steady == Approx(200));
  CHECK(slow.rateOf(Queue::Load).peak == 2000);
  CHECK(slow.rateOf(Queue::Store).steady == 300);
  for (int i = 0; i < 2; ++i) {
    fast.note({load, 0, 0.1});
    unlimited.note({load, 0, 0.5});
  }
  CHECK(fast.rateOf(Queue::Load).steady == 300);
  CHECK(unlimited.rateOf(Queue::Load).steady == 300);
}

TEST_CASE("the rate of a disk is that of all it does, and what it does faster after a rest is its credit") {
  std::vector<std::pair<double, double>> even, byJerks;
  for (int i = 0; i <= 400; ++i) {
    even.emplace_back(i * 10, i * 0.1);                             // 100 a second
    byJerks.emplace_back(i * 10, double(i / 40) + i % 40 * 0.0005); // 400 in 20 ms, then nothing for the second
  }
  const DiskRate steady = DiskRate::of(even), limited = DiskRate::of(byJerks);
  CHECK(steady.steady == Approx(100));
  CHECK(steady.peak == Approx(100));
  CHECK(steady.credit == Approx(0).margin(1));
  CHECK(limited.steady == Approx(400).epsilon(0.02));
  CHECK(limited.peak == Approx(20000));
  CHECK((limited.isLimited() && !steady.isLimited()));
  CHECK(limited.credit == Approx(200).epsilon(0.1)); // between a jerk and the next
  CHECK(DiskRate::of({{0, 0}, {10, 1}}).steady == Approx(10));
}

TEST_CASE("a disk in a rehearsal saves up while it rests, and no more than its credit") {
  const DiskRate rate{/*steady=*/100, /*peak=*/1000, /*credit=*/50};
  RehearsedDisk disk;
  CHECK(disk.seconds(rate, 200, 0) == Approx(2)); // nothing is saved at first
  CHECK(disk.seconds(rate, 20, 2.3) == Approx(0.02));
  CHECK(disk.seconds(rate, 112, 2.32) == Approx(1));
  CHECK(disk.seconds(rate, 250, 1000) == Approx(2));
  CHECK(disk.seconds(rate, 10, 1002) == Approx(0.1));
}

TEST_CASE("a timeline keeps what a picture has room for, and loses no time") {
  Timeline timeline;
  const Order work{Queue::Work, 1, 0, 1};
  timeline.note({work, 0, 1});
  timeline.note({work, 1, 2});                       // goes on
  timeline.note({work, 3, 4});                       // after a break
  timeline.note({{Queue::Work, 2, 0, 1}, 4, 5});     // another step
  timeline.note({{Queue::Load, 2, 10, 10}, 0.5, 1}); // another queue
  Timeline::Bars bars = timeline.take();
  const std::vector<Timeline::Bar> &ofWork = bars[unsigned(Queue::Work)];
  REQUIRE(ofWork.size() == 3);
  CHECK((ofWork[0].begin == 0 && ofWork[0].end == 2 && ofWork[1].begin == 3 && ofWork[2].step == 2));
  CHECK(bars[unsigned(Queue::Load)].size() == 1);
  CHECK(bars[unsigned(Queue::Store)].empty());

  for (int i = 0; i < 100000; ++i)
    timeline.note({{Queue::Work, uint32_t(i % 7), 0, 1}, 0.001 * i, 0.001 * i + 0.0009});
  bars = timeline.take();
  CHECK(ofWork.size() <= Timeline::mostBars);
  CHECK(ofWork.size() > Timeline::mostBars / 4);
  double busy = 0;
  for (const Timeline::Bar &bar : ofWork)
    busy += bar.end - bar.begin;
  CHECK(busy == Approx(100).epsilon(0.02));
  CHECK(ofWork.back().end == Approx(100).epsilon(0.001));
  CHECK(timeline.take()[unsigned(Queue::Work)].empty());
}

TEST_CASE(
    "how long queues were busy: transfers that go on side by side count once, and overlap with what is computed") {
  BusyWatch watch;
  watch.note({{Queue::Load, 1, 10, 10}, 0, 4});
  watch.note({{Queue::Work, 1, 0, 1}, 4, 8});
  watch.note({{Queue::Load, 2, 10, 10}, 4, 7});
  watch.note({{Queue::Store, 1, 10, 10}, 6, 9});
  const BusyTimes run = watch.take();
  CHECK(run.seconds == 9);
  CHECK(run.busy == std::array<double, numQueues>{4, 7, 3});
  CHECK(run.transfers == 9);
  CHECK(run.overlap() == 1);
  CHECK(watch.take().seconds == 0);
  BusyTimes two = run;
  watch.note({{Queue::Load, 1, 10, 10}, 0, 2}); // one after the other
  watch.note({{Queue::Work, 1, 0, 1}, 2, 4});
  const BusyTimes alone = watch.take();
  CHECK(alone.overlap() == 0);
  CHECK((two += alone).overlap() == Approx(4.0 / 6));
  CHECK(medianOf({run, alone, run}).seconds == 9);
  CHECK(BusyTimes().overlap() == 0);
}

TEST_CASE("a prediction is of all queues and leaves runs as they are") {
  TemporaryFolder folder;
  Streams streams(folder.path());
  REQUIRE(messageOf(streams) == "");
  const std::vector<std::vector<float>> expected = streams.results();
  const BusyTimes cached = predict(streams.streamed, nullptr, /*trialSeconds=*/0.01);
  const DiskRates slow{{/*steady=*/1e6, /*peak=*/1e6}, {/*steady=*/1e6, /*peak=*/1e6}};
  const BusyTimes disk = predict(streams.streamed, &slow, /*trialSeconds=*/0.01);
  const SpillFile::Traffic traffic = streams.streamed.traffic();
  const double read = double(traffic.read[SpillFile::Tables] + traffic.read[SpillFile::Edges]) / 1e6;
  for (double busy : cached.busy) {
    CHECK(busy > 0);
    CHECK(busy <= cached.seconds);
  }
  CHECK(disk.seconds > read);
  CHECK(disk.busy[unsigned(Queue::Load)] >= Approx(read));
  CHECK(messageOf(streams) == "");
  CHECK(streams.results() == expected);
  const DiskRates rates = DiskRates::measure(folder.path(), size_t(4) << 20);
  for (const DiskRate &rate : {rates.reads, rates.writes}) {
    CHECK(rate.steady > 0);
    CHECK(rate.peak >= rate.steady);
  }
  CHECK(folder.names().empty());
  CHECK_THROWS_WITH(DiskRates::measure(folder.path("none"), 1), Catch::Contains("none"));
}

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

TEST_CASE("a table that is bound again is what the next run reads") {
  TemporaryFolder folder;
  const std::vector<int64_t> others = {3, 77, 150};
  Streams fresh(folder.path()), streams(folder.path());
  fresh.run.binding.setLossRows({others.data(), others.size()});
  REQUIRE(messageOf(fresh) == "");
  REQUIRE(messageOf(streams) == "");
  const std::vector<std::vector<float>> before = streams.results();
  streams.run.binding.setLossRows({others.data(), others.size()});
  CHECK(messageOf(streams) == "");
  CHECK(streams.results() == fresh.results());
  CHECK(streams.results() != before);
}

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
    CHECK(spilled.chunks(0, GNN_TO_DESTINATION).bytes() <= edges * 3 * 64 + 3000 * 4);
    CHECK(spilled.file().bytes() < spilled.chunks(0, GNN_TO_DESTINATION).bytes() + 4096);
  }
}

TEST_CASE("chunks without edges are passed over, but rows that have none still get their numbers") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(300, 0); // all edges are to vertex 0
  CHECK(failuresOf(fake, folder, data) == std::vector<std::string>());
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  SpilledData spilled(run.engine, *run.library, run.binding, /*parts=*/6, folder.path());
  const Chunks &in = spilled.chunks(0, GNN_TO_DESTINATION), &out = spilled.chunks(0, GNN_TO_SOURCE);
  CHECK(in.met(0) == std::vector<int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(in.met(5) == std::vector<int64_t>{0});
  CHECK(in.numMet() == 11);
  CHECK(in.colRows() == 300); // none for intervals without edges
  CHECK(out.numMet() == 6);
  CHECK(out.colRows() == 300);
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
    CHECK(inMany.edges().ring.most < inOne.edges().ring.most / 4);
    CHECK(inMany.edges().ring.pieces == 2);
    CHECK(inMany.calls() > inOne.calls());
    const Chunks &chunks = whole.chunks(0, GNN_TO_DESTINATION), &inSlices = sliced.chunks(0, GNN_TO_DESTINATION);
    CHECK(chunks.numSlices() == chunks.numMet());
    CHECK(inSlices.numSlices() > 2 * inSlices.numMet());
    CHECK(inSlices.bytes() <=
          chunks.bytes() + inSlices.numSlices() * (size_t(300 / parts) * sizeof(uint32_t) + 3 * 64));
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
