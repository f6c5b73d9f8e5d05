//===- TensorTest.cpp - Tests of tensors and DLPack ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage, views and their owners, checked conversion, exchange with other libraries.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Tensor.h"
#include "gnn/error.hpp"
#include "gnn/tensor.h"
#include "runtime/src/core/AddressSanitizer.h"
#include "runtime/src/core/Elements.h"
#include "runtime/src/exchange/DLPack.h"
#include <catch2/catch.hpp>
#include <cmath>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// A producer's tensor over `data` that counts its deletions.
struct Producer {
  gnn_dl_managed_tensor_t managed{};
  std::vector<int64_t> shape, strides;
  int deleted = 0;

  Producer(void *data, gnn_dl_type_t type, std::vector<int64_t> shapeOf, std::vector<int64_t> stridesOf = {})
      : shape(std::move(shapeOf)), strides(std::move(stridesOf)) {
    managed.version = {GNN_DL_MAJOR, 1};
    managed.manager_ctx = this;
    managed.deleter = [](gnn_dl_managed_tensor_t *self) { ++static_cast<Producer *>(self->manager_ctx)->deleted; };
    managed.tensor = {data, {GNN_DL_CPU, 0}, int32_t(shape.size()),
                      type, shape.data(),    strides.empty() ? nullptr : strides.data(),
                      0};
  }
};

constexpr gnn_dl_type_t float32{GNN_DL_FLOAT, 32, 1};

} // namespace

TEST_CASE("owned tensors are aligned and zeroed") {
  Tensor tensor = Tensor::zeros(GNN_F32, {3, 5});
  CHECK(tensor.count() == 15);
  CHECK(reinterpret_cast<uintptr_t>(tensor.data()) % 64 == 0);
  for (float value : tensor.values<float>())
    CHECK(value == 0);
  CHECK(Tensor::zeros(GNN_I64, {}).count() == 1);
  Tensor none = Tensor::zeros(GNN_F64, {0, 7});
  CHECK(none.count() == 0);
  CHECK(none.data() != nullptr);
}

#ifdef GNN_ADDRESS_SANITIZER
TEST_CASE("AddressSanitizer sees the first byte after a tensor") {
  for (int64_t count : {1, 15, 16, 17, 5 << 20}) {
    Tensor tensor = Tensor::zeros(GNN_BOOL, {count});
    const auto *end = static_cast<const char *>(tensor.data()) + count;
    CHECK_FALSE(__asan_address_is_poisoned(end - 1));
    CHECK(__asan_address_is_poisoned(end));
  }
}
#endif

TEST_CASE("impossible shapes are refused") {
  CHECK_THROWS_WITH(Tensor::zeros(GNN_F32, {2, -1}), Contains("[2, -1] has a negative extent"));
  CHECK_THROWS_WITH(Tensor::zeros(GNN_F32, {INT64_MAX, 2}), Contains("exceeds the address space"));
  CHECK_THROWS_WITH(Tensor::zeros(GNN_F64, {INT64_MAX / 4}), Contains("exceeds the address space"));
  CHECK_THROWS_WITH(Tensor::zeros(GNN_F32, {0, INT64_MAX, 2}), Contains("exceeds the address space"));
  CHECK_THROWS_AS(Tensor::zeros(99, {1}), gnn::Error);
  CHECK_THROWS_AS(Tensor::zeros(GNN_F32, std::vector<int64_t>(GNN_MAX_RANK + 1, 1)), gnn::Error);
}

TEST_CASE("a view keeps its owner and must be aligned") {
  alignas(8) float data[4] = {1, 2, 3, 4};
  auto owner = std::make_shared<int>(0);
  {
    Tensor view = Tensor::view(owner, data, GNN_F32, {2, 2});
    Tensor copy = view;
    view = Tensor();
    CHECK(owner.use_count() == 2);
    CHECK(copy.data<float>() == data);
  }
  CHECK(owner.use_count() == 1);
  CHECK_THROWS_WITH(Tensor::view(owner, reinterpret_cast<char *>(data) + 1, GNN_F32, {1}), Contains("not aligned"));
  CHECK_THROWS_WITH(Tensor::view(owner, nullptr, GNN_F32, {1}), Contains("no data"));
}

TEST_CASE("conversion is checked") {
  Tensor reals = Tensor::of<double>({1, -2, 3});
  CHECK(reals.converted(GNN_I32, "x").values<int32_t>()[1] == -2);
  CHECK_THROWS_WITH(Tensor::of<double>({0.5}).converted(GNN_I64, "x"), Contains("x: element 0 is 0.5"));
  CHECK_THROWS_WITH(Tensor::of<double>({0, NAN}).converted(GNN_I64, "x"), Contains("element 1"));
  CHECK_THROWS_AS(Tensor::of<double>({0x1p63}).converted(GNN_I64, "x"), gnn::Error);
  CHECK(Tensor::of<double>({-0x1p63}).converted(GNN_I64, "x").values<int64_t>()[0] == INT64_MIN);
  CHECK_THROWS_AS(Tensor::of<int64_t>({int64_t(1) << 31}).converted(GNN_I32, "x"), gnn::Error);
  CHECK_THROWS_AS(Tensor::of<int64_t>({2}).converted(GNN_BOOL, "x"), gnn::Error);
}

TEST_CASE("half and bfloat16 become f32 exactly") {
  uint16_t half[] = {0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00, 0x8000, 0x7bff};
  Tensor values = copyForeign(half, ForeignElement::F16, false, {7}, {2}, "x");
  const float *value = values.data<float>();
  CHECK(value[0] == 1.0f);
  CHECK(value[1] == -2.0f);
  CHECK(value[2] == 0x1p-24f);
  CHECK(std::isinf(value[3]));
  CHECK(std::isnan(value[4]));
  CHECK(std::signbit(value[5]));
  CHECK(value[6] == 65504.0f);
  uint16_t bfloat[] = {0x3f80, 0xc000};
  CHECK(copyForeign(bfloat, ForeignElement::BF16, false, {2}, {2}, "x").values<float>()[1] == -2.0f);
}

TEST_CASE("reals are rounded to bf16, and are reals again") {
  // Ties go to the even one; what is too large is infinite, what is no number stays none.
  const Tensor reals =
      Tensor::of<float>({1, 1 + 0x1p-8f, 1 + 0x3p-8f, -0.0f, 0x1.ffp127f, -INFINITY, NAN, 0x1p-133f}, {2, 4});
  const Tensor narrow = reals.converted(GNN_BF16, "x");
  CHECK(narrow.element() == GNN_BF16);
  CHECK(narrow.bytes() == 16);
  const auto *bits = static_cast<const uint16_t *>(narrow.data());
  CHECK(std::vector<uint16_t>(bits, bits + 6) == std::vector<uint16_t>{0x3f80, 0x3f80, 0x3f82, 0x8000, 0x7f80, 0xff80});
  const Tensor wide = narrow.converted(GNN_F64, "x");
  CHECK(wide.shape() == std::vector<int64_t>{2, 4});
  CHECK(wide.data<double>()[2] == 1 + 0x1p-6);
  CHECK(std::isnan(wide.data<double>()[6]));
  CHECK(wide.data<double>()[7] == 0x1p-133);
  CHECK(numberAt(narrow, 2) == 1 + 0x1p-6);
  CHECK(Tensor::of<int64_t>({257, 259}).converted(GNN_BF16, "x").converted(GNN_I32, "x").values<int32_t>()[1] == 260);
  gnn_tensor_t *none = nullptr;
  const int64_t shape[] = {2};
  CHECK(gnn_tensor_create(GNN_BF16, 1, shape, &none) == GNN_ERROR_ARGUMENT); // none of an application's types
}

TEST_CASE("reals are rounded to f16, and are reals again") {
  const Tensor reals = Tensor::of<float>({1, 1 + 0x1p-11f, 1 + 0x3p-11f, -0.0f, 65519, 65520, -INFINITY, NAN, 0x1p-24f,
                                          0x1p-25f, 0x1.8p-24f, 0x1.ffcp-15f},
                                         {12});
  const Tensor narrow = reals.converted(GNN_F16, "x");
  CHECK(narrow.element() == GNN_F16);
  CHECK(narrow.bytes() == 24);
  const auto *bits = static_cast<const uint16_t *>(narrow.data());
  CHECK(std::vector<uint16_t>(bits, bits + 12) ==
        std::vector<uint16_t>{0x3c00, 0x3c00, 0x3c02, 0x8000, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 1, 0, 2, 0x0400});
  const Tensor wide = narrow.converted(GNN_F64, "x");
  CHECK(wide.data<double>()[4] == 65504);
  CHECK(std::isnan(wide.data<double>()[7]));
  CHECK(wide.data<double>()[8] == 0x1p-24);
  CHECK(numberAt(narrow, 2) == 1 + 0x1p-9);
}

TEST_CASE("DLPack export shares storage until the consumer deletes") {
  Tensor tensor = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  gnn_dl_managed_tensor_t *managed = toDLPack(tensor);
  const float *data = tensor.data<float>();
  tensor = Tensor();
  CHECK(managed->tensor.data == data);
  CHECK(managed->tensor.ndim == 2);
  CHECK(managed->tensor.strides[0] == 3);
  CHECK(managed->tensor.strides[1] == 1);
  CHECK(static_cast<float *>(managed->tensor.data)[5] == 6);
  managed->deleter(managed);
}

TEST_CASE("DLPack import shares contiguous memory and releases it once") {
  alignas(8) float data[6] = {1, 2, 3, 4, 5, 6};
  Producer producer(data, float32, {2, 3});
  producer.managed.flags = GNN_DL_READ_ONLY;
  {
    Tensor tensor = fromDLPack(&producer.managed);
    CHECK(tensor.data<float>() == data);
    CHECK(tensor.shape() == std::vector<int64_t>{2, 3});
    CHECK_THROWS_WITH(tensor.mutableData(), Contains("read-only"));
    CHECK(producer.deleted == 0);
  }
  CHECK(producer.deleted == 1);
}

TEST_CASE("DLPack import copies what is strided, offset or of another width") {
  alignas(8) float data[6] = {1, 2, 3, 4, 5, 6};
  Producer transposed(data, float32, {3, 2}, {1, 3});
  Tensor tensor = fromDLPack(&transposed.managed);
  CHECK(transposed.deleted == 1);
  CHECK(std::vector<float>(tensor.values<float>().begin(), tensor.values<float>().end()) ==
        std::vector<float>{1, 4, 2, 5, 3, 6});

  Producer offset(data, float32, {2});
  offset.managed.tensor.byte_offset = 8;
  CHECK(fromDLPack(&offset.managed).values<float>()[0] == 3);

  int8_t small[] = {-1, 7};
  Producer narrow(small, {GNN_DL_INT, 8, 1}, {2});
  CHECK(fromDLPack(&narrow.managed).values<int32_t>()[0] == -1);

  Producer nothing(nullptr, float32, {0, 4});
  CHECK(fromDLPack(&nothing.managed).count() == 0);
}

TEST_CASE("a refused DLPack tensor stays the caller's") {
  alignas(8) float data[2] = {1, 2};
  Producer other(data, float32, {2});
  other.managed.version.major = 2;
  CHECK_THROWS_WITH(fromDLPack(&other.managed), Contains("version 2.1"));
  Producer device(data, float32, {2});
  device.managed.tensor.device.type = 8; // Metal
  CHECK_THROWS_WITH(fromDLPack(&device.managed), Contains("device of type 8"));
  Producer lanes(data, {GNN_DL_FLOAT, 32, 4}, {2});
  CHECK_THROWS_AS(fromDLPack(&lanes.managed), gnn::Error);
  CHECK(other.deleted + device.deleted + lanes.deleted == 0);
}
