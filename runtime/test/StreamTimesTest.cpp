//===- StreamTimesTest.cpp - How long streamed runs take ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallStreams.h"
#include "runtime/src/stream/Prediction.h"
#include "runtime/src/stream/Prices.h"
#include "runtime/src/stream/Timeline.h"

#include <catch2/catch.hpp>
#include <mutex>

using namespace gnn::rt;

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

TEST_CASE("what transfers take beside a limit of the disk is in their price, and a rehearsal hides it where it can") {
  const DiskRates limited{{/*steady=*/100, /*peak=*/1000, /*credit=*/50}, {100, 1000, 50}},
      free{{100, 100}, {100, 100}};
  const Order large{Queue::Load, 3, /*bytes=*/100, 100}, small{Queue::Load, 4, 10, 10};
  Prices prices(&limited), ofFree(&free), ofCache(nullptr);
  CHECK(prices.secondsBesideLimit(small) == 0); // nothing is known
  for (int i = 0; i < 3; ++i)
    prices.note({large, double(i), i + 1.0});
  CHECK(prices.secondsBesideLimit(large) == Approx(0).margin(1e-9)); // as the limit says
  prices.note({small, 3, 3.6});
  CHECK(prices.secondsBesideLimit(small) == Approx(0.5));
  prices.note({small, 3.6, 3.6001}); // nothing was there to read
  CHECK(prices.secondsBesideLimit(small) == Approx(0.5));
  CHECK(prices.secondsBesideLimit({Queue::Load, 4, 20, 20}) == Approx(1));
  const Order other{Queue::Load, 5, 100, 100};
  prices.note({other, 4, 4.1});
  CHECK(prices.secondsBesideLimit(other) == 0);
  CHECK(prices.secondsBesideLimit(small) == Approx(0.5 - 0.4)); // that one waited less, as this one waited longer
  ofFree.note({small, 0, 0.6});
  ofFree.note({small, 0.6, 0.6001});
  CHECK(ofFree.seconds(small) == Approx(0.6));
  ofCache.note({small, 0, 0.6});
  ofCache.note({small, 0.6, 0.6001});
  CHECK(ofCache.seconds(small) == Approx(0.0001));

  FakeLibrary fake;
  CpuEngine engine(Library::fromTable(&fake.library, "fake.so"), /*threads=*/2);
  auto rehearsed = [&](const Order &order) {
    Lanes lanes(engine);
    lanes.begin(nullptr, &prices);
    for (int i = 0; i < 10; ++i)
      lanes.ask(order, {}, {});
    return lanes.end();
  };
  CHECK(rehearsed(large) == Approx(10));
  CHECK(rehearsed(small) == Approx(0.1 + 9 * 0.01 + 10 * 0.1)); // what it saves up meanwhile lets the next one through
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
