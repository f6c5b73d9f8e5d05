//===- PlantedTest.cpp - Defects planted in compiled kernels --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulated device finds what is wrong with code that the compiler made: a kernel as it is runs, and with one
// instruction changed it is reported.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

/// Of an open width: states lie in memory that the threads of a group share, and the end folds them.
constexpr const char *normOfSum = R"(
  star.kernel @k sweep of 0 to destination inputs [#star.operand<col <V, [F], f32>>]
      outputs [#star.operand<row <V, [], f32>>] reduce [#gnn.sum] step {
  ^bb0(%u: !gnn.field<S, [F], f32>):
    star.contribute [%u] : !gnn.field<S, [F], f32>
  } end {
  ^bb0(%sum: !gnn.field<V, [F], f32>):
    %0 = gnn.mul %sum, %sum : (!gnn.field<V, [F], f32>, !gnn.field<V, [F], f32>) -> !gnn.field<V, [F], f32>
    %1 = gnn.reduce #gnn.sum %0 dim 0 : (!gnn.field<V, [F], f32>) -> !gnn.field<V, [], f32>
    star.yield %1 : !gnn.field<V, [], f32>
  })";

constexpr int64_t width = 40, numRows = 80, numCols = 7; // rows for the groups of two blocks

/// What the device reports of the kernel with `plant` in it.
std::string report(const device::EmulatedDevice::Plant &plant) {
  Kernel kernel(normOfSum, {std::nullopt, plant}, {{"F", width}});
  std::vector<float> u(numCols * width, 1), output(numRows);
  kernel.tensors = {u.data(), output.data()};
  try {
    kernel.run(makeBlock(std::vector<int64_t>(numRows, 3), numCols, 1));
  } catch (const ptx::Error &error) {
    return error.what();
  }
  CHECK(output == std::vector<float>(numRows, 9 * width));
  return "nothing";
}

/// `text` with its occurrence number `which` of `from` changed to `to`; as it is where it has fewer.
std::string change(std::string text, const std::string &from, const std::string &to, size_t which = 0) {
  size_t at = text.find(from);
  while (which-- > 0 && at != std::string::npos)
    at = text.find(from, at + 1);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("a compiled kernel runs as it is") {
  CHECK(report([](std::string ptx) { return ptx; }) == "nothing");
}

TEST_CASE("a barrier that is missing in a compiled kernel is a race") {
  const std::string barrier = "bar.warp.sync";
  size_t numBarriers = 0, numReported = 0;
  for (size_t which = 0; which <= numBarriers; ++which) {
    const std::string reported = report([&](std::string ptx) {
      std::string planted = change(ptx, barrier, "// none", which);
      numBarriers += planted != ptx;
      return planted;
    });
    CHECK((reported == "nothing" || reported.find("race: ") != std::string::npos));
    numReported += reported != "nothing";
  }
  // Others are for rows that are cut, or stand where one has just been.
  CHECK(numBarriers > 1);
  CHECK(numReported > 0);
}

TEST_CASE("blocks that all take the rows of one race") {
  CHECK_THAT(report([](std::string ptx) { return change(ptx, "%ctaid.x", "0"); }), Catch::Contains("race: "));
}

TEST_CASE("a row too many is out of bounds") {
  CHECK_THAT(report([](std::string ptx) {
               const size_t load = ptx.find(", [k_param_1];"), name = ptx.rfind('%', load);
               REQUIRE(load != std::string::npos);
               const std::string end = ptx.substr(name, load - name);
               return change(ptx, ", [k_param_1];", ", [k_param_1];\n\tadd.s64 " + end + ", " + end + ", 1;");
             }),
             Catch::Contains("out of bounds"));
}
