//===- MapTest.cpp - Compiled maps against plain loops --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

uint64_t mix64(uint64_t z) {
  z ^= z >> 30;
  z *= 0xbf58476d1ce4e5b9;
  z ^= z >> 27;
  z *= 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// docs/dev/abi.md, Random numbers.
bool isKept(uint64_t stepKey, uint64_t site, uint64_t id, uint32_t element, double probability) {
  constexpr uint64_t golden = 0x9e3779b97f4a7c15;
  uint64_t key = mix64(mix64(stepKey ^ site * golden) + id * golden);
  uint32_t x = uint32_t(key) + element * 0x9e3779b9u;
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= uint32_t(key >> 32);
  x ^= x >> 15;
  x *= 0x846ca68b;
  x ^= x >> 16;
  return x >= uint32_t(probability * 4294967296.0);
}

} // namespace

TEST_CASE("totals are folded row by row into the slot") {
  constexpr const char *text = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [F], f32>>]
        outputs [#star.operand<row <V, [F], f32>>, #star.operand<whole <P, [F], f32>>, #star.operand<whole <P, [], f32>>]
        reduce [#gnn.sum, #gnn.sum] step {
    } end {
    ^bb0(%x: !gnn.field<V, [F], f32>):
      %0 = gnn.mul %x, %x : (!gnn.field<V, [F], f32>, !gnn.field<V, [F], f32>) -> !gnn.field<V, [F], f32>
      %1 = gnn.reduce #gnn.sum %x dim 0 : (!gnn.field<V, [F], f32>) -> !gnn.field<V, [], f32>
      star.yield %0, %x, %1 : !gnn.field<V, [F], f32>, !gnn.field<V, [F], f32>, !gnn.field<V, [], f32>
    })";
  constexpr int64_t rows = 50;
  for (Target target : runnableTargets())
    for (int64_t width : {1, 7, 17, 40})
      for (bool open : {false, true}) {
        INFO(target.name() << ", width " << width << (open ? ", open" : ", fixed"));
        std::string module = text;
        if (!open)
          for (size_t at; (at = module.find("[F]")) != std::string::npos;)
            module.replace(at, 3, "[" + std::to_string(width) + "]");
        Kernel kernel(module, target, {{"F", width}});
        REQUIRE(kernel.stateBytes == (width + 1) * int64_t(sizeof(float)));
        std::vector<float> x(rows * width), output(x.size());
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = float(i % 13) - 5;
        kernel.tensors = {x.data(), output.data(), nullptr, nullptr};
        std::vector<char> slot(kernel.stateBytes);
        gnn_block_t block = rowsOnly(rows);
        kernel.run(block, 0, slot);
        std::vector<float> totals(width + 1);
        std::memcpy(totals.data(), slot.data(), slot.size());
        // All numbers are small integers: every order gives the same sum.
        std::vector<float> expected(width + 1);
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t i = 0; i < width; ++i) {
            float number = x[row * width + i];
            expected[i] += number;
            expected[width] += number;
            REQUIRE(output[row * width + i] == number * number);
          }
        CHECK(totals == expected);
      }
}

TEST_CASE("a dropout mask is the documented function of seed, site, vertex and element") {
  constexpr const char *text = R"(
    star.kernel @k map of 0 inputs [] outputs [#star.operand<row <V, [F], f32>>] reduce [] step {
    } end {
      %0 = gnn.dropout_mask site 3 probability 0.3 : !gnn.field<V, [F], f32>
      star.yield %0 : !gnn.field<V, [F], f32>
    })";
  constexpr int64_t rows = 20;
  std::vector<int64_t> ids(rows);
  for (int64_t row = 0; row < rows; ++row)
    ids[row] = row * 1000003 + 5;
  for (Target target : runnableTargets())
    for (int64_t width : {7, 33})
      for (bool hasIds : {false, true}) {
        INFO(target.name() << ", width " << width << (hasIds ? ", with ids" : ""));
        Kernel kernel(text, target, {{"F", width}});
        kernel.stepKey = 0x0123456789abcdef;
        std::vector<float> output(rows * width);
        kernel.tensors = {output.data()};
        gnn_block_t block = rowsOnly(rows);
        block.row_id = hasIds ? ids.data() : nullptr;
        std::vector<char> slot;
        kernel.run(block, 0, slot);
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t i = 0; i < width; ++i)
            REQUIRE(output[row * width + i] ==
                    (isKept(kernel.stepKey, 3, hasIds ? ids[row] : row, i, 0.3) ? float(1 / (1 - 0.3)) : 0.0f));
      }
}

TEST_CASE("the position of the largest is the first, and NaN is larger than all") {
  constexpr const char *text = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [20], f32>>] outputs [#star.operand<row <V, [], i64>>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [20], f32>):
      %0 = gnn.arg_reduce max %x dim 0 : (!gnn.field<V, [20], f32>) -> !gnn.field<V, [], i64>
      star.yield %0 : !gnn.field<V, [], i64>
    })";
  for (Target target : runnableTargets()) {
    INFO(target.name());
    Kernel kernel(text, target);
    std::vector<float> x(4 * 20, 1.0f);
    x[20 + 18] = 2;             // row 1: one largest, in the last vector
    x[40 + 5] = x[40 + 17] = 3; // row 2: two
    x[60 + 3] = 9;
    x[60 + 11] = x[60 + 12] = NAN;
    std::vector<int64_t> output(4);
    kernel.tensors = {x.data(), output.data()};
    std::vector<char> slot;
    kernel.run(rowsOnly(4), 0, slot);
    CHECK(output == std::vector<int64_t>{0, 18, 5, 11});
  }
}
