//===- HubRowsTest.cpp - Rows that several threads share ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/HubRows.h"
#include "FakeData.h"
#include "runtime/src/cpu/RowCuts.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>

using namespace gnn::rt;

namespace {

constexpr int64_t segment = GNN_SEGMENT_LENGTH;

/// Rows that have so many edges, which a sweep notes: its states are runs of edges, which merge where they meet.
struct Noted {
  explicit Noted(const std::vector<int64_t> &lengths)
      : offsets(lengths.size() + 1), ended(lengths.size()), folds(lengths.size()) {
    std::partial_sum(lengths.begin(), lengths.end(), offsets.begin() + 1);
    block.num_rows = int64_t(lengths.size());
    block.offsets = offsets.data();
    block.ends = offsets.data() + 1;
  }

  struct State {
    int64_t first, last;
  };

  /// Runs the hubs of more than `longest` edges with states of `rowBytes`.
  void run(int64_t longest, size_t rowBytes, unsigned threads, bool hasStates = true) {
    HubRows hubs(block, longest);
    Team team(threads);
    std::vector<char> states(hubs.planStates(rowBytes));
    void *self = this;
    HubSweep sweep{kernel, merge, {}, hasStates, rowBytes, states.data(), nullptr, 0};
    sweep.args.block = &block;
    sweep.args.tensors = &self;
    const auto bytes = int64_t(rowBytes);
    sweep.args.extents = &bytes;
    hubs.run(team, sweep);
  }

  static void kernel(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
    auto &self = *static_cast<Noted *>(args->tensors[0]);
    self.isWrong = self.isWrong || end != begin + 1;
    const int64_t first = args->block->offsets[begin], last = args->block->ends[begin];
    char *state = static_cast<char *>(args->state) + begin * args->extents[0];
    if (args->flags & GNN_SWEEP_LAST) {
      self.isWrong = self.isWrong || first != last;
      self.ended[size_t(begin)] = *reinterpret_cast<State *>(state);
      return;
    }
    ++self.folds[size_t(begin)];
    self.edges += last - first;
    const bool isSegment = (first - self.offsets[size_t(begin)]) % segment == 0 && last - first <= segment;
    self.isWrong = self.isWrong || !isSegment;
    if (args->extents[0])
      *reinterpret_cast<State *>(state) = {first, last};
  }
  static void merge(const gnn_kernel_args_t *args, int64_t, int64_t) {
    auto &self = *static_cast<Noted *>(args->tensors[0]);
    auto &into = *static_cast<State *>(args->state);
    auto &from = *static_cast<const State *>(args->state_in);
    self.isWrong = self.isWrong || into.last != from.first;
    into.last = from.last;
  }

  std::vector<int64_t> offsets;
  gnn_block_t block{};
  std::vector<State> ended;
  std::vector<std::atomic<int>> folds;
  std::atomic<int64_t> edges{0};
  std::atomic<bool> isWrong{false};
};

} // namespace

TEST_CASE("hubs are folded segment by segment and merged from left to right, however many states wait") {
  const std::vector<int64_t> lengths{3, 5000, segment + 1, 0, 700 * segment, segment, 300 * segment - 5, 2};
  for (size_t rowBytes : {size_t(16), size_t(1) << 16}) // all at once, and in waves that end within a hub
    for (unsigned threads : {1u, 2u, 4u}) {
      Noted noted(lengths);
      noted.run(segment, rowBytes, threads);
      CHECK_FALSE(noted.isWrong);
      for (size_t row = 0; row < lengths.size(); ++row) {
        const bool isHub = lengths[row] > segment;
        CHECK(noted.folds[row] == (isHub ? (lengths[row] + segment - 1) / segment : 0));
        CHECK(noted.ended[row].first == (isHub ? noted.offsets[row] : 0));
        CHECK(noted.ended[row].last == (isHub ? noted.offsets[row + 1] : 0));
      }
    }
  HubRows hubs(Noted(lengths).block, segment);
  CHECK(hubs.planStates(1 << 16) == 257 << 16);
}

TEST_CASE("of hubs whose edges alone give numbers each edge is done once") {
  Noted noted({0, 10000, 4000});
  noted.run(4096, /*rowBytes=*/0, 2, /*hasStates=*/false);
  CHECK_FALSE(noted.isWrong);
  CHECK(noted.edges == 10000);
}

TEST_CASE("tasks have the rows between hubs, and are as even as without them") {
  std::vector<int64_t> lengths(1000, 20);
  lengths[0] = lengths[500] = lengths[501] = lengths[999] = 100000;
  const Noted rows(lengths);
  const HubRows hubs(rows.block, 5000);
  std::vector<int64_t> cuts;
  cutByEdges(rows.block, hubs, 2 * maxTasksPerThread, cuts);
  REQUIRE(cuts.size() == 17);
  std::vector<int> seen(lengths.size());
  for (size_t task = 0; task + 1 < cuts.size(); ++task) {
    int64_t edges = 0;
    hubs.forOthers(cuts[task], cuts[task + 1], [&](int64_t begin, int64_t end) {
      CHECK(begin < end);
      for (int64_t row = begin; row < end; ++row, edges += 20)
        ++seen[size_t(row)];
    });
    CHECK(edges <= 20 * 64);
  }
  for (size_t row = 0; row < lengths.size(); ++row)
    CHECK(seen[row] == (lengths[row] == 20));
}

TEST_CASE("rows are shared where a task of several threads would have fewer edges, or as the knob says") {
  const Noted even(std::vector<int64_t>(1000, 6000)), star({20000, 1, 1});
  CHECK(HubRows(even.block, HubRows::longestWhole(even.block, 0, 2)).empty());
  CHECK(HubRows(star.block, HubRows::longestWhole(star.block, 0, 2)).count() == 1);
  CHECK(HubRows(star.block, HubRows::longestWhole(star.block, 0, 1)).empty());
  CHECK(HubRows(star.block, HubRows::longestWhole(star.block, 16384, 1)).count() == 1);
  CHECK(HubRows(star.block, HubRows::longestWhole(star.block, 32768, 2)).empty());
  CHECK(HubRows::longestWhole(star.block, 64, 2) == segment);
}

TEST_CASE("training has the same bits with hubs shared and whole") {
  FakeData data(5000, 20000);
  auto run = [&](uint32_t split, uint16_t partitions, unsigned threads) {
    FakeLibrary fake;
    for (gnn_kernel_t &kernel : fake.kernels)
      kernel.knobs = {split, partitions, 0, 0, 0};
    FakeRun each(fake, data, GNN_PROGRAM_TRAIN, threads);
    each.executor.run(7);
    return std::pair(values(each.executor.result(0)), values(each.executor.result(1)));
  };
  const auto whole = run(65536, 0, 1);
  for (unsigned threads : {1u, 2u, 4u})
    for (uint32_t split : {0u, 1024u})
      for (uint16_t partitions : {0, 3})
        CHECK(run(split, partitions, threads) == whole);
}
