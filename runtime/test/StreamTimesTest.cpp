//===- StreamTimesTest.cpp - How long streamed runs take ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallStreams.h"
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
