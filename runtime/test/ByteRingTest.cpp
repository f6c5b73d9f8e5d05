//===- ByteRingTest.cpp - Memory that pieces come to ahead of their use ---===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ByteRing.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>

using namespace gnn::rt;

namespace {

struct Numbered {
  size_t number = 0;
};

/// Takes pieces, and looks at who has which bytes.
struct Watched {
  explicit Watched(const RingSize &of) : ring(of), size(of.bytes()) {}

  size_t take(size_t bytes) {
    size_t at = 0;
    Numbered &piece = ring.take(bytes, at, [&](Numbered &oldest) {
      CHECK(oldest.number == live.begin()->first); // in their order
      live.erase(live.begin());
    });
    piece.number = next++;
    CHECK(at % cacheLine == 0);
    CHECK(at + bytes <= size);
    for (const auto &[number, place] : live)
      CHECK((at + bytes <= place.first || place.second <= at));
    live[piece.number] = {at, at + bytes};
    return at;
  }

  ByteRing<Numbered> ring;
  size_t size, next = 0;
  std::map<size_t, std::pair<size_t, size_t>> live; // by number: bytes from and to
};

} // namespace

TEST_CASE("a ring without room for more has two halves, which take turns") {
  Watched ring({/*most=*/640, /*pieces=*/2, /*ahead=*/0});
  for (size_t i = 0; i < 10; ++i) {
    CHECK(ring.take(i % 3 ? 640 : 64) == (i % 2) * 640);
    CHECK(ring.live.size() == std::min<size_t>(i + 1, 2));
  }
}

TEST_CASE("pieces of a ring lie side by side, in all of it, and the oldest ends first") {
  Watched ring({/*most=*/640, /*pieces=*/2, /*ahead=*/640});
  for (size_t i = 0; i < 10; ++i)
    CHECK(ring.take(192) == i * 192);
  CHECK(ring.live.size() == 10);
  CHECK(ring.take(128) == 0); // none lies around the end
  CHECK(ring.live.size() == 10);
  CHECK(ring.take(64) == 128);
  CHECK(ring.live.size() == 11);
  CHECK(ring.take(640) == 192);
  CHECK(ring.live.size() == 8);
}

TEST_CASE("the last piece of a ring stays where it is while the next one comes, and pieces are no more than so many") {
  std::mt19937 random(3);
  for (size_t ahead : {640, 700, 5000, 100000}) {
    Watched ring({/*most=*/640, /*pieces=*/2, ahead / cacheLine * cacheLine});
    size_t most = 0;
    for (int i = 0; i < 3000; ++i) {
      ring.take(random() % (random() % 2 ? 641 : 100));
      CHECK((i == 0 || ring.live.count(ring.next - 2)));
      most = std::max(most, ring.live.size());
    }
    CHECK(most > 2);
    CHECK(most <= mostPieces);
  }
}

TEST_CASE("where the last piece need not stay, short ones lie side by side in a ring of two large ones") {
  RingSize two{/*most=*/640, /*pieces=*/2, /*ahead=*/0};
  CHECK_FALSE(two.isPacked());
  two.keepsLast = false;
  CHECK(two.isPacked());
  Watched ring(two);
  for (size_t i = 0; i < 20; ++i)
    CHECK(ring.take(256) == i % 5 * 256);
  CHECK(ring.live.size() == 5);
  for (size_t i = 0; i < 3; ++i)
    ring.take(640);
  CHECK(ring.live.size() == 2);
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i)
    ring.take(random() % 641);
}

TEST_CASE("a ring that is cleared begins anew, and one without bytes has places for as many pieces as it says") {
  Watched ring({/*most=*/640, /*pieces=*/2, /*ahead=*/6400});
  ring.take(64);
  ring.take(64);
  ring.ring.clear();
  ring.live.clear();
  CHECK(ring.take(64) == 0);
  Watched nothing({/*most=*/0, /*pieces=*/3, /*ahead=*/0});
  for (int i = 0; i < 5; ++i)
    CHECK(nothing.take(0) == 0);
  CHECK(nothing.live.size() == 3);
}
