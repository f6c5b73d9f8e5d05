//===- PartitionsTest.cpp - Sweeps a part of the columns at a time --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Partitions.h"
#include "FakeData.h"
#include "runtime/src/graph/Relation.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

static EdgeList drawEdges(uint32_t numSources, uint32_t numDestinations, size_t count) {
  EdgeList edges{Buffer<uint32_t>(count), Buffer<uint32_t>(count), {}};
  uint64_t state = 1;
  auto draw = [&](uint32_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return uint32_t((state >> 33) % bound);
  };
  for (size_t i = 0; i < count; ++i) {
    edges.src[i] = draw(numSources);
    edges.dst[i] = draw(numDestinations) / 3; // the last rows are empty
  }
  return edges;
}

static void checkEdges(const gnn_block_t &whole, const Partitions &partitions, int64_t count) {
  REQUIRE(partitions.count() == count);
  for (int64_t row = 0; row < whole.num_rows; ++row) {
    int64_t at = whole.offsets[row];
    for (int64_t p = 0; p < count; ++p) {
      const gnn_block_t &block = partitions.block(p);
      CHECK(block.row_pos[row] == at - whole.offsets[row]);
      for (int64_t e = block.offsets[row]; e < block.ends[row]; ++e, ++at) {
        bool isInRange = block.cols[e] >= uint32_t(whole.num_cols * p / count) &&
                         block.cols[e] < uint32_t(whole.num_cols * (p + 1) / count);
        CHECK(isInRange);
        CHECK(block.cols[e] == whole.cols[at]);
        CHECK(block.edge_id32[e] == whole.edge_id32[at]);
      }
    }
    CHECK(at == whole.ends[row]);
  }
}

TEST_CASE("partitions hold the edges of every row in order") {
  Relation relation(drawEdges(50, 90, 2000), 50, 90, nullptr, nullptr);
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
    for (int64_t count : {2, 7, 50}) {
      gnn_block_t whole = relation.block(direction);
      Partitions partitions(whole, count, /*withIds=*/true);
      CHECK(partitions.areCopied());
      checkEdges(whole, partitions, count);
    }
}

TEST_CASE("where rows have many edges in each partition, these stay where they are") {
  constexpr int64_t edges = 3 * 90 * Partitions::longRun;
  Relation relation(drawEdges(50, 90, edges), 50, 90, nullptr, nullptr);
  gnn_block_t whole = relation.block(GNN_TO_DESTINATION);
  Partitions partitions(whole, 3, /*withIds=*/true);
  CHECK(!partitions.areCopied());
  CHECK(partitions.block(2).cols == whole.cols);
  CHECK(partitions.bytes() == (4 + 3) * 90 * sizeof(int64_t));
  checkEdges(whole, partitions, 3);
}

TEST_CASE("copies without ids take no memory for them") {
  Relation relation(drawEdges(50, 90, 2000), 50, 90, nullptr, nullptr);
  gnn_block_t whole = relation.block(GNN_TO_DESTINATION);
  Partitions with(whole, 3, true), without(whole, 3, false);
  CHECK(without.block(0).edge_id32 == nullptr);
  CHECK(with.bytes() - without.bytes() == 2000 * sizeof(uint32_t));
}

TEST_CASE("all who ask a relation for the same partitions share them while one has them") {
  Relation relation(drawEdges(50, 90, 2000), 50, 90, nullptr, nullptr);
  std::shared_ptr<const Partitions> first = relation.partitions(GNN_TO_SOURCE, 3, false);
  CHECK(relation.partitions(GNN_TO_SOURCE, 3, false) == first);
  CHECK(relation.partitions(GNN_TO_SOURCE, 4, false)->count() == 4);
  CHECK(relation.partitions(GNN_TO_SOURCE, 3, true)->block(0).edge_id32 != nullptr);
  CHECK(relation.partitions(GNN_TO_DESTINATION, 3, false)->block(0).num_rows == 90);
  checkEdges(relation.block(GNN_TO_SOURCE), *relation.partitions(GNN_TO_SOURCE, 3, true), 3);
  std::weak_ptr<const Partitions> left = first;
  first.reset();
  CHECK(left.expired());
  CHECK(relation.partitions(GNN_TO_SOURCE, 3, false)->count() == 3);
}

TEST_CASE("partitions that a library asks for are made, however small the graph, and give the same bits") {
  FakeData data(2000, 5000);
  auto run = [&](uint16_t partitions) {
    FakeLibrary fake;
    fake.kernels[FakeLibrary::Aggregate].knobs.partition = partitions;
    FakeRun each(fake, data, GNN_PROGRAM_INFER, 2);
    each.executor.run(0);
    return std::pair(values(each.executor.result(0)), each.executor.peakBytes());
  };
  auto [plain, plainBytes] = run(0);
  auto [parts, partsBytes] = run(4);
  CHECK(plain == parts);
  CHECK(partsBytes > plainBytes + 7000 * sizeof(uint32_t));
}
