//===- PriceTest.cpp - Tests of the choice among programs -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"

#include "runtime/src/program/Price.h"

#include <catch2/catch.hpp>

#include <string>

using namespace gnn::rt;

namespace {

/// With a second @infer, which sums x before it multiplies: only its tables are looked at.
struct TwoOrders : FakeLibrary {
  const uint32_t sumTensors[4] = {X, Degree, B, DropZ}, productTensors[3] = {DropZ, W, Y};
  std::vector<gnn_step_t> sumFirst;

  TwoOrders() {
    tensors[DropZ].shape = tensors[X].shape;
    gnn_step_t sum = inferSteps[1], product = inferSteps[0];
    product.row_depth = 0;
    sum.tensors = sumTensors;
    product.tensors = productTensors;
    sumFirst = {sum, product};
    programs.push_back(programs[0]);
    programs.back().name = "infer.2";
    programs.back().steps = sumFirst.data();
    library.programs = programs.data();
    library.num_programs = uint32_t(programs.size());
    describe();
  }

  /// The name of the program that is chosen where `rows` are summed, of 10 edges each, and `readRows` are read.
  std::string chosen(int64_t in, int64_t classes, int64_t rows, int64_t readRows) const {
    const std::shared_ptr<const Library> opened = Library::fromTable(&library, "fake.so");
    Dims dims(opened);
    dims.bind("in", in, "test");
    dims.bind("classes", classes, "test");
    dims.finish();
    auto counts = [&](const gnn_step_t &step) {
      const int64_t here = step.row_depth == 0 ? rows : readRows;
      return StepCounts{here, step.kind == GNN_STEP_SWEEP ? 10 * here : 0};
    };
    const std::vector<ProgramPrice> prices =
        pricesOf(*opened, dims, opened->programs(GNN_PROGRAM_INFER), FixedWork::Repeated);
    return prices[cheapest(prices, counts)].program().name;
  }
};

} // namespace

TEST_CASE("over a whole graph the narrower side is summed") {
  const TwoOrders fake;
  CHECK(fake.chosen(/*in=*/64, /*classes=*/16, /*rows=*/1000, /*readRows=*/1000) == std::string("infer"));
  CHECK(fake.chosen(/*in=*/16, /*classes=*/64, /*rows=*/1000, /*readRows=*/1000) == std::string("infer.2"));
}

TEST_CASE("of equal prices the first program is chosen") {
  CHECK(TwoOrders().chosen(/*in=*/32, /*classes=*/32, /*rows=*/1000, /*readRows=*/1000) == std::string("infer"));
}

TEST_CASE("around a few vertices a wider sum spares products of all that they read") {
  const TwoOrders fake;
  CHECK(fake.chosen(/*in=*/128, /*classes=*/64, /*rows=*/100, /*readRows=*/1000) == std::string("infer.2"));
  CHECK(fake.chosen(/*in=*/128, /*classes=*/64, /*rows=*/1000, /*readRows=*/1000) == std::string("infer"));
}

TEST_CASE("programs of a kind must have the same results") {
  TwoOrders fake;
  const uint32_t others[] = {FakeLibrary::DropZ};
  fake.programs.back().results = others;
  fake.describe();
  CHECK_THROWS_WITH(Library::fromTable(&fake.library, "fake.so"), Catch::Contains("program 3"));
}
