//===- ChunkTest.cpp - Blocks are real ------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract on order: a program run in chunks, over samples without a limit or with split hubs gives the bits of the
// whole graph as long as vertices keep their order, and its numbers under any permutation.
//
//===----------------------------------------------------------------------===//

#include "ChunkCheck.h"
#include "FakeData.h"
#include "FakeKernels.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

TEST_CASE("programs in chunks, samples and hub segments match the whole graph") {
  FakeLibrary fake;
  FakeData data(2500, 6000); // vertex 0 has a row of three segments
  auto library = Library::fromTable(&fake.library, "fake.so");
  Model model(library, 2);
  bindDims(model.dims(), *library, *data.graph, data.features, "test data");
  model.initialize(7);
  CHECK(checkChunks(model, data.graph, data.features, {data.train.data(), data.train.size()}) ==
        std::vector<std::string>());
}

TEST_CASE("the comparison notices a kernel that forgets where its block begins") {
  FakeLibrary fake;
  fake.run[FakeLibrary::Aggregate] = [](const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
    gnn_block_t block = *args->block;
    block.row_pos = nullptr;
    gnn_kernel_args_t wrong = *args;
    wrong.block = &block;
    fake::aggregate(&wrong, begin, end);
  };
  FakeData data(2500, 6000);
  auto library = Library::fromTable(&fake.library, "fake.so");
  Model model(library, 1);
  bindDims(model.dims(), *library, *data.graph, data.features, "test data");
  model.initialize(7);
  const gnn_program_t &program = *library->program(GNN_PROGRAM_INFER);
  ChunkComparison comparison(model, data.graph, data.features, {}, program);
  CHECK(comparison.difference({ChunkPlan::Sampled, 3, 0}).isSameBits);
  CHECK_FALSE(comparison.difference({ChunkPlan::Grid, 3, 0}).isSameBits);
}
