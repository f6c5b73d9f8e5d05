//===- SharesTest.cpp - Batches that are cut into shares ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsRanks.h"
#include "FakeData.h"
#include "runtime/src/sample/Sampled.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

constexpr std::chrono::seconds patience(60);

/// The loss and the gradients of three steps, each over so many seeds, of which the next is expected.
std::vector<float> resultsOf(const FakeLibrary &fake, const FakeData &data, size_t seeds, const Shares &shares,
                             int64_t ahead = 1) {
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2);
  const gnn_program_t &program = *run.library->program(GNN_PROGRAM_TRAIN);
  Sampled sampled(run.engine, *run.library, run.binding, program, FanOuts("5", "test"), {}, ahead, shares);
  sampled.place(FakeLibrary::W, run.w.data());
  sampled.place(FakeLibrary::B, run.b.data());
  std::vector<float> all;
  for (uint64_t step = 0; step < 3; ++step) {
    for (uint64_t next = step; next <= step + uint64_t(ahead); ++next)
      if (const auto first = data.train.begin() + int64_t(next); !sampled.isExpected(next))
        sampled.expect(next, {{first, first + int64_t(seeds)}, {}, {}});
    sampled.run(step);
    for (uint32_t i = 0; i < program.num_results; ++i)
      for (float number : values(sampled.result(i)))
        all.push_back(number);
  }
  return all;
}

} // namespace

TEST_CASE("shares have all seeds of a batch in their order, and ranks have all shares") {
  for (int64_t count : {1, 3, 4, 7})
    for (int64_t seeds : {1, 2, 3, 7, 20}) {
      const Shares shares{count};
      int64_t end = 0, most = seeds;
      for (int64_t share = 0; share < count; ++share) {
        const Shares::Range range = shares.seedsOf(share, seeds);
        CHECK(range.begin == end);
        CHECK(range.size() <= most); // those without any are the last
        end = range.end;
        most = range.size();
      }
      CHECK(end == seeds);
      CHECK(shares.seedsOf(0, seeds).size() - most <= 1);
    }
  std::vector<Shares::Range> ofRanks(3);
  asRanks(3, patience, [&](Comm &comm) { ofRanks[size_t(comm.rank())] = Shares{4, &comm}.ours(); });
  CHECK(ofRanks[0].begin == 0);
  for (size_t rank = 0; rank < 3; ++rank) {
    CHECK(ofRanks[rank].size() >= 1);
    CHECK(ofRanks[rank].end == (rank < 2 ? ofRanks[rank + 1].begin : 4));
  }
}

TEST_CASE("devices have all shares of their rank, each one at least") {
  for (int64_t count : {4, 5, 9}) {
    int64_t end = 0;
    for (size_t device = 0; device < 4; ++device) {
      const Shares::Range own = Shares{count}.ours(device, 4);
      CHECK(own.begin == end);
      CHECK(own.size() >= 1);
      end = own.end;
    }
    CHECK(end == count);
  }
}

TEST_CASE("a share of pairs has the pairs that were sampled for its true ones") {
  const Seeds batch{
      {}, {{1, 2, 3, 10, 11, 20, 21, 30, 31}, {4, 5, 6, 4, 4, 5, 5, 6, 6}, {}}, {1, 1, 1, 0, 0, 0, 0, 0, 0}};
  CHECK(batch.count() == 3);
  const Seeds share = batch.slice({1, 3});
  CHECK(share.pairs.src == std::vector<int64_t>{2, 3, 20, 21, 30, 31});
  CHECK(share.pairs.dst == std::vector<int64_t>{5, 6, 5, 5, 6, 6});
  CHECK(share.targets == std::vector<double>{1, 1, 0, 0, 0, 0});
  CHECK(batch.slice({3, 3}).pairs.count() == 0);
}

TEST_CASE("shares of a batch have its loss and gradients, with the same bits whoever runs them") {
  FakeLibrary fake;
  const FakeData data(200, 900);
  for (size_t seeds : {40, 3}) { // three are fewer than shares
    const std::vector<float> one = resultsOf(fake, data, seeds, {}), few = resultsOf(fake, data, seeds, {5});
    REQUIRE(one.size() == few.size());
    CHECK(one != few);
    for (size_t i = 0; i < one.size(); ++i)
      CHECK(few[i] == Approx(one[i]).epsilon(1e-5).margin(1e-6));
    if (seeds < 5) // nobody goes over those that have none
      CHECK(resultsOf(fake, data, seeds, {int64_t(1) << 40}) == few);
    for (int64_t ahead : {0, 2, 9})
      CHECK(resultsOf(fake, data, seeds, {5}, ahead) == few);
    for (int ranks : {2, 3, 5}) {
      std::vector<std::vector<float>> ofRanks(static_cast<size_t>(ranks));
      for (const std::string &message : asRanks(ranks, patience, [&](Comm &comm) {
             ofRanks[size_t(comm.rank())] = resultsOf(fake, data, seeds, {5, &comm});
           }))
        CHECK(message.empty());
      for (const std::vector<float> &results : ofRanks)
        CHECK(results == few);
    }
  }
}
