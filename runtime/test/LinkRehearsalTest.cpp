//===- LinkRehearsalTest.cpp - What devices and links would do when -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/simulate/LinkRehearsal.h"
#include "runtime/test/Machines.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;
using namespace machines;

static constexpr int host = Topology::host;
static constexpr uint64_t aSecond = 16'000'000'000; // of x16

/// Latencies of the test's machines are below this.
static Approx about(double seconds) { return Approx(seconds).margin(1e-5); }

TEST_CASE("what is on a link at the same time shares it", "[rehearsal]") {
  const Topology one = switches({2}), two = switches({1, 1});
  for (auto [topology, seconds] : {std::pair(&one, 2.0), std::pair(&two, 1.0)}) {
    LinkRehearsal clock(*topology);
    clock.move(0, Queue::Load, host, 0, aSecond, {});
    clock.move(1, Queue::Load, host, 1, aSecond, {});
    CHECK(clock.end() == about(seconds));
    CHECK(clock.load({0, true}).bytes == uint64_t(seconds) * aSecond); // host -> switch0
    CHECK(clock.load({0, true}).seconds == Approx(seconds));
    CHECK(clock.load({0, false}).bytes == 0);
  }
  LinkRehearsal clock(one); // the other way a link carries as much again
  clock.move(0, Queue::Load, host, 0, aSecond, {});
  clock.move(1, Queue::Store, 1, host, aSecond, {});
  CHECK(clock.end() == about(1));
}

TEST_CASE("who is alone on a link again has all of it", "[rehearsal]") {
  const Topology topology = switches({2});
  LinkRehearsal clock(topology);
  clock.move(0, Queue::Load, host, 0, aSecond, {});     // of 2 seconds in which both are there
  clock.move(1, Queue::Load, host, 1, 2 * aSecond, {}); // has half, and one more second
  CHECK(clock.end() == about(3));
}

TEST_CASE("queues are one after the other, and beside each other", "[rehearsal]") {
  const Topology topology = switches({2});
  LinkRehearsal clock(topology);
  const LinkRehearsal::Id loaded = clock.move(0, Queue::Load, host, 0, aSecond, {});
  const LinkRehearsal::Id ran = clock.work(0, Queue::Work, 3, {loaded});
  clock.move(0, Queue::Load, host, 0, aSecond, {}); // while that runs
  clock.move(1, Queue::Load, 0, 1, aSecond, {ran});
  clock.work(1, Queue::Work, 0.5, {});
  CHECK(clock.end() == about(5));
  CHECK(clock.computing(0) == 3);
  CHECK(clock.computing(1) == 0.5);
}

TEST_CASE("who asks goes on when what is awaited has ended", "[rehearsal]") {
  const Topology topology = switches({1});
  LinkRehearsal clock(topology);
  const LinkRehearsal::Id first = clock.work(0, Queue::Work, 1, {});
  clock.await(first);
  clock.await(0); // was done before
  clock.move(0, Queue::Store, 0, host, aSecond, {first});
  CHECK(clock.end() == about(2));
  clock.move(0, Queue::Store, 0, host, 0, {}); // of nothing
  CHECK(clock.end() == about(2));
}

TEST_CASE("devices that do not reach each other go by the host", "[rehearsal]") {
  const Topology near = switches({2}), far = withoutPeers(near);
  for (const Topology *topology : {&near, &far}) {
    LinkRehearsal clock(*topology);
    clock.move(1, Queue::Load, 0, 1, aSecond, {});
    CHECK(clock.end() == about(1));
    const uint64_t byHost = topology == &far ? aSecond : 0;
    CHECK(clock.load({0, true}).bytes == byHost);
    CHECK(clock.load({0, false}).bytes == byHost);
    CHECK(clock.load({1, false}).bytes == aSecond); // up from cuda:0
    CHECK(clock.load({2, true}).bytes == aSecond);  // down to cuda:1
  }
}

TEST_CASE("a sample stands for all that it is of", "[rehearsal]") {
  const Topology topology = switches({2});
  LinkRehearsal clock(topology);
  clock.move(0, Queue::Load, host, 0, aSecond, {});
  const LinkRehearsal::Taken before = clock.taken();
  CHECK(before.seconds == about(1));
  const LinkRehearsal::Id loaded = clock.move(1, Queue::Load, host, 1, aSecond, {});
  clock.work(1, Queue::Work, 0.5, {loaded});
  clock.repeat(before, 4);
  CHECK(clock.end() == about(1 + 4 * 1.5));
  CHECK(clock.load({0, true}).bytes == 5 * aSecond);
  CHECK(clock.load({0, true}).seconds == Approx(5));
  CHECK(clock.computing(1) == Approx(2));
  clock.work(0, Queue::Work, 1, {loaded}); // what comes later begins then
  CHECK(clock.end() == about(8));
}
