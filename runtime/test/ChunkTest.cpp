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
#include <cstring>

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

/// The results of a program over a sample that has the edges of `seen`, drawn from a graph with more, and whether they
/// are those over a graph that has no others.
static bool isAsWithoutOthers(const FakeLibrary &fake, uint32_t kind) {
  const FakeData seen(300, 1000), more(300, 1000, gnn::rt::EdgeOptions().order, 6, /*again=*/700);
  FakeRun expected(fake, seen, kind, /*threads=*/1);
  expected.executor.run(/*key=*/9);
  FakeRun sampled(fake, more, kind, /*threads=*/1);
  const gnn_program_t &program = *sampled.library->program(kind);
  const ChunkPlan plan{ChunkPlan::Sampled, 3, 0, {seen.graph->relations()[0].set->relation().numEdges()}};
  ChunkExecutor chunks(sampled.engine, *sampled.library, sampled.dims, sampled.binding, program, plan, more.train);
  chunks.place(FakeLibrary::W, Tensor::of(sampled.w));
  chunks.place(FakeLibrary::B, Tensor::of(sampled.b));
  chunks.run(/*key=*/9);
  bool isSame = true;
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const Tensor &result = expected.executor.result(i);
    isSame &= std::memcmp(result.data(), chunks.table(program.results[i]).data(), result.bytes()) == 0;
  }
  return isSame;
}

TEST_CASE("a mean over a sample divides by the edges that were drawn") {
  const uint32_t kind = GENERATE(GNN_PROGRAM_INFER, GNN_PROGRAM_TRAIN);
  FakeLibrary fake;
  fake.tensors[FakeLibrary::Degree].role = GNN_ROLE_COUNT_IN;
  CHECK(isAsWithoutOthers(fake, kind));
  fake.tensors[FakeLibrary::Degree].role = GNN_ROLE_DEGREE_IN; // of the whole graph, whatever was drawn
  CHECK_FALSE(isAsWithoutOthers(fake, kind));
}
