//===- ProductsTest.cpp - Products and folds on a device ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of the tag [fake] need the fake libcuda; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cuda/Blas.h"
#include "runtime/src/program/Fold.h"

#include <cmath>
#include <cstring>
#include <utility>

using namespace gnn::rt;
using Catch::Matchers::Contains;

TEST_CASE("products are those of the processor") {
  Arrays arrays;
  for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(70, 5, 33), std::tuple(3, 130, 16), std::tuple(64, 64, 17)}) {
    CAPTURE(m, n, k);
    std::vector<float> a = randomNumbers(size_t(m * k)), b = randomNumbers(size_t(k * n), 2), expected(size_t(m * n));
    cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
    for (bool transposed : {false, true}) {
      multiply(GNN_F32, transposed, m, n, k, a.data(), b.data(), expected.data());
      const Matrix matrix = transposed ? Matrix{right, k, 1} : Matrix{right, 1, n};
      arrays.kernels.multiply({left, k, 1}, matrix, result, m, n, k, k).launch(*arrays.device);
      checkNear(arrays.get<float>(result, expected.size()), expected);
    }
  }
}

TEST_CASE("products of 16-bit numbers are those of the same numbers in f32, by cuBLASLt too") {
  const auto [element, precision] =
      GENERATE(std::pair<uint32_t, float>(GNN_BF16, 0x1.01p-8f), std::pair<uint32_t, float>(GNN_F16, 0x1.01p-11f));
  CAPTURE(element);
  Arrays arrays;
  std::unique_ptr<Blas> blas = Blas::open(arrays.device);
  REQUIRE(blas);
  const int64_t m = 70, n = 5, k = 33;
  auto narrow = [element = element](const std::vector<float> &numbers) {
    std::vector<uint16_t> result(numbers.size());
    roundTo(element, numbers.data(), result.data(), int64_t(numbers.size()));
    return result;
  };
  auto wide = [element = element](const std::vector<uint16_t> &numbers) {
    std::vector<float> result(numbers.size());
    widen(element, numbers.data(), result.data(), int64_t(numbers.size()));
    return result;
  };
  const std::vector<float> exact = randomNumbers(size_t(k * n), 2);
  const std::vector<uint16_t> a = narrow(randomNumbers(size_t(m * k))), b = narrow(exact);
  std::vector<float> expected(size_t(m * n));
  const cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
  const cuda::Address parameter = arrays.put(exact), rounded = arrays.put(std::vector<uint16_t>(b.size()));
  multiply(GNN_F32, false, m, n, k, wide(a).data(), wide(b).data(), expected.data());
  arrays.kernels.multiply({left, k, 1, element}, {right, 1, n, element}, result, m, n, k, k).launch(*arrays.device);
  checkNear(arrays.get<float>(result, expected.size()), expected);
  arrays.kernels.round(element, parameter, rounded, k * n).launch(*arrays.device);
  CHECK(arrays.get<uint16_t>(rounded, b.size()) == b);
  std::optional<BlasCall> call = blas->prepare({left, rounded, result, m, n, k, false, false, element});
  REQUIRE(call);
  call->launch(*arrays.device);
  checkNear(arrays.get<float>(result, expected.size()), expected);

  // Of a parameter that stays f32, and with a result of 16 bits: near ties it may be the next one.
  multiply(GNN_F32, false, m, n, k, wide(a).data(), exact.data(), expected.data());
  arrays.kernels.multiply({left, k, 1, element}, {parameter, 1, n}, result, m, n, k, k, element).launch(*arrays.device);
  const std::vector<float> found = wide(arrays.get<uint16_t>(result, expected.size()));
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(std::abs(found[i] - expected[i]) <= std::abs(expected[i]) * precision);
  call = blas->prepare({left, rounded, result, m, n, k, false, false, element, element});
  REQUIRE(call);
  call->launch(*arrays.device);
  multiply(GNN_F32, false, m, n, k, wide(a).data(), wide(b).data(), expected.data());
  const std::vector<float> again = wide(arrays.get<uint16_t>(result, expected.size()));
  for (size_t i = 0; i < again.size(); ++i)
    CHECK(std::abs(again[i] - expected[i]) <= std::abs(expected[i]) * precision);
}

TEST_CASE("products over rows go through partial sums that are folded in order") {
  Arrays arrays;
  const int64_t rows = 150, k = 7, n = 66, slotRows = 64, slots = 3;
  std::vector<float> a = randomNumbers(size_t(rows * k)), b = randomNumbers(size_t(rows * n), 2),
                     expected(size_t(k * n));
  multiplyTransposed(GNN_F32, rows, n, k, a.data(), b.data(), expected.data());
  cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
  cuda::Address partials = arrays.put(std::vector<float>(size_t(slots * k * n)));
  arrays.kernels.multiply({left, 1, k}, {right, 1, n}, partials, k, n, rows, slotRows).launch(*arrays.device);
  arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, partials, size_t(k * n) * 4, slots, k * n).launch(*arrays.device);
  checkNear(arrays.get<float>(result, expected.size()), expected);
}

TEMPLATE_TEST_CASE("folds are those of the processor, with NaNs", "", float, int32_t, int64_t) {
  Arrays arrays;
  const size_t slots = 4, stride = 3 * sizeof(TestType) + 8, count = 3;
  std::vector<char> bytes(slots * stride);
  for (size_t s = 0; s < slots; ++s)
    for (size_t i = 0; i < count; ++i) {
      auto value = TestType(int(s * 7 + i * 5) % 11 - 5);
      if constexpr (std::is_floating_point_v<TestType>)
        value = s == i ? NAN : value / 3;
      std::memcpy(bytes.data() + s * stride + i * sizeof value, &value, sizeof value);
    }
  cuda::Address there = arrays.put(bytes), result = arrays.put(std::vector<TestType>(count));
  for (uint32_t kind : {GNN_FOLD_SUM, GNN_FOLD_MAX, GNN_FOLD_MIN}) {
    std::vector<TestType> expected(count);
    std::memcpy(expected.data(), bytes.data(), count * sizeof(TestType));
    for (size_t s = 1; s < slots; ++s)
      foldInto(kind, elementOf<TestType>(), 0, int64_t(count), expected.data(), bytes.data() + s * stride);
    arrays.kernels.fold(kind, elementOf<TestType>(), result, there, stride, int64_t(slots), int64_t(count))
        .launch(*arrays.device);
    std::vector<TestType> found = arrays.get<TestType>(result, count);
    for (size_t i = 0; i < count; ++i) {
      CAPTURE(kind, i, found[i], expected[i]);
      CHECK((found[i] == expected[i] || (found[i] != found[i] && expected[i] != expected[i])));
    }
  }
}

TEST_CASE("rows are picked of two kept tables and of others, by lines, words and bytes") {
  Arrays arrays;
  for (size_t rowBytes : {size_t(32), size_t(12), size_t(6)}) {
    CAPTURE(rowBytes);
    std::vector<char> kept(3 * rowBytes), others(2 * rowBytes), expected;
    for (size_t i = 0; i < kept.size(); ++i)
      kept[i] = char(i);
    for (size_t i = 0; i < others.size(); ++i)
      others[i] = char(128 + i);
    const std::vector<uint32_t> places{3, 0, 4, 2, 0};
    for (uint32_t place : places) {
      const auto from =
          place < 3 ? kept.begin() + long(place * rowBytes) : others.begin() + long((place - 3) * rowBytes);
      expected.insert(expected.end(), from, from + long(rowBytes));
    }
    auto at = [](cuda::Address there) { return reinterpret_cast<void *>(there); };
    const cuda::Address to = arrays.put(std::vector<char>(expected.size()));
    const auto second = kept.begin() + long(rowBytes); // where the second table begins
    const std::vector<KeptTable> tables{{at(arrays.put(std::vector<char>(kept.begin(), second))), 0},
                                        {at(arrays.put(std::vector<char>(second, kept.end()))), 1}};
    arrays.kernels
        .pick({at(to), static_cast<const KeptTable *>(at(arrays.put(tables))), 2, at(arrays.put(others)),
               static_cast<const uint32_t *>(at(arrays.put(places))), 3, int64_t(places.size()), rowBytes})
        .launch(*arrays.device);
    CHECK(arrays.get<char>(to, expected.size()) == expected);
  }
}

TEST_CASE("products by cuBLASLt are those of the processor") {
  Arrays arrays;
  std::unique_ptr<Blas> blas = Blas::open(arrays.device);
  REQUIRE(blas);
  CHECK_THAT(blas->name(), Contains("cuBLASLt 1"));
  CHECK(arrays.device->memory().used() >= 32 << 20); // the workspace
  for (auto size : {std::tuple(1, 1, 1), std::tuple(70, 5, 33), std::tuple(3, 130, 16), std::tuple(17, 9, 200)}) {
    const int m = std::get<0>(size), n = std::get<1>(size), k = std::get<2>(size); // which lambdas capture
    CAPTURE(m, n, k);
    std::vector<float> a = randomNumbers(size_t(m * k)), b = randomNumbers(size_t(k * n), 2), expected(size_t(m * n));
    cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
    auto compute = [&](bool transposeA, bool transposeB) {
      std::optional<BlasCall> call = blas->prepare({left, right, result, m, n, k, transposeA, transposeB});
      REQUIRE(call);
      call->launch(*arrays.device);
      checkNear(arrays.get<float>(result, expected.size()), expected);
    };
    for (bool transposed : {false, true}) {
      multiply(GNN_F32, transposed, m, n, k, a.data(), b.data(), expected.data());
      compute(false, transposed);
    }
    multiplyTransposed(GNN_F32, k, n, m, a.data(), b.data(), expected.data());
    compute(true, false);
  }
}

TEST_CASE("operands of products need not be aligned, and no workspace is taken of a small budget") {
  std::shared_ptr<Device> device = Device::open(0, /*budget=*/1 << 20);
  Device::Scope scope(*device);
  std::unique_ptr<Blas> blas = Blas::open(device);
  REQUIRE(blas);
  CHECK(device->memory().used() == 0);
  DeviceArray array = device->allocate(4096);
  std::vector<float> a = randomNumbers(200), b = randomNumbers(200, 2);
  const cuda::Address left = array.address() + 4, right = array.address() + 1000, result = array.address() + 2056;
  device->upload(left, a.data(), 800);
  device->upload(right, b.data(), 800);
  std::optional<BlasCall> call = blas->prepare({left, right, result, 2, 2, 100, false, false});
  REQUIRE(call);
  call->launch(*device);
  float expected[4], found[4];
  multiply(GNN_F32, false, 2, 2, 100, a.data(), b.data(), expected);
  device->download(found, result, sizeof found);
  checkNear({found, found + 4}, {expected, expected + 4});
}

TEST_CASE("without cuBLASLt, or an algorithm of it, there is no product by it", "[fake]") {
  Arrays arrays;
  {
    Fake fake("no-blas");
    CHECK(!Blas::open(arrays.device));
  }
  Fake fake("no-algorithm");
  cuda::Address numbers = arrays.put(std::vector<float>(8));
  CHECK(!Blas::open(arrays.device)->prepare({numbers, numbers, numbers, 1, 1, 1, false, false}));
}
