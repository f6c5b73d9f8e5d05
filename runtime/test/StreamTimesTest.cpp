//===- StreamTimesTest.cpp - How long streamed runs take ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallStreams.h"
#include "runtime/src/stream/BusyTimes.h"
#include "runtime/src/stream/Prices.h"

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
  const SpillFile::Traffic traffic = streams.streamed.traffic().host;
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
  prices.note({work, 1, 2});
  prices.note({{Queue::Work, 3, 0, 300}, 2, 5});
  CHECK(prices.seconds({Queue::Work, 3, 0, 50}) == Approx(0.5));
  prices.note({load, 9, 10});
  prices.note({load, 10, 13});
  CHECK(prices.seconds({Queue::Load, 3, 2000, 2000}) == Approx(4));
  prices.forget();
  CHECK(prices.seconds(work) == 0);
}

TEST_CASE("what is loaded of places where nothing was written says nothing of a disk, whose rate is taken then") {
  const DiskRates rates{/*reads=*/100, /*writes=*/50};
  const Order empty{Queue::Load, 3, 10, 20, 0, 0, /*isThere=*/false}, load{Queue::Load, 3, 10, 20},
      store{Queue::Store, 3, 10, 20};
  Prices ofDisk(&rates), ofCache(nullptr);
  for (Prices *prices : {&ofDisk, &ofCache})
    prices->note({empty, 0, 0.001});
  CHECK(ofDisk.seconds(load) == Approx(0.1));
  CHECK(ofDisk.seconds(store) == Approx(0.2));
  CHECK(ofCache.seconds(load) == Approx(0.001)); // which is as fast as what is there
  CHECK(ofCache.seconds(store) == 0);
  ofDisk.note({load, 0, 0.3});
  CHECK(ofDisk.seconds(load) == Approx(0.3));
}

TEST_CASE("a trial does the same twice, tells of the second time, and knows what nobody has written") {
  TemporaryFolder folder;
  Streams streams(folder.path());
  uint64_t loads = 0, ofNothing = 0, written = 0;
  std::mutex mutex;
  auto note = [&](const LaneSpan &span) {
    const std::lock_guard lock(mutex);
    loads += span.order.queue == Queue::Load;
    ofNothing += !span.order.isThere;
    written += span.order.queue == Queue::Store ? span.order.bytes : 0;
  };
  streams.spilled->update(); // what is bound
  const auto before = streams.spilled->file().traffic().written[Spill::Tables];
  streams.streamed.runSome(/*seconds=*/0, note); // two intervals of three
  CHECK((ofNothing > 0 && ofNothing < loads));
  CHECK(streams.spilled->file().traffic().written[Spill::Tables] - before == 2 * written);
  ofNothing = 0;
  streams.streamed.runSome(/*seconds=*/60, note); // all
  CHECK(ofNothing == 0);
  streams.streamed.watchBy(note);
  CHECK(messageOf(streams) == "");
  CHECK(ofNothing == 0);
}

TEST_CASE("the rate of a disk is that of all it does, also where it goes by jerks") {
  std::vector<std::pair<double, double>> even, byJerks;
  for (int i = 0; i <= 400; ++i) {
    even.emplace_back(i * 10, i * 0.1);                             // 100 a second
    byJerks.emplace_back(i * 10, double(i / 40) + i % 40 * 0.0005); // 400 in 20 ms, then nothing for the second
  }
  CHECK(DiskRates::rateOf(even) == Approx(100));
  CHECK(DiskRates::rateOf(byJerks) == Approx(400).epsilon(0.02));
  CHECK(DiskRates::rateOf({{0, 0}, {10, 1}}) == Approx(10));
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
  watch.note({{Queue::Load, 1, 10, 10}, 0, 2}); // between 3 and 8 both wait
  watch.note({{Queue::Work, 1, 0, 1}, 1, 3});
  watch.note({{Queue::Store, 1, 10, 10}, 8, 9});
  CHECK(watch.take().overlap() == Approx(1.0 / 2));
}

TEST_CASE("a prediction is of all queues and leaves runs as they are") {
  TemporaryFolder folder;
  Streams streams(folder.path());
  REQUIRE(messageOf(streams) == "");
  const std::vector<std::vector<float>> expected = streams.results();
  const DiskRates disk{/*reads=*/1e9, /*writes=*/1e9};
  const BusyTimes cached = predict(streams.streamed, nullptr, /*trialSeconds=*/0.01),
                  some = predict(streams.streamed, &disk, /*trialSeconds=*/0);
  for (double busy : cached.busy) {
    CHECK(busy > 0);
    CHECK(busy <= cached.seconds);
  }
  CHECK(some.seconds > 0);
  CHECK(messageOf(streams) == "");
  CHECK(streams.results() == expected);
  const DiskRates rates = DiskRates::measure(folder.path(), size_t(16) << 20);
  CHECK((rates.reads > 0 && rates.writes > 0));
  CHECK(folder.names().empty());
  CHECK_THROWS_WITH(DiskRates::measure(folder.path("none"), 1), Catch::Contains("none"));
}
