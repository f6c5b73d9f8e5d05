//===- SparseMatrixTest.cpp - Tests of sparse matrices ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation, conversion to and from dense, row normalisation, and the relation.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/SparseMatrix.h"
#include "gnn/error.hpp"
#include <catch2/catch.hpp>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// [[0, 2, 0], [0, 0, 0], [1, 0, 3]]
SparseMatrix example() {
  return SparseMatrix(3, 3, Tensor::of<int64_t>({0, 1, 1, 3}), Tensor::of<int32_t>({1, 0, 2}),
                      Tensor::of<float>({2, 1, 3}), "x");
}

std::vector<float> valuesOf(const Tensor &tensor) {
  return {tensor.values<float>().begin(), tensor.values<float>().end()};
}

SparseMatrix make(std::vector<int64_t> indptr, std::vector<int64_t> indices) {
  return SparseMatrix(2, 3, Tensor::of(indptr), Tensor::of(indices), Tensor::of(std::vector<float>(indices.size())),
                      "x");
}

} // namespace

TEST_CASE("sparse and dense convert into each other") {
  Tensor dense = example().toDense();
  CHECK(valuesOf(dense) == std::vector<float>{0, 2, 0, 0, 0, 0, 1, 0, 3});
  SparseMatrix back = SparseMatrix::fromDense(dense, "x");
  CHECK(valuesOf(back.values()) == std::vector<float>{2, 1, 3});
  CHECK(std::vector<int32_t>(back.indices().begin(), back.indices().end()) == std::vector<int32_t>{1, 0, 2});
}

TEST_CASE("rows are divided by their sum, zero rows stay") {
  CHECK(valuesOf(example().rowNormalized(GNN_F32).values()) == std::vector<float>{1, 0.25, 0.75});
  CHECK(valuesOf(rowNormalized(example().toDense(), GNN_F32)) == std::vector<float>{0, 1, 0, 0, 0, 0, 0.25, 0, 0.75});
  CHECK(valuesOf(example().values()) == std::vector<float>{2, 1, 3});
}

TEST_CASE("rows are divided in f64, whatever holds them before and afterwards") {
  auto row = [](auto first, auto second) {
    return SparseMatrix(1, 2, Tensor::of<int64_t>({0, 2}), Tensor::of<int32_t>({0, 1}),
                        Tensor::of(std::vector{first, second}), "x");
  };
  CHECK(row(1.0f, 2.0f).rowNormalized(GNN_F64).values().data<double>()[0] == 1.0 / 3);
  CHECK(rowNormalized(row(1.0f, 2.0f).toDense(), GNN_F64).data<double>()[0] == 1.0 / 3);
  const double large = 16777217; // one more than an f32 holds
  const float share = float(5 / (large + 5));
  REQUIRE(share != float(5 / (large + 4)));
  CHECK(row(large, 5.0).rowNormalized(GNN_F32).values().data<float>()[1] == share);
  CHECK(rowNormalized(row(large, 5.0).toDense(), GNN_F32).data<float>()[1] == share);
}

TEST_CASE("a sparse matrix is a relation from columns to rows") {
  auto order = std::make_shared<VertexOrder>();
  order->id = Buffer<int64_t>(3);
  order->local = Buffer<uint32_t>(3);
  for (int i = 0; i < 3; ++i)
    order->id[i] = 2 - i, order->local[i] = uint32_t(2 - i);
  const std::unique_ptr<const Relation> made = example().relation(order);
  const Relation &relation = *made;
  gnn_block_t block = relation.block(GNN_TO_DESTINATION);
  CHECK(block.num_rows == 3);
  CHECK(block.row_id[0] == 2);
  CHECK(block.col_id == nullptr);
  CHECK(std::vector<int64_t>(block.offsets, block.offsets + 4) == std::vector<int64_t>{0, 2, 2, 3});
  CHECK(std::vector<uint32_t>(block.cols, block.cols + 3) == std::vector<uint32_t>{0, 2, 1});
  CHECK(std::vector<int64_t>(block.edge_id32, block.edge_id32 + 3) == std::vector<int64_t>{1, 2, 0});
  CHECK(relation.block(GNN_TO_SOURCE).num_rows == 3);
}

TEST_CASE("broken sparse matrices are refused") {
  CHECK_NOTHROW(make({0, 1, 2}, {0, 2}));
  CHECK_THROWS_WITH(make({0, 1, 2}, {0, 3}), Contains("x: index 1 is 3, expected 0 <= index < 3"));
  CHECK_THROWS_WITH(make({0, 1, 2}, {-1, 0}), Contains("x: index 0 is -1"));
  CHECK_THROWS_WITH(make({0, 2, 1}, {0}), Contains("x: indptr falls from 2 to 1 at row 1"));
  CHECK_THROWS_WITH(make({1, 1, 1}, {0}), Contains("x: indptr begins with 1"));
  CHECK_THROWS_WITH(make({0, 1, 1}, {0, 1}), Contains("x: indptr ends with 1, expected the number of values, 2"));
  CHECK_THROWS_WITH(make({0, 1}, {0}), Contains("expected i64 [3]"));
  CHECK_THROWS_WITH(make({0, 1, 1}, {int64_t(1) << 32}), Contains("x: indices"));
}
