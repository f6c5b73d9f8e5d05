//===- ColRelaysTest.cpp - From which device to which cols go -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ColRelays.h"
#include "runtime/test/Machines.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;
using namespace machines;

using Sequences = std::vector<ColRelays::Sequence>;

TEST_CASE("in a ring the loaders take turns", "[relays]") {
  const ColRelays relays(ofNgra()); // 0, 2, 4 and 6 load
  const Devices all{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(relays.of(ColRoute::Ring, 0, all) == Sequences{all});
  CHECK(relays.of(ColRoute::Ring, 1, all) == Sequences{{2, 3, 4, 5, 6, 7, 0, 1}});
  CHECK(relays.of(ColRoute::Ring, 7, all) == Sequences{{6, 7, 0, 1, 2, 3, 4, 5}});
  const ColRelays one(switches({4})); // where one loads
  for (int64_t cols : {0, 1, 2, 3})
    CHECK(one.of(ColRoute::Ring, cols, {0, 1, 2, 3}) == Sequences{{0, 1, 2, 3}});
  const ColRelays byLinks(cube()); // in the order of its links
  CHECK(byLinks.of(ColRoute::Ring, 1, all) == Sequences{{2, 3, 7, 5, 6, 4, 0, 1}});
}

TEST_CASE("of a group that has not all devices those go round that there are", "[relays]") {
  const ColRelays relays(ofNgra());
  CHECK(relays.of(ColRoute::Ring, 1, {0, 1, 4}) == Sequences{{4, 0, 1}}); // 0 and 4 load
  CHECK(relays.of(ColRoute::Ring, 2, {1, 3}) == Sequences{{1, 3}});       // no loader is there
  CHECK(relays.of(ColRoute::Ring, 3, {1, 3}) == Sequences{{3, 1}});
  CHECK(relays.of(ColRoute::Chain, 0, {0, 1, 3}) == Sequences{{0, 1}, {3}});
}

TEST_CASE("a chain is of the devices under a switch, and replicated rows are each device's own", "[relays]") {
  const ColRelays relays(switches({5, 3}));
  const Devices all{0, 1, 2, 3, 4, 5, 6, 7};
  for (int64_t cols : {0, 1}) {
    CHECK(relays.of(ColRoute::Chain, cols, all) == Sequences{{0, 1, 2, 3, 4}, {5, 6, 7}});
    CHECK(relays.of(ColRoute::Replicated, cols, {0, 5, 6}) == Sequences{{0}, {5}, {6}});
  }
}
