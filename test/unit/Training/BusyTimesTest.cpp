//===- BusyTimesTest.cpp - How long queues are busy -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/BusyTimes.h"
#include "runtime/test/SmallStreams.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;
using namespace gnn::train_tool;

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
}
