//===- RowPiecesTest.cpp - Rows of a block in pieces ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceBlocks.h"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <vector>

using namespace gnn::rt;

namespace {

/// A block whose rows have so many edges.
struct Rows {
  explicit Rows(const std::vector<int64_t> &lengths) : offsets(lengths.size() + 1) {
    std::partial_sum(lengths.begin(), lengths.end(), offsets.begin() + 1);
    block.num_rows = int64_t(lengths.size());
    block.offsets = offsets.data();
    block.ends = offsets.data() + 1;
  }

  int64_t edges() const { return offsets.back(); }

  std::vector<int64_t> offsets;
  gnn_block_t block{};
};

std::vector<int64_t> lengthsOf(const RowPieces &pieces, int64_t from) {
  std::vector<int64_t> lengths;
  for (auto i = size_t(from); i < pieces.rows.size(); ++i)
    lengths.push_back(pieces.ends[i] - pieces.offsets[i]);
  return lengths;
}

/// Each edge is in one piece, and that is of the edge's row.
void checkEdges(const Rows &rows, const RowPieces &pieces) {
  std::vector<int64_t> rowOf(size_t(rows.edges()), -1);
  for (size_t i = 0; i < pieces.rows.size(); ++i)
    for (int64_t e = pieces.offsets[i]; e < pieces.ends[i]; ++e) {
      CHECK(rowOf[size_t(e)] == -1);
      rowOf[size_t(e)] = pieces.rows[i];
    }
  for (int64_t row = 0; row < rows.block.num_rows; ++row)
    for (int64_t e = rows.block.offsets[row]; e < rows.block.ends[row]; ++e)
      CHECK(rowOf[size_t(e)] == row);
}

} // namespace

TEST_CASE("rows come by falling length, and those about as long in their order") {
  const Rows rows({0, 3, 17, 1, 2048, 18, 0, 1500, 16, 17});
  const RowPieces pieces(rows.block, {/*hasStates=*/true, 2048, /*isFixed=*/false});
  CHECK(std::vector<uint32_t>(pieces.rows.begin(), pieces.rows.end()) ==
        std::vector<uint32_t>{4, 7, 2, 5, 9, 8, 1, 3, 0, 6});
  CHECK(pieces.numHubs == 0);
  CHECK(pieces.numStates == 0);
  CHECK(pieces.positions.empty());
  checkEdges(rows, pieces);
}

TEST_CASE("hubs with states are split at segments, and each has a piece before all that follow") {
  constexpr int64_t segment = GNN_SEGMENT_LENGTH;
  const std::vector<int64_t> lengths{5, 2 * segment + 1, 0, 4 * segment, segment + 1, segment, 3 * segment + 7};
  const Rows rows(lengths);
  for (const int64_t longest : {segment, 2 * segment, 1024 * segment}) {
    const RowPieces pieces(rows.block, {/*hasStates=*/true, longest, /*isFixed=*/false});
    CAPTURE(longest);
    checkEdges(rows, pieces);
    std::vector<uint32_t> hubs;
    for (uint32_t row : {3, 6, 1, 4})
      if (lengths[row] > longest)
        hubs.push_back(row);
    REQUIRE(pieces.numHubs == int64_t(hubs.size()));
    int64_t next = pieces.numHubs;
    for (size_t i = 0; i < hubs.size(); ++i) {
      CHECK(pieces.rows[i] == hubs[i]);
      CHECK(pieces.moreOffsets[i] == next);
      int64_t position = 0;
      auto checkPiece = [&](int64_t piece) {
        CHECK(pieces.rows[size_t(piece)] == hubs[i]);
        CHECK(pieces.positions[size_t(piece)] == position);
        CHECK(pieces.offsets[size_t(piece)] == rows.offsets[hubs[i]] + position);
        CHECK((pieces.ends[size_t(piece)] - pieces.offsets[size_t(piece)] == segment ||
               pieces.ends[size_t(piece)] == rows.offsets[hubs[i] + 1]));
        position += segment;
      };
      checkPiece(int64_t(i));
      for (; next < pieces.moreEnds[i]; ++next)
        checkPiece(next);
      CHECK(position >= lengths[hubs[i]]);
      CHECK(position - segment < lengths[hubs[i]]);
    }
    CHECK(next == pieces.numStates);
    CHECK(pieces.count() == pieces.numStates + rows.block.num_rows - pieces.numHubs);
    for (auto i = size_t(pieces.numStates); i < pieces.rows.size(); ++i) {
      CHECK(pieces.ends[i] - pieces.offsets[i] == lengths[pieces.rows[i]]);
      if (!pieces.positions.empty())
        CHECK(pieces.positions[i] == 0);
    }
  }
}

TEST_CASE("edges without states are in pieces that are no longer than what is asked for") {
  const Rows rows({0, 9, 8, 300, 0, 16, 1});
  const RowPieces pieces(rows.block, {/*hasStates=*/false, 8, /*isFixed=*/false});
  checkEdges(rows, pieces);
  CHECK(pieces.numStates == 0);
  CHECK(lengthsOf(pieces, 41) == std::vector<int64_t>{4, 1, 1});
  CHECK(lengthsOf(pieces, 0).front() == 8);
  CHECK(pieces.count() == 44); // none of rows without edges
}

TEST_CASE("of a fixed number there are as many pieces whatever the edges") {
  for (const std::vector<int64_t> &lengths :
       {std::vector<int64_t>{3, 0, 40, 7}, std::vector<int64_t>{0, 50, 0, 0}, std::vector<int64_t>{12, 13, 12, 13}}) {
    const Rows rows(lengths);
    const RowPieces ofEdges(rows.block, {/*hasStates=*/false, 16, /*isFixed=*/true});
    CHECK(ofEdges.count() == 4 + 3);
    checkEdges(rows, ofEdges);
    const RowPieces ofRows(rows.block, {/*hasStates=*/true, 1024, /*isFixed=*/true});
    CHECK(ofRows.count() == 4);
    checkEdges(rows, ofRows);
  }
  const Rows hub({5000, 1});
  CHECK(RowPieces(hub.block, {/*hasStates=*/true, 1024, /*isFixed=*/true}).numHubs == 0);
}

TEST_CASE("there may be nothing") {
  const Rows none({}), empty({0, 0});
  for (bool isFixed : {false, true})
    for (bool hasStates : {false, true}) {
      CHECK(RowPieces(none.block, {hasStates, 1024, isFixed}).count() == 0);
      CHECK(RowPieces(empty.block, {hasStates, 1024, isFixed}).count() == (hasStates ? 2 : 0));
    }
}
